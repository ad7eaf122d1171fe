#include "attribute/near.h"

#include "case/allocator.h"

enum { CHANNELS_MOST = 8192, SCALES = 5 };

/* The least odd part of a divisor that proves a relation; one size in this many is divisible by
 * chance. */
#define TELLING 25

struct od_near_search {
    const struct od_tensor *tensor;
    struct od_count batch;
    uint64_t bytes;
    struct od_near found;
    int worth[OD_NEAR_MOST]; /* scores of the found tensors, best first */
    uint64_t divisor;        /* the odd part of the largest divisor found */
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

enum { ITSELF = 100, INPUT = 20, POWER = 6, ROUND = 4, OTHER = 3 };

/* Scores a number of channels. Networks use powers of two, and twice as many after a pool halves
 * the map; pictures have three. `spread`: distance in doublings of channels times height from that
 * of the failing map. */
static int worth_of(uint64_t channels, bool shrunk, int spread)
{
    if (!shrunk && channels == 3)
        return INPUT;
    int worth = odd_part(channels) == 1 ? POWER : channels % 32 == 0 ? ROUND : 0;
    return worth - 2 * (spread < 0 ? -spread : spread);
}

static int doublings(uint64_t n)
{
    int count = 0;
    for (; n > 1; n /= 2)
        count++;
    return count;
}

static void add(struct od_near_search *search, const struct od_shape *shape, enum od_dtype dtype,
                int worth)
{
    struct od_named named = {.bytes = search->bytes,
                             .shape = *shape,
                             .dtype = dtype,
                             .layer = OD_NO_LAYER,
                             .role = worth == INPUT || worth == INPUT - OTHER ? OD_ROLE_INPUT
                                                                              : OD_ROLE_ACTIVATION};
    if (search->batch.known && shape->n > 0 && shape->dims[0] <= search->batch.n)
        named.batch = od_count_of(shape->dims[0]);
    if (worth == ITSELF)
        named.label = search->tensor->op;
    size_t at = search->found.n;
    if (at == OD_NEAR_MOST && worth <= search->worth[at - 1])
        return;
    at = at == OD_NEAR_MOST ? at - 1 : search->found.n++;
    for (; at > 0 && search->worth[at - 1] < worth; at--) {
        search->found.items[at] = search->found.items[at - 1];
        search->worth[at] = search->worth[at - 1];
    }
    search->found.items[at] = named;
    search->worth[at] = worth;
}

/* Tries the shape itself: in its own type, in another type, and at half the batch. */
static void try_itself(struct od_near_search *search)
{
    static const enum od_dtype others[] = {OD_FLOAT16, OD_FLOAT32, OD_BOOL};
    const struct od_tensor *tensor = search->tensor;
    struct od_shape half = tensor->shape;
    if (rounded(&tensor->shape, tensor->dtype) == search->bytes)
        add(search, &tensor->shape, tensor->dtype, ITSELF);
    for (size_t i = 0; i < OD_COUNT_OF(others); i++) {
        if (od_dtype_bits(others[i]) != od_dtype_bits(tensor->dtype) &&
            rounded(&tensor->shape, others[i]) == search->bytes)
            add(search, &tensor->shape, others[i], ITSELF - 1);
    }
    if (half.n < 2 || half.dims[0] % 2 != 0)
        return;
    half.dims[0] /= 2;
    if (rounded(&half, tensor->dtype) == search->bytes)
        add(search, &half, tensor->dtype, ITSELF - 2);
}

/* Index of the height in a shape of four dimensions; 0 = the shape is no square map. */
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

struct od_map_size {
    uint64_t height, width;
    bool shrunk;
    enum od_dtype dtype;
};

static bool is_found(const struct od_near_search *search, const struct od_shape *shape,
                     enum od_dtype dtype)
{
    OD_FOR_EACH (const struct od_named, named, search->found) {
        bool same = named->dtype == dtype && named->shape.n == shape->n;
        for (uint32_t k = 0; same && k < shape->n; k++)
            same = named->shape.dims[k] == shape->dims[k];
        if (same)
            return true;
    }
    return false;
}

/* Tries a map with another number of channels; `at` is the index of its height. */
static void try_map(struct od_near_search *search, uint32_t at, const struct od_map_size *map)
{
    struct od_shape shape = search->tensor->shape;
    uint64_t plane, one;
    if (map->height == 0 || map->width == 0 || ckd_mul(&plane, map->height, map->width) ||
        ckd_mul(&plane, plane, shape.dims[0]) ||
        ckd_mul(&one, plane, (uint64_t)od_dtype_bits(map->dtype) / 8) || one == 0)
        return;
    uint64_t channels = search->bytes / one;
    shape.dims[at] = map->height;
    shape.dims[at + 1] = map->width;
    shape.dims[at == 1 ? 3 : 1] = channels;
    if (channels == 0 || channels > CHANNELS_MOST || (channels > 4 && channels % 8 != 0) ||
        rounded(&shape, map->dtype) != search->bytes || is_found(search, &shape, map->dtype))
        return;
    if (odd_part(plane) > search->divisor)
        search->divisor = odd_part(plane);
    uint64_t reference = search->tensor->shape.dims[at == 1 ? 3 : 1];
    int spread =
        doublings(channels * map->height) - doublings(reference * search->tensor->shape.dims[at]);
    int other_type = map->dtype != search->tensor->dtype ? OTHER : 0;
    add(search, &shape, map->dtype, worth_of(channels, map->shrunk, spread) - other_type);
}

/* Tries maps before and after pools, which halve a map and round down. */
static void try_maps(struct od_near_search *search, enum od_dtype dtype)
{
    const struct od_shape *shape = &search->tensor->shape;
    uint32_t at = height_of(shape);
    if (at == 0 || shape->dims[at] > UINT32_MAX || shape->dims[at == 1 ? 3 : 1] > UINT32_MAX ||
        od_dtype_bits(dtype) < 8)
        return;
    uint64_t height = shape->dims[at], width = shape->dims[at + 1];
    for (unsigned scale = 0; scale <= SCALES; scale++) {
        struct od_map_size smaller = {height >> scale, width >> scale, scale > 0, dtype};
        struct od_map_size larger = {height << scale, width << scale, false, dtype};
        try_map(search, at, &smaller);
        if (scale > 0)
            try_map(search, at, &larger);
    }
}

struct od_near od_near_of(const struct od_tensor *tensor, struct od_count batch, uint64_t bytes,
                          struct od_arena *arena)
{
    struct od_tensor assumed = *tensor;
    bool typed = tensor->dtype != OD_DTYPE_UNKNOWN;
    if (!typed) /* training mostly computes in this type */
        assumed.dtype = OD_FLOAT32;
    tensor = &assumed;
    struct od_near_search search = {.tensor = tensor, .batch = batch, .bytes = bytes};
    if (!tensor->shape.known || tensor->shape.n < 2)
        return search.found;
    search.found.items = OD_NEW_N(arena, OD_NEAR_MOST, struct od_named);
    try_itself(&search);
    bool itself = search.found.n > 0;
    uint64_t elements = 0;
    bool exact = itself && search.worth[0] == ITSELF && typed;
    /* the same tensor in another type proves as much as a division */
    if (itself && od_shape_elements(&tensor->shape, &elements))
        search.divisor = odd_part(elements);
    if (batch.known && tensor->shape.dims[0] == batch.n) {
        try_maps(&search, tensor->dtype);
        if (!itself && od_dtype_bits(tensor->dtype) == 32)
            try_maps(&search, OD_FLOAT16);
    }
    search.found.certainty = exact || search.divisor >= TELLING ? OD_LIKELY : OD_POSSIBLE;
    return search.found;
}
