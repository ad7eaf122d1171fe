/*
 * The peak of training: the tensors live at the worst moment, and the memory of the device in
 * addition to tensors.
 */
#pragma once

#include "estimate/saved.h"
#include "estimate/states.h"

/* The largest moment of saved activations, gradients and temporaries, without weights and states.
 * If gradients are freed in each step (PyTorch since 2.0, TensorFlow, JAX): in the backward pass at
 * layer k, the tensors saved by layers up to k, the gradients of k and later layers, and the
 * gradient of k's output. If gradients are kept (accumulation): all of both, and the larger of the
 * largest parameter's second gradient and the largest output. Unknown on overflow. Gradients must
 * be exact. */
struct od_bytes od_peak_dynamic(const struct od_workload *workload, const struct od_saved *saved,
                                const struct od_states *states);

/* Bytes of the copies of weights that autocast keeps until the backward pass has read them. */
uint64_t od_peak_casts(const struct od_workload *workload, uint64_t parameter_bytes);

/* Share of workspace for models whose saved bytes are fitted to their activations: the median of
 * the published series. */
#define OD_PEAK_WORKSPACE_MEDIAN 0.13

/* Share of temporary memory that the caching allocator cannot reuse for a request at its limit:
 * median, 5th and 95th percentile of the networks in tests/accuracy/gpu/largest.tsv, which were run
 * until they failed at a limit. */
#define OD_PEAK_FULL 0.03
#define OD_PEAK_FULL_LEAST 0.0
#define OD_PEAK_FULL_MOST 0.15

/* Sets workspace, framework, allocator_waste and at_limit of a breakdown whose other parts are set.
 * The metric decides: allocated has only tensors, reserved adds the pool's slack, device adds the
 * context and the libraries' workspace. False on overflow. */
bool od_peak_add_overhead(const struct od_workload *workload, const struct od_saved *saved,
                          struct od_breakdown *breakdown);
