/*
 * What sessions need that takes longer to make than a short log to read: the packs, their patterns
 * compiled, the prefilter. Sessions may share one, one after another.
 */
#pragma once

#include "base/diag.h"
#include "lib/oomdoctor.h"
#include "rules/ruleset.h"
#include "scan/candidates.h"
#include "scan/line_shapes.h"

struct od_tools;

/* By rule_files and no_jit of the options, which may be NULL. NULL with diagnostics when a pack is
 * unreadable or invalid. */
struct od_tools *od_tools_new(const struct od_session_options *options, struct od_diags *diags);
void od_tools_free(struct od_tools *tools);

/* Loads what packed logs need: in a process that may soon load nothing more. */
void od_tools_prepare_for_packed(void);

/* Keeps what was learnt about one log's lines for the next log. Only if all logs belong to one
 * person, because the time to read a log shows which lines were seen before. */
void od_tools_keep_shapes(struct od_tools *tools);

/* NULL = they are not kept. */
struct od_line_shapes *od_tools_shapes(const struct od_tools *tools);

struct od_ruleset *od_tools_rules(const struct od_tools *tools);
struct od_candidates *od_tools_candidates(const struct od_tools *tools);
