#include "attribute/near.h"

#include "base/num.h"
#include "case/allocator.h"

enum { CHANNELS_MOST = 8192, SCALES = 5 };

/* Odd parts of divisors from which a division proves something: by chance one size in so many. */
#define TELLING 25

struct od_near_search {
    const struct od_tensor *tensor;
    struct od_count batch;
    uint64_t bytes;
    struct od_near found;
    uint64_t divisor; /* the largest that divides, without its powers of two */
};

static uint64_t rounded(const struct od_shape *shape, enum od_dtype dtype)
{
    struct od_bytes bytes = od_bfc_round(od_shape_bytes(shape, dtype));
    return bytes.known ? bytes.n : 0;
}

static uint64_t odd_part(uint64_t n)
{
    while (n > 0 && n % 2 == 0)
        n /= 2;
    return n;
}

static void add(struct od_near_search *search, const struct od_shape *shape, enum od_dtype dtype,
                struct od_view label)
{
    struct od_named named = {.bytes = search->bytes,
                             .shape = *shape,
                             .dtype = dtype,
                             .label = label,
                             .layer = OD_NO_LAYER,
                             .role = OD_ROLE_ACTIVATION};
    if (search->batch.known && shape->n > 0 && shape->dims[0] <= search->batch.n)
        named.batch = od_count_of(shape->dims[0]);
    if (search->found.n < OD_NEAR_MOST)
        search->found.items[search->found.n++] = named;
}

/* The shape itself: in its own type, in another, at half the batch. */
static void try_itself(struct od_near_search *search)
{
    static const enum od_dtype others[] = {OD_FLOAT16, OD_FLOAT32, OD_BOOL};
    const struct od_tensor *tensor = search->tensor;
    struct od_shape half = tensor->shape;
    if (rounded(&tensor->shape, tensor->dtype) == search->bytes)
        add(search, &tensor->shape, tensor->dtype, tensor->op);
    for (size_t i = 0; i < OD_COUNT_OF(others); i++) {
        if (od_dtype_bits(others[i]) != od_dtype_bits(tensor->dtype) &&
            rounded(&tensor->shape, others[i]) == search->bytes)
            add(search, &tensor->shape, others[i], (struct od_view){0});
    }
    if (half.n < 2 || half.dims[0] % 2 != 0)
        return;
    half.dims[0] /= 2;
    if (rounded(&half, tensor->dtype) == search->bytes)
        add(search, &half, tensor->dtype, (struct od_view){0});
}

/* Where a shape of four has its height; 0 = it has no square map. */
static uint32_t height_of(const struct od_shape *shape)
{
    if (shape->n != 4)
        return 0;
    if (shape->dims[2] == shape->dims[3] && shape->dims[1] != shape->dims[2])
        return 2;
    if (shape->dims[1] == shape->dims[2] && shape->dims[3] != shape->dims[2])
        return 1;
    return 0;
}

/* A map with another number of channels. */
static void try_map(struct od_near_search *search, uint32_t at, uint64_t height, uint64_t width)
{
    const struct od_tensor *tensor = search->tensor;
    uint64_t plane, one, item = od_dtype_bits(tensor->dtype) / 8;
    if (height == 0 || width == 0 || ckd_mul(&plane, height, width) ||
        ckd_mul(&plane, plane, tensor->shape.dims[0]) || ckd_mul(&one, plane, item) || one == 0)
        return;
    uint64_t channels = search->bytes / one;
    struct od_shape shape = tensor->shape;
    shape.dims[at] = height;
    shape.dims[at + 1] = width;
    shape.dims[at == 1 ? 3 : 1] = channels;
    if (channels == 0 || channels > CHANNELS_MOST || (channels > 4 && channels % 8 != 0) ||
        rounded(&shape, tensor->dtype) != search->bytes)
        return;
    if (odd_part(plane) > search->divisor)
        search->divisor = odd_part(plane);
    for (size_t i = 0; i < search->found.n; i++) {
        if (search->found.items[i].dtype == tensor->dtype &&
            search->found.items[i].shape.dims[at] == height &&
            search->found.items[i].shape.dims[0] == shape.dims[0])
            return;
    }
    add(search, &shape, tensor->dtype, (struct od_view){0});
}

/* Pooling halves a map, rounding either way; the maps before it were twice as large. */
static void try_maps(struct od_near_search *search)
{
    const struct od_shape *shape = &search->tensor->shape;
    uint32_t at = height_of(shape);
    if (at == 0 || od_dtype_bits(search->tensor->dtype) < 8)
        return;
    uint64_t height = shape->dims[at], width = shape->dims[at + 1];
    for (unsigned scale = 0; scale <= SCALES; scale++) {
        uint64_t step = (uint64_t)1 << scale;
        try_map(search, at, height / step, width / step);
        if (height % step == 0 && scale > 0 && height <= UINT32_MAX && width <= UINT32_MAX)
            try_map(search, at, height * step, width * step);
    }
}

struct od_near od_near_of(const struct od_tensor *tensor, struct od_count batch, uint64_t bytes,
                          struct od_arena *arena)
{
    struct od_near_search search = {.tensor = tensor, .batch = batch, .bytes = bytes};
    if (!tensor->shape.known || tensor->shape.n < 2 || tensor->dtype == OD_DTYPE_UNKNOWN)
        return search.found;
    search.found.items = OD_NEW_N(arena, OD_NEAR_MOST, struct od_named);
    try_itself(&search);
    bool itself = search.found.n > 0;
    if (batch.known && tensor->shape.dims[0] == batch.n)
        try_maps(&search);
    search.found.certainty = itself || search.divisor >= TELLING ? OD_LIKELY : OD_POSSIBLE;
    return search.found;
}
