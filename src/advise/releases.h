/*
 * Release dates of versions: a log printed before the release of a version is from an older
 * version.
 */
#pragma once

#include "case/case.h"

/* Was the log of that incident printed before that version of the framework was released? False if
 * the lines have no date or the version is not in the table. */
bool od_releases_later(const struct od_case *c, const struct od_incident *incident,
                       const char *framework, const char *version);
