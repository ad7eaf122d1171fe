/* A checkpoint that is read to the device that its tensors were saved from. */
#pragma once

#include "diagnose/diagnose.h"

/* Was a checkpoint read to the device that its tensors were saved from? */
bool od_single_restores(const struct od_diagnosis_context *context);
