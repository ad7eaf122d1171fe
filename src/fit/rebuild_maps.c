/*
 * Derives the sides of maps from the sizes of a step's tensors.
 */
#include "fit/rebuild.h"

struct finder {
    const struct od_maps_question *q;
    struct od_maps maps;
    size_t used[OD_KERNELS_MOST]; /* index of each map's size in the dump; nsizes = none */
    bool valid, strided; /* valid: no padding. strided: strides instead of pools shrink maps */
};

static uint64_t bytes_of(const struct finder *f, uint64_t side, uint64_t channels)
{
    return od_bfc_rounded(f->q->batch * side * side * channels * f->q->width);
}

static size_t size_of(const struct finder *f, uint64_t bytes)
{
    size_t i = 0;
    while (i < f->q->dump->nsizes && f->q->dump->sizes[i].bytes != bytes)
        i++;
    return i;
}

/* Is there a chunk or a request of that size that is no output of an earlier convolution? */
static bool is_left(const struct finder *f, size_t n, uint64_t side, uint64_t channels)
{
    uint64_t bytes = bytes_of(f, side, channels), taken = 0;
    size_t size = size_of(f, bytes);
    if (side == 0)
        return false;
    for (size_t i = 0; i < n; i++)
        taken += f->used[i] == size;
    uint64_t there = size < f->q->dump->nsizes ? f->q->dump->sizes[size].count : 0;
    return there + (bytes == od_bfc_rounded(f->q->asked)) > taken;
}

static void set(struct finder *f, size_t i, uint64_t side, enum od_map_step before)
{
    const struct od_kernel *kernel = &f->q->chain->list[i];
    uint64_t less = f->valid && before != OD_MAP_TRANSPOSED ? kernel->side - 1 : 0;
    side = side > less ? side - less : 0;
    bool seen = is_left(f, i, side, kernel->out);
    f->maps.list[i] =
        (struct od_map){.side = side, .before = before, .valid = less > 0, .seen = seen};
    f->used[i] = seen ? size_of(f, bytes_of(f, side, kernel->out)) : f->q->dump->nsizes;
}

/* --- concatenation: the earlier map has the same side --- */

static bool set_joined(struct finder *f, size_t i)
{
    const struct od_kernel *list = f->q->chain->list;
    uint64_t before = f->maps.list[i - 1].side;
    if (list[i].skip != OD_NO_SKIP) {
        set(f, i, f->maps.list[list[i].skip].side, OD_MAP_SAME);
        return true;
    }
    if (i + 1 == f->q->chain->n || list[i + 1].skip == OD_NO_SKIP)
        return false;
    uint64_t side = f->maps.list[list[i + 1].skip].side;
    bool plain = list[i].side != 2 && is_left(f, i, before, list[i].out) &&
                 !is_left(f, i, side, list[i].out);
    if (side != 2 * before || plain)
        return false;
    bool even = list[i].side == 2 && !is_left(f, i, side, list[i].in);
    set(f, i, side, even ? OD_MAP_TRANSPOSED : OD_MAP_UP);
    return true;
}

static void set_next(struct finder *f, size_t i)
{
    uint64_t before = f->maps.list[i - 1].side;
    if (f->q->chain->list[i].out <= f->q->chain->list[i].in)
        set(f, i, before, OD_MAP_SAME);
    else if (f->strided)
        set(f, i, (before + 1) / 2, OD_MAP_STRIDE);
    else
        set(f, i, before / 2, OD_MAP_POOL);
}

/* --- bytes that a guess explains --- */

struct sum {
    const struct finder *f;
    bool *counted; /* one element for each size of the dump */
    double bytes;
};

static void count(struct sum *sum, uint64_t side, uint64_t channels)
{
    size_t size = size_of(sum->f, bytes_of(sum->f, side, channels));
    const struct od_allocator *dump = sum->f->q->dump;
    if (side == 0 || size == dump->nsizes || sum->counted[size])
        return;
    sum->counted[size] = true;
    sum->bytes += (double)dump->sizes[size].total;
}

/* Bytes in use with the sizes of maps: outputs of convolutions, and maps between them. */
static double explained(const struct finder *f)
{
    const struct od_chain *chain = f->q->chain;
    struct sum sum = {.f = f, .counted = od_mem_alloc(f->q->dump->nsizes + 1, sizeof(bool))};
    count(&sum, f->maps.input, chain->list[0].in);
    for (size_t i = 0; i < chain->n; i++) {
        const struct od_map *map = &f->maps.list[i];
        const struct od_kernel *kernel = &chain->list[i];
        uint64_t before = i > 0 ? f->maps.list[i - 1].side : f->maps.input;
        count(&sum, map->side, kernel->out);
        if (map->before == OD_MAP_POOL)
            count(&sum, before / 2, kernel->in);
        if (map->before == OD_MAP_UP)
            count(&sum, 2 * before, kernel->in);
        if (kernel->skip != OD_NO_SKIP)
            count(&sum, map->side, kernel->in);
    }
    od_mem_free(sum.counted);
    return sum.bytes;
}

/* Penalty of a guess: for each map missing although a later one exists, and for missing images. */
static double oddness(const struct finder *f)
{
    static const double each = 0.2;
    double odd = is_left(f, 0, f->maps.input, f->q->chain->list[0].in) ? 1 : 1 + each;
    size_t last = f->q->chain->n;
    while (last > 0 && !f->maps.list[last - 1].seen)
        last--;
    for (size_t i = 0; i < last; i++)
        odd += f->maps.list[i].seen ? 0 : each;
    return odd;
}

static bool try_side(struct finder *f, uint64_t input)
{
    f->maps = (struct od_maps){.input = input};
    set(f, 0, input, OD_MAP_SAME);
    if (!f->maps.list[0].seen)
        return false;
    for (size_t i = 1; i < f->q->chain->n; i++) {
        if (!set_joined(f, i))
            set_next(f, i);
        if (f->maps.list[i].side == 0)
            return false;
    }
    /* the output is an image, or a label for each pixel */
    return f->maps.list[f->q->chain->n - 1].side == input;
}

static double try_sides(struct finder *f, double best, struct od_maps *ret_maps)
{
    enum { SIDE_LEAST = 8, SIDE_MOST = 1024 };
    for (uint64_t side = SIDE_LEAST; side <= SIDE_MOST; side++) {
        if (!try_side(f, side))
            continue;
        f->maps.matched = explained(f);
        double worth = f->maps.matched / oddness(f);
        if (worth <= best)
            continue;
        *ret_maps = f->maps;
        best = worth;
    }
    return best;
}

bool od_maps_find(const struct od_maps_question *question, struct od_maps *ret_maps)
{
    struct finder f = {.q = question, .strided = question->strided};
    double best = 0;
    bool joins = false;
    for (size_t i = 0; i < question->chain->n; i++)
        joins = joins || question->chain->list[i].skip != OD_NO_SKIP;
    for (int valid = 0; joins && valid < 2; valid++) {
        f.valid = valid == 1;
        best = try_sides(&f, best, ret_maps);
    }
    return best > 0;
}
