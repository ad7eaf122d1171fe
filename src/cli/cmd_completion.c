/*
 * Completes a command line from the option tables: `oomdoctor completion -- WORD...` prints the
 * possible last words. The shells' scripts call this, so they offer what the tables have.
 */
#include "cli/command.h"
#include "diagnose/diagnose.h"

static int run(int argc, char **argv);

static const struct od_option options[] = {{0}};

const struct od_command od_command_completion = {
    .name = "completion",
    .use = OD_USE_OTHER,
    .arguments = "bash | zsh | fish",
    .summary = "Print the completion script of a shell",
    .details = OD_HELP_completion,
    .options = options,
    .run = run,
};

/* Printed instead of words: the shell offers files. */
#define FILES ":files"

/* The scripts of the shells test for the text of FILES. */
static const char script_bash[] = {
#include "cli/completion_bash.inc"
    0};
static const char script_fish[] = {
#include "cli/completion_fish.inc"
    0};
static const char script_zsh[] = {
#include "cli/completion_zsh.inc"
    0};
static const struct {
    const char *name, *script;
} shells[] = {{"bash", script_bash}, {"zsh", script_zsh}, {"fish", script_fish}};

/* The word to complete, which may be part of an option, as "h" in "--format=h". */
struct current {
    struct od_view stays, begins;
    struct od_buf *to;
};

static void offer(const struct current *current, struct od_view word, const char *help)
{
    struct od_view line = od_view_of(help);
    if (!od_view_starts(word, current->begins))
        return;
    od_buf_add(current->to, current->stays);
    od_buf_add(current->to, word);
    od_buf_add_char(current->to, '\t');
    od_buf_add(current->to, od_view_head(line, od_view_find_char(line, '\n', 0)));
    od_buf_add_char(current->to, '\n');
}

static void offer_files(const struct current *current)
{
    od_buf_add_str(current->to, FILES "\n");
}

