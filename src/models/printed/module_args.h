/*
 * What a printed PyTorch module says about itself between its brackets (extra_repr):
 * "Conv2d(3, 64, kernel_size=(7, 7), stride=(2, 2), bias=False)" and the like.
 */
#pragma once

#include "facts/model.h"

/* Reads args, the text between the brackets, into the layer, whose kind and type are known.
 * Views of the layer stay as they are. */
void od_module_args_read(struct od_view args, struct od_layer *layer);

/* The length of the text up to the bracket that closes the one at its start, with it;
 * OD_VIEW_NONE when none does. */
size_t od_module_args_length(struct od_view text);
