/*
 * Which limit refused the request: the account of the memory, with the limit found in the failure's
 * lines, in the lines around it and in the machine's free memory.
 */
#pragma once

#include "failure/account.h"

/* Is a setting of that name printed near that place? */
bool od_bound_is_printed(const struct od_case *c, const struct od_prov *at, const char *name);

struct od_account od_bound_account(const struct od_case *c, const struct od_incident *incident);

/* Is the setting a print of that limit in the log of the failure: "limit_of_heap", the program's
 * own, or "default_of_heap", that of another run that printed its defaults? */
bool od_bound_is_limit(const struct od_setting *setting, const char *of, const char *knob,
                       const struct od_incident *inc);

/* The limit of the process that refused, as its shell sets or shows it ("ulimit -v 4194304"); NULL
 * = none. */
const struct od_setting *od_bound_of_process(const struct od_case *c,
                                             const struct od_account *account,
                                             const struct od_incident *inc);

/* The last print of it before the failure, otherwise the first one after it; NULL = none. */
const struct od_setting *od_bound_limit(const struct od_case *c, const char *of, const char *knob,
                                        const struct od_incident *inc);
