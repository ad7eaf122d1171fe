/*
 * `oomdoctor rules trace LOG[:LINE]`: who was asked about a line, and why each made nothing of it.
 */
#pragma once

#include "base/base.h"

/* rule_files: further packs. The exit status; errors are printed to stderr with file:line. */
int od_rules_trace(const char *log, const char *const *rule_files, size_t nrule_files);
