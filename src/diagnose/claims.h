/*
 * Claims: what each finding asserts about the failure, as a relation between two amounts, checked
 * against the failure's numbers before any sentence is made of it. A finding whose claim the
 * numbers refute is dropped and counted, so that headline, reasons and remedies have nothing of it.
 */
#pragma once

#include "diagnose/diagnose.h"

enum od_relation {
    OD_CLAIMS_NOTHING, /* of amounts */
    OD_CLAIMS_EXCEEDS, /* what the run needs is more than there was */
    OD_CLAIMS_SMALLER, /* fewer or smaller samples would fit */
    OD_CLAIMS_PIECES,  /* what is free lies in pieces, each smaller than the request */
    OD_CLAIMS_HELD,    /* others hold a part of the device */
    OD_CLAIMS_GROWS,   /* memory in use grew up to the failure */
    OD_CLAIMS_REACHED  /* what was in use, with the request, reached a limit of its own */
};

struct od_claim {
    enum od_cause subject;
    enum od_relation relation;
    struct od_bytes amount, against; /* unknown = the numbers cannot refute it */
};

struct od_claim od_claim_of(const struct od_diagnosis_context *context,
                            const struct od_finding *finding);

/* Drops the findings whose claims do not hold; diagnosis->dropped counts them. */
void od_claims_check(struct od_diagnosis_context *context);
