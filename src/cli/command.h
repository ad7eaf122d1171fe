/*
 * A subcommand: a file cmd_<name>.c with `const struct od_command od_command_<name>`, and one word
 * in this folder's local.mk. Each command has a table of options (getopt_long), which also produces
 * its help and the completions.
 */
#pragma once

#include "base/diag.h"

/* Exit codes, part of the public interface. */
enum od_exit {
    OD_EXIT_OK = 0,
    OD_EXIT_FAILURE_FOUND = 1,
    OD_EXIT_USAGE = 2,
    OD_EXIT_UNREADABLE = 3,
    OD_EXIT_LIMIT = 4,
    OD_EXIT_INTERNAL = 5
};

/* One option of a command; a table ends with a zeroed row. */
struct od_option {
    const char *name;     /* long name */
    char letter;          /* short option; 0 = none */
    const char *argument; /* metavariable; NULL = no argument */
    const char *help;
};

/* A heading of the help text above an option. */
struct od_option_group {
    const char *first; /* long name of the option */
    const char *heading;
};

/* When to use a command: the groups of `oomdoctor --help`. */
enum od_command_use { OD_USE_AFTER, OD_USE_BEFORE, OD_USE_OTHER };

#include "cli/help_texts.inc"

struct od_command {
    const char *name;
    enum od_command_use use;
    const char *arguments; /* for the usage line: "[FILE... | -]" */
    const char *summary;   /* one line, imperative, without a final period */
    const char *details;   /* further help text, one line for each paragraph; may be NULL */
    const char *examples;  /* command lines; may be NULL */
    const struct od_option *options;
    const struct od_option_group *groups; /* ends with a zeroed row; may be NULL */
    bool runs_command; /* the first operand ends the options; signal handling is not changed */
    /* argv[0] is the command's name; returns the exit status. */
    int (*run)(int argc, char **argv);
};

extern const struct od_command *const od_commands[];

/*
 * Iterates over the options of a command line by its table. Operands may be anywhere; after the
 * last option, argv[at] is the first operand.
 */
struct od_args {
    const struct od_command *command;
    int argc;
    char **argv;
    int at;
    const char *value; /* argument of the option just returned, or NULL */
};

enum { OD_ARGS_END = -1, OD_ARGS_MISUSED = -2 };

struct od_args od_args_start(const struct od_command *command, int argc, char **argv);

/* Index into the command's table, OD_ARGS_END, or OD_ARGS_MISUSED (an error was printed to
 * stderr). */
int od_args_next(struct od_args *args);

/* Calls take for each option until it returns another status than OD_EXIT_OK, and returns that.
 * OD_EXIT_USAGE if an option is misused. */
int od_args_take(struct od_args *args,
                 int (*take)(void *self, const struct od_args *args, int option), void *self);

bool od_args_is(const struct od_args *args, int option, const char *name);

/* Prints to stderr "oomdoctor: ..." and returns OD_EXIT_USAGE. */
int od_usage_error(const struct od_command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints "oomdoctor: ..." and a line end to stderr; control characters (in file names) are made
 * visible. */
void od_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints all diagnostics to stderr. */
void od_diags_flush(const struct od_diags *diags);

/* Writes text to standard output; false, with a message, if that fails. */
bool od_write_all(const char *text, size_t n);

/* Does the locale use UTF-8? */
bool od_speaks_utf8(void);
