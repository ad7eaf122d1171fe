#include "scan/line_shapes.h"

#include "base/mask_digits.h"

#include <xxhash.h>

enum {
    SLOTS_FIRST = 1 << 10,
    SHAPES_MOST = 1 << 14,
    SIGHTS = 1 << 14,
    PROBES = 16, /* maximum number of examined slots, because an attacker can make hashes equal */
    KEPT_BYTES = 8 << 20
};

struct od_line_shapes {
    struct od_arena *arena;
    struct od_line_shape **slots; /* by hash; at least three slots for each shape */
    size_t nslots, n;
    struct od_line_plan nothing;
    bool full;
    uint64_t scans;
    uint16_t sights[SIGHTS]; /* by low bits of a text's hash: high bits of the last text seen */
    char folded[OD_LINE_SHAPES_AT_ONCE][OD_LINE_SHAPE_BYTES];
};

struct od_line_shapes *od_line_shapes_new(void)
{
    struct od_line_shapes *shapes = od_mem_alloc(1, sizeof *shapes);
    shapes->arena = od_arena_new();
    shapes->nslots = SLOTS_FIRST;
    shapes->slots = od_mem_alloc(shapes->nslots, sizeof(struct od_line_shape *));
    return shapes;
}

void od_line_shapes_free(struct od_line_shapes *shapes)
{
    if (!shapes)
        return;
    od_arena_free(shapes->arena);
    od_mem_free(shapes->slots);
    od_mem_free(shapes);
}

uint64_t od_line_shapes_scan(struct od_line_shapes *shapes)
{
    return ++shapes->scans;
}

struct od_line_plan *od_line_shapes_nothing(struct od_line_shapes *shapes)
{
    return &shapes->nothing;
}

struct od_arena *od_line_shapes_arena(struct od_line_shapes *shapes)
{
    return shapes->arena;
}

/* The i-th slot to examine for a hash. The number of slots is a power of two. */
static struct od_line_shape **probe(struct od_line_shapes *shapes, uint64_t hash, size_t i)
{
    return &shapes->slots[(hash + i * (i + 1) / 2) & (shapes->nslots - 1)];
}

/* The slot of the shape, or a free slot for it; NULL if all slots near it are taken. */
static struct od_line_shape **slot_of(struct od_line_shapes *shapes,
                                      const struct od_line_shape *wanted)
{
    for (size_t i = 0; i < PROBES; i++) {
        struct od_line_shape **slot = probe(shapes, wanted->hash, i);
        if (!*slot || ((*slot)->hash == wanted->hash && (*slot)->n == wanted->n &&
                       memcmp((*slot)->folded, wanted->folded, wanted->n) == 0))
            return slot;
    }
    return NULL;
}

static void grow(struct od_line_shapes *shapes)
{
    struct od_line_shape **old = shapes->slots;
    size_t nold = shapes->nslots;
    shapes->nslots *= 4;
    shapes->slots = od_mem_alloc(shapes->nslots, sizeof(struct od_line_shape *));
    for (size_t i = 0; i < nold; i++) {
        struct od_line_shape **slot = old[i] ? slot_of(shapes, old[i]) : NULL;
        if (slot)
            *slot = old[i];
    }
    od_mem_free(old);
}

/* Notes the text and returns whether it was seen before. Half of the lines of real logs occur once;
 * they get no shape. */
static bool note_sight(struct od_line_shapes *shapes, uint64_t hash)
{
    uint16_t *sight = &shapes->sights[hash % SIGHTS], mark = (uint16_t)(hash >> 48);
    bool seen = *sight == mark;
    *sight = mark;
    return seen;
}

static struct od_line_shape *add(struct od_line_shapes *shapes, const struct od_line_shape *fresh,
                                 struct od_line_shape **slot)
{
    shapes->full =
        shapes->full || shapes->n >= SHAPES_MOST || od_arena_used(shapes->arena) >= KEPT_BYTES;
    if (shapes->full || !slot)
        return NULL;
    struct od_line_shape *shape = od_arena_alloc(shapes->arena, 1, sizeof *shape + fresh->n);
    *shape = *fresh;
    shape->folded = memcpy(shape + 1, fresh->folded, fresh->n); /* stored with the shape, to use the
                                                                 * same cache lines */
    *slot = shape;
    if (++shapes->n * 3 > shapes->nslots)
        grow(shapes);
    return shape;
}

/* Computes the masked bytes and their hash; n is 0 if the text cannot have a shape. */
static struct od_line_shape wanted_of(struct od_view text, char folded[OD_LINE_SHAPE_BYTES])
{
    if (text.n == 0 || text.n > OD_LINE_SHAPE_BYTES)
        return (struct od_line_shape){0};
    od_mask_digits(folded, text.p, text.n);
    return (struct od_line_shape){
        .folded = folded, .n = text.n, .hash = XXH3_64bits(folded, text.n)};
}

static struct od_line_shape_found find(struct od_line_shapes *shapes,
                                       const struct od_line_shape *wanted)
{
    struct od_line_shape_found found = {0};
    if (wanted->n == 0)
        return found;
    struct od_line_shape **slot = slot_of(shapes, wanted);
    if (slot && *slot) {
        found.shape = *slot;
    } else if (note_sight(shapes, wanted->hash)) {
        found.shape = add(shapes, wanted, slot);
        found.fresh = found.shape != NULL;
    }
    return found;
}

struct od_line_shape *od_line_shapes_at(struct od_line_shapes *shapes, struct od_view text)
{
    const struct od_line_shape wanted = wanted_of(text, shapes->folded[0]);
    return find(shapes, &wanted).shape;
}

/* Prefetches all shapes before using the first, because they are far apart in memory. */
void od_line_shapes_find(struct od_line_shapes *shapes, const struct od_view *texts, size_t n,
                         struct od_line_shape_found *ret)
{
    struct od_line_shape wanted[OD_LINE_SHAPES_AT_ONCE];
    for (size_t i = 0; i < n; i++) {
        wanted[i] = wanted_of(texts[i], shapes->folded[i]);
        __builtin_prefetch(probe(shapes, wanted[i].hash, 0));
    }
    for (size_t i = 0; i < n; i++) {
        const struct od_line_shape *shape = *probe(shapes, wanted[i].hash, 0);
        __builtin_prefetch(shape);
        __builtin_prefetch(shape ? shape + 1 : shape);
    }
    for (size_t i = 0; i < n; i++)
        ret[i] = find(shapes, &wanted[i]);
}

bool od_line_shapes_are_full(const struct od_line_shapes *shapes)
{
    return shapes->full || od_arena_used(shapes->arena) >= KEPT_BYTES;
}

void od_line_shapes_forget(struct od_line_shapes *shapes)
{
    memset(shapes->slots, 0, shapes->nslots * sizeof(struct od_line_shape *));
    od_arena_free(shapes->arena);
    shapes->arena = od_arena_new();
    shapes->n = 0;
    shapes->full = false;
}
