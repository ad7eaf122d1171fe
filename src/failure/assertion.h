/*
 * Checks an assertion of the report against the numbers of the failure before its sentence is made
 * (rules/words/invariants.yaml). A false assertion is dropped and counted.
 */
#pragma once

#include "facts/cause.h"
#include "failure/profile.h"
#include "rules/invariants.h"

struct od_assertion {
    enum od_relation relation;
    const char *cause; /* the cause that the sentence describes; NULL = none */
    /* Two amounts that the sentence compares. They are compared only if one memory contains the
     * other. */
    struct od_amount amount, against;
    const struct od_series *series; /* measurements that the sentence describes; NULL = none */
    uint64_t suspects;              /* bits of all causes found (od_cause) */
};

/* Do the numbers allow the assertion? Unknown numbers refute nothing. The profile may hold more
 * facts than the failure's. */
bool od_assertion_holds(const struct od_profile *profile, const struct od_assertion *assertion);

/* The dropped sentences, each once for its row of invariants.yaml and its cause. */
struct od_drops {
    size_t n; /* number of all drops */
    struct {
        const struct od_invariant *invariant;
        const char *cause;
    } list[32];
};
