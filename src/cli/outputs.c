#include "config.h" /* must be first: decides what system headers declare */

#include "cli/outputs.h"

#include "cli/command.h"
#include "host/system.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COLUMNS_LEAST = 40, COLUMNS_MOST = 120, ROWS_LEAST = 24, HEADING_MOST = 80 };

static bool can_write(enum od_outputs_kind kind, const struct od_format *format)
{
    switch (kind) {
    case OD_OUTPUTS_REPORT:
        return true;
    case OD_OUTPUTS_PLAN:
        return format->document || format->plan;
    case OD_OUTPUTS_OTHER:
        return format->document || format->other || strcmp(format->name, "json") == 0;
    }
    return false;
}

static const struct od_format *find(const struct od_format *own, struct od_view name)
{
    for (; own && own->name; own++)
        if (od_view_eq_str(name, own->name))
            return own;
    return od_format_find(name);
}

static bool add(struct od_outputs *outputs, struct od_view name, const char *file)
{
    const struct od_format *format = find(outputs->own, name);
    if (!format || outputs->n == OD_OUTPUTS_MAX)
        return false;
    if (!can_write(outputs->kind, format))
        return false;
    for (size_t i = 0; !file && i < outputs->n; i++) {
        if (!outputs->list[i].file)
            return false; /* only one report can go to standard output */
    }
    outputs->list[outputs->n++] = (struct od_output){.format = format, .file = file};
    return true;
}

/* Adds "json:report.json"; "json:-" is standard output. */
static bool add_file(struct od_outputs *outputs, const char *spec)
{
    const char *colon = strchr(spec, ':');
    if (!colon || colon[1] == '\0')
        return false;
    const char *file = strcmp(colon + 1, "-") == 0 ? NULL : colon + 1;
    return add(outputs, (struct od_view){spec, (size_t)(colon - spec)}, file);
}

/* The current folder relative to `root` ("logs"); NULL = it is not below root, or the shell's name
 * for it is not this process' folder. */
static const char *folder_below(const char *root)
{
    const char *here = getenv("PWD");
    size_t n = root ? strlen(root) : 0;
    struct stat named, real;
    while (n > 0 && root[n - 1] == '/')
        n--;
    if (n == 0 || !here || strncmp(here, root, n) != 0 || here[n] != '/')
        return NULL;
    bool same = stat(here, &named) == 0 && stat(".", &real) == 0 && named.st_dev == real.st_dev &&
                named.st_ino == real.st_ino;
    return same ? here + n + 1 : NULL;
}

/* The address "file://host/home/ana/train.py" of a file in the current folder or next to the log.
 */
static const char *locate(struct od_view file, const char *log, struct od_arena *arena)
{
    enum { HOST_MOST = 256 };
    char host[HOST_MOST] = "";
    const char *slash = strrchr(log, '/'), *name = od_arena_str(arena, file), *found = NULL;
    bool beside = slash && name[0] != '/';
    const char *names[] = {
        name, od_arena_printf(arena, "%.*s%s", beside ? (int)(slash - log) + 1 : 0, log, name)};
    for (size_t i = 0; !found && i < OD_COUNT_OF(names); i++) {
        struct stat st;
        char *path =
            stat(names[i], &st) == 0 && S_ISREG(st.st_mode) ? realpath(names[i], NULL) : NULL;
        struct od_buf uri = {0};
        if (path && gethostname(host, sizeof host - 1) == 0) {
            od_buf_add_str(&uri, "file://");
            od_text_uri_path(od_view_of(host), &uri);
            od_text_uri_path(od_view_of(path), &uri);
            found = od_arena_take(arena, &uri);
        }
        free(path);
    }
    return found;
}

static bool is_color_word(const char *word)
{
    return strcmp(word, "auto") == 0 || strcmp(word, "always") == 0 || strcmp(word, "never") == 0;
}

