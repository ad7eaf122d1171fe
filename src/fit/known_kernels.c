#include "fit/known.h"

#include "estimate/known_nets.h"

static const double kernels_least = 0.97; /* of the network's kernels, by bytes, are there */
static const double kernels_exact = 0.7;  /* and as often as there are copies of weights */

static const struct od_public_net networks[] = {
    {"vgg16", 14714688, 512, true},         {"vgg19", 20024384, 512, true},
    {"resnet50", 23587712, 2048, false},    {"resnet101", 42658176, 2048, false},
    {"resnet152", 58370944, 2048, false},   {"mobilenet", 3228864, 1024, false},
    {"mobilenetv2", 2257984, 1280, false},  {"densenet121", 7037504, 1024, false},
    {"densenet169", 12642880, 1664, false}, {"densenet201", 18321984, 1920, false},
};

static void add_row(struct od_sizes_in_use *s, uint64_t bytes, size_t place)
{
    if (od_index_get(&s->by_bytes, bytes) == 0)
        od_index_put(&s->by_bytes, bytes, (uint32_t)place + 1);
}

void od_sizes_init(struct od_sizes_in_use *s, const struct od_allocator *dump)
{
    *s = (struct od_sizes_in_use){.dump = dump, .grew = dump->dump.regions.n > 1};
    for (size_t i = 0; i < dump->nsizes; i++)
        add_row(s, dump->sizes[i].bytes, i);
    for (size_t i = 0; dump->nsizes == 0 && i < dump->dump.summary.n; i++)
        add_row(s, dump->dump.summary.items[i].bytes, i);
}

void od_sizes_done(struct od_sizes_in_use *s)
{
    od_index_done(&s->by_bytes);
}

uint64_t od_sizes_count(const struct od_sizes_in_use *s, uint64_t bytes)
{
    uint32_t row = od_index_get(&s->by_bytes, od_bfc_rounded(bytes));
    if (row == 0)
        return 0;
    return s->dump->nsizes > 0 ? s->dump->sizes[row - 1].count
                               : s->dump->dump.summary.items[row - 1].count;
}

/* A kernel's elements: the parameters less a bias for each channel, where there is one. */
static uint64_t seen_kernel(const struct od_sizes_in_use *s, const struct od_layer *layer)
{
    uint64_t all = layer->parameters.n, channels = layer->output.dims[layer->output.n - 1];
    if (layer->kind != OD_LAYER_CONV || all <= channels)
        return 0;
    if (od_sizes_count(s, (all - channels) * 4) > 0)
        return all - channels;
    return all;
}

/* Kernels of one size. */
struct kernel {
    uint64_t elements, layers;
};

struct kernels {
    struct kernel *items;
    size_t n;
};

static struct kernels kernels_of(const struct od_sizes_in_use *s, const struct od_net *net,
                                 struct od_arena *arena)
{
    struct kernels kernels = {.items = OD_NEW_N(arena, net->layers.n + 1, struct kernel)};
    struct od_index known = {0};
    for (size_t i = 0; i < net->layers.n; i++) {
        uint64_t elements = seen_kernel(s, &net->layers.items[i]);
        uint32_t at = od_index_get(&known, elements);
        if (elements == 0)
            continue;
        if (at == 0) {
            kernels.items[kernels.n++].elements = elements;
            at = (uint32_t)kernels.n;
            od_index_put(&known, elements, at);
        }
        kernels.items[at - 1].layers++;
    }
    od_index_done(&known);
    return kernels;
}

/* Shares of the kernels, by bytes, of which there are about so many copies: no fewer; no more. */
struct share {
    double least, exact;
};