static bool is_word(struct od_view v)
{
    for (size_t i = 0; i < v.n; i++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", v.p[i]))
            return false;
    return v.n > 0;
}

/* The next item of "text (default), html, json or sarif, ..."; false at the end of the list. */
static bool next_item(struct od_view *rest, struct od_view *ret_item)
{
    static const char *const ends[] = {", ", " or ", ": ", "; ", ".\n", "\n", " ("};
    size_t end = rest->n;
    for (size_t i = 0; i < OD_COUNT_OF(ends); i++) {
        size_t at = od_view_find(*rest, od_view_of(ends[i]), 0);
        end = at < end ? at : end;
    }
    *ret_item = od_view_head(*rest, end);
    *rest = od_view_from(*rest, end);
    bool last = rest->n == 0 || rest->p[0] == ':' || rest->p[0] == ';' || rest->p[0] == '.';
    if (od_view_starts(*rest, OD_VIEW(" (default)")))
        *rest = od_view_from(*rest, strlen(" (default)"));
    else if (od_view_starts(*rest, OD_VIEW(" (")))
        last = true;
    if (od_view_starts(*rest, OD_VIEW(", ")))
        *rest = od_view_from(*rest, 2);
    else if (!last && od_view_starts(*rest, OD_VIEW(" or ")))
        *rest = od_view_from(*rest, 4);
    else
        *rest = od_view_from(*rest, rest->n);
    return ret_item->n > 0;
}

/* Offers the words at the start of a help text, if it lists two or more. */
static void offer_listed(const struct current *current, struct od_view help)
{
    struct od_view item;
    size_t start = current->to->n, count = 0;
    while (next_item(&help, &item) && od_view_find_char(item, ' ', 0) == OD_VIEW_NONE) {
        if (!is_word(item))
            continue; /* "every:K", "..." */
        offer(current, item, "");
        count++;
    }
    if (count < 2)
        current->to->n = start;
}

static void offer_value(const struct current *current, const struct od_option *option)
{
    static const char *const files[] = {"FILE", "DIR", "REPORT", "FORMAT:FILE", "MODEL", NULL};
    if (od_view_eq_any(od_view_of(option->argument), files))
        offer_files(current);
    else
        offer_listed(current, od_view_of(option->help));
}

static void offer_operand(const struct current *current, const struct od_command *command)
{
    struct od_view arguments = od_view_of(command->arguments), piece;
    struct od_view details = od_view_of(command->details ? command->details : "");
    bool words = false, files = strstr(command->arguments, "FILE") ||
                                strstr(command->arguments, "MODEL") ||
                                strstr(command->arguments, "OLD");
    /* the lower-case words of "check [PACK...] | list | show ID" */
    while (od_view_cut(&arguments, '|', &piece)) {
        piece = od_view_trim(piece);
        struct od_view word = od_view_head(piece, od_view_find_char(piece, ' ', 0));
        if (!is_word(word) || word.p[0] < 'a' || word.p[0] > 'z')
            continue;
        offer(current, word, "");
        words = true;
    }
    if (od_view_take(&details, OD_VIEW("NAME is ")))
        offer_listed(current, details);
    for (unsigned c = 0; c < OD_CAUSE_END && strstr(command->arguments, "CAUSE"); c++)
        offer(current, od_view_of(od_cause_name((enum od_cause)c)), "");
    if (files && !words)
        offer_files(current);
}

static void offer_options(const struct current *current, const struct od_command *command)
{
    struct current name = *current;
    name.stays = OD_VIEW("--");
    if (!od_view_take(&name.begins, OD_VIEW("--")) && !od_view_take(&name.begins, OD_VIEW("-")))
        return;
    for (const struct od_option *o = command->options; o->name; o++)
        if (o->help)
            offer(&name, od_view_of(o->name), o->help);
    offer(&name, OD_VIEW("help"), "Print this help");
}

static void offer_commands(const struct current *current)
{
    size_t start = current->to->n;
    for (const struct od_command *const *c = od_commands; *c; c++)
        offer(current, od_view_of((*c)->name), (*c)->summary);
    offer(current, OD_VIEW("--help"), "Print the help");
    offer(current, OD_VIEW("--version"), "Print the version");
    if (current->to->n == start)
        offer_files(current);
}

/* The option of that name if it takes a value. */
static const struct od_option *taking(const struct od_command *command, struct od_view word)
{
    for (const struct od_option *o = command->options; o->name; o++) {
        bool long_ =
            od_view_starts(word, OD_VIEW("--")) && od_view_eq_str(od_view_from(word, 2), o->name);
        bool short_ = word.n == 2 && word.p[0] == '-' && o->letter && word.p[1] == o->letter;
        if (o->argument && o->help && (long_ || short_))
            return o;
    }
    return NULL;
}

/* Offers values for "--format=h", which bash passes as three words, and for "html:FILE". */
static void offer_for(char **words, int n, struct od_buf *to)
{
    struct od_view last = n > 0 ? od_view_of(words[n - 1]) : (struct od_view){0};
    bool sign = n > 1 && (strcmp(words[n - 1], "=") == 0 || strcmp(words[n - 1], ":") == 0);
    struct current current = {.begins = sign ? OD_VIEW("") : last, .to = to};
    int before = sign ? n - 1 : n - 2;
    const struct od_command *command = NULL;
    for (const struct od_command *const *c = od_commands; n > 1 && *c; c++)
        if (strcmp((*c)->name, words[0]) == 0)
            command = *c;
    if (!command) {
        offer_commands(&current);
        return;
    }
    if (before > 0 && strcmp(words[before], "=") == 0)
        before--;
    struct od_view previous = od_view_of(words[before > 0 ? before : 0]);
    size_t equals = od_view_find_char(last, '=', 0);
    const struct od_option *option = taking(command, previous);
    if (!option && equals != OD_VIEW_NONE && last.n > 1) {
        option = taking(command, od_view_head(last, equals));
        current.stays = od_view_head(last, equals + 1);
        current.begins = od_view_from(last, equals + 1);
    }
    if (od_view_eq_str(previous, ":"))
        offer_files(&current);
    else if (option)
        offer_value(&current, option);
    else if (od_view_starts(last, OD_VIEW("-")))
        offer_options(&current, command);
    else
        offer_operand(&current, command);
}

static int print(struct od_buf *text)
{
    bool ok = od_write_all(od_buf_str(text), text->n);
    od_buf_done(text);
    return ok ? OD_EXIT_OK : OD_EXIT_INTERNAL;
}

static int run(int argc, char **argv)
{
    struct od_buf text = {0};
    if (argc > 1 && strcmp(argv[1], "--") == 0) {
        offer_for(argv + 2, argc - 2, &text);
        return print(&text);
    }
    struct od_args args = od_args_start(&od_command_completion, argc, argv);
    if (od_args_next(&args) == OD_ARGS_MISUSED)
        return OD_EXIT_USAGE;
    if (args.argc - args.at != 1)
        return od_usage_error(&od_command_completion, "name a shell: bash, zsh or fish");
    for (size_t i = 0; i < OD_COUNT_OF(shells); i++)
        if (strcmp(argv[args.at], shells[i].name) == 0)
            od_buf_add_str(&text, shells[i].script);
    if (text.n > 0)
        return print(&text);
    return od_usage_error(&od_command_completion,
                          "no completion for '%s'; choose bash, zsh or fish", argv[args.at]);
}
