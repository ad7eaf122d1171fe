/*
 * The device of a plan: one from the catalogue by name, or a size.
 */
#pragma once

#include "base/base.h"

struct od_plan_device {
    const char *name; /* NULL: none */
    uint64_t bytes;
    uint64_t usable_bytes;        /* memory that a process can use */
    bool is_size;                 /* only its size is known */
    bool part;                    /* a slice of a device, or the GPU of a machine */
    bool usual;                   /* shops sell it or clouds rent it */
    bool hopper, no_bitsandbytes; /* as in struct od_accelerator */
};

/* Finds "a100-40gb", "rtx3090", or a size. 23.7GiB is the usable memory; 24GB is the nominal size
 * of a card, of which slightly less than 24 GiB can be used. False if it is neither. */
bool od_plan_device_find(const char *text, struct od_arena *arena,
                         struct od_plan_device *ret_device);

/* The i-th device of the catalogue, smallest first; false past its end. */
bool od_plan_device_at(size_t i, struct od_plan_device *ret_device);

/* The closest name of the catalogue, "rtx3090" for "RTX 3909"; NULL = none is close. */
const char *od_plan_device_suggest(struct od_view text);
