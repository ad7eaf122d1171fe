/*
 * Chooses the remedies. Every source (sources.h) makes offers, which are judged, priced and ordered
 * here by the same rules. A refused offer has one reason, which `rules trace` prints.
 */
#pragma once

#include "advise/remedies.h"

struct od_offer {
    const struct od_advice_remedy *advice; /* texts, settings and condition */
    const struct od_finding *finding;      /* the cause for which it is offered */
    /* the program whose developers recommend it; NULL = for any program */
    const struct od_software *by;
    bool turned; /* a setting of the program `by` */
    /* steps that the source provides; NULL = those of the advice */
    const struct od_remedy_how *step;
    const char *from; /* where the remedy is from, as the fact `from` prints it */
    double below;     /* points subtracted from those of the source's first offer */
};

struct od_choice {
    const struct od_advise_question *q;
    struct od_arena *arena;
    /* advice on settings of any program, with the rows of `never` and of the order */
    const struct od_advice *settings;
    const struct od_finding *best; /* the most probable cause */
    struct od_remedy *list;
    size_t n;
    const struct od_useless_remedy **useless; /* remedies that do not help, with the reason */
    size_t nuseless;
    const char *as; /* sort of program that is assumed to have failed; NULL = as in the log */
};

void od_choice_init(struct od_choice *choice, const struct od_advise_question *question,
                    struct od_arena *arena);

/* Adds the offer to the list or records why it was refused. Returns whether the offer's own
 * condition holds. */
bool od_choice_consider(struct od_choice *choice, const struct od_offer *offer);

/* Adds remedies that people often try but that do not help against the most probable cause. */
void od_choice_add_known_useless(struct od_choice *choice);

/* Moves a remedy from `from` to `to`, before all those between. */
void od_choice_move(struct od_choice *choice, size_t from, size_t to);

/* Sorts the remedies, best first. */
void od_choice_order(struct od_choice *choice);

/* Is a remedy with that id chosen? */
bool od_choice_has(const struct od_choice *choice, const char *id);
