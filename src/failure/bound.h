/*
 * Which limit refused the request: the account of the memory, with the limit found in the failure's
 * lines, in the lines around it and in the machine's free memory.
 */
#pragma once

#include "failure/account.h"

/* Is a setting of that name printed near that place? */
bool od_bound_is_printed(const struct od_case *c, const struct od_prov *at, const char *name);

struct od_account od_bound_account(const struct od_case *c, const struct od_incident *incident);

/* The limit of the address space ("ulimit -v 4194304"): the last one printed before the failure,
 * otherwise the first one after it; NULL = none. */
const struct od_setting *od_bound_addresses(const struct od_case *c, const struct od_prov *at);
