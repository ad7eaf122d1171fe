/*
 * Parts of a session that take longer to make than reading a short log: packs, their compiled
 * patterns, the prefilter. Several sessions may use them, one after another.
 */
#pragma once

#include "base/diag.h"
#include "lib/oomdoctor.h"
#include "rules/ruleset.h"
#include "scan/candidates.h"
#include "scan/line_shapes.h"

struct od_tools;

/* Makes tools for rule_files and no_jit of the options, which may be NULL. NULL with diagnostics if
 * a pack is unreadable or invalid. */
struct od_tools *od_tools_new(const struct od_session_options *options, struct od_diags *diags);
void od_tools_free(struct od_tools *tools);

/* Loads libraries for packed logs. Call this before a process is locked and can load no more. */
void od_tools_prepare_for_packed(void);

/* Keeps the shapes of one log's lines for the next log. Only safe if all logs belong to one person,
 * because reading time shows which lines were seen before. */
void od_tools_keep_shapes(struct od_tools *tools);

/* NULL = shapes are not kept. */
struct od_line_shapes *od_tools_shapes(const struct od_tools *tools);

struct od_ruleset *od_tools_rules(const struct od_tools *tools);
struct od_candidates *od_tools_candidates(const struct od_tools *tools);
