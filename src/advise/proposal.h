/*
 * What is asked of one remedy, way, answer or setting that is considered for one cause: the facts
 * of the failure's profile, and those about this cause, this remedy and this program.
 */
#pragma once

#include "advise/remedies.h"

struct od_proposal {
    const struct od_advise_question *q;
    const struct od_finding *finding;      /* the cause in question; NULL = none */
    const struct od_advice_remedy *remedy; /* NULL = none */
    const struct od_software *owner;       /* whose version and errors are meant; NULL = none */
    bool answered; /* a program's own people name it: the sort and the memory are settled */
    const char
        *as; /* the sort of program that is supposed to have failed; NULL = as the log shows */
};

/* Does the condition hold for it? */
enum od_tri od_proposal_meets(const struct od_proposal *proposal, const struct od_when *when);

/* Appends the tests that keep it from holding, each with its answer. */
void od_proposal_misses(const struct od_proposal *proposal, const struct od_when *when,
                        struct od_buf *to);

/* Of which versions the condition is, where the log shows none: "PyTorch 2.1 or newer"; in arena.
 * NULL when any version does. */
const char *od_when_versions(const struct od_when *when, const char *title, struct od_arena *arena);

/* Is it for all, or among others for that sort of program ("own": a script of the user's own)? */
bool od_remedy_is_for(const struct od_advice_remedy *advice, const char *sort);
