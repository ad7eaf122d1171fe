/*
 * One name for a device, however it is printed: "GPU:0", "TPU:3", "CPU". Results are allocated in
 * the arena or are literals; empty if the text names no device.
 */
#pragma once

#include "base/base.h"

/* "/job:localhost/replica:0/task:0/device:GPU:0", "/gpu:0", "GPU 0", "cuda:0", "0" -> "GPU:0". */
struct od_view od_device_normal(struct od_arena *arena, struct od_view printed);

/* The device of an allocator, if its name shows it: GPU_0_bfc, cuda_host_bfc, mklcpu. */
struct od_view od_device_of_allocator(struct od_arena *arena, struct od_view name);

/* Is it TensorFlow's pool in host memory (bfc_cpu_allocator), which has a limit and dumps like a
 * device? Host memory pinned for a device (gpu_host_bfc) is none. */
bool od_device_is_pool(struct od_view allocator);
