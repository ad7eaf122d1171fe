/*
 * Shares of the limit, 0..1, that do not grow with the batch; negative where they are not known.
 */
#pragma once

#include "diagnose/diagnose.h"

/* By the attribution of the failure's dump: what leaks and second models are in it. */
double od_fixed_share(const struct od_diagnosis_context *context);

/* What one model takes with its optimizer's states, or by a printed table its weights alone. */
double od_model_share(const struct od_diagnosis_context *context);

/* Is it by an estimate more than the whole limit, whatever the batch and its samples? */
bool od_shares_exceed(const struct od_diagnosis_context *context);

/* No KV cache fits, and none could: the weights alone are larger than the device. */
bool od_shares_leave_no_cache(const struct od_diagnosis_context *context);

/* A server that had its weights in and its cache made before it failed: the line that says so, as
 * it starts; NULL = none. */
const struct od_evidence *od_shares_cache_made(const struct od_diagnosis_context *context);

/*
 * The verdict says that the free chunks sum to the request. That alone is not the cause: a pool
 * that is all but full, with just enough crumbs, is exhausted. Fragmentation is to blame where the
 * free memory clearly exceeds the request.
 */
#define OD_PIECES_EXCESS 1.25

/*
 * A caching allocator gives back whole free segments before it fails: what it then holds and does
 * not use lies in pieces between tensors. Every pool has some of that; it is the cause where it is
 * a good part of the pool and larger than the request.
 */
#define OD_PIECES_SHARE 0.2
