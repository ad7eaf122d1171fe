/*
 * The software of the failure: which programs took part, which is built on which, and which one the
 * user drives. Decided from the marks in the case, with weights for their kind and their place: the
 * failure's frames and message, its lane, its attempt, the log. Advice is made for these programs.
 */
#pragma once

#include "failure/account.h"
#include "rules/software.h"

struct od_software_part {
    const struct od_software *software;
    double weight;                  /* sum of its marks */
    double near;                    /* sum of its marks in the failure itself */
    const struct od_evidence *said; /* its heaviest mark */
};

struct od_software_used {
    const struct od_software_part *parts; /* the heaviest first */
    size_t n;
    /* the program that the user drives; NULL = the user's own script, or not known */
    const struct od_software *driver;
    /* the program that printed the message of the failure; NULL = not known */
    const struct od_software *printed_by;
    bool own;     /* a script of the user's own ran */
    bool nothing; /* no program is known */
};

/* incident: the failure, NULL = none. start: start of its attempt, line 0 = none. */
struct od_software_used od_software_of_failure(const struct od_case *c,
                                               const struct od_incident *incident,
                                               const struct od_account *account,
                                               struct od_prov start, struct od_arena *arena);

/* Does the program, or one built on it, take part in the failure? */
bool od_software_used_has(const struct od_software_used *stack, const struct od_software *software);

/* Does a program with that name take part? False if the catalogue does not have it. */
bool od_software_used_has_named(const struct od_software_used *stack, const char *name);

/* Does the user's program have a setting for its number of processes? */
bool od_software_used_counts_processes(const struct od_software_used *stack);

/* Do its processes hold much of the exhausted memory, although the killed process does not? */
bool od_software_used_holds(const struct od_account *account, const struct od_software *software);

/* The innermost part in which the program ran. NULL = not known. */
const struct od_software_part *od_software_used_place(const struct od_software_used *stack);

/* The service, scheduler or tool that runs the program and has a setting for its memory. Of two,
 * the one that is built on the other. NULL = none. */
const struct od_software *od_software_used_surroundings(const struct od_software_used *stack);

/* The array library in the failure's own lines, if the user's own program uses it on a device and
 * sets its options. NULL = none. */
const struct od_software *od_software_used_arrays(const struct od_software_used *stack);

/* Does an array library take part without a framework? */
bool od_software_used_arrays_alone(const struct od_software_used *stack);

/* Do two marks of a Python library appear in the failure's own lines? Then it is the library's
 * error. */
bool od_software_used_is_its_error(const struct od_software_part *part);

/* The version of the program in the log; empty if there is none, or only one of another program. */
struct od_view od_software_used_version(const struct od_case *c,
                                        const struct od_software_used *stack,
                                        const struct od_software *software);
