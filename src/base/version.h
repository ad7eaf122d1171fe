/* Versions, as programs print them. */
#ifndef OD_BASE_VERSION_H
#define OD_BASE_VERSION_H

#include "base/bytes.h"
#include "base/view.h"

/* Is version (a prefix of numbers and dots counts: "v2.11.0-rc1+cu118") at least that one? */
enum od_tri od_version_at_least(struct od_view version, const char *wanted);

#endif
