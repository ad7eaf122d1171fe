/*
 * One word for a device, however it was printed: "GPU:0", "TPU:3", "CPU". Results live in the
 * arena or are literals; empty when the text does not tell.
 */
#ifndef OD_CASE_DEVICE_H
#define OD_CASE_DEVICE_H

#include "base/arena.h"
#include "base/view.h"

/* "/job:localhost/replica:0/task:0/device:GPU:0", "/gpu:0", "GPU 0", "cuda:0", "0" -> "GPU:0". */
struct od_view od_device_normal(struct od_arena *arena, struct od_view printed);

/* The device an allocator serves, when its name tells: GPU_0_bfc, cuda_host_bfc, mklcpu. */
struct od_view od_device_of_allocator(struct od_arena *arena, struct od_view name);

#endif
