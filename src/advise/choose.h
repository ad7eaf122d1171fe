/*
 * The choice of remedies. Every source (sources.h) makes offers; each is judged, priced and
 * ordered here, by the same rules. A refused offer has one reason of a closed list
 * (refusals.def), which `rules trace` prints.
 */
#pragma once

#include "advise/remedies.h"

struct od_offer {
    const struct od_advice_remedy *advice; /* words, settings and condition */
    const struct od_finding *finding;      /* the cause that it is considered for */
    const struct od_software *by;          /* whose people name it; NULL = it is for any program */
    const struct od_remedy_how *how;       /* the only way to do it; NULL = the software decides */
    bool turned;  /* by's people name a setting: for which failures is decided by their own row */
    double place; /* from the best place, 0: remedies of other sources may come between */
};

struct od_choice {
    const struct od_advise_question *q;
    struct od_arena *arena;
    struct od_remedy *list;
    double *score;
    size_t n;
    const struct od_advice_vain **vain; /* what does not help, and why */
    size_t nvain;
    bool unsure;    /* offers are of improbable causes */
    bool anybody;   /* of offers, those with words for any program */
    const char *as; /* the sort of program that is supposed to have failed; NULL = the one shown */
};

void od_choice_init(struct od_choice *choice, const struct od_advise_question *question,
                    struct od_arena *arena);

/* Adds the offer to the list, or notes the reason why not. */
void od_choice_consider(struct od_choice *choice, const struct od_offer *offer);

/* Does the offer's own condition hold? */
bool od_choice_condition_holds(const struct od_choice *choice, const struct od_offer *offer);

/* Adds what people try and what does not help against the most probable cause. */
void od_choice_add_known_vain(struct od_choice *choice);

/* Best first. */
void od_choice_order(struct od_choice *choice);

/* Is a remedy of that id chosen? */
bool od_choice_has(const struct od_choice *choice, const char *id);

/* Is a remedy chosen that the people of a program name? */
bool od_choice_has_answers(const struct od_choice *choice);
