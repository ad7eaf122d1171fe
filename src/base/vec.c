#include "base/base.h"

void *od_vec_grow(void *items, size_t size, size_t need, size_t *room)
{
    size_t next = *room < 8 ? 8 : *room;
    while (next < need) {
        if (ckd_mul(&next, next, 2U))
            od_mem_die();
    }
    *room = next;
    return od_mem_resize(items, next, size);
}
