/*
 * Where PyTorch's out-of-memory message begins in a line, told from people who talk about it:
 * "CUDA out of memory" alone is nobody's failure.
 */
#pragma once

#include "base/base.h"

/* Start of the first message at or after from; OD_VIEW_NONE when there is none. *ret_next is
 * where to look for the one after it; it is set in any case. */
size_t od_torch_find(struct od_view text, size_t from, size_t *ret_next);

/* Start of a message that lacks its first words ("Tried to allocate 2.00 GiB (GPU 0; ..."), as
 * people paste it; OD_VIEW_NONE when there is none. It may also go on with an open one. */
size_t od_torch_find_rest(struct od_view text);

/* The exception class right in front of at ("torch.OutOfMemoryError: ", "RuntimeError('"); empty
 * when there is none. */
struct od_view od_torch_class_before(struct od_view text, size_t at);
