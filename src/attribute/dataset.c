#include "attribute/dataset.h"

#include "case/allocator.h"

/* A sample of fewer bytes divides too many sizes: chunks come in steps of 256. */
#define SAMPLE_LEAST 4096
#define DATASET_LEAST (16u << 20)

enum { SAMPLES_LEAST = 64, BATCHES_LEAST = 8 };

struct od_sample od_sample_of(const struct od_tensor *handed_over,
                              const struct od_named_list *outputs)
{
    struct od_sample sample = {0};
    if (handed_over && handed_over->shape.n >= 3) {
        struct od_shape one = handed_over->shape;
        one.dims[0] = 1;
        if (od_shape_elements(&one, &sample.elements))
            sample.shape = handed_over->shape;
        return sample;
    }
    OD_FOR_EACH (const struct od_named, named, *outputs) {
        if (named->role == OD_ROLE_INPUT && named->elements > sample.elements)
            sample = (struct od_sample){named->elements, named->shape};
    }
    return sample;
}

const struct od_named *od_dataset_of(const struct od_sample *sample, struct od_count batch,
                                     uint64_t bytes, struct od_arena *arena)
{
    static const enum od_dtype dtypes[] = {OD_FLOAT32, OD_UINT8, OD_FLOAT64, OD_FLOAT16};
    uint64_t least = SAMPLES_LEAST;
    if (sample->elements == 0 || sample->shape.n < 2 || bytes < DATASET_LEAST)
        return NULL;
    if (batch.known && (ckd_mul(&least, batch.n, (uint64_t)BATCHES_LEAST)))
        return NULL;
    for (size_t i = 0; i < OD_COUNT_OF(dtypes); i++) {
        uint64_t one;
        if (ckd_mul(&one, sample->elements, (uint64_t)od_dtype_bits(dtypes[i]) / 8) ||
            one < SAMPLE_LEAST || bytes / one < least)
            continue;
        struct od_named named = {.bytes = bytes,
                                 .shape = sample->shape,
                                 .dtype = dtypes[i],
                                 .layer = OD_NO_LAYER,
                                 .role = OD_ROLE_DATASET};
        named.shape.dims[0] = bytes / one;
        struct od_bytes whole = od_bfc_round(od_shape_bytes(&named.shape, dtypes[i]));
        if (!whole.known || whole.n != bytes)
            continue;
        struct od_named *found = OD_NEW(arena, struct od_named);
        *found = named;
        return found;
    }
    return NULL;
}
