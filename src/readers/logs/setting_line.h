/*
 * Settings stated on a line: a dump of arguments, a command, a banner, words. Lines of code,
 * questions, proposals and help texts state none.
 */
#pragma once

#include "facts/setting.h"

enum { OD_SETTINGS_OF_LINE = 32 };

struct od_line_setting {
    enum od_setting_id id;
    struct od_view value;
    struct od_view said; /* name and value as on the line */
};

/* Returns at most OD_SETTINGS_OF_LINE settings in order of the line. A setting with two different
 * values is left out. */
size_t od_settings_of_line(struct od_view text, struct od_line_setting *ret);

/* Is it certain that no line of this shape states a setting, whatever its digits? */
bool od_settings_never_of(struct od_view text);
