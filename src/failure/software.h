/*
 * The software of the failure: which programs took part in it, what stands on what, and which one
 * the user drives. Decided from the signs that the case has kept, each weighed by how sure its kind
 * is and how near it stands to the failure: its own frames and message, its lane, its attempt, the
 * log. Advice is for those.
 */
#pragma once

#include "failure/account.h"
#include "rules/software.h"

struct od_stack_part {
    const struct od_software *software;
    double weight;                  /* of its signs */
    double near;                    /* of those in the failure itself */
    const struct od_evidence *said; /* the weightiest of them */
};

struct od_stack {
    const struct od_stack_part *parts; /* the weightiest first */
    size_t n;
    const struct od_software *driver; /* the user's program; NULL: a script of the user's own, or
                                         nothing is known of it */
    const struct od_software *printed_by; /* whose message the failure's is; NULL = not known */
    bool own;                             /* a script of the user's own is seen to run */
    bool nothing;                         /* no program is known at all */
};

/* incident: what failed, NULL = nothing did; start: of its attempt, line 0 = it has none. */
struct od_stack od_stack_of(const struct od_case *c, const struct od_incident *incident,
                            struct od_prov start, struct od_arena *arena);

/* Does that program take part in the failure, or does one that does stand on it? */
bool od_stack_has(const struct od_stack *stack, const struct od_software *software);

/* The same of the program of that name; false where the catalogue has none. */
bool od_stack_has_named(const struct od_stack *stack, const char *name);

/* Do its processes hold much of the memory that ran out, while the process that was killed does
 * not?
 */
bool od_stack_holds(const struct od_account *account, const struct od_software *software);

/* Does it run on Windows, as far as the log shows? */
bool od_stack_on_windows(const struct od_stack *stack);

/* The service, scheduler or tool that runs the program and has a setting for its memory; of two the
 * one that stands on the other. NULL = none is seen. */
const struct od_software *od_stack_surroundings(const struct od_stack *stack);

/* The library of arrays in the failure's own lines, where a program of one's own uses it on a
 * device: its settings are the program's. NULL = none. */
const struct od_software *od_stack_arrays(const struct od_stack *stack);

/* That, and no framework beside it. */
bool od_stack_arrays_alone(const struct od_stack *stack);

/* Do two signs of a library of Python's stand in the failure's own lines? Then it is its error. */
bool od_stack_is_its_error(const struct od_stack_part *part);

/* The version of a program as the log says it; empty when it does not, or says another's. */
struct od_view od_stack_version(const struct od_case *c, const struct od_stack *stack,
                                const struct od_software *software);
