/*
 * The number in the value of a setting: "0.9", "64g", "1280*720".
 */
#pragma once

#include "base/base.h"

struct od_setting_number {
    bool known, fraction;
    bool bare; /* its unit is not written */
    double value;
    struct od_view unit; /* the text after it */
};

/* Returns an unknown number if the text does not start with one. */
struct od_setting_number od_setting_number_read(struct od_view text);

/* The same number in that unit if none is written; unit: NULL = none. */
struct od_setting_number od_setting_number_in(struct od_setting_number number, const char *unit);

/* The amount in the unit of that number, or in a smaller one if it is small ("1536m" for "2g");
 * NULL if the number has no unit. */
const char *od_setting_number_amount(const struct od_setting_number *number, double bytes, bool up,
                                     struct od_arena *arena);

/* The value of a setting in bytes if it has a unit of its own or the given one (NULL = none),
 * otherwise as a number; 0 if it has none. */
double od_setting_value(struct od_view value, const char *unit);

/* The value in bytes, or as a share; 0 if it has no unit. */
double od_setting_number_bytes(const struct od_setting_number *number);

/* The number multiplied by `times`, in the same format or a smaller unit ("512M" for half of "1G"),
 * at least 1. NULL if the text stays the same. Allocated in arena. */
const char *od_setting_number_times(const struct od_setting_number *number, double times,
                                    struct od_arena *arena);

/* Another value in the format of the number. */
const char *od_setting_number_text(const struct od_setting_number *number, double value,
                                   struct od_arena *arena);
