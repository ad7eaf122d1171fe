/*
 * Shares of the limit, 0..1, of memory that does not grow with the batch; negative = unknown.
 */
#pragma once

#include "diagnose/diagnose.h"

/* A model that takes this much of a device leaves no room for a step: the driver's context and its
 * libraries hold about half a GiB of 8, the allocator's pieces and the outputs of one sample the
 * rest. */
#define OD_NEARLY_ALL 0.85

/* Fixed memory by the attribution of the failure's dump, with leaks and second models. */
double od_fixed_share(const struct od_diagnosis_context *context);

/* One model with its optimizer states; by a printed layer table, only its weights. */
double od_model_share(const struct od_diagnosis_context *context);

/* Lower limit of the weights of a model that the text names with its number of parameters. */
struct od_named_weights {
    struct od_view model;
    struct od_bytes bytes, each; /* bytes of all weights; memory of each device */
    uint64_t devices;
    double billions, bits, share; /* billions: of parameters */
};

/* False if they are unknown, or the failure contradicts them. */
bool od_named_weights_of(const struct od_diagnosis_context *context, struct od_named_weights *ret);

/* Is the fixed memory larger than the whole limit by an estimate, at any batch and sample size? */
bool od_shares_exceed(const struct od_diagnosis_context *context);

/* Is there no room for a KV cache, because the weights alone are larger than the device? */
bool od_shares_leave_no_cache(const struct od_diagnosis_context *context);

/* The line which shows that a server had loaded its weights and created its cache; NULL = none. */
const struct od_evidence *od_shares_cache_made(const struct od_diagnosis_context *context);

/*
 * The verdict says that the free chunks sum to the request. That alone does not prove
 * fragmentation: a nearly full pool with just enough small pieces is exhausted. Fragmentation is
 * the cause if the free memory clearly exceeds the request.
 */
#define OD_PIECES_EXCESS 1.25

/*
 * A caching allocator releases whole free segments before it fails, so the memory that it still
 * reserves without use is in pieces between tensors. Every pool has some. It is the cause if it is
 * at least this share of the pool and larger than the request.
 */
#define OD_PIECES_SHARE 0.2
