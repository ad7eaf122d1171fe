#include "cli/outputs.h"

#include "cli/command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool add(struct od_outputs *outputs, struct od_view name, const char *file)
{
    const struct od_format *format = od_format_find(name);
    if (!format || outputs->n == OD_OUTPUTS_MAX)
        return false;
    for (size_t i = 0; !file && i < outputs->n; i++) {
        if (!outputs->list[i].file)
            return false; /* standard output holds one report */
    }
    outputs->list[outputs->n++] = (struct od_output){.format = format, .file = file};
    return true;
}

bool od_outputs_add_format(struct od_outputs *outputs, const char *name)
{
    return add(outputs, od_view_of(name), NULL);
}

bool od_outputs_add_file(struct od_outputs *outputs, const char *spec)
{
    const char *colon = strchr(spec, ':');
    if (!colon || colon[1] == '\0')
        return false;
    const char *file = strcmp(colon + 1, "-") == 0 ? NULL : colon + 1;
    return add(outputs, (struct od_view){spec, (size_t)(colon - spec)}, file);
}

static bool write_fd(int fd, struct od_view text)
{
    while (text.n > 0) {
        ssize_t n = write(fd, text.p, text.n);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        text = od_view_from(text, (size_t)n);
    }
    return true;
}

/* A plain file is replaced at once; a device, a pipe or a link is written to as it stands. */
static bool is_replaced(const char *file)
{
    struct stat st;
    return lstat(file, &st) != 0 || S_ISREG(st.st_mode);
}

bool od_outputs_write_file(const char *file, struct od_view text)
{
    struct od_buf part = {0};
    bool replaced = is_replaced(file);
    od_buf_printf(&part, "%s%s", file, replaced ? ".part" : "");
    const char *name = od_buf_str(&part);
    int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY | (replaced ? O_NOFOLLOW : 0);
    int fd = open(name, flags, 0666);
    bool ok = fd >= 0 && write_fd(fd, text);
    int why = errno;
    if (fd >= 0 && close(fd) != 0 && ok) {
        ok = false;
        why = errno;
    }
    if (ok && replaced && rename(name, file) != 0) {
        ok = false;
        why = errno;
    }
    if (!ok) {
        od_complain("cannot write %s: %s", file, strerror(why));
        if (fd >= 0 && replaced)
            (void)unlink(name);
    }
    od_buf_done(&part);
    return ok;
}

bool od_outputs_show_pictures(const struct od_outputs *outputs)
{
    for (size_t i = 0; i < outputs->n; i++)
        if (strcmp(outputs->list[i].format->name, "html") == 0)
            return true;
    return false;
}

bool od_outputs_write(const struct od_outputs *outputs, const struct od_report *report,
                      const struct od_report_options *options)
{
    bool ok = true;
    for (size_t i = 0; i < outputs->n; i++) {
        const struct od_output *output = &outputs->list[i];
        struct od_report_options here = *options;
        here.color = options->color && !output->file;
        struct od_buf text = {0};
        output->format->render(report, &here, &text);
        if (output->file)
            ok = od_outputs_write_file(output->file, od_buf_view(&text)) && ok;
        else
            ok = od_write_all(od_buf_str(&text), text.n) && ok;
        od_buf_done(&text);
    }
    return ok;
}
