/*
 * `oomdoctor rules trace LOG[:LINE]`: the readers and rules that were tried on a line, and why each
 * did not match.
 */
#pragma once

#include "base/base.h"

/* rule_files: further packs. Returns the exit status; errors are printed to stderr with
 * file:line. */
int od_rules_trace(const char *log, const char *const *rule_files, size_t nrule_files);
