/* libarchive is linked: what packed.c calls of it is there from the start. */
#include "input/archive_calls.h"

#include <stddef.h>

#define LINKED(name) {#name, (void (*)(void))(name)},

const struct od_late_function od_archive_linked[] = {OD_ARCHIVE_CALLS(LINKED){NULL, NULL}};
