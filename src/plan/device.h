/*
 * The device of a plan: a name of the catalogue, or only a size.
 */
#pragma once

#include "base/base.h"

struct od_plan_device {
    const char *name; /* NULL = no device */
    uint64_t bytes;
    uint64_t usable_bytes;        /* memory that a process can use */
    bool is_size;                 /* only the size of the device is known */
    bool part;                    /* a slice of a device, or a GPU integrated in a machine */
    bool usual;                   /* sold in shops or rented by clouds */
    bool hopper, no_bitsandbytes; /* properties as in struct od_accelerator */
};

/* Finds a device by name ("a100-40gb", "rtx3090") or size. "23.7GiB" is usable memory; "24GB" is
 * the nominal size of a card, slightly more than is usable. False if the text is neither. */
bool od_plan_device_find(const char *text, struct od_arena *arena,
                         struct od_plan_device *ret_device);

/* The i-th device of the catalogue, smallest first; false past its end. */
bool od_plan_device_at(size_t i, struct od_plan_device *ret_device);

/* The closest name of the catalogue, "rtx3090" for "RTX 3909"; NULL = no name is close. */
const char *od_plan_device_suggest(struct od_view text);
