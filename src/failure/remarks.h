/*
 * Remarks of people about a run, as in threads and questions. They prove nothing, and count only if
 * the log does not show the fact.
 */
#pragma once

#include "case/case.h"

/* The first remark with that name in the source of the incident, or in all sources for NULL; NULL =
 * none. Borrowed from the case. */
const struct od_evidence *od_remark_find(const struct od_case *c,
                                         const struct od_incident *incident, const char *name);

const struct od_evidence *od_remark_anywhere(const struct od_case *c, const char *name);

/* Is the remark in the title of the thread? */
bool od_remark_in_title(const struct od_case *c, const struct od_incident *incident,
                        const char *name);

/* The last remark with that name between two lines of a source; NULL = none. */
const struct od_evidence *od_remark_between(const struct od_case *c, const struct od_prov *after,
                                            uint64_t before_line, const char *name);

/* Is there only one remark of that name, directly above an incident without a traceback, as in a
 * question that quotes its error? */
bool od_remark_directly_above(const struct od_case *c, const struct od_incident *incident,
                              const char *name);

/* Number of remarks of this kind before the incident. */
uint64_t od_remark_count(const struct od_case *c, const struct od_incident *incident,
                         const char *name);
