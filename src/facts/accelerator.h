/*
 * The catalogue of accelerators (accelerators.tsv): their names as people and drivers write them,
 * and their memory. Makers' words, case and punctuation are ignored.
 */
#pragma once

#include "base/base.h"

struct od_accelerator {
    const char *name;
    uint64_t bytes;
    uint64_t usable_bytes; /* memory that a process can use */
    bool several;          /* devices of this name have different amounts of memory */
    bool part;             /* a slice of a device, or the GPU of a machine */
    bool usual;            /* shops sell it or clouds rent it */
    bool hopper;           /* NVIDIA's compute capability 9 */
    bool no_bitsandbytes;  /* bitsandbytes has no kernels for it */
};

/* Finds "NVIDIA GeForce GTX 1080 Ti", "a100-40gb", ... For a name that is sold in several sizes,
 * the smallest one. False if the catalogue lacks it. */
bool od_accelerator_find(struct od_view name, struct od_accelerator *ret_accelerator);

/* The i-th device of the catalogue, smallest first; false past its end. */
bool od_accelerator_at(size_t i, struct od_accelerator *ret_accelerator);
