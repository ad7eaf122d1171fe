/*
 * Parses a printed duration into seconds: "1.3s", "512 ms", "1m20s", "2 days, 1:02:03", and rates
 * of steps, "2.5it/s" (0.4 s a step) and "1.3s/it". A number without a unit is in seconds. Rates
 * must be of steps, iterations or batches: "120 samples/s" is not a duration.
 */
#pragma once

#include "base/base.h"

/* Parses all of text; false if it is not a duration, or negative, or a rate of 0. */
bool od_seconds_parse(struct od_view text, double *ret_seconds);

/* The format of a duration. Texts that differ only in digits have the same format. */
struct od_seconds_form {
    size_t number; /* length in bytes of the number at the beginning */
    double scale;
    bool rate;
};

/* False if the unit is unknown or the text has several numbers. unit: the unit if it is given
 * separately, else empty. */
bool od_seconds_form_of(struct od_view text, struct od_view unit, struct od_seconds_form *ret_form);
bool od_seconds_read(struct od_view text, const struct od_seconds_form *form, double *ret_seconds);

/* Like od_seconds_parse, with the unit given separately ("ms", "it/s"; empty is seconds). */
bool od_seconds_parse_unit(struct od_view number, struct od_view unit, double *ret_seconds);
