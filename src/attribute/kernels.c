#include "attribute/kernels.h"

#include "estimate/known_nets.h"

enum { FLOAT = 4, UNIT = 256 };

struct tensor {
    uint64_t bytes;
    size_t at;
    bool is_vector;
};

struct tensors {
    struct tensor *items;
    size_t n, room;
};

static int by_bytes(const void *a, const void *b)
{
    const struct tensor *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static void add(struct tensors *tensors, uint64_t elements, bool is_vector)
{
    struct tensor tensor = {.bytes = (elements * FLOAT + UNIT - 1) / UNIT * UNIT,
                            .at = tensors->n,
                            .is_vector = is_vector};
    od_vec_push(tensors, tensor);
}

/* Adds the tensors of a layer: a convolution has a kernel and maybe a bias, a norm has vectors. */
static void add_layer(struct tensors *tensors, const struct od_layer *layer)
{
    uint64_t channels = layer->output.dims[layer->output.n - 1], all = layer->parameters.n;
    if (layer->kind == OD_LAYER_CONV) {
        bool bias = layer->bias == OD_YES;
        add(tensors, bias ? all - channels : all, false);
        if (bias)
            add(tensors, channels, true);
    } else if (layer->kind == OD_LAYER_BATCH_NORM) {
        for (uint64_t i = 0; i < all / channels; i++)
            add(tensors, channels, true);
    }
}

/* Merges tensors of equal size. */
static struct od_kernels fold(const struct tensors *tensors, struct od_arena *arena)
{
    struct od_kernel_kind *kinds = OD_NEW_N(arena, tensors->n + 1, struct od_kernel_kind);
    struct od_kernels kernels = {.kinds = kinds};
    for (size_t i = 0; i < tensors->n; i++) {
        const struct tensor *tensor = &tensors->items[i];
        if (i == 0 || tensor->bytes != tensor[-1].bytes)
            kinds[kernels.n++] =
                (struct od_kernel_kind){.bytes = tensor->bytes, .is_vector = tensor->is_vector};
        kinds[kernels.n - 1].layers++;
    }
    return kernels;
}

const struct od_kernels *od_kernels_of_all(struct od_arena *arena)
{
    struct od_kernels *all = OD_NEW_N(arena, od_net_count(), struct od_kernels);
    struct od_net net = {0};
    struct tensors tensors = {0};
    for (size_t which = 0; which < od_net_count(); which++) {
        tensors.n = 0;
        od_net_lay_out(which, &net);
        for (size_t i = 0; i < net.layers.n; i++)
            add_layer(&tensors, &net.layers.items[i]);
        qsort(tensors.items, tensors.n, sizeof *tensors.items, by_bytes);
        all[which] = fold(&tensors, arena);
    }
    od_net_done(&net);
    od_vec_done(&tensors);
    return all;
}

const struct od_kernel_kind *od_kernels_find(const struct od_kernels *kernels, uint64_t bytes)
{
    size_t lo = 0, hi = kernels->n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (kernels->kinds[mid].bytes == bytes)
            return &kernels->kinds[mid];
        if (kernels->kinds[mid].bytes < bytes)
            lo = mid + 1;
        else
            hi = mid;
    }
    return NULL;
}
