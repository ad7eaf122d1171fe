#include "cli/help.h"

/* Columns at which the texts of options and commands begin. */
enum { COLUMNS = 80, OPTION_TEXT = 31, COMMAND_TEXT = 14 };

static void add_blanks(struct od_buf *to, size_t n)
{
    while (n-- > 0)
        od_buf_add_char(to, ' ');
}

/* Wraps a line that starts at column `at`; further lines begin at the same column. */
static void wrap(struct od_view line, size_t at, struct od_buf *to)
{
    size_t column = at;
    struct od_view word;
    while (od_view_cut(&line, ' ', &word)) {
        if (column > at && column + 1 + word.n > COLUMNS) {
            od_buf_add_char(to, '\n');
            add_blanks(to, at);
            column = at;
        }
        if (column > at)
            od_buf_add_char(to, ' ');
        column += (column > at) + word.n;
        od_buf_add(to, word);
    }
    od_buf_add_char(to, '\n');
}

/* Wraps each line of a text. */
static void wrap_all(const char *text, struct od_buf *to)
{
    struct od_view rest = od_view_of(text), line;
    while (od_view_cut(&rest, '\n', &line))
        wrap(line, 0, to);
}

/* Adds `left` and then the text at a column; the text gets its own line if `left` is too long. */
static void add_row(const char *left, const char *text, size_t at, struct od_buf *to)
{
    size_t n = strlen(left);
    od_buf_add_str(to, left);
    if (n + 1 > at) {
        od_buf_add_char(to, '\n');
        n = 0;
    }
    add_blanks(to, at - n);
    wrap(od_view_of(text), at, to);
}

static void add_option(const struct od_option *option, struct od_buf *to)
{
    struct od_buf left = {0};
    if (option->letter)
        od_buf_printf(&left, "  -%c, --%s", option->letter, option->name);
    else
        od_buf_printf(&left, "      --%s", option->name);
    if (option->argument)
        od_buf_printf(&left, " %s", option->argument);
    add_row(od_buf_str(&left), option->help, OPTION_TEXT, to);
    od_buf_done(&left);
}

/* The heading above that option; NULL = none. */
static const char *heading(const struct od_command *command, const struct od_option *option)
{
    for (const struct od_option_group *g = command->groups; g && g->first; g++)
        if (strcmp(g->first, option->name) == 0)
            return g->heading;
    return option == command->options ? "Options" : NULL;
}

static void add_options(const struct od_command *command, struct od_buf *to)
{
    for (const struct od_option *o = command->options; o->name; o++) {
        const char *above = heading(command, o);
        if (above)
            od_buf_printf(to, "\n%s:\n", above);
        if (o->help)
            add_option(o, to);
    }
    if (!command->options->name)
        od_buf_add_str(to, "\nOptions:\n");
    add_row("  -h, --help", "Print this help", OPTION_TEXT, to);
}

static void add_examples(const char *examples, struct od_buf *to)
{
    struct od_view rest = od_view_of(examples), line;
    od_buf_add_str(to, "\nExamples:\n");
    while (od_view_cut(&rest, '\n', &line)) {
        od_buf_add_str(to, "    ");
        od_buf_add(to, line);
        od_buf_add_char(to, '\n');
    }
}

void od_help_of(const struct od_command *command, struct od_buf *to)
{
    od_buf_printf(to, "usage: oomdoctor %s %s\n\n%s.\n", command->name, command->arguments,
                  command->summary);
    if (command->details) {
        od_buf_add_char(to, '\n');
        wrap_all(command->details, to);
    }
    add_options(command, to);
    if (command->examples)
        add_examples(command->examples, to);
}

static void add_commands(enum od_command_use use, const char *above, struct od_buf *to)
{
    od_buf_printf(to, "\n%s:\n", above);
    for (const struct od_command *const *c = od_commands; *c; c++) {
        if ((*c)->use != use)
            continue;
        struct od_buf left = {0};
        od_buf_printf(&left, "  %s", (*c)->name);
        add_row(od_buf_str(&left), (*c)->summary, COMMAND_TEXT, to);
        od_buf_done(&left);
    }
}

void od_help(struct od_buf *to)
{
    od_buf_add_str(to, "usage: oomdoctor [COMMAND] [OPTION...] [FILE...]\n\n");
    wrap_all("Find out why a run ran out of memory, and what would fit. Without a command the "
             "files, or standard input, are analyzed.",
             to);
    add_commands(OD_USE_AFTER, "After a failure", to);
    add_commands(OD_USE_BEFORE, "Before a run", to);
    add_commands(OD_USE_OTHER, "Other commands", to);
    add_examples("oomdoctor train.log\n"
                 "oomdoctor run -- python train.py\n"
                 "oomdoctor plan resnet50 --device \"RTX 3090\"\n"
                 "oomdoctor explain \"CUDA out of memory\"",
                 to);
    od_buf_add_str(to, "\n'oomdoctor COMMAND --help' lists the options of a command.\n"
                       "'oomdoctor --version' prints the version.\n");
}
