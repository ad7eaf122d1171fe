/*
 * A remedy, step, answer or setting considered for one cause, and the facts for its condition: the
 * facts of the failure's profile, and those about this cause, remedy and program.
 */
#pragma once

#include "advise/remedies.h"

struct od_proposal {
    const struct od_advise_question *q;
    const struct od_finding *finding;      /* the cause in question */
    const struct od_advice_remedy *remedy; /* the remedy considered, or od_no_remedy */
    /* the program whose version and errors are tested and whose developers recommend it; NULL =
     * none */
    const struct od_software *owner;
    const struct od_remedy *chosen; /* remedies that were already chosen */
    size_t nchosen;
    const struct od_remedy
        *made; /* the remedy with its steps and its price; NULL = not known yet */
    /* a program's developers recommend it, so sort of program and memory need not be tested */
    bool answered;
    const char *memory; /* memory that is assumed to have run out; NULL = as in the log */
    const char *as;     /* sort of program that is assumed to have failed; NULL = as in the log */
};

/* For a condition that only concerns a cause and a program. */
extern const struct od_advice_remedy od_no_remedy;

/* Does the condition hold for the proposal? */
enum od_tri od_proposal_meets(const struct od_proposal *proposal, const struct od_when *when);

/* Is the answer for an error of the owner that the failure shows? Decided by its condition or,
 * without one, by the setting that the error names. */
bool od_proposal_is_exact(const struct od_proposal *proposal,
                          const struct od_software_answer *answer);

/* Can the memory that the remedy reduces be the one that was short? Decided by its own kinds of
 * memory, otherwise by those of its settings. A remedy without any can help. */
bool od_proposal_relieves(const struct od_proposal *proposal);

/* Does the log show the object of the remedy: do its needs hold, or is its setting shown? */
enum od_tri od_proposal_present(const struct od_proposal *proposal);

/* Can a setting of a program reduce the memory that was short? */
bool od_proposal_knob_relieves(const struct od_proposal *proposal, const struct od_knob *knob);

/* Can the part of the run for which the setting's name is have failed? */
bool od_proposal_is_for(const struct od_proposal *proposal, struct od_view setting);

/* Appends the tests that fail, each with its result. */
void od_proposal_misses(const struct od_proposal *proposal, const struct od_when *when,
                        struct od_buf *to);

/* Is the version of the program, or of the program of which it is a part, below `than`? Decided by
 * the printed version, by lines that only some versions print, or by the day of the log. */
enum od_tri od_is_older(const struct od_advise_question *question, const struct od_software *owner,
                        const char *than);

/* The versions that the condition requires if the log prints none: "PyTorch 2.1 or newer".
 * Allocated in arena. NULL if any version does. */
const char *od_when_versions(const struct od_when *when, const char *title, struct od_arena *arena);

/* Is the remedy for all programs, or also for that sort of program ("own": a user's own script)? */
bool od_remedy_is_for(const struct od_advice_remedy *advice, const char *sort);
