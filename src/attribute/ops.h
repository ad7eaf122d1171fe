/*
 * What the name of an operation tells: TensorFlow names them by layer and kind, JAX and PyTorch
 * hardly ever print one.
 */
#ifndef OD_ATTRIBUTE_OPS_H
#define OD_ATTRIBUTE_OPS_H

#include "base/view.h"

#include <stdbool.h>

/* A step's backward pass or its update. */
bool od_op_is_backward(struct od_view op);

/* Its output is as large as a parameter: a gradient of one, an update. */
bool od_op_is_parameter(struct od_view op);

/* Outside any step: variables are made or restored, arrays are handed to the device. */
bool od_op_is_setup(struct od_view op);

/* An array of the program is handed to the device. */
bool od_op_is_array(struct od_view op);

/* A layer's forward computation: its output is an activation. */
bool od_op_is_forward(struct od_view op);

#endif
