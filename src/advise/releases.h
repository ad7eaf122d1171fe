/*
 * Release dates of versions: a log printed before the release of a version is from an older
 * version.
 */
#pragma once

#include "case/case.h"
#include "rules/software.h"

/* Was the log of that incident printed before that version of the program was released? False if
 * the lines have no date or the version is not in its row. */
bool od_releases_later(const struct od_case *c, const struct od_incident *incident,
                       const struct od_software *software, const char *version);
