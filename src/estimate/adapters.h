/*
 * Adapters (PEFT's lora_A, lora_B) and quantized matrices (bitsandbytes' Linear4bit, Linear8bitLt)
 * in a printed module tree, which replace the user's knobs for them.
 */
#pragma once

#include "estimate/estimate.h"

/* Sets rank, targets and the bits of frozen matrices from the model's rows. Texts are allocated in
 * arena. False if the model has no adapters. */
bool od_adapters_take(const struct od_model *model, struct od_arena *arena,
                      struct od_workload *workload);