bool od_outputs_take(struct od_outputs *outputs, const struct od_args *args, int option,
                     int *ret_status)
{
    const struct od_command *self = args->command;
    *ret_status = OD_EXIT_OK;
    if (od_args_is(args, option, "format")) {
        if (!add(outputs, od_view_of(args->value), NULL))
            *ret_status = od_usage_error(
                self, "--format takes one of the formats in its help, once, not '%s'", args->value);
    } else if (od_args_is(args, option, "output")) {
        if (!add_file(outputs, args->value))
            *ret_status = od_usage_error(
                self, "--output takes FORMAT:FILE with a format of --format, not '%s'",
                args->value);
    } else if (od_args_is(args, option, "color")) {
        if (!is_color_word(args->value))
            *ret_status =
                od_usage_error(self, "--color takes auto, always or never, not '%s'", args->value);
        outputs->color = args->value;
    } else {
        return false;
    }
    return true;
}

void od_outputs_default(struct od_outputs *outputs)
{
    if (outputs->n == 0)
        (void)add(outputs, OD_VIEW("text"), NULL);
}

void od_outputs_look(const struct od_outputs *outputs, struct od_report_options *options)
{
    const char *no_color = getenv("NO_COLOR");
    const char *term = getenv("TERM");
    int shown = outputs->on_stderr ? STDERR_FILENO : STDOUT_FILENO;
    bool terminal = isatty(shown) != 0;
    bool wanted = !(no_color && *no_color) && !(term && strcmp(term, "dumb") == 0);
    options->color = terminal && wanted;
    if (outputs->color && strcmp(outputs->color, "auto") != 0)
        options->color = strcmp(outputs->color, "always") == 0;
    /* Terminals without hyperlinks ignore them; the console of Linux may print them. */
    options->links = terminal && options->color && !(term && strcmp(term, "linux") == 0);
    options->locate = options->links ? locate : NULL;
    options->unicode = od_speaks_utf8();
    const char *github = getenv("GITHUB_WORKSPACE"), *gitlab = getenv("CI_PROJECT_DIR");
    options->workspace = github && *github ? github : gitlab;
    options->folder = folder_below(options->workspace);
    struct winsize size;
    if (!terminal || ioctl(shown, TIOCGWINSZ, &size) != 0)
        return;
    if (size.ws_col >= COLUMNS_LEAST)
        options->columns = size.ws_col < COLUMNS_MOST ? size.ws_col : COLUMNS_MOST;
    options->rows = (size.ws_row > ROWS_LEAST ? size.ws_row : ROWS_LEAST) - 1U;
}

static bool is_input(const struct od_args *args, const struct stat *output)
{
    struct stat from;
    for (int i = args->at; i < args->argc; i++)
        if (stat(args->argv[i], &from) == 0 && od_system_same_file(&from, output))
            return true;
    return false;
}

/* Does the file begin with our heading? False if it cannot be read. */
static bool begins_with(const char *file, const char *heading)
{
    char start[HEADING_MOST];
    size_t n = strlen(heading);
    FILE *from = fopen(file, "re");
    bool ours = from && n <= sizeof start && fread(start, 1, n, from) == n &&
                memcmp(start, heading, n) == 0;
    if (from)
        (void)fclose(from);
    return ours;
}

int od_outputs_may_write(const struct od_args *args, const char *file, const char *heading)
{
    struct stat to;
    if (!file || stat(file, &to) != 0 || !S_ISREG(to.st_mode))
        return OD_EXIT_OK;
    if (is_input(args, &to))
        return od_usage_error(args->command, "%s is a file to be read: write to another file",
                              file);
    if (heading && to.st_size > 0 && !begins_with(file, heading))
        return od_usage_error(args->command,
                              "%s exists, and this option did not write it: name another file, or "
                              "remove that one",
                              file);
    return OD_EXIT_OK;
}

int od_outputs_may_write_all(const struct od_outputs *outputs, const struct od_args *args)
{
    int status = OD_EXIT_OK;
    for (size_t i = 0; status == OD_EXIT_OK && i < outputs->n; i++)
        status = od_outputs_may_write(args, outputs->list[i].file, NULL);
    return status;
}

/* Regular files are replaced atomically; devices, pipes and links are opened and written. */
static bool is_replaced(const char *file)
{
    struct stat st;
    return lstat(file, &st) != 0 || S_ISREG(st.st_mode);
}

static int open_to_write(const char *name, int flags)
{
    return open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY | flags, 0666);
}

