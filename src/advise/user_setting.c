#include "advise/user_setting.h"

const struct od_user_setting od_user_settings[] = {
#define OD_USER_SETTING(knob, setting) {#knob, OD_SETTING_##setting},
#include "advise/user_settings.def"
    {NULL, OD_SETTING_NONE}};

bool od_user_setting_shown(const struct od_case *c, const struct od_advice_remedy *remedy)
{
    for (const struct od_user_setting *user = od_user_settings; remedy->knobs && user->knob; user++)
        if (od_is_among(user->knob, remedy->knobs) && od_case_setting(c, user->setting).n > 0)
            return true;
    return false;
}
