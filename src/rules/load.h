/*
 * Loads packs from YAML. Duplicate keys and aliases are rejected, and the depth is limited.
 */
#pragma once

#include "base/diag.h"
#include "base/err.h"
#include "rules/pack.h"

/* Reads the file root/name into arena; root may be NULL. OD_EINPUT with a diagnostic on failure. */
enum od_err od_rule_text(const char *root, const char *name, struct od_arena *arena,
                         struct od_diags *diags, struct od_view *ret_yaml) OD_MUST_USE;

/* Loads a pack from text; name is for diagnostics. *ret_pack is in arena. OD_ERULE with at least
 * one diagnostic (file:line:column, caret, help) if it is invalid. Does not check samples. */
enum od_err od_pack_load(struct od_view yaml, const char *name, struct od_arena *arena,
                         struct od_diags *diags, const struct od_pack **ret_pack) OD_MUST_USE;
