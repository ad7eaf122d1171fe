/*
 * Reads JSON text with jansson, which allocates its own memory.
 */
#pragma once

#include "base/base.h"

#include <errno.h>
#include <jansson.h>

static inline void od_json_drop(void *value)
{
    json_decref(value);
}

/* Like json_loadb. The caller frees the value (may be NULL) with od_foreign_release. */
static inline json_t *od_json_load(struct od_view text, size_t flags, json_error_t *fault,
                                   struct od_foreign *held)
{
    errno = 0;
    json_t *value = json_loadb(text.p ? text.p : "", text.n, flags, fault);
    if (!value && errno == ENOMEM)
        od_mem_die();
    od_foreign_hold(held, value, od_json_drop);
    return value;
}
