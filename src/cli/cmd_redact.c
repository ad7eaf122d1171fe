#include "base/diag.h"
#include "cli/command.h"
#include "lib/plain.h"
#include "redact/redact.h"

static int run(int argc, char **argv);

static const struct od_option options[] = {
    {"quiet", 'q', NULL, "Do not print how much was replaced"}, {0}};

const struct od_command od_command_redact = {
    .name = "redact",
    .use = OD_USE_OTHER,
    .arguments = "[FILE | -]",
    .summary = "Remove secrets and personal data from a log",
    .details = OD_HELP_redact,
    .examples = "oomdoctor redact train.log > public.log",
    .options = options,
    .run = run,
};

/* Bytes read ahead from a pipe, and the length at which a line is cut. */
enum { AHEAD = 1024 * 1024, LINE_MOST = 16 * 1024 * 1024 };

/* Text that was read but not processed yet. */
struct lines {
    struct od_plain *from;
    struct od_buf text;
    bool ended;
};

static void fill(struct lines *lines, size_t want)
{
    while (!lines->ended && lines->text.n < want)
        lines->ended = !od_plain_read(lines->from, &lines->text);
}

static size_t behind_last(struct od_view text, char c)
{
    size_t n = text.n;
    while (n > 0 && text.p[n - 1] != c)
        n--;
    return n;
}

/* Length up to the end of the last complete line. A line that is too long is cut between words. */
static size_t whole_lines(struct lines *lines)
{
    for (;;) {
        struct od_view text = od_buf_view(&lines->text);
        size_t n = behind_last(text, '\n');
        if (n > 0 || lines->ended)
            return n > 0 ? n : text.n;
        if (text.n >= LINE_MOST) {
            n = behind_last(text, ' ');
            return n > 0 ? n : text.n;
        }
        fill(lines, text.n + AHEAD);
    }
}

/* Redacts up to the end of the text; false if writing fails. */
static bool pass(struct lines *lines, struct od_redactor *redactor, bool write)
{
    bool ok = true;
    struct od_buf out = {0};
    od_redact_learning(redactor, !write);
    for (;;) {
        fill(lines, AHEAD);
        size_t n = whole_lines(lines);
        if (!ok || n == 0)
            break;
        out.n = 0;
        od_redact(redactor, od_view_head(od_buf_view(&lines->text), n), write ? &out : NULL);
        ok = !write || od_write_all(od_buf_str(&out), out.n);
        memmove(lines->text.p, lines->text.p + n, lines->text.n - n);
        lines->text.n -= n;
    }
    od_buf_done(&out);
    return ok;
}

/* Learns the names of the whole text, or of the part read ahead if it cannot be read twice. */
static enum od_err learn(struct lines *lines, struct od_redactor *redactor, const char *name,
                         struct od_diags *diags)
{
    if (!od_plain_again(lines->from)) {
        fill(lines, AHEAD);
        od_redact_learning(redactor, true);
        od_redact(redactor, od_buf_view(&lines->text), NULL);
        return OD_OK;
    }
    (void)pass(lines, redactor, false);
    (void)od_plain_again(lines->from);
    od_plain_close(lines->from);
    lines->from = NULL;
    lines->ended = false;
    lines->text.n = 0;
    return od_plain_open(name, diags, &lines->from);
}

static int redact(struct lines *lines, const char *name, struct od_redactor *redactor,
                  struct od_diags *diags)
{
    if (od_plain_open(name, diags, &lines->from) != OD_OK ||
        learn(lines, redactor, name, diags) != OD_OK)
        return OD_EXIT_UNREADABLE;
    if (!pass(lines, redactor, true))
        return OD_EXIT_INTERNAL;
    return od_plain_complete(lines->from, diags) ? OD_EXIT_OK : OD_EXIT_UNREADABLE;
}

static int redact_and_say(const char *name, bool quiet)
{
    struct lines lines = {0};
    struct od_diags *diags = od_diags_new();
    struct od_redactor *redactor = od_redactor_new(true);
    struct od_buf words = {0};
    int status = redact(&lines, name, redactor, diags);
    od_diags_flush(diags);
    od_redacted_words(redactor, &words);
    if (!quiet && status == OD_EXIT_OK)
        od_complain("replaced: %s", od_buf_str(&words));
    od_buf_done(&words);
    od_buf_done(&lines.text);
    od_plain_close(lines.from);
    od_redactor_free(redactor);
    od_diags_free(diags);
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
        return od_usage_error(&od_command_redact, "redact one file at a time");
    const char *name = args.at < args.argc ? argv[args.at] : "-";
    return redact_and_say(name, quiet);
}
