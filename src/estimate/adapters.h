/*
 * What a printed tree says of adapters (PEFT's lora_A, lora_B) and of quantized matrices
 * (bitsandbytes' Linear4bit, Linear8bitLt): knobs that need not be turned again.
 */
#pragma once

#include "estimate/estimate.h"

/* Sets rank, targets and bits of the frozen matrices as the model's rows tell; a model without
 * adapters changes nothing. Texts live in arena. False when nothing was set. */
bool od_adapters_take(const struct od_model *model, struct od_arena *arena,
                      struct od_workload *workload);
