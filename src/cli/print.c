#include "cli/command.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>

static void complain(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

static void complain(const char *format, va_list args)
{
    struct od_arena *arena = od_arena_new();
    struct od_buf text = {0};
    od_text_visible(od_view_of(od_arena_vprintf(arena, format, args)), &text);
    (void)fprintf(stderr, "oomdoctor: %s\n", od_buf_str(&text));
    od_buf_done(&text);
    od_arena_free(arena);
}

int od_usage_error(const struct od_command *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    complain(format, args);
    va_end(args);
    if (command)
        (void)fprintf(stderr, "Try 'oomdoctor %s --help'.\n", command->name);
    else
        (void)fputs("Try 'oomdoctor --help'.\n", stderr);
    return OD_EXIT_USAGE;
}

void od_complain(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    complain(format, args);
    va_end(args);
}

void od_diags_flush(const struct od_diags *diags)
{
    struct od_buf text = {0};
    for (size_t i = 0; i < od_diags_count(diags); i++) {
        const struct od_diag *diag = od_diags_at(diags, i);
        if (!diag->file)
            od_buf_add_str(&text, "oomdoctor: ");
        od_diag_print(diag, &text);
    }
    (void)fwrite(text.p ? text.p : "", 1, text.n, stderr);
    od_buf_done(&text);
}

bool od_write_all(const char *text, size_t n)
{
    if (fwrite(text, 1, n, stdout) == n && fflush(stdout) == 0)
        return true;
    if (errno == EPIPE) { /* the reader (such as head) closed the pipe: end like other programs */
        (void)sigaction(SIGPIPE, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
        (void)raise(SIGPIPE);
    }
    od_complain("cannot write to standard output: %s", strerror(errno));
    return false;
}

bool od_speaks_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    static const char *const sets[] = {"utf-8", "utf8", NULL};
    char lowered[64];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value && *value)
            return od_view_has_any(od_view_lowered(od_view_of(value), lowered, sizeof lowered),
                                   sets);
    }
    return false;
}
