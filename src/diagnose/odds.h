/*
 * From signs to probabilities: the weights of a finding's signs are added, and all findings share
 * one whole with "the log does not show the cause".
 */
#pragma once

#include "diagnose/diagnose.h"

/* Lowers the limits of memory that something is seen to fill, or that earlier steps kept. */
void od_odds_doubt_limits(struct od_diagnosis_context *context);

/* Sets certainty and probability of all findings, and what is left unexplained. */
void od_odds_decide(struct od_diagnosis *diagnosis);
