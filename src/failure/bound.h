/*
 * Finds the limit that refused the request, in the failure's lines, the lines near it and the
 * machine's free memory, and sets it in the account.
 */
#pragma once

#include "failure/account.h"

/* Is a setting with that name printed near that place? */
bool od_bound_is_printed(const struct od_case *c, const struct od_prov *at, const char *name);

struct od_account od_bound_account(const struct od_case *c, const struct od_incident *incident);

/* Does the setting print that limit in the log of the failure? "limit_of_heap" is the program's
 * own; "default_of_heap" is from another run, which printed its defaults. */
bool od_bound_is_limit(const struct od_setting *setting, const char *of, const char *knob,
                       const struct od_incident *inc);

/* The limit of the refusing process that its shell sets or shows ("ulimit -v 4194304"); NULL =
 * none. */
const struct od_setting *od_bound_of_process(const struct od_case *c,
                                             const struct od_account *account,
                                             const struct od_incident *inc);

/* The last line before the failure that prints it, otherwise the first one after it; NULL =
 * none. */
const struct od_setting *od_bound_limit(const struct od_case *c, const char *of, const char *knob,
                                        const struct od_incident *inc);
