/*
 * The names of settings, generated from settings.def.
 */
#pragma once

#include "base/base.h"

enum od_setting_id {
    OD_SETTING_NONE, /* ends lists; also used for names that are not in the table */
#define OD_SETTING(constant, name) OD_SETTING_##constant,
#include "facts/settings.def"
#undef OD_SETTING
    OD_SETTING_END
};

/* "batch_size" */
const char *od_setting_name(enum od_setting_id id);

enum od_setting_id od_setting_named(struct od_view name);

/* Does it say what people found out or advise, and not what the run had? */
static inline bool od_setting_is_found(enum od_setting_id id)
{
    return (id >= OD_SETTING_BOUND_FAILED && id <= OD_SETTING_BOUND_WORKED) ||
           (id >= OD_SETTING_FOUND_ADVISED && id <= OD_SETTING_FOUND_WORKED) ||
           id == OD_SETTING_BATCH_FAILED || id == OD_SETTING_BATCH_WORKED;
}
