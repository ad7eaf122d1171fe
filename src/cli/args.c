#include "cli/command.h"

#include <getopt.h>
#include <string.h>

enum { OPTIONS_MAX = 64 };

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

/* The table in getopt_long's terms; val is the row. */
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

static int misused(const struct od_args *args, int found)
{
    const char *word = args->argv[optind > 1 ? optind - 1 : 1];
    (void)od_usage_error(args->command, found == ':' ? "%s needs an argument" : "unknown option %s",
                         word);
    return OD_ARGS_MISUSED;
}

int od_args_next(struct od_args *args)
{
    struct option options[OPTIONS_MAX];
    char letters[2 * OPTIONS_MAX + 3] = "+"; /* the first operand ends the options */
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
