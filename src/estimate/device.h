/*
 * The catalogue of accelerators (rules/hardware.yaml): names as users write them, memory, and what
 * of it one process can get.
 */
#ifndef OD_ESTIMATE_DEVICE_H
#define OD_ESTIMATE_DEVICE_H

#include "base/view.h"

#include <stddef.h>
#include <stdint.h>

struct od_device {
    const char *name;  /* ours: "a100-40gb" */
    const char *title; /* "NVIDIA A100 40GB" */
    const char *names; /* all names, separated by spaces */
    uint64_t bytes;
    uint64_t usable_bytes; /* by one process, its context included */
    const char *source;    /* of the numbers */
};

/*
 * The device of that name; case, spaces, '-', '_', '(' and makers' and brands' names (NVIDIA,
 * GeForce, Tesla, AMD, Radeon, ...) do not matter. NULL when the catalogue has none such.
 */
const struct od_device *od_device_find(struct od_view name);

/* The i-th, smallest usable memory first; NULL beyond the last. */
const struct od_device *od_device_at(size_t i);

#endif
