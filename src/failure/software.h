/*
 * The software of the failure: which programs took part in it, which one is built on which, and
 * which one the user drives. Decided from the marks in the case, weighed by kind and by distance
 * from the failure: its own frames and message, its lane, its attempt, the log. Advice is made for
 * these programs.
 */
#pragma once

#include "failure/account.h"
#include "rules/software.h"

struct od_stack_part {
    const struct od_software *software;
    double weight;                  /* sum over its marks */
    double near;                    /* sum over the marks in the failure itself */
    const struct od_evidence *said; /* its mark with the greatest weight */
};

struct od_stack {
    const struct od_stack_part *parts; /* by descending weight */
    size_t n;
    const struct od_software *driver;     /* the program that the user drives; NULL = the user's own
                                             script, or not known */
    const struct od_software *printed_by; /* the program that printed the failure's message; NULL
                                             = not known */
    bool own;                             /* the log shows that a script of the user's own ran */
    bool nothing;                         /* no program is known */
};

/* incident: the failure, NULL = none; start: of its attempt, line 0 = none. */
struct od_stack od_stack_of(const struct od_case *c, const struct od_incident *incident,
                            const struct od_account *account, struct od_prov start,
                            struct od_arena *arena);

/* Does the program take part in the failure, or does a participating program build on it? */
bool od_stack_has(const struct od_stack *stack, const struct od_software *software);

/* Does a program with that name take part? False if the catalogue lacks it. */
bool od_stack_has_named(const struct od_stack *stack, const char *name);

/* Has the user's program a setting for how many processes it runs? */
bool od_stack_counts_processes(const struct od_stack *stack);

/* Do its processes hold much of the exhausted memory although the killed process does not? */
bool od_stack_holds(const struct od_account *account, const struct od_software *software);

/* Where the program ran: the part of the innermost place. NULL = not known. */
const struct od_stack_part *od_stack_place(const struct od_stack *stack);

/* The service, scheduler or tool that runs the program and has a setting for its memory; if one of
 * two is built on the other, that one. NULL = none is seen. */
const struct od_software *od_stack_surroundings(const struct od_stack *stack);

/* The array library in the failure's own lines, if the user's own program uses it on a device: the
 * program sets the library's options. NULL = none. */
const struct od_software *od_stack_arrays(const struct od_stack *stack);

/* Does an array library take part, and no framework? */
bool od_stack_arrays_alone(const struct od_stack *stack);

/* Do two marks of a Python library appear in the failure's own lines? The error is the library's
 * then. */
bool od_stack_is_its_error(const struct od_stack_part *part);

/* The version of a program as printed in the log; empty if none is printed, or only that of another
 * program. */
struct od_view od_stack_version(const struct od_case *c, const struct od_stack *stack,
                                const struct od_software *software);