/* Writes and closes the file. Returns 0 or errno, also if it was not opened. */
static int write_to(int fd, struct od_view text)
{
    int why = fd >= 0 && od_system_write(fd, text) ? 0 : errno;
    if (fd >= 0 && close(fd) != 0 && why == 0)
        why = errno;
    return why;
}

/* Creates a temporary file next to `file` with its permissions, or with default ones. */
static int open_temporary(char *name, const char *file)
{
    struct stat old;
    mode_t mask = umask(0);
    (void)umask(mask);
    int fd = od_system_temporary(name);
    mode_t mode = lstat(file, &old) == 0 ? old.st_mode & 07777 : 0666 & ~mask;
    if (fd >= 0 && fchmod(fd, mode) != 0) {
        int why = errno;
        (void)close(fd);
        (void)unlink(name);
        errno = why;
        return -1;
    }
    return fd;
}

/* Blocks signals while writing, so that none leaves half a file. */
static int write_atomically(const char *file, struct od_view text)
{
    struct od_buf part = {0};
    sigset_t all, before;
    od_buf_printf(&part, "%s.XXXXXX", file);
    (void)od_buf_str(&part);
    (void)sigfillset(&all);
    (void)sigprocmask(SIG_BLOCK, &all, &before);
    int fd = open_temporary(part.p, file);
    int why = write_to(fd, text);
    if (why == 0 && rename(part.p, file) != 0)
        why = errno;
    if (why != 0 && fd >= 0)
        (void)unlink(part.p);
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    od_buf_done(&part);
    return why;
}

bool od_outputs_write_file(const char *file, struct od_view text)
{
    int why =
        is_replaced(file) ? write_atomically(file, text) : write_to(open_to_write(file, 0), text);
    if (why == EBUSY) /* the file is a mount point, such as a container's termination log */
        why = write_to(open_to_write(file, O_NOFOLLOW), text);
    if (why != 0)
        od_complain("cannot write %s: %s", file, strerror(why));
    return why == 0;
}

bool od_outputs_show_pictures(const struct od_outputs *outputs)
{
    for (size_t i = 0; i < outputs->n; i++)
        if (strcmp(outputs->list[i].format->name, "html") == 0)
            return true;
    return false;
}

static bool render(const struct od_format *format, const struct od_outputs_of *what,
                   const struct od_report_options *options, struct od_buf *to)
{
    if (what->other)
        return od_format_other(format, what->other, options, to);
    if (what->plan)
        od_format_plan(format, what->plan, options, to);
    else
        od_format_report(format, what->report, options, to);
    return true;
}

/* Appends to the GitHub Actions step summary, which other commands of the step also write. */
static bool append_summary(const struct od_outputs_of *what,
                           const struct od_report_options *options)
{
    const char *file = getenv("GITHUB_STEP_SUMMARY");
    if (!what->report || !file || !*file)
        return true;
    struct od_report_options here = *options;
    here.color = here.links = false;
    struct od_buf text = {0};
    (void)render(od_format_find(OD_VIEW("markdown")), what, &here, &text);
    int fd = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0666);
    bool ok = fd >= 0 && od_system_write(fd, od_buf_view(&text));
    if (!ok)
        od_complain("cannot write %s: %s", file, strerror(errno));
    if (fd >= 0)
        (void)close(fd);
    od_buf_done(&text);
    return ok;
}

bool od_outputs_write(const struct od_outputs *outputs, const struct od_outputs_of *what,
                      const struct od_report_options *options)
{
    bool ok = true, summary = false;
    OD_FOR_EACH_OF (const struct od_output, output, outputs->list, outputs->n) {
        struct od_report_options here = *options;
        here.color = options->color && !output->file;
        here.links = options->links && !output->file;
        struct od_buf text = {0};
        if (!render(output->format, what, &here, &text))
            ok = false;
        else if (output->file)
            ok = od_outputs_write_file(output->file, od_buf_view(&text)) && ok;
        else if (outputs->on_stderr)
            ok = od_system_write(STDERR_FILENO, od_buf_view(&text)) && ok;
        else
            ok = od_write_all(od_buf_str(&text), text.n) && ok;
        od_buf_done(&text);
        summary = summary || strcmp(output->format->name, "github") == 0;
    }
    return summary ? append_summary(what, options) && ok : ok;
}
