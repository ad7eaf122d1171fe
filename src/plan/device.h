/*
 * The device a plan is made for: one of the catalogue by name, or a size.
 */
#pragma once

#include "base/base.h"

struct od_plan_device {
    const char *name; /* NULL: none */
    uint64_t bytes;
    uint64_t usable_bytes;        /* what a process may get of it */
    bool is_size;                 /* only its size is known */
    bool part;                    /* a slice, or of a machine that it is sold with */
    bool hopper, no_bitsandbytes; /* as in struct od_accelerator */
};

/*
 * "a100-40gb", "rtx3090"; or a size. 23.7GiB is what may be used; 24GB is how cards are sold: a
 * little less than 24 GiB of it can be had. False when it is neither.
 */
bool od_plan_device_find(const char *text, struct od_arena *arena,
                         struct od_plan_device *ret_device);

/* The i-th of the catalogue, smallest first; false beyond its end. */
bool od_plan_device_at(size_t i, struct od_plan_device *ret_device);

/* "rtx3090" of "RTX 3909": the nearest name of the catalogue; NULL = none is near. */
const char *od_plan_device_suggest(struct od_view text);
