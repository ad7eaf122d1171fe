/* Loads decompression libraries on first use. */
#include "input/archive_calls.h"

const struct od_dynload_function od_dynload_linked[] = {{NULL, NULL}};
