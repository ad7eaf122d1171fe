/*
 * Shares of the limit, 0..1, that do not grow with the batch; negative where they are not known.
 */
#ifndef OD_DIAGNOSE_SHARES_H
#define OD_DIAGNOSE_SHARES_H

#include "diagnose/diagnose.h"

/* By the attribution of the failure's dump: what leaks and second models are in it. */
double od_fixed_share(const struct od_diagnosis_context *context);

/* What one model takes with its optimizer's states, or by a printed table its weights alone. */
double od_model_share(const struct od_diagnosis_context *context);

#endif
