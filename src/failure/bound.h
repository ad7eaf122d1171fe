/*
 * What bounded the request that failed: the account of its memory, with the limit that the lines of
 * the failure, the lines around it and the free memory of the machine show.
 */
#pragma once

#include "failure/account.h"
#include "failure/software.h"

/* Has a setting of that name been read near that place? */
bool od_bound_is_said(const struct od_case *c, const struct od_prov *at, const char *name);

struct od_account od_bound_account(const struct od_case *c, const struct od_incident *incident,
                                   const struct od_stack *stack);

/* The limit of addresses ("ulimit -v 4194304"), as printed last before the failure, else first
 * after it; NULL = none is printed. */
const struct od_setting *od_bound_addresses(const struct od_case *c, const struct od_prov *at);
