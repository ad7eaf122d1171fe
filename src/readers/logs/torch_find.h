/*
 * Finds the start of PyTorch's out-of-memory message in a line. People who mention "CUDA out of
 * memory" do not count.
 */
#pragma once

#include "base/base.h"

/* Start of the first message at or after from; OD_VIEW_NONE if there is none. *ret_next is always
 * set to where the search for another one continues. */
size_t od_torch_find(struct od_view text, size_t from, size_t *ret_next);

/* Start of a message without its first words ("Tried to allocate 2.00 GiB (GPU 0; ..."), as people
 * paste it; OD_VIEW_NONE if there is none. It may also continue an open message. */
size_t od_torch_find_rest(struct od_view text);

/* The exception class directly before `at` ("torch.OutOfMemoryError: ", "RuntimeError('"); empty if
 * there is none. */
struct od_view od_torch_class_before(struct od_view text, size_t at);
