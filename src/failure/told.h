/*
 * What people say of a run beside its log: threads and questions have more of it than lines. It
 * proves nothing; it weighs where the log itself does not tell.
 */
#pragma once

#include "case/case.h"

/* The first remark of that name in the source of the incident; NULL = none. Borrowed from the case.
 */
const struct od_evidence *od_told(const struct od_case *c, const struct od_incident *incident,
                                  const char *name);

/* The first remark of that name, whatever its source; NULL = none. */
const struct od_evidence *od_told_of(const struct od_case *c, const char *name);

/* Is it the title of the thread that says so? */
bool od_told_in_title(const struct od_case *c, const struct od_incident *incident,
                      const char *name);

/* The last remark of that name between two lines of a source; NULL = none. */
const struct od_evidence *od_told_between(const struct od_case *c, const struct od_prov *behind,
                                          uint64_t before_line, const char *name);

/* Does that remark stand right above an incident without a traceback, as what failed is shown in a
 * question, and only there? */
bool od_told_above(const struct od_case *c, const struct od_incident *incident, const char *name);

/* How often that remark stands in front of the incident. */
uint64_t od_told_times(const struct od_case *c, const struct od_incident *incident,
                       const char *name);
