#include "base/suggest.h"
#include "cli/command.h"

#include <getopt.h>

enum { OPTIONS_MAX = 128 };

struct od_args od_args_start(const struct od_command *command, int argc, char **argv)
{
    optind = 0;
    opterr = 0;
    return (struct od_args){.command = command, .argc = argc, .argv = argv};
}

bool od_args_is(const struct od_args *args, int option, const char *name)
{
    return option >= 0 && strcmp(args->command->options[option].name, name) == 0;
}

/* Converts the table for getopt_long; val is the row's index. */
static void translate(const struct od_option *table, struct option *options, char *letters)
{
    size_t n = 0;
    *letters++ = ':';
    for (; table[n].name && n + 1 < OPTIONS_MAX; n++) {
        int takes = table[n].argument ? required_argument : no_argument;
        options[n] = (struct option){table[n].name, takes, NULL, (int)n + 256};
        if (!table[n].letter)
            continue;
        *letters++ = table[n].letter;
        if (table[n].argument)
            *letters++ = ':';
    }
    options[n] = (struct option){0};
    *letters = '\0';
}

static int row_of_letter(const struct od_option *table, int letter)
{
    int i = 0;
    while (table[i].name && table[i].letter != letter)
        i++;
    return i;
}

static const struct od_option *option_of(const struct od_option *table, int val)
{
    return &table[val >= 256 ? val - 256 : row_of_letter(table, val)];
}

/* The long option closest to the word; NULL = none. */
static const char *meant(const struct od_option *table, const char *word)
{
    const char *names[OPTIONS_MAX];
    char name[64] = "";
    size_t n = 0;
    while (table[n].name && n < OPTIONS_MAX) {
        names[n] = table[n].help ? table[n].name : NULL;
        n++;
    }
    struct od_view wanted = od_view_from(od_view_of(word), 2);
    wanted = od_view_head(wanted, od_view_find_char(wanted, '=', 0));
    if (wanted.n >= sizeof name)
        return NULL;
    memcpy(name, wanted.p, wanted.n);
    return od_suggest(name, names, n);
}

static void complain_unknown(const struct od_command *command, const char *word)
{
    bool is_long = strncmp(word, "--", 2) == 0;
    const char *near = is_long ? meant(command->options, word) : NULL;
    if (near)
        (void)od_usage_error(command, "unknown option %s; did you mean --%s?", word, near);
    else if (is_long || !optopt)
        (void)od_usage_error(command, "unknown option %s", word);
    else
        (void)od_usage_error(command, "unknown option -%c", optopt);
}

static int misused(const struct od_args *args, int found)
{
    const struct od_command *command = args->command;
    const struct od_option *known =
        found == ':' || optopt >= 256 ? option_of(command->options, optopt) : NULL;
    if (!known)
        complain_unknown(command, args->argv[optind > 1 ? optind - 1 : 1]);
    else if (found == ':')
        (void)od_usage_error(command, "--%s needs a value: --%s %s", known->name, known->name,
                             known->argument);
    else
        (void)od_usage_error(command, "--%s takes no value", known->name);
    return OD_ARGS_MISUSED;
}

int od_args_next(struct od_args *args)
{
    struct option options[OPTIONS_MAX];
    char letters[2 * OPTIONS_MAX + 3] = "+"; /* "+" makes getopt_long stop at the first operand */
    bool permuted = !args->command->runs_command;
    translate(args->command->options, options, letters + 1);
    int found = getopt_long(args->argc, args->argv, letters + permuted, options, NULL);
    args->value = optarg;
    args->at = optind;
    if (found == -1)
        return OD_ARGS_END;
    if (found == '?' || found == ':')
        return misused(args, found);
    return found >= 256 ? found - 256 : row_of_letter(args->command->options, found);
}

int od_args_take(struct od_args *args,
                 int (*take)(void *self, const struct od_args *args, int option), void *self)
{
    int option, status = OD_EXIT_OK;
    while (status == OD_EXIT_OK && (option = od_args_next(args)) != OD_ARGS_END)
        status = option == OD_ARGS_MISUSED ? OD_EXIT_USAGE : take(self, args, option);
    return status;
}
