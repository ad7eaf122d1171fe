/* Versions, as programs print them. */
#pragma once

#include "base/base.h"

/* Is the version at least `wanted`? Only leading numbers and dots count: "v2.11.0-rc1+cu118". */
enum od_tri od_version_at_least(struct od_view version, const char *wanted);
