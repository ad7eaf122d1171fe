/* Names by where they stand: in a path, at the head of a line of a system's log. */
#include "base/ascii.h"
#include "redact/found.h"

#include "base/num.h"

/* A name in a path: up to the next separator. */
static bool take_component(struct od_view text, size_t at, enum od_redact_kind kind,
                           struct od_found *ret_found)
{
    size_t n = od_run(text, at, "_-.");
    struct od_view name = od_view_head(od_view_from(text, at), n);
    if (n < 2 || od_is_common_name(name) || name.p[0] == '.')
        return false;
    *ret_found = (struct od_found){.start = at, .end = at + n, .kind = kind, .learn = true};
    return true;
}

/* "home/" or "Users\\" at that byte: what follows its separators; OD_VIEW_NONE = neither. */
static size_t behind_home(struct od_view text, size_t at, char *ret_slash)
{
    static const char *const folders[] = {"home", "homes", "users", "home1", "home2", "homedirs"};
    size_t name = at + od_run(text, at, "_");
    struct od_view folder = {text.p + at, name - at};
    if (name >= text.n || (text.p[name] != '/' && text.p[name] != '\\'))
        return OD_VIEW_NONE;
    *ret_slash = text.p[name];
    for (size_t i = 0; i < OD_COUNT_OF(folders); i++) {
        if (!od_equals_folded(folder, folders[i]))
            continue;
        while (name < text.n && text.p[name] == *ret_slash)
            name++;
        return name;
    }
    return OD_VIEW_NONE;
}

/* "/home/NAME", "\\Users\\NAME", also doubled and deeper in a path. */
bool od_find_home(struct od_view text, size_t at, struct od_found *ret_found)
{
    char slash;
    size_t name = behind_home(text, at + 1, &slash);
    return name != OD_VIEW_NONE && slash == text.p[at] &&
           take_component(text, name, OD_REDACT_USER, ret_found);
}

/* "home/NAME/": a path that begins there must go on behind the name. */
bool od_find_relative_home(struct od_view text, size_t at, struct od_found *ret_found)
{
    char slash;
    size_t name = behind_home(text, at, &slash);
    return name != OD_VIEW_NONE && take_component(text, name, OD_REDACT_USER, ret_found) &&
           ret_found->end < text.n && text.p[ret_found->end] == slash;
}

static bool is_month(struct od_view text)
{
    static const char *const months[] = {"jan", "feb", "mar", "apr", "may", "jun",
                                         "jul", "aug", "sep", "oct", "nov", "dec"};
    for (size_t i = 0; i < OD_COUNT_OF(months); i++) {
        if (od_equals_folded(od_view_head(text, 3), months[i]))
            return true;
    }
    return false;
}

/* Bytes of "Nov 21 05:21:39 " or "2026-11-21T05:21:39.123+00:00 "; 0 when there is none. */
static size_t stamp_length(struct od_view text)
{
    size_t at = 0;
    if (text.n > 16 && is_month(text) && text.p[3] == ' ' && text.p[9] == ':' &&
        text.p[12] == ':' && text.p[15] == ' ')
        return 16;
    if (text.n < 21 || text.p[4] != '-' || text.p[7] != '-' || text.p[10] != 'T' ||
        text.p[13] != ':')
        return 0;
    while (at < text.n && at < 36 && text.p[at] != ' ')
        at++;
    return at < text.n && text.p[at] == ' ' ? at + 1 : 0;
}

/* "HOST program[1]: " or "HOST kernel: " behind a stamp. */
static bool find_syslog(struct od_view text, struct od_found *ret_found)
{
    size_t at = stamp_length(text);
    if (at == 0)
        return false;
    size_t n = od_run(text, at, "_-.");
    size_t program = at + n + 1;
    if (n < 2 || program >= text.n || text.p[at + n] != ' ' || !od_is_letter(text.p[at]))
        return false;
    size_t m = od_run(text, program, "_-./()");
    if (m == 0 || program + m >= text.n ||
        (text.p[program + m] != ':' && text.p[program + m] != '['))
        return false;
    return take_component(text, at, OD_REDACT_HOST, ret_found);
}

/* "HOST:123:456 [0] NCCL INFO" */
static bool find_nccl(struct od_view text, struct od_found *ret_found)
{
    size_t n = od_run(text, 0, "_-.");
    if (n < 2 || n >= text.n || text.p[n] != ':' || !od_is_letter(text.p[0]) ||
        od_view_find(od_view_head(text, n + 60), OD_VIEW(" NCCL "), n) == OD_VIEW_NONE)
        return false;
    return take_component(text, 0, OD_REDACT_HOST, ret_found);
}

/* "srun: error: HOST: task 3", "slurmstepd: error: *** JOB 1 ON HOST CANCELLED" */
static bool find_slurm(struct od_view text, struct od_found *ret_found)
{
    size_t at = od_view_find(od_view_head(text, 200), OD_VIEW("srun: error: "), 0);
    if (at != OD_VIEW_NONE) {
        at += 13;
        size_t n = od_run(text, at, "_-.");
        if (od_view_starts(od_view_from(text, at + n), OD_VIEW(": task")))
            return take_component(text, at, OD_REDACT_HOST, ret_found);
    }
    if (od_view_find(od_view_head(text, 200), OD_VIEW("slurmstepd: "), 0) == OD_VIEW_NONE)
        return false;
    at = od_view_find(text, OD_VIEW(" ON "), 0);
    return at != OD_VIEW_NONE && take_component(text, at + 4, OD_REDACT_HOST, ret_found);
}

bool od_find_log_head(struct od_view text, struct od_found *ret_found)
{
    return find_syslog(text, ret_found) || find_nccl(text, ret_found) ||
           find_slurm(text, ret_found);
}
