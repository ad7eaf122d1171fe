/*
 * What the failed request is, if it is a product of numbers that the log prints: 8 x 2048 x 256000
 * x 4 bytes are logits in float32. Only products of products.def count, so an unrelated number
 * rarely gives the size by accident.
 */
#pragma once

#include "case/case.h"
#include "facts/assigned.h"

struct od_fit_facts;
struct od_fit_question;

enum od_product_kind {
    OD_PRODUCT_NONE,
#define OD_PRODUCT(kind, word, what) OD_PRODUCT_##kind,
#include "facts/products.def"
#undef OD_PRODUCT
};

struct od_product {
    enum od_product_kind kind;
    unsigned width;       /* bytes of an element */
    uint64_t first;       /* the first factor: of data the number of its samples */
    struct od_bytes each; /* of a cache, bytes per token; unknown for other kinds */
    const char *factors;  /* "8 (batch size, line 2) x 2048 (sequence length, line 3) x 4 bytes" */
    const struct od_assigned *named; /* the first factor, where it is a number of any name */
    const char *word;                /* the kind in conditions */
    const char *what;                /* a description of the tensor */
    struct od_evidence *lines;       /* where the factors were read */
    size_t nlines;
};

/* facts: the model and the batch; NULL = not known. NULL: the request is no product, or may be
 * products of different kinds. Allocated in arena. */
const struct od_product *od_product_of(const struct od_fit_question *question,
                                       const struct od_fit_facts *facts, struct od_arena *arena);
