/*
 * Explains the failed request as a product of numbers that the log prints: 8 x 2048 x 256000 x 4
 * bytes are logits in float32. Only products of products.def count, so an unrelated number rarely
 * gives the size by accident.
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
    unsigned width;       /* bytes per element */
    uint64_t first;       /* the first factor: for data the number of samples */
    struct od_bytes each; /* bytes per token of a cache; unknown for other kinds */
    const char *factors;  /* "8 (batch size, line 2) x 2048 (sequence length, line 3) x 4 bytes" */
    const struct od_assigned *named; /* the first factor, if it is a value of any name */
    const char *word;                /* name of the kind for conditions */
    const char *what;                /* a description of the tensor */
    struct od_evidence *lines;       /* lines with the factors */
    size_t nlines;
};

/* facts has the model and the batch; may be NULL. Returns NULL if the request is no product, or may
 * be products of different kinds. Allocated in arena. */
const struct od_product *od_product_of(const struct od_fit_question *question,
                                       const struct od_fit_facts *facts, struct od_arena *arena);
