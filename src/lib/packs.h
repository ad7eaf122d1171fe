/*
 * The packs of a session: the shipped ones, and those of --rules (files, or folders of *.yaml),
 * which are loaded and checked together with the shipped ones.
 */
#pragma once

#include "base/diag.h"
#include "rules/pack.h"

struct od_packs;

/* Loads the packs. NULL with diagnostics if one is unreadable or invalid. */
struct od_packs *od_packs_new(const char *const *names, size_t n, struct od_diags *diags);
void od_packs_free(struct od_packs *packs);

const struct od_pack *const *od_packs_list(const struct od_packs *packs);
size_t od_packs_count(const struct od_packs *packs);
