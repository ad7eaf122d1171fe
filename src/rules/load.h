/*
 * Loads packs from YAML (libyaml events; duplicate keys and aliases are rejected, the depth is
 * limited).
 */
#pragma once

#include "base/diag.h"
#include "base/err.h"
#include "rules/pack.h"

/* Reads the file root/name, or name if root is NULL, into arena. OD_EINPUT with a diagnostic if it
 * cannot be read. */
enum od_err od_rule_text(const char *root, const char *name, struct od_arena *arena,
                         struct od_diags *diags, struct od_view *ret_yaml) OD_MUST_USE;

/* Loads one pack from text; name is for diagnostics. *ret_pack is allocated in arena. OD_ERULE with
 * at least one diagnostic (file:line:column, caret, help) if it is invalid. Does not check
 * samples. */
enum od_err od_pack_load(struct od_view yaml, const char *name, struct od_arena *arena,
                         struct od_diags *diags, const struct od_pack **ret_pack) OD_MUST_USE;
