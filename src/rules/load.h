/*
 * Loading packs from YAML (libyaml, event level; duplicate keys and aliases refused, depth bound).
 */
#pragma once

#include "base/diag.h"
#include "base/err.h"
#include "rules/pack.h"

/*
 * One pack from text; name is for diagnostics. *ret_pack lives in arena. OD_ERULE with one or more
 * diagnostics (file:line:column, caret, help) when it is invalid. Does not prove samples.
 */
enum od_err od_pack_load(struct od_view yaml, const char *name, struct od_arena *arena,
                         struct od_diags *diags, const struct od_pack **ret_pack) OD_MUST_USE;

/* As od_pack_load, of the file root/name, or name when root is NULL; packs and diagnostics say
 * name. OD_EINPUT with a diagnostic when the file cannot be read. */
enum od_err od_pack_load_file(const char *root, const char *name, struct od_arena *arena,
                              struct od_diags *diags, const struct od_pack **ret_pack) OD_MUST_USE;