static struct share share_of_kernels(const struct od_sizes_in_use *s, const struct kernels *kernels,
                                     uint64_t copies)
{
    double all = 0;
    struct share share = {0};
    for (size_t i = 0; i < kernels->n; i++) {
        const struct kernel *kernel = &kernels->items[i];
        double elements = (double)kernel->elements * (double)kernel->layers;
        all += elements;
        uint64_t seen = od_sizes_count(s, kernel->elements * 4);
        uint64_t wanted = kernel->layers * copies;
        /* Where the pool grew some chunks were given whole and have another size. */
        uint64_t spare = s->grew ? 1 + wanted / 8 : 0;
        bool enough = seen > 0 && seen + spare >= wanted;
        share.least += enough ? elements : 0;
        share.exact += enough && seen <= wanted + spare ? elements : 0;
    }
    if (all > 0) {
        share.least /= all;
        share.exact /= all;
    }
    return share;
}

/* The network that was laid out. */
static const struct od_public_net *network_of(const struct od_net *net)
{
    const struct od_shape *out = &net->layers.items[net->layers.n - 1].output;
    uint64_t parameters = 0;
    for (size_t i = 0; i < net->layers.n; i++)
        parameters += net->layers.items[i].parameters.n;
    for (size_t i = 0; i < OD_COUNT_OF(networks); i++)
        if (networks[i].parameters == parameters && networks[i].channels == out->dims[out->n - 1])
            return &networks[i];
    return NULL;
}

/* Biases of so many numbers that the network has. */
static uint64_t biases_of(const struct od_net *net, uint64_t channels)
{
    uint64_t n = 0;
    for (size_t i = 0; i < net->layers.n; i++) {
        const struct od_layer *layer = &net->layers.items[i];
        n += layer->kind == OD_LAYER_CONV && layer->bias == OD_YES &&
             layer->output.dims[layer->output.n - 1] == channels;
    }
    return n;
}

static bool has_norms(const struct od_net *net)
{
    for (size_t i = 0; i < net->layers.n; i++)
        if (net->layers.items[i].kind == OD_LAYER_BATCH_NORM)
            return true;
    return false;
}

/* Another network of the same kernels has norms where this one has none, and so many times as many
 * vectors. Norms themselves make more in each step. */
static bool has_other_vectors(const struct od_sizes_in_use *s, const struct od_net *net,
                              uint64_t copies)
{
    enum { TIMES = 2, SPARE = 4, NUMBERS_LEAST = 128 };
    for (size_t i = 0; i < net->layers.n && !has_norms(net); i++) {
        const struct od_layer *layer = &net->layers.items[i];
        uint64_t channels = layer->output.dims[layer->output.n - 1];
        uint64_t most = TIMES * biases_of(net, channels) * copies + SPARE;
        if (layer->kind == OD_LAYER_CONV && channels >= NUMBERS_LEAST &&
            od_sizes_count(s, channels * 4) > most)
            return true;
    }
    return false;
}

/* How well the kernels agree, at the copies at which they do best; 0 when they do not. */
static double agreement(const struct od_sizes_in_use *s, const struct kernels *kernels,
                        uint64_t *ret_copies)
{
    enum { COPIES_MOST = 4 };
    double best = 0;
    for (uint64_t copies = 1; copies <= COPIES_MOST; copies++) {
        struct share share = share_of_kernels(s, kernels, copies);
        if ((s->copies.known && copies != s->copies.n) || share.least < kernels_least ||
            share.exact <= best)
            continue;
        best = share.exact;
        *ret_copies = copies;
    }
    return best;
}

const struct od_public_net *od_public_net_find(struct od_sizes_in_use *s, struct od_arena *arena)
{
    const struct od_public_net *found = NULL;
    struct od_net net = {0};
    struct od_count copies_found = s->copies;
    double best = kernels_exact;
    for (size_t which = 0; which < od_net_count(); which++) {
        od_net_lay_out(which, &net);
        const struct od_public_net *network = network_of(&net);
        if (!network)
            continue;
        struct kernels kernels = kernels_of(s, &net, arena);
        uint64_t copies = 0;
        double exact = agreement(s, &kernels, &copies);
        if (exact <= best || has_other_vectors(s, &net, copies))
            continue;
        best = exact;
        found = network;
        copies_found = od_count_of(copies);
    }
    od_net_done(&net);
    s->copies = copies_found;
    return found;
}
