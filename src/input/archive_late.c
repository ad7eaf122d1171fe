/* libarchive is loaded when it is needed. */
#include "input/archive_calls.h"

#include <stddef.h>

const struct od_late_function od_archive_linked[] = {{NULL, NULL}};
