#include "estimate/saved_sum.h"

void od_saved_add(struct od_saved_sum *sum, uint64_t *to, uint64_t count, uint64_t each)
{
    uint64_t bytes;
    if (ckd_mul(&bytes, count, each) || ckd_add(to, *to, bytes))
        sum->overflow = true;
}

void od_saved_keep(struct od_saved_sum *sum, uint32_t tensor, unsigned width)
{
    if (tensor == OD_NO_TENSOR || sum->walk.tensors.items[tensor].kept)
        return;
    struct od_walk_tensor *t = &sum->walk.tensors.items[tensor];
    t->kept = true;
    od_saved_add(sum, &sum->n, t->elements, width);
    od_saved_add(sum, &sum->below, t->slack, width);
    od_saved_add(sum, &sum->above, t->slack, width);
}
