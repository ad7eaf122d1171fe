/*
 * The catalogue of accelerators (accelerators.tsv): names as people and drivers write them, and the
 * memory of each. Names are matched without makers' words, case and punctuation.
 */
#pragma once

#include "base/base.h"

struct od_accelerator {
    const char *name;
    uint64_t bytes;
    uint64_t usable_bytes; /* what a process may get of it */
    bool several;          /* the name that was looked up is sold with other memory, too */
    bool part;             /* a slice, or of a machine that it is sold with */
    bool hopper;           /* NVIDIA's compute capability 9 */
    bool no_bitsandbytes;  /* the library has no kernels for it */
};

/* "NVIDIA GeForce GTX 1080 Ti", "a100-40gb"; a name without a size that is sold in several is the
 * smallest. False when it is not in the catalogue. */
bool od_accelerator_find(struct od_view name, struct od_accelerator *ret_accelerator);

/* The i-th of the catalogue, smallest first; false beyond its end. */
bool od_accelerator_at(size_t i, struct od_accelerator *ret_accelerator);
