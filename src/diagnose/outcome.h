/* How the run ended, decided from what complained and from what came after it. */
#ifndef OD_DIAGNOSE_OUTCOME_H
#define OD_DIAGNOSE_OUTCOME_H

#include "diagnose/diagnose.h"

/* Fills outcome, outcome_why, outcome_at and failure. */
void od_outcome_decide(const struct od_case *c, struct od_diagnosis *diagnosis);

#endif
