/*
 * A remedy, step, answer or setting considered for one cause, and the facts that its condition may
 * use: the facts of the failure's profile, and those about this cause, remedy and program.
 */
#pragma once

#include "advise/remedies.h"

struct od_proposal {
    const struct od_advise_question *q;
    const struct od_finding *finding;      /* the cause in question */
    const struct od_advice_remedy *remedy; /* the remedy in question, or od_no_remedy */
    const struct od_software *owner;       /* the program whose version and errors are tested, and
                                              whose developers recommend it; NULL = none */
    const struct od_remedy *chosen;        /* what is chosen already */
    size_t nchosen;
    const struct od_remedy
        *made;     /* the remedy with its steps and its price; NULL = not known yet */
    bool answered; /* a program's developers recommend it, so the sort of program and the memory
                      are settled */
    const char
        *as; /* the sort of program that is assumed to have failed; NULL = as the log shows */
};

/* For a condition about a cause and a program alone. */
extern const struct od_advice_remedy od_no_remedy;

/* Does the condition hold for the proposal? */
enum od_tri od_proposal_meets(const struct od_proposal *proposal, const struct od_when *when);

/* Is the answer for an error of the owner that the failure shows: by its condition or, without one,
 * by the setting that the error names? */
bool od_proposal_is_exact(const struct od_proposal *proposal,
                          const struct od_software_answer *answer);

/* Can memory that the remedy makes smaller be what was short? Its own kinds decide, else those of
 * its settings; a remedy without any can help. */
bool od_proposal_relieves(const struct od_proposal *proposal);

/* Does the log show that what the remedy sets by a setting of that name is on already? */
bool od_proposal_is_on(const struct od_proposal *proposal, const char *knob);

/* Is what the remedy is about in the log: do its needs hold, or is its setting shown? */
enum od_tri od_proposal_present(const struct od_proposal *proposal);

/* Can one setting of a program make the memory smaller that was short? */
bool od_proposal_knob_relieves(const struct od_proposal *proposal, const struct od_knob *knob);

/* Is the part of the run for which the setting is, by its name, what may have failed? */
bool od_proposal_is_for(const struct od_proposal *proposal, struct od_view setting);

/* Appends the tests that fail, each with its answer. */
void od_proposal_misses(const struct od_proposal *proposal, const struct od_when *when,
                        struct od_buf *to);

/* The versions that the condition requires if the log prints none: "PyTorch 2.1 or newer";
 * allocated in arena. NULL if any version does. */
const char *od_when_versions(const struct od_when *when, const char *title, struct od_arena *arena);

/* Is the remedy for all programs, or also for that sort of program ("own": a user's own script)? */
bool od_remedy_is_for(const struct od_advice_remedy *advice, const char *sort);
