/*
 * Settings that a line states: a dump of arguments, a launched command, a banner, words. A line of
 * a program, a question, a proposal, a help text state none.
 */
#pragma once

#include "facts/setting.h"

enum { OD_SETTINGS_OF_LINE = 32 };

struct od_line_setting {
    enum od_setting_id id;
    struct od_view value;
    struct od_view said; /* name and value, as the line has them */
};

/* At most OD_SETTINGS_OF_LINE, in order of the line; of settings that it states twice with
 * different values none. */
size_t od_settings_of_line(struct od_view text, struct od_line_setting *ret);

/* Is it sure that no line like it states one, whatever the digits? */
bool od_settings_never_of(struct od_view text);
