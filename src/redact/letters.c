#include "redact/found.h"

#include "base/ascii.h"
#include "base/num.h"

#include <string.h>

size_t od_run(struct od_view text, size_t at, const char *extra)
{
    size_t n = 0;
    for (; at + n < text.n; n++) {
        char c = text.p[at + n];
        if (!od_is_alnum(c) && (c == '\0' || c == ' ' || !strchr(extra, c)))
            break;
    }
    return n;
}

bool od_equals_folded(struct od_view a, const char *b)
{
    size_t n = strlen(b);
    if (a.n != n)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (od_lower(a.p[i]) != b[i])
            return false;
    }
    return true;
}

bool od_ends_folded(struct od_view a, const char *end)
{
    size_t n = strlen(end);
    return a.n >= n && od_equals_folded(od_view_from(a, a.n - n), end);
}

bool od_is_common_name(struct od_view name)
{
    static const char *const names[] = {
        "root",       "ubuntu",    "runner",    "jovyan",     "user",     "users",    "docker",
        "ec2-user",   "app",       "nobody",    "admin",      "vsts",     "shared",   "public",
        "default",    "data",      "model",     "models",     "train",    "training", "work",
        "workspace",  "code",      "src",       "project",    "projects", "test",     "tests",
        "anaconda",   "anaconda3", "miniconda", "miniconda3", "conda",    "python",   "lib",
        "local",      "localhost", "tmp",       "batch",      "gpu",      "cpu",      "cuda",
        "linux",      "windows",   "kernel",    "host",       "hostname", "node",     "none",
        "null",       "true",      "false",     "unknown",    "default",  "memory",   "device",
        "datasets",   "dataset",   "scratch",   "home",       "username", "systemd",  "torch",
        "tensorflow", "keras",     "jax",       "git",        "service",  "server",   "client",
        "worker",     "master",    "main",      "system",     "vagrant",  "centos",   "debian"};
    for (size_t i = 0; i < OD_COUNT_OF(names); i++) {
        if (od_equals_folded(name, names[i]))
            return true;
    }
    return false;
}
