/*
 * The peak of training: what lives at the worst moment, and what the device holds beside tensors.
 */
#pragma once

#include "estimate/saved.h"
#include "estimate/states.h"

/*
 * The largest moment of saved activations, gradients and temporaries, without weights and states.
 * Gradients freed each step (PyTorch since 2.0, TensorFlow, JAX): walking backward, at layer k what
 * the layers up to k saved, the gradients of those from k on, and the gradient of k's output.
 * Gradients kept (accumulation): all of both and the larger of the largest parameter's second
 * gradient and the largest output. Unknown on overflow. Gradients must be exact.
 */
struct od_bytes od_peak_dynamic(const struct od_workload *workload, const struct od_saved *saved,
                                const struct od_states *states);

/* Copies of the weights that autocast keeps until the backward pass has read them. */
uint64_t od_peak_casts(const struct od_workload *workload, uint64_t parameter_bytes);

/* Of models whose saved bytes are fitted to their activations: the median of the published series.
 */
#define OD_PEAK_WORKSPACE_MEDIAN 0.13

/* Of what comes and goes, what the caching allocator cannot give back to a request at its limit:
 * median, 5th and 95th percentile of the networks in tests/accuracy/gpu/largest.tsv, which were
 * made to run out below a limit. */
#define OD_PEAK_FULL 0.03
#define OD_PEAK_FULL_LEAST 0.0
#define OD_PEAK_FULL_MOST 0.15

/*
 * Sets workspace, framework, allocator_waste and at_limit of a breakdown whose other parts stand,
 * by metric: allocated counts tensors alone, reserved adds the pool's slack, device the context and
 * the libraries' workspace too, for models whose layers save so much. False on overflow.
 */
bool od_peak_add_overhead(const struct od_workload *workload, const struct od_saved *saved,
                          struct od_breakdown *breakdown);
