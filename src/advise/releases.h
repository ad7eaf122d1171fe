/*
 * When versions came out: lines that were printed before that day are of an older one.
 */
#pragma once

#include "case/case.h"

/* Was the log of that incident printed before that version of the framework was released? False
 * where the lines have no date, or the version is not in the table. */
bool od_releases_later(const struct od_case *c, const struct od_incident *incident,
                       const char *framework, const char *version);
