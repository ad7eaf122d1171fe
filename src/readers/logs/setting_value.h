/* The value behind the name of a setting, by its type. */
#pragma once

#include "readers/logs/setting_words.h"

struct od_setting_value {
    struct od_view text; /* what is kept; n = 0: there is none */
    size_t end;          /* in the line, behind it */
};

/* The value at that place of a line, behind quotes and brackets that open there. */
struct od_setting_value od_setting_value_at(struct od_view text, size_t at,
                                            enum od_setting_type type);

/* May one stand there, if digits of the line were others? */
bool od_setting_value_may_be_at(struct od_view text, size_t at, enum od_setting_type type);

/* What a flag without a value says; n = 0 where such a flag needs one. */
struct od_view od_setting_switched_on(enum od_setting_type type);

/* "false", "0", "no", "off", "None" stand there: what would be on is off. */
bool od_setting_is_off(struct od_view text, size_t at);
