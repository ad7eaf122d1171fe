/*
 * The proof of packs: every sample is matched by exactly one rule, its own, with exactly the stated
 * values; no rule matches a near miss; all samples of all packs are tried against all rules; the
 * prefilter and no prefilter agree; every rule has a sample.
 */
#ifndef OD_SCAN_PROVE_H
#define OD_SCAN_PROVE_H

#include "base/diag.h"
#include "base/err.h"
#include "rules/pack.h"

#include <stddef.h>
#include <stdint.h>

struct od_proof {
    size_t rules, samples, near_misses;
    uint64_t *rule_ns; /* cost of each rule over all samples, in order of packs; od_mem_free it */
};

/* OD_ERULE with diagnostics when a proof fails. ret_proof may be NULL. */
enum od_err od_prove(const struct od_pack *const *packs, size_t npacks, struct od_diags *diags,
                     struct od_proof *ret_proof) OD_MUST_USE;

#endif
