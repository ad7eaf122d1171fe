/*
 * Adapters (PEFT's lora_A, lora_B) and quantized matrices (bitsandbytes' Linear4bit, Linear8bitLt)
 * in a printed module tree, so that the user need not give their knobs.
 */
#pragma once

#include "estimate/estimate.h"

/* Sets rank, targets and the bits of frozen matrices from the model's rows; does nothing for a
 * model without adapters. Texts are allocated in arena. False if nothing was set. */
bool od_adapters_take(const struct od_model *model, struct od_arena *arena,
                      struct od_workload *workload);
