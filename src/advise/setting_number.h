/*
 * The number of a setting as a log or a command writes it: "0.9", "64g", "1280*720".
 */
#pragma once

#include "base/base.h"

struct od_setting_number {
    bool known, fraction;
    bool bare; /* its unit is not written */
    double value;
    struct od_view unit; /* the text after it */
    char joint; /* '*' of "1280*720", two sides that are changed together; 0 = one number */
    uint64_t other;
};

/* Reads the number; not known where the text does not begin with one. */
struct od_setting_number od_setting_number_read(struct od_view text);

/* Writes the amount in the unit of that number, in a finer one where it is small ("1536m" for
 * "2g"); NULL where the number has no unit. */
const char *od_setting_number_amount(const struct od_setting_number *number, double bytes, bool up,
                                     struct od_arena *arena);

/* The value in bytes, or as the share that it is; 0 where it has no unit. */
double od_setting_number_bytes(const struct od_setting_number *number);

/* Writes another value in the way of the number. */
const char *od_setting_number_text(const struct od_setting_number *number, double value,
                                   struct od_arena *arena);
