/*
 * Memory that a program may use according to its settings: its own limit, or a size for each of
 * many threads, connections or processes ("-@ 8 -m 4G"). The catalogue's row of the size names the
 * setting that counts them (per: threads), or the row of a program that starts others counts their
 * copies (copies: true).
 */
#pragma once

#include "facts/assigned.h"
#include "rules/software.h"

enum { OD_SET_EXTRA_MOST = 3 };

struct od_set_amount {
    const struct od_software *software;
    const struct od_knob *knob; /* setting of the size, or of the number of copies of a command */
    const struct od_assigned *size, *count;
    const struct od_assigned *also[OD_SET_EXTRA_MOST]; /* additional sizes, and their sum */
    uint64_t extra;
    uint64_t times;        /* number of copies; 1 for a size used once */
    struct od_bytes bytes; /* total */
};

/* Do the lines around the text's failures switch the setting on, in a configuration (printed or
 * pasted) or as an argument? */
bool od_knob_is_switched_on(const struct od_knob *knob, const struct od_around *around,
                            uint32_t source);

/* The value of a setting of the program, or of the runtime that runs it ("-Xmx4g" is a setting of
 * Java, so of every program that Java runs). Returns the last value above the error or, if none,
 * the first below it, where the command often is. The error's own line is ignored, because it may
 * propose a value. list may be NULL. */
const struct od_assigned *od_assigned_of_knob(const struct od_assigned_list *list,
                                              const struct od_software *software, const char *name,
                                              const struct od_prov *error);

/* Is the name that of a form of a setting ("--threads N")? form NULL = no. */
bool od_assigned_has_form(const struct od_assigned *assigned, const char *form);

/* Does that form of a setting set it, too ("NODE_OPTIONS=--max-old-space-size=N")? */
bool od_assigned_is_in(const struct od_assigned *assigned, const char *form);

/* Is the size at least twice the memory that was reached? Then another limit was reached. */
bool od_assigned_is_far(const struct od_assigned *assigned, const struct od_knob *knob,
                        double reached);

/* The setting as in the text: "-Xmx4g". */
const char *od_assigned_written(const struct od_assigned *assigned, struct od_arena *arena);

/* Sets *best to the largest amount that settings of that program give, if it is larger. once false:
 * considers only products and sums. */
void od_set_amount_take(const struct od_assigned_list *list, const struct od_software *software,
                        bool once, struct od_set_amount *best);

/* Settings as in the text: "8 x 4G (-@ 8, -m 4G)", "%Mem=64GB". */
const char *od_set_amount_words(const struct od_set_amount *amount, struct od_arena *arena);
