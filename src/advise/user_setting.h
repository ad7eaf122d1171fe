/*
 * The user's own names for knobs in scripts and configurations.
 */
#pragma once

#include "case/case.h"
#include "rules/advice.h"

struct od_user_setting {
    const char *knob; /* NULL ends the list */
    enum od_setting_id setting;
};
extern const struct od_user_setting od_user_settings[];

/* Does the log show a setting that the remedy changes? */
bool od_user_setting_shown(const struct od_case *c, const struct od_advice_remedy *remedy);
