/*
 * The settings of runs by their names, made of settings.def.
 */
#pragma once

#include "base/base.h"

enum od_setting_id {
    OD_SETTING_NONE, /* ends lists; of a name that the table lacks */
#define OD_SETTING(constant, name) OD_SETTING_##constant,
#include "facts/settings.def"
#undef OD_SETTING
    OD_SETTING_END
};

/* "batch_size" */
const char *od_setting_name(enum od_setting_id id);

enum od_setting_id od_setting_named(struct od_view name);
