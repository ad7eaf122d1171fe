/*
 * Reads the value after the name of a setting, by its type.
 */
#pragma once

#include "readers/logs/setting_words.h"

struct od_setting_value {
    struct od_view text; /* the value; n = 0: none */
    size_t end;          /* position after it in the line */
};

/* The value at that place of a line, after opening quotes and brackets. */
struct od_setting_value od_setting_value_at(struct od_view text, size_t at,
                                            enum od_setting_type type);

/* Could a value be there if the line had other digits? */
bool od_setting_value_may_be_at(struct od_view text, size_t at, enum od_setting_type type);

/* The value of a flag without an argument; n = 0 if a flag of this kind needs one. */
struct od_view od_setting_switched_on(enum od_setting_type type);

/* Is there an "off" value: "false", "0", "no", "off", "None"? */
bool od_setting_is_off(struct od_view text, size_t at);
