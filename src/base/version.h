/* Versions, as programs print them. */
#pragma once

#include "base/base.h"

/* Is version (a prefix of numbers and dots counts: "v2.11.0-rc1+cu118") at least that one? */
enum od_tri od_version_at_least(struct od_view version, const char *wanted);
