#include "facts/setting.h"

#include <assert.h>

static const char *const names[OD_SETTING_END] = {
#define OD_SETTING(constant, name) [OD_SETTING_##constant] = #name,
#include "facts/settings.def"
#undef OD_SETTING
};

const char *od_setting_name(enum od_setting_id id)
{
    assert(id > OD_SETTING_NONE && id < OD_SETTING_END);
    return names[id];
}

enum od_setting_id od_setting_named(struct od_view name)
{
    unsigned i = OD_SETTING_NONE + 1;
    while (i < OD_SETTING_END && !od_view_eq_str(name, names[i]))
        i++;
    return i < OD_SETTING_END ? (enum od_setting_id)i : OD_SETTING_NONE;
}
