/*
 * Memory of training for every parameter: weights, gradients, optimizer state, in bytes. Exact if
 * the optimizer's state is a number per parameter; sharding divides it.
 */
#pragma once

#include "estimate/estimate.h"

struct od_states {
    struct od_bytes weights;   /* on the device between steps */
    struct od_bytes gradients; /* gradients of trainable parameters, if all of them are live */
    struct od_bytes optimizer; /* including float32 masters */
};

/* Bytes of a stored weight: 4; 2 for fp16, bf16 and their pure forms. */
unsigned od_precision_weight_bytes(enum od_precision precision);

/* Bytes of a computed activation: 2 under amp and 16 bit, else 4; fp8 keeps 16-bit activations. */
unsigned od_precision_compute_bytes(enum od_precision precision);

/* States for that many parameters, of which `trainable` are trained, on one device of the workload.
 * Applies ZeRO, FSDP and offloading, but not tensor and pipeline parallelism and quantization
 * (which change the number of parameters on a device). Inference only keeps weights. False on
 * overflow. */
bool od_states_of(const struct od_workload *workload, uint64_t parameters, uint64_t trainable,
                  struct od_states *ret_states);

/* Adds counters of steps, which Adam, similar optimizers and PyTorch's Adagrad have: 4 bytes per
 * parameter tensor (PyTorch) or 8 in total (TensorFlow). False on overflow. */
bool od_states_add_counters(const struct od_workload *workload, uint64_t tensors,
                            struct od_states *states);

/* Temporaries of the optimizer's step for the shard that it updates. PyTorch's Adam and similar
 * ones take the root of all second moments at once (foreach, the default on a device since 1.12).
 * torch/optim/_multi_tensor; exact to the byte on an H100 if a step is the peak
 * (tests/accuracy/gpu). A fused kernel has none. */
uint64_t od_states_temporaries(const struct od_workload *workload, const struct od_states *states);
