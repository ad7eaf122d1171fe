#include "base/buf.h"
#include "base/mem.h"
#include "cli/command.h"
#include "redact/redact.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int run(int argc, char **argv);

static const struct od_option options[] = {
    {"quiet", 'q', NULL, "does not say how much was replaced"}, {0}};

const struct od_command od_command_redact = {
    .name = "redact",
    .arguments = "[FILE | -]",
    .summary = "prints a log without keys, names of users and hosts, addresses and home paths",
    .details =
        "Each is replaced by the same word wherever it stands (user1, host2, secret3), as long "
        "as what\nit stands for where it can be; lines and columns stay. How much was replaced "
        "is said on\nstandard error. A file is read twice: names are learnt from all of it. Of "
        "standard input, the\nfirst megabyte is read ahead.\n",
    .options = options,
    .run = run,
};

/* A line longer than this goes in pieces. */
enum { AHEAD = 1024 * 1024 };

/* What is read ahead, as whole lines where they are short enough. */
struct lines {
    FILE *from;
    char *p;
    size_t n;
    bool ended;
};

static void fill(struct lines *lines)
{
    while (!lines->ended && lines->n < AHEAD) {
        size_t n = fread(lines->p + lines->n, 1, AHEAD - lines->n, lines->from);
        lines->n += n;
        lines->ended = n == 0;
    }
}

/* Up to the end of the last whole line. */
static size_t whole_lines(const struct lines *lines)
{
    size_t n = lines->n;
    while (!lines->ended && n > 0 && lines->p[n - 1] != '\n')
        n--;
    return n > 0 ? n : lines->n;
}

static void redact_lines(struct od_redactor *redactor, struct od_view text, struct od_buf *to)
{
    while (text.n > 0) {
        size_t end = od_view_find_char(text, '\n', 0);
        struct od_view line = od_view_head(text, end == OD_VIEW_NONE ? text.n : end);
        od_redact(redactor, line, to);
        if (end != OD_VIEW_NONE)
            od_buf_add_char(to, '\n');
        text = od_view_from(text, line.n + 1);
    }
}

/* To the end of the file; false when it cannot be written. */
static bool pass(struct lines *lines, struct od_redactor *redactor, bool write)
{
    bool ok = true;
    struct od_buf out = {0};
    od_redact_learning(redactor, !write);
    for (fill(lines); ok && lines->n > 0; fill(lines)) {
        size_t n = whole_lines(lines);
        out.n = 0;
        redact_lines(redactor, (struct od_view){lines->p, n}, &out);
        ok = !write || od_write_all(od_buf_str(&out), out.n);
        memmove(lines->p, lines->p + n, lines->n - n);
        lines->n -= n;
    }
    od_buf_done(&out);
    return ok;
}

/* Names of all of a file, or of what is read ahead where it cannot be read again. */
static void learn(struct lines *lines, struct od_redactor *redactor)
{
    long start = ftell(lines->from);
    if (start < 0) {
        struct od_buf out = {0};
        fill(lines);
        od_redact_learning(redactor, true);
        redact_lines(redactor, (struct od_view){lines->p, lines->n}, &out);
        od_buf_done(&out);
        return;
    }
    (void)pass(lines, redactor, false);
    lines->ended = fseek(lines->from, start, SEEK_SET) != 0;
}

static int redact(FILE *from, const char *name, bool quiet)
{
    struct lines lines = {.from = from, .p = od_mem_alloc(1, AHEAD)};
    struct od_redactor *redactor = od_redactor_new(true);
    int status = OD_EXIT_OK;
    learn(&lines, redactor);
    if (!pass(&lines, redactor, true))
        status = OD_EXIT_INTERNAL;
    if (ferror(from)) {
        od_complain("cannot read %s", name);
        status = OD_EXIT_UNREADABLE;
    }
    struct od_buf words = {0};
    od_redacted_words(redactor, &words);
    if (!quiet && status == OD_EXIT_OK)
        od_complain("replaced: %s", od_buf_str(&words));
    od_buf_done(&words);
    od_redactor_free(redactor);
    od_mem_free(lines.p);
    return status;
}

static int run(int argc, char **argv)
{
    struct od_args args = od_args_start(&od_command_redact, argc, argv);
    bool quiet = false;
    int option;
    while ((option = od_args_next(&args)) >= 0)
        quiet = true;
    if (option == OD_ARGS_MISUSED)
        return OD_EXIT_USAGE;
    if (args.argc - args.at > 1)
        return od_usage_error(&od_command_redact, "one file is enough");
    const char *name = args.at < args.argc ? argv[args.at] : "-";
    if (strcmp(name, "-") == 0)
        return redact(stdin, "standard input", quiet);
    FILE *from = fopen(name, "re");
    if (!from) {
        od_complain("cannot read %s: %s", name, strerror(errno));
        return OD_EXIT_UNREADABLE;
    }
    int status = redact(from, name, quiet);
    (void)fclose(from);
    return status;
}
