/* Libraries that unpack are loaded when they are needed. */
#include "input/archive_calls.h"

const struct od_late_function od_late_linked[] = {{NULL, NULL}};
