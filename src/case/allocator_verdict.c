#include "case/allocator_parts.h"

/* The free memory that a request is compared with, as far as the dump shows it. */
struct room {
    struct od_bytes largest;  /* largest free chunk that could serve the request */
    struct od_bytes free;     /* sum of those chunks */
    struct od_bytes growable; /* what the allocator may still request from the driver within its
                                 limit */
};

static uint64_t minus(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

static struct od_bytes up_to(uint64_t most)
{
    return (struct od_bytes){.n = most, .lo = 0, .hi = most, .known = true};
}

static struct od_bytes growable(const struct od_allocator *a, struct od_count pool)
{
    if (a->limit.known && pool.known)
        return od_bytes_exact(minus(a->limit.n, pool.n));
    if (a->dump.available.known)
        return od_bytes_exact(a->dump.available.n);
    return (struct od_bytes){0};
}

static struct room room_of_chunks(const struct od_allocator *a)
{
    uint64_t listed = a->in_use_bytes;
    od_sum_add(&listed, a->free_bytes);
    return (struct room){
        .largest = od_bytes_exact(a->usable.largest),
        .free = od_bytes_exact(a->usable.bytes),
        .growable = growable(a, a->pool.known ? a->pool : od_count_of(listed)),
    };
}

/* Without a complete chunk list only the sum is known: free + growable = limit - in use. */
static struct room room_of_stats(const struct od_allocator *a)
{
    struct room room = {.growable = growable(a, a->pool)};
    if (!a->in_use.known)
        return room;
    if (a->pool.known) {
        room.free = od_bytes_exact(minus(a->pool.n, a->in_use.n));
    } else if (a->limit.known) {
        room.free = up_to(minus(a->limit.n, a->in_use.n));
        if (!room.growable.known)
            room.growable = room.free;
    }
    if (room.free.known)
        room.largest = up_to(room.free.hi);
    /* Allocators that never set this field print 0. */
    if (a->dump.stats.largest_free_block.known && a->dump.stats.largest_free_block.n > 0)
        room.largest = od_bytes_exact(a->dump.stats.largest_free_block.n);
    return room;
}

static enum od_tri fits(struct od_bytes need, struct od_bytes into)
{
    if (!need.known || !into.known)
        return OD_CANNOT_TELL;
    if (need.hi <= into.lo)
        return OD_YES;
    return need.lo > into.hi ? OD_NO : OD_CANNOT_TELL;
}

enum od_verdict od_verdict_of(const struct od_allocator *a)
{
    struct room room = a->chunks_complete ? room_of_chunks(a) : room_of_stats(a);
    const struct {
        struct od_bytes into;
        enum od_verdict verdict;
    } steps[] = {
        {room.largest, OD_VERDICT_FITS},
        {room.growable, OD_VERDICT_DEVICE_REFUSED},
        {room.free, OD_VERDICT_FRAGMENTED},
    };
    for (size_t i = 0; i < OD_COUNT_OF(steps); i++) {
        enum od_tri answer = fits(a->need, steps[i].into);
        /* In a caching allocator not every free chunk can serve every request, and a chunk may have
         * been returned to the driver since, so a large free chunk proves nothing. */
        bool may_be_barred = a->dump.family == OD_FAMILY_TORCH && i == 0;
        if (answer == OD_YES)
            return may_be_barred ? OD_VERDICT_UNKNOWN : steps[i].verdict;
        if (answer == OD_CANNOT_TELL)
            return OD_VERDICT_UNKNOWN;
    }
    return OD_VERDICT_EXHAUSTED;
}
