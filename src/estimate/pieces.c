#include "estimate/pieces.h"

#include <assert.h>

#define NONE UINT32_MAX

void od_pieces_reset(struct od_pieces *p, uint64_t gap)
{
    p->items.n = p->unused.n = 0;
    for (size_t i = 0; i < OD_COUNT_OF(p->holes); i++)
        od_free_set_reset(&p->holes[i]);
    p->in_use = p->max_in_use = p->requested = p->n = 0;
    p->next_address = gap;
}

void od_pieces_done(struct od_pieces *p)
{
    od_vec_done(&p->items);
    od_vec_done(&p->unused);
    for (size_t i = 0; i < OD_COUNT_OF(p->holes); i++)
        od_free_set_done(&p->holes[i]);
}

static uint32_t new_piece(struct od_pieces *p, struct od_piece piece)
{
    p->n++;
    if (p->unused.n > 0) {
        uint32_t i = p->unused.items[--p->unused.n];
        p->items.items[i] = piece;
        return i;
    }
    od_vec_push(&p->items, piece);
    return (uint32_t)(p->items.n - 1);
}

static void forget(struct od_pieces *p, uint32_t i)
{
    p->n--;
    p->items.items[i].size = 0;
    od_vec_push(&p->unused, i);
}

static void add_hole(struct od_pieces *p, uint32_t i)
{
    const struct od_piece *piece = &p->items.items[i];
    od_free_set_add(&p->holes[piece->pool], (struct od_free_block){piece->size, piece->address, i});
}

static void remove_hole(struct od_pieces *p, uint32_t i)
{
    const struct od_piece *piece = &p->items.items[i];
    od_free_set_remove(&p->holes[piece->pool], piece->size, piece->address);
}

uint32_t od_pieces_add(struct od_pieces *p, uint64_t size, uint64_t gap, unsigned pool)
{
    uint32_t i = new_piece(p, (struct od_piece){.address = p->next_address,
                                                .size = size,
                                                .prev = NONE,
                                                .next = NONE,
                                                .pool = (uint8_t)pool});
    p->next_address += size + gap;
    add_hole(p, i);
    return i;
}

void od_pieces_drop(struct od_pieces *p, uint32_t i)
{
    remove_hole(p, i);
    forget(p, i);
}

bool od_pieces_best(const struct od_pieces *p, uint64_t need, unsigned pool, uint32_t *ret_i)
{
    const struct od_free_block *best = od_free_set_best(&p->holes[pool], need);
    *ret_i = best ? best->id : NONE;
    return best != NULL;
}

/* Splits a piece after `size` bytes into two, of which the second is free. */
static void cut(struct od_pieces *p, uint32_t i, uint64_t size)
{
    struct od_piece rest = p->items.items[i];
    rest.address += size;
    rest.size -= size;
    rest.prev = i;
    uint32_t j = new_piece(p, rest);
    if (rest.next != NONE)
        p->items.items[rest.next].prev = j;
    p->items.items[i].next = j;
    p->items.items[i].size = size;
    add_hole(p, j);
}

void od_pieces_take(struct od_pieces *p, uint32_t i, uint64_t size, uint64_t requested)
{
    remove_hole(p, i);
    if (size < p->items.items[i].size)
        cut(p, i, size);
    struct od_piece *piece = &p->items.items[i];
    piece->in_use = true;
    piece->requested = requested;
    p->requested += requested;
    p->in_use += size;
    if (p->in_use > p->max_in_use)
        p->max_in_use = p->in_use;
}

static void join(struct od_pieces *p, uint32_t a, uint32_t b)
{
    struct od_piece *first = &p->items.items[a];
    const struct od_piece *second = &p->items.items[b];
    first->size += second->size;
    first->next = second->next;
    if (first->next != NONE)
        p->items.items[first->next].prev = a;
    forget(p, b);
}

void od_pieces_release(struct od_pieces *p, uint32_t i)
{
    struct od_piece *piece = &p->items.items[i];
    uint32_t next = piece->next, prev = piece->prev;
    assert(piece->in_use);
    piece->in_use = false;
    p->in_use -= piece->size;
    p->requested -= piece->requested;
    if (next != NONE && !p->items.items[next].in_use) {
        remove_hole(p, next);
        join(p, i, next);
    }
    if (prev != NONE && !p->items.items[prev].in_use) {
        remove_hole(p, prev);
        join(p, prev, i);
        i = prev;
    }
    add_hole(p, i);
}

uint64_t od_pieces_largest_hole(const struct od_pieces *p)
{
    uint64_t largest = 0;
    for (size_t i = 0; i < OD_COUNT_OF(p->holes); i++) {
        uint64_t hole = od_free_set_largest(&p->holes[i]);
        largest = hole > largest ? hole : largest;
    }
    return largest;
}
