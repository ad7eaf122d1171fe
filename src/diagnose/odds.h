/*
 * Computes probabilities from signs: adds the weights of a finding's signs. All findings and "the
 * log does not show the cause" together sum to 1.
 */
#pragma once

#include "diagnose/diagnose.h"

/* Lowers the odds of memory limits if something else fills the memory, or if earlier steps fit. */
void od_odds_doubt_limits(struct od_diagnosis_context *context);

/* Sets certainty and probability of all findings, and the probability that no finding is right. */
void od_odds_decide(struct od_diagnosis *diagnosis);
