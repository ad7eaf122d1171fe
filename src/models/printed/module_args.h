/*
 * Reads the arguments that a PyTorch module prints in brackets (extra_repr): "Conv2d(3, 64,
 * kernel_size=(7, 7), stride=(2, 2), bias=False)" and similar.
 */
#pragma once

#include "facts/model.h"

/* Reads args, the text between the brackets, into the layer, whose kind and type must be set. Does
 * not change its other texts. */
void od_module_args_read(struct od_view args, struct od_layer *layer);

/* Length of the text up to and including the bracket that closes the first one; OD_VIEW_NONE if it
 * is not closed. */
size_t od_module_args_length(struct od_view text);
