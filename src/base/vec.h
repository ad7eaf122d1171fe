/*
 * Growing arrays: OD_VEC(type) declares { type *items; size_t n, room; }. Zeroed is empty. The
 * owner calls od_vec_done. Capacity doubles; items then move.
 */
#pragma once

#include <stddef.h>

#define OD_VEC(type) \
    struct {         \
        type *items; \
        size_t n;    \
        size_t room; \
    }

/* Adds an item. The caller writes items[n] through the returned lvalue. */
#define od_vec_push(vec, value)                                                              \
    do {                                                                                     \
        if ((vec)->n == (vec)->room)                                                         \
            (vec)->items =                                                                   \
                od_vec_grow((vec)->items, sizeof *(vec)->items, (vec)->n + 1, &(vec)->room); \
        (vec)->items[(vec)->n++] = (value);                                                  \
    } while (0)

#define od_vec_done(vec)            \
    do {                            \
        od_mem_free((vec)->items);  \
        (vec)->items = NULL;        \
        (vec)->n = (vec)->room = 0; \
    } while (0)

/* Shrinks the allocation to the number of items. */
#define od_vec_trim(vec)                                                                \
    do {                                                                                \
        if ((vec)->n < (vec)->room && (vec)->n > 0) {                                   \
            (vec)->items = od_mem_resize((vec)->items, (vec)->n, sizeof *(vec)->items); \
            (vec)->room = (vec)->n;                                                     \
        }                                                                               \
    } while (0)

/*
 * Loops over the items of a growing array, or over the first n items of any array, with the pointer
 * `item`. Do not use it in a loop that adds items.
 */
#define OD_FOR_EACH(type, item, vec) OD_FOR_EACH_OF (type, item, (vec).items, (vec).n)
#define OD_FOR_EACH_OF(type, item, array, n) \
    for (type *item = (array), *item##_end = item ? item + (n) : item; item < item##_end; item++)

/* Returns items enlarged to at least need objects of size bytes; updates *room. */
void *od_vec_grow(void *items, size_t size, size_t need, size_t *room)
    __attribute__((returns_nonnull));

#include "base/mem.h"
