#include "base/buf.h"
#include "cli/command.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int od_usage_error(const struct od_command *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)fputs("oomdoctor: ", stderr);
    (void)vfprintf(stderr, format, args);
    va_end(args);
    if (command)
        (void)fprintf(stderr, "\nTry 'oomdoctor %s --help'.\n", command->name);
    else
        (void)fputs("\nTry 'oomdoctor --help'.\n", stderr);
    return OD_EXIT_USAGE;
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
    (void)fprintf(stderr, "oomdoctor: cannot write to standard output: %s\n", strerror(errno));
    return false;
}

bool od_speaks_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value && *value)
            return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
    }
    return false;
}
