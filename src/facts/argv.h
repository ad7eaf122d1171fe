/*
 * A command as words, and its options, whose values can be changed: "--batch-size 32", "--seq=64",
 * "-Xmx48m", "-j8".
 */
#pragma once

#include "base/base.h"

struct od_argv {
    struct od_arena *arena;
    char **argv;                   /* NULL-terminated; NULL = no command is known */
    size_t n, room;                /* number of words, and capacity of argv */
    struct od_buf said;            /* text that lists the changes: "--batch-size 32 -> 16" */
    const struct od_view *useless; /* options and variables that must stay as they are, ended by an
                                      empty view; NULL = none */
    struct od_view option;         /* name of the option that was changed or added first */
};

/* Starts with the words of argv or, if argv is NULL, with the words and quotes of a line that a
 * shell printed. The caller frees `said`. */
struct od_argv od_argv_start(char *const *argv, struct od_view line, struct od_arena *arena);

/* "--per-device-train-batch-size=8" -> "per_device_train_batch_size": the name before "=" or an
 * attached number. Allocated in arena. */
struct od_view od_option_name(const char *word, struct od_arena *arena);

bool od_is_option(const char *word);

/* The value within the word of an option: after its "=", or attached to it; NULL = none. */
const char *od_option_own_value(const char *word);

/* Is `part` a part of the word, such as one of several settings or a number of a range? */
bool od_word_has(struct od_view word, struct od_view part);

/* The value of option i: in its own word, or the next word. NULL = it has no value. */
const char *od_option_value(char *const *argv, size_t i);

/* Index of the option by that name, whatever the value; -1 = none. */
long od_argv_find(const struct od_argv *command, struct od_view option);

bool od_argv_is_useless(const struct od_argv *command, const char *word);

/* Appends a change to `said`. */
void od_argv_say(struct od_argv *command, const char *what);

/* Sets the value of option i, or the word i if it is a number alone. */
void od_argv_set(struct od_argv *command, size_t i, const char *value);

void od_argv_replace(struct od_argv *command, size_t i, const char *word);

/* Inserts a word. False if `at` is 0 or there is no room. */
bool od_argv_insert(struct od_argv *command, size_t at, struct od_view word);
