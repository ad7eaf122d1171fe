/*
 * One word for a device, however it was printed: "GPU:0", "TPU:3", "CPU". Results live in the
 * arena or are literals; empty when the text does not tell.
 */
#pragma once

#include "base/base.h"

/* "/job:localhost/replica:0/task:0/device:GPU:0", "/gpu:0", "GPU 0", "cuda:0", "0" -> "GPU:0". */
struct od_view od_device_normal(struct od_arena *arena, struct od_view printed);

/* The device an allocator serves, when its name tells: GPU_0_bfc, cuda_host_bfc, mklcpu. */
struct od_view od_device_of_allocator(struct od_arena *arena, struct od_view name);

/* Is it TensorFlow's own pool in the machine's memory (bfc_cpu_allocator), with a limit of its own
 * and dumps as on a device? Memory pinned for a device (gpu_host_bfc) is not meant. */
bool od_device_is_pool(struct od_view allocator);
