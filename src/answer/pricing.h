/*
 * One remedy that is being priced. Each function fills in what it knows of the action (bytes saved,
 * peak, probability, batch, a sentence) and leaves the rest unknown. Private to answer_actions.c
 * and answer_room.c.
 */
#pragma once

#include "answer/actions.h"

struct od_pricing {
    const struct od_fit_facts *facts;
    const struct od_answer_line *line;
    const struct od_answer *answer;
    const char *remedy; /* its id */
    double tried;       /* the batch; 0 = not known */
};

/* Unknown where n is negative or beyond 64 bits. */
struct od_bytes od_pricing_bytes(double n);

/* The peak at that batch, in bytes; the line must be known. */
double od_pricing_peak(const struct od_pricing *p, double batch);

/* A probability as people read it, in the facts' arena. What is foreseen is never sure. */
const char *od_pricing_chance(const struct od_pricing *p, double fits);

/* What a second copy of a model takes, as the load of it shows. */
void od_price_second_copy(const struct od_pricing *p, struct od_answer_action *action);
void od_price_larger_device(const struct od_pricing *p, struct od_answer_action *action);
void od_price_raised_limit(const struct od_pricing *p, struct od_answer_action *action);
void od_price_other_tenant(const struct od_pricing *p, struct od_answer_action *action);
