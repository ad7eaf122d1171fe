/*
 * A duration as somebody printed it, in seconds: "1.3s", "512 ms", "1m20s", "2 days, 1:02:03", and
 * the rates of steps, "2.5it/s" (0.4 s a step) and "1.3s/it". A number without a unit is seconds.
 * Only steps, iterations and batches are counted: "120 samples/s" is no duration of anything.
 */
#pragma once

#include "base/base.h"

/* The whole of text; false when it is no duration, negative, or a rate of nothing. */
bool od_seconds_parse(struct od_view text, double *ret_seconds);

/* What the letters of such a text say, be its digits as they may. */
struct od_seconds_form {
    size_t number; /* bytes of it, at the beginning */
    double scale;
    bool rate;
};

/* False when its unit (or the one that stands elsewhere; empty = none does) is none, and when there
 * are several numbers. */
bool od_seconds_form_of(struct od_view text, struct od_view unit, struct od_seconds_form *ret_form);
bool od_seconds_read(struct od_view text, const struct od_seconds_form *form, double *ret_seconds);

/* The same for a number whose unit stands elsewhere ("ms", "it/s"; empty is seconds). */
bool od_seconds_parse_unit(struct od_view number, struct od_view unit, double *ret_seconds);
