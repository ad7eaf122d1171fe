/*
 * The bytes of one tensor in every precision and after each allocator's rounding, and the reverse:
 * possible tensors for a number of bytes.
 */
#pragma once

#include "facts/shape.h"

enum { OD_TENSOR_CANDIDATES = 32 };

struct od_tensor_candidate {
    struct od_shape shape;
    enum od_dtype dtype;
    const char *note; /* "half of the batch"; may be NULL */
};

/* The question: a shape, a number of bytes, or both. */
struct od_tensor_question {
    struct od_shape shape; /* shape.known = a shape was given */
    enum od_dtype dtype;   /* OD_DTYPE_UNKNOWN = not given */
    struct od_count bytes; /* value of --bytes */
    struct od_count batch; /* value of --batch, used with bytes and without a shape */
};

struct od_tensor_answer {
    struct od_tensor_question question;
    struct od_count elements;
    struct od_tensor_candidate candidates[OD_TENSOR_CANDIDATES];
    size_t ncandidates;
};

/* Reads a shape as programs print it, with a type before it: "180,64,224,224", "(2, 3)",
 * "torch.Size([2, 3])", XLA's "bf16[2,3]{1,0}". False if the text is no shape. */
bool od_tensor_read_shape(struct od_view text, struct od_tensor_question *question);

/* Fills in the answer; notes are in arena. False if the number of elements exceeds 64 bits. */
bool od_tensor_answer(const struct od_tensor_question *question, struct od_arena *arena,
                      struct od_tensor_answer *ret_answer);

/* Bytes that an allocator takes for a request. TensorFlow's BFC allocator rounds to multiples of
 * 256. PyTorch rounds a block to multiples of 512; *ret_segment is the memory it requests from the
 * driver if nothing is cached: 2 MiB for up to 1 MiB, 20 MiB below 10 MiB, otherwise multiples of 2
 * MiB. Unknown on overflow. */
struct od_bytes od_tensor_tensorflow(struct od_bytes bytes);
struct od_bytes od_tensor_pytorch(struct od_bytes bytes, struct od_bytes *ret_segment);
