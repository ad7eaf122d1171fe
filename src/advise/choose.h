/*
 * The choice of remedies. Every source (sources.h) makes offers, which are judged, priced and
 * ordered here by the same rules. A refused offer has one reason, which `rules trace` prints.
 */
#pragma once

#include "advise/remedies.h"

struct od_offer {
    const struct od_advice_remedy *advice; /* its words, settings and condition */
    const struct od_finding *finding;      /* the cause that it is offered for */
    const struct od_software *by;          /* the program whose developers recommend it; NULL =
                                              it applies to any program */
    bool turned; /* a setting named by `by`, whose own row decides for which failures */
    const struct od_remedy_how *step; /* that its source knows; NULL = those of the advice */
    const char *from;                 /* its source, a word of the fact `from` */
    double below;                     /* points that it loses to the first of its source */
};

struct od_choice {
    const struct od_advise_question *q;
    struct od_arena *arena;
    const struct od_advice *settings; /* that any program may have, with the rows of `never` and of
                                         the order */
    const struct od_finding *best;    /* the most probable cause */
    struct od_remedy *list;
    size_t n;
    const struct od_advice_vain **vain; /* what does not help, and why */
    size_t nvain;
    const char *as; /* the sort of program that is assumed to have failed; NULL = as the log
                       shows */
};

void od_choice_init(struct od_choice *choice, const struct od_advise_question *question,
                    struct od_arena *arena);

/* Adds the offer to the list or records why it was refused. Returns whether the offer's own
 * condition holds. */
bool od_choice_consider(struct od_choice *choice, const struct od_offer *offer);

/* Adds well-known attempts that do not help against the most probable cause. */
void od_choice_add_known_vain(struct od_choice *choice);

/* Moves a remedy before those from `to` on. */
void od_choice_move(struct od_choice *choice, size_t from, size_t to);

/* Best first. */
void od_choice_order(struct od_choice *choice);

/* Is a remedy of that id chosen? */
bool od_choice_has(const struct od_choice *choice, const char *id);
