/*
 * A reader parses one dense log dialect that needs state, sums, addresses or tables, which rules do
 * not have. Each dialect has one file with `const struct od_reader od_reader_<name>`, listed in
 * this folder's local.mk.
 *
 * Scan offers a reader the lines that contain one of its literals and, while it is open, every line
 * of the source. A reader is written as if its lane were the only one: each lane has its own state
 * (reading.h). It emits the same events as rules.
 */
#pragma once

#include "facts/event.h"
#include "facts/line.h"

enum od_take {
    OD_TAKE_NONE,  /* not used: rules may try the line */
    OD_TAKE_SHARE, /* used, but rules may also try the line */
    OD_TAKE_ALL /* used, and its numbers have this one meaning: neither rules nor readers that are
                   not open are asked after this one */
};

struct od_model_dialect;

struct od_reader {
    const char *name;
    const char *const *literals; /* NULL-terminated; a line without any never opens the reader */
    const char *const *numbered; /* further literals, which count only if a number follows closely;
                                    may be NULL */
    size_t state_size;           /* bytes of its state for one lane, zeroed at first */
    size_t shared_size;          /* bytes shared by the lanes of an input, zeroed at first */
    unsigned foreign_max; /* consecutive unused lines of its lane that end what is open; 0 = any
                             number */
    unsigned age_max;     /* the same for lines of all lanes; 0 = AGE_MAX of reading.c */
    bool commands;        /* also reads command lines (od_is_command_line) */
    const struct od_model_dialect *dialect; /* for a reader of models (model_builder.h) */

    /* Initializes a zeroed state. arena outlives the state and may hold its texts. May be NULL. */
    void (*begin)(const struct od_reader *reader, void *state, void *shared,
                  struct od_arena *arena);

    /*
     * Is it certain that line(), in a lane that is not open, uses neither this line nor any line
     * that differs from it only in digits, emits nothing and keeps its state? These lines are then
     * offered only while the reader is open. Lines of other shapes that were examined have memory
     * set (facts/line.h), so that line() can skip the same examination. NULL: never certain.
     */
    bool (*silent)(struct od_view text);

    enum od_take (*line)(void *state, const struct od_line *line, const struct od_sink *sink);

    /* Is it in the middle of something, so that it needs every line of its lane? NULL: never. */
    bool (*is_open)(const void *state);

    /* Called when what is open, or the source, has ended: emits it, marked as truncated, and closes
     * it. NULL: the state is reset. */
    void (*end)(void *state, const struct od_sink *sink);

    /* Free what the state, or the shared data, contains, but not itself. May be NULL. */
    void (*release)(void *state);
    void (*release_shared)(void *shared);
};

/* For a state whose first member is a bool `open`. */
bool od_reader_state_is_open(const void *state);
