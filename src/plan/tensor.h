/*
 * One tensor's bytes: in every precision, as each allocator rounds them up; and backwards, what a
 * number of bytes can be of a tensor.
 */
#pragma once

#include "facts/shape.h"

enum { OD_TENSOR_CANDIDATES = 32 };

struct od_tensor_candidate {
    struct od_shape shape;
    enum od_dtype dtype;
    const char *note; /* "half of the batch"; may be NULL */
};

/* What is asked: a shape, a number of bytes, or both. */
struct od_tensor_question {
    struct od_shape shape; /* known: given */
    enum od_dtype dtype;   /* OD_DTYPE_UNKNOWN: not given */
    struct od_count bytes; /* --bytes */
    struct od_count batch; /* --batch: with bytes and no shape */
};

struct od_tensor_answer {
    struct od_tensor_question question;
    struct od_count elements;
    struct od_tensor_candidate candidates[OD_TENSOR_CANDIDATES];
    size_t ncandidates;
};

/*
 * The shape of a question as programs print it, and the type where it stands in front:
 * "180,64,224,224", "(2, 3)", "torch.Size([2, 3])", XLA's "bf16[2,3]{1,0}". False when it is none.
 */
bool od_tensor_read_shape(struct od_view text, struct od_tensor_question *question);

/* Fills the answer; notes live in arena. False when the elements do not fit 64 bits. */
bool od_tensor_answer(const struct od_tensor_question *question, struct od_arena *arena,
                      struct od_tensor_answer *ret_answer);

/*
 * What TensorFlow's BFC allocator takes for so many bytes: multiples of 256. What PyTorch's caching
 * allocator sets aside: a block is a multiple of 512 bytes (*ret_segment is what it asks the driver
 * for when nothing is cached: 2 MiB up to 1 MiB, 20 MiB below 10 MiB, else multiples of 2 MiB).
 * Unknown on overflow.
 */
struct od_bytes od_tensor_tensorflow(struct od_bytes bytes);
struct od_bytes od_tensor_pytorch(struct od_bytes bytes, struct od_bytes *ret_segment);
