/* The user's own settings that are knobs: names that scripts and configurations give them. */
#pragma once

#include "case/case.h"
#include "rules/advice.h"

struct od_user_setting {
    const char *knob; /* NULL ends the list */
    enum od_setting_id setting;
};
extern const struct od_user_setting od_user_settings[];

/* Does the log show one that the remedy changes? */
bool od_user_setting_shown(const struct od_case *c, const struct od_advice_remedy *remedy);
