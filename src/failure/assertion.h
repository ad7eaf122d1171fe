/*
 * What a sentence of the report asserts, checked against the numbers of the failure before the
 * sentence is made (rules/words/invariants.yaml). A false assertion is dropped and counted.
 */
#pragma once

#include "facts/cause.h"
#include "failure/profile.h"
#include "rules/invariants.h"

struct od_assertion {
    enum od_relation relation;
    const char *cause; /* the cause that the sentence is about; NULL = none */
    /* Two amounts that the sentence compares. They are not compared if neither memory contains the
     * other. */
    struct od_amount amount, against;
    const struct od_series *series; /* measurements that the sentence describes; NULL = none */
    uint64_t suspects;              /* bits of all causes that were found (od_cause) */
};

/* Can the numbers be as the sentence says? What is not known refutes nothing. The profile may hold
 * more facts than that of the failure. */
bool od_assertion_holds(const struct od_profile *profile, const struct od_assertion *assertion);

/* The sentences that were dropped, each once for its row of invariants.yaml and its cause. */
struct od_drops {
    size_t n; /* all */
    struct {
        const struct od_invariant *invariant;
        const char *cause;
    } list[32];
};
