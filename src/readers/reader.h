/*
 * A reader understands one dense log dialect: it needs state, totals, addresses or tables, which
 * no rule can have. One file a dialect, one `const struct od_reader od_reader_<name>` in it, one
 * word in this folder's local.mk.
 *
 * Scan offers a reader the lines that hold one of its literals, and, while it is open, every line
 * of the source. A reader is written as if its lane were the only one: each has a state of its own
 * (reading.h). It emits the same events as rules do.
 */
#pragma once

#include "facts/event.h"
#include "facts/line.h"

enum od_take {
    OD_TAKE_NONE,  /* not ours: rules may try the line */
    OD_TAKE_SHARE, /* used, but rules may try it too */
    OD_TAKE_ALL    /* wholly ours */
};

/* The lines after one that a reader took completely and that no other reader wanted. */
struct od_streak {
    struct od_view sample;      /* that line as printed in the source, without its line end */
    const struct od_line *line; /* the same, unwrapped */
    struct od_view rest;        /* whole lines, with their line ends */
    uint64_t offset;            /* of rest in the source */
};

struct od_streak_taken {
    size_t bytes;
    uint64_t lines;
};

struct od_model_dialect;

struct od_reader {
    const char *name;
    const char *const *literals; /* NULL-terminated; a line without any never opens the reader */
    const char *const *numbered; /* further literals, which count only if a number follows closely;
                                    may be NULL */
    size_t state_size;           /* bytes of its state for one lane, zeroed at the start */
    size_t shared_size;   /* bytes of what the lanes of an input share, zeroed at its start */
    unsigned foreign_max; /* lines of its lane in a row that it does not take, after which
                             what is open has ended; 0 = any number */
    unsigned age_max;     /* the same of lines of all lanes; 0 = many */
    bool commands;        /* reads commands as well: od_is_command_line */
    const struct od_model_dialect *dialect; /* of a reader of models (model_draft.h) */

    /* Fills a zeroed state. Texts it keeps go into arena, which outlives it. May be NULL. */
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

    /*
     * Takes the lines after a taken line as long as line() would take each of them and no other
     * reader has a literal in them; they are not filtered. Must not emit a failure (facts/event.h).
     * NULL: takes none.
     */
    struct od_streak_taken (*streak)(void *state, const struct od_streak *streak,
                                     const struct od_sink *sink);

    /* In the middle of something: wants every line of its lane, whatever its literals. NULL:
     * never. */
    bool (*is_open)(const void *state);

    /* What is open has ended, or the source has: emits it, marked as cut, and is not open from now
     * on. NULL: the state begins anew. */
    void (*end)(void *state, const struct od_sink *sink);

    /* Free what the state, or what is shared, holds, but not itself. May be NULL. */
    void (*release)(void *state);
    void (*release_shared)(void *shared);
};

/* Of a state whose first member is a bool that says so. */
bool od_reader_state_is_open(const void *state);
