/*
 * What training keeps for every parameter: weights, gradients, optimizer state, in bytes. Exact
 * where the optimizer's state is one number per parameter; sharding divides it.
 */
#pragma once

#include "estimate/estimate.h"

struct od_states {
    struct od_bytes weights;   /* as the device holds them between steps */
    struct od_bytes gradients; /* of trainable parameters, when all of them live */
    struct od_bytes optimizer; /* with float32 masters */
};

/* Bytes of a stored weight: 4; 2 for fp16, bf16 and their pure forms. */
unsigned od_precision_weight_bytes(enum od_precision precision);

/* Bytes of a computed activation: 2 under amp and 16 bit, else 4; fp8 keeps 16-bit activations. */
unsigned od_precision_compute_bytes(enum od_precision precision);

/*
 * States of so many parameters, of which `trainable` are trained, on one device of the workload:
 * ZeRO, FSDP and offloading applied, tensor and pipeline parallelism and quantization not (they
 * change the number of parameters that a device holds). Inference keeps weights alone. False on
 * overflow.
 */
bool od_states_of(const struct od_workload *workload, uint64_t parameters, uint64_t trainable,
                  struct od_states *ret_states);

/* Adam, its kin and PyTorch's Adagrad count steps, 4 bytes for every tensor of parameters (PyTorch)
 * or 8 for all (TensorFlow). False on overflow. */
bool od_states_add_counters(const struct od_workload *workload, uint64_t tensors,
                            struct od_states *states);

/*
 * What the optimizer's step makes beside weights, gradients and states, on the shard that it steps:
 * PyTorch's Adam and its kin take the root of all second moments at once (foreach is its choice on
 * a device since 1.12). torch/optim/_multi_tensor; to the byte on an H100 where a step is the peak
 * (tests/accuracy/gpu). Those with a fused kernel make nothing.
 */
uint64_t od_states_temporaries(const struct od_workload *workload, const struct od_states *states);
