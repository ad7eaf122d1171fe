/*
 * What the text says of each setting that was tried: its name, the value, what came of it, and
 * where. The table is filled once, from the settings of the case that report results
 * (rules/bounds.yaml, rules/people.yaml, readers/logs/tried_fixes.c).
 */
#pragma once

#include "case/case.h"
#include "facts/bounds.h"
#include "failure/software.h"

struct od_failure;

struct od_tried {
    const struct od_setting *said;
    struct od_view name, number;   /* as written; empty = none. A number without a name has that of
                                      the row before it, if that is on the same or the next line */
    bool nameless;                 /* the number has no name of its own */
    enum od_bound result;          /* of the value; OD_BOUNDS = none is given */
    bool helped, did_not_help;     /* a change helped, or did not */
    const struct od_assigned *now; /* of a value that worked: where another one is set */
};

struct od_tries {
    const struct od_tried *list;
    size_t n;
};

/* Allocated in arena; borrows from the case. */
struct od_tries od_tries_of(const struct od_case *c, struct od_arena *arena);

/* What the text states of a setting of that name in the vocabulary of knobs, by that name or by one
 * of its forms in the programs of the failure. memory: it sets a limit of memory, which a size
 * without a name is about. */
struct od_bounds od_tries_bounds(const struct od_failure *failure, const char *name, bool memory);

/* Does the sentence that reports what worked state a value that worked, of a setting that has
 * another one now, or another value than the report? The advice for the setting gives the value
 * then. */
bool od_tries_are_bounds(const struct od_failure *failure, const struct od_setting *found);

/* Does the text say of a setting that these words name ("--limit 4", "export X=1") that a change of
 * it, or this value, had no effect? Of advice, after: what is said below it of any value counts. */
bool od_tries_refute(const struct od_failure *failure, struct od_view words,
                     const struct od_prov *after);

/* The line that reports that a clearly smaller batch did not help; NULL = none, or one helped. */
const struct od_evidence *od_tries_batch_did_not_help(const struct od_failure *failure);

/* A value of any setting that worked, where another one is set; NULL = none. */
const struct od_tried *od_tries_to_restore(const struct od_failure *failure);
