/* Applies the rows of rules/causes to a failure: finds causes, their signs and sentences. */
#pragma once

#include "diagnose/diagnose.h"
#include "failure/growth.h"
#include "failure/profile.h"
#include "rules/cause_rows.h"

/* Facts of a failure for the conditions and sentences of causes. */
struct od_cause_facts {
    struct od_profile profile;
    const struct od_evidence *said[OD_FACT_END]; /* lines that show a fact; NULL = none */
    size_t nsaid[OD_FACT_END];                   /* 0 = one line if `said` is set */
    const struct od_growth *series[OD_FACT_END]; /* values of SERIES facts; NULL = none */
};

/* Computes the failure's profile, and the facts that only causes use (cause_facts.c). */
void od_cause_facts_of(const struct od_diagnosis_context *context,
                       struct od_cause_facts *ret_facts);

/* Adds a finding for each row whose condition holds. rows: NULL-terminated. */
void od_rows_look(struct od_diagnosis_context *context, const struct od_cause_row *const *rows);
