/*
 * One remedy that is being priced. Each function sets what it knows about the action (bytes saved,
 * peak, probability, batch, a sentence) and leaves the rest unknown. Private to this room.
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

/* Unknown if n is negative or does not fit 64 bits. */
struct od_bytes od_pricing_bytes(double n);

/* The peak at that batch, in bytes; the line must be known. */
double od_pricing_peak(const struct od_pricing *p, double batch);

/* A probability in words, in the facts' arena. A forecast is never printed as certain. */
const char *od_pricing_chance(const struct od_pricing *p, double fits);

/* Memory of a second copy of a model, as shown by its load. */
void od_price_second_copy(const struct od_pricing *p, struct od_answer_action *action);
void od_price_larger_device(const struct od_pricing *p, struct od_answer_action *action);
void od_price_raised_limit(const struct od_pricing *p, struct od_answer_action *action);
void od_price_other_tenant(const struct od_pricing *p, struct od_answer_action *action);
