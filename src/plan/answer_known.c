/*
 * A log without a table of layers: are the sizes in the dump those of a public network
 * (estimate/known_nets.h)? Its kernels must be there, each as often as there are layers of it, and
 * the images must be of a side at which the outputs of its layers are what is in use. Then the
 * table is known although nobody printed it.
 */
#include "plan/answer_facts.h"

#include "base/index.h"
#include "estimate/known_nets.h"
#include "estimate/resolve.h"

static const double kernels_least = 0.97; /* of the network's kernels, by bytes, are there */
static const double kernels_exact = 0.7;  /* and as often as there are copies of weights */
static const double outputs_least = 0.4;  /* of what is in use and is no kernel */

struct network {
    const char *name;
    uint64_t parameters; /* of its features, as keras.applications counts them */
    uint64_t channels;
    bool dense; /* its own head has two dense layers of 4096 */
};

static const struct network networks[] = {
    {"vgg16", 14714688, 512, true},         {"vgg19", 20024384, 512, true},
    {"resnet50", 23587712, 2048, false},    {"resnet101", 42658176, 2048, false},
    {"resnet152", 58370944, 2048, false},   {"mobilenet", 3228864, 1024, false},
    {"mobilenetv2", 2257984, 1280, false},  {"densenet121", 7037504, 1024, false},
    {"densenet169", 12642880, 1664, false}, {"densenet201", 18321984, 1920, false},
};

/* A dense layer on features that do not train: its kernel is there as often as it has states, while
 * theirs are there once. units 0 = none was found. */
struct head {
    uint64_t units, side, copies;
    bool flat; /* it reads all of the last map, not its mean */
};

struct sizes {
    const struct od_allocator *dump;
    struct head head;
    struct od_index by_bytes; /* rows: place + 1 */
    struct od_count copies;   /* of each weight, where it is known */
    bool grew;                /* the pool was taken in several regions */
};

static void add_row(struct sizes *s, uint64_t bytes, size_t place)
{
    if (od_index_get(&s->by_bytes, bytes) == 0)
        od_index_put(&s->by_bytes, bytes, (uint32_t)place + 1);
}

static void index_rows(struct sizes *s)
{
    for (size_t i = 0; i < s->dump->nsizes; i++)
        add_row(s, s->dump->sizes[i].bytes, i);
    for (size_t i = 0; s->dump->nsizes == 0 && i < s->dump->dump.summary.n; i++)
        add_row(s, s->dump->dump.summary.items[i].bytes, i);
}

/* In use with that many bytes: of the chunks, of the summary where there is nothing else. */
static uint64_t count_of(const struct sizes *s, uint64_t bytes)
{
    uint32_t row = od_index_get(&s->by_bytes, od_bfc_rounded(bytes));
    if (row == 0)
        return 0;
    return s->dump->nsizes > 0 ? s->dump->sizes[row - 1].count
                               : s->dump->dump.summary.items[row - 1].count;
}

/* --- a table as if it had been printed --- */

enum { ROWS = 6, USUAL_SIDE = 224 };

static struct od_layer *row(struct od_model *model, const char *name, enum od_layer_kind kind)
{
    struct od_layer layer = od_layer_blank();
    layer.name = layer.type = od_view_of(name);
    layer.kind = kind;
    layer.noutputs = 1;
    layer.parameters = od_count_of(0);
    model->layers.items[model->layers.n] = layer;
    return &model->layers.items[model->layers.n++];
}

static void flat(struct od_model *model, const char *name, enum od_layer_kind kind,
                 uint64_t features, uint64_t parameters)
{
    struct od_layer *layer = row(model, name, kind);
    layer->output = (struct od_shape){.dims = {OD_DIM_UNKNOWN, features}, .n = 2, .known = true};
    layer->parameters = od_count_of(parameters);
    model->parameters.n += parameters;
}

static void map(struct od_layer *layer, uint64_t side, uint64_t channels)
{
    layer->output =
        (struct od_shape){.dims = {OD_DIM_UNKNOWN, side, side, channels}, .n = 4, .known = true};
}

/* The features as one row, and the head that the dump shows. */
static struct od_model *model_of(const struct network *n, const struct sizes *s, uint64_t side,
                                 struct od_arena *arena)
{
    static const uint64_t usual_classes = 1000, few_classes = 10;
    struct od_model *model = OD_NEW(arena, struct od_model);
    model->name = od_view_of(n->name);
    model->format = OD_MODEL_KERAS;
    model->framework = OD_VIEW("tensorflow");
    model->complete = true;
    model->layers.items = OD_NEW_N(arena, ROWS, struct od_layer);
    model->layers.room = ROWS;
    model->parameters = od_count_of(n->parameters);
    map(row(model, "InputLayer", OD_LAYER_INPUT), side, 3);
    struct od_layer *features = row(model, n->name, OD_LAYER_CONTAINER);
    uint64_t out = n->dense ? side / 32 : (side + 31) / 32;
    map(features, out, n->channels);
    features->parameters = od_count_of(n->parameters);
    uint64_t wide = out * out * n->channels;
    if (s->head.units > 0) {
        uint64_t in = s->head.flat ? wide : n->channels;
        features->trainable = od_count_of(0);
        flat(model, s->head.flat ? "Flatten" : "GlobalAveragePooling2D",
             s->head.flat ? OD_LAYER_VIEW : OD_LAYER_AVG_POOL, in, 0);
        flat(model, "Dense", OD_LAYER_LINEAR, s->head.units, (in + 1) * s->head.units);
        flat(model, "Dense", OD_LAYER_LINEAR, few_classes, (s->head.units + 1) * few_classes);
        return model;
    }
    if (n->dense && count_of(s, wide * 4096 * 4) > 0) {
        flat(model, "Flatten", OD_LAYER_VIEW, wide, 0);
        flat(model, "Dense", OD_LAYER_LINEAR, 4096, (wide + 1) * 4096);
        flat(model, "Dense", OD_LAYER_LINEAR, 4096, 4097 * UINT64_C(4096));
        flat(model, "Dense", OD_LAYER_LINEAR, usual_classes, 4097 * usual_classes);
        return model;
    }
    uint64_t classes =
        count_of(s, n->channels * usual_classes * 4) > 0 ? usual_classes : few_classes;
    flat(model, "GlobalAveragePooling2D", OD_LAYER_AVG_POOL, n->channels, 0);
    flat(model, "Dense", OD_LAYER_LINEAR, classes, (n->channels + 1) * classes);
    return model;
}

/* --- kernels --- */

/* A kernel's elements: the parameters less a bias for each channel, where there is one. */
static uint64_t seen_kernel(const struct sizes *s, const struct od_layer *layer)
{
    uint64_t all = layer->parameters.n, channels = layer->output.dims[layer->output.n - 1];
    if (layer->kind != OD_LAYER_CONV || all <= channels)
        return 0;
    if (count_of(s, (all - channels) * 4) > 0)
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

static struct kernels kernels_of(const struct sizes *s, const struct od_net *net,
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

static struct share share_of_kernels(const struct sizes *s, const struct kernels *kernels,
                                     uint64_t copies)
{
    double all = 0;
    struct share share = {0};
    for (size_t i = 0; i < kernels->n; i++) {
        const struct kernel *kernel = &kernels->items[i];
        double elements = (double)kernel->elements * (double)kernel->layers;
        all += elements;
        uint64_t seen = count_of(s, kernel->elements * 4);
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

/* --- the side of the images --- */

static uint64_t bytes_of(const struct od_layer *layer, uint64_t batch, unsigned width)
{
    uint64_t bytes = batch * width;
    for (uint32_t k = 1; k < layer->output.n; k++)
        if (ckd_mul(&bytes, bytes, layer->output.dims[k]))
            return 0;
    return bytes;
}

static bool is_first_of_size(const struct od_model *model, size_t row, uint64_t batch,
                             unsigned width)
{
    uint64_t bytes = bytes_of(&model->layers.items[row], batch, width);
    for (size_t i = 0; i < row; i++)
        if (bytes_of(&model->layers.items[i], batch, width) == bytes)
            return false;
    return true;
}

/* Bytes in use that are outputs of the model's layers for the batch. The forward pass makes the
 * first ones first: without any of them the later ones are not this network's at this side. */
static double outputs_of(const struct sizes *s, const struct od_model *model, uint64_t batch,
                         unsigned width)
{
    enum { FIRST = 6 };
    double sum = 0;
    bool begins = false;
    for (size_t i = 0; i < model->layers.n; i++) {
        uint64_t bytes = bytes_of(&model->layers.items[i], batch, width);
        uint64_t count = count_of(s, bytes);
        begins = begins || (i > 0 && i <= FIRST && count > 0);
        if (i == FIRST && !begins)
            return 0;
        if (is_first_of_size(model, i, batch, width))
            sum += (double)count * (double)bytes;
    }
    return sum;
}

struct match {
    const struct od_model *model, *whole; /* with the network as a row; laid out */
    double bytes;
    uint64_t batch;
    unsigned width;
};

static void try_width(const struct sizes *s, const struct match *it, struct match *best)
{
    const struct od_model *whole = it->whole;
    double bytes = outputs_of(s, whole, it->batch, it->width);
    if (bytes <= best->bytes)
        return;
    *best = *it;
    best->bytes = bytes;
}

static void try_side(const struct network *n, const struct sizes *s, uint64_t side,
                     const struct od_answer_facts *facts, struct match *best)
{
    struct match it = {.model = model_of(n, s, side, facts->arena), .batch = facts->batch.n};
    it.whole = od_model_resolve(it.model, facts->arena);
    for (it.width = 4; it.width >= 2; it.width /= 2)
        try_width(s, &it, best);
}

/* Nobody says the batch: at the side that these networks are made for, each large size as the
 * output of each layer tells one. */
static void try_batches(const struct network *n, const struct sizes *s,
                        const struct od_answer_facts *facts, struct match *best)
{
    enum { LARGEST = 12, BATCH_MOST = 8192 };
    struct match it = {.model = model_of(n, s, USUAL_SIDE, facts->arena)};
    const struct od_model *whole = it.whole = od_model_resolve(it.model, facts->arena);
    it.width = facts->sixteen_bit ? 2 : 4; /* twice the batch at half the width looks the same */
    for (size_t i = 0; i < s->dump->nsizes && i < LARGEST; i++) {
        uint64_t last = 0, bytes = s->dump->sizes[i].bytes;
        for (size_t k = 1; k < whole->layers.n; k++) {
            uint64_t one = bytes_of(&whole->layers.items[k], 1, it.width);
            if (one == last || one == 0 || bytes % one != 0 || bytes / one > BATCH_MOST)
                continue;
            last = one;
            it.batch = bytes / one;
            try_width(s, &it, best);
        }
    }
}

/* The network that was laid out. */
static const struct network *network_of(const struct od_net *net)
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
static bool has_other_vectors(const struct sizes *s, const struct od_net *net, uint64_t copies)
{
    enum { TIMES = 2, SPARE = 4, NUMBERS_LEAST = 128 };
    for (size_t i = 0; i < net->layers.n && !has_norms(net); i++) {
        const struct od_layer *layer = &net->layers.items[i];
        uint64_t channels = layer->output.dims[layer->output.n - 1];
        uint64_t most = TIMES * biases_of(net, channels) * copies + SPARE;
        if (layer->kind == OD_LAYER_CONV && channels >= NUMBERS_LEAST &&
            count_of(s, channels * 4) > most)
            return true;
    }
    return false;
}

/* How well the kernels agree, at the copies at which they do best; 0 when they do not. */
static double agreement(const struct sizes *s, const struct kernels *kernels, uint64_t *ret_copies)
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

/* Sets the copies of each kernel that agree best. */
static const struct network *find_network(struct sizes *s, struct od_arena *arena)
{
    const struct network *found = NULL;
    struct od_net net = {0};
    struct od_count copies_found = s->copies;
    double best = kernels_exact;
    for (size_t which = 0; which < od_net_count(); which++) {
        od_net_lay_out(which, &net);
        const struct network *network = network_of(&net);
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

/* --- features that do not train --- */

static bool is_head(const struct sizes *s, uint64_t in, uint64_t least, struct head *head)
{
    static const uint64_t units[] = {4096, 2048, 1024, 512, 256, 128, 64, 32, 100, 200, 300, 500};
    for (size_t i = 0; i < OD_COUNT_OF(units); i++) {
        head->copies = count_of(s, in * units[i] * 4);
        head->units = units[i];
        if (head->copies >= least && head->copies <= 4)
            return true;
    }
    head->units = 0;
    return false;
}

/* Is what could not be had, or the largest chunk, an output of these features? */
static bool is_output_at(const struct sizes *s, const struct od_answer_facts *facts,
                         const struct od_model *whole)
{
    const struct od_size *last = s->dump->nsizes > 0 ? &s->dump->sizes[s->dump->nsizes - 1] : NULL;
    for (size_t i = 1; i < whole->layers.n; i++) {
        for (unsigned width = 2; width <= 4; width += 2) {
            uint64_t bytes = bytes_of(&whole->layers.items[i], facts->batch.n, width);
            bool same = last && bytes > 0 && last->bytes == od_bfc_rounded(bytes);
            if (same || (facts->scene.need.known && facts->scene.need.n == bytes))
                return true;
        }
    }
    return false;
}

/* A head on this network, at a side of the images at which its first kernel is in use. */
static bool find_head(struct sizes *s, const struct network *n, const struct od_answer_facts *facts)
{
    enum { STEP = 2, SIDE_LEAST = 64, SIDE_MOST = 640 };
    for (uint64_t side = SIDE_LEAST; side <= SIDE_MOST; side += STEP) {
        uint64_t out = n->dense ? side / 32 : (side + 31) / 32;
        struct head head = {.side = side, .flat = true};
        /* over a whole map of these no other tensor is as large: without states it is there once */
        if (!is_head(s, out * out * n->channels, n->dense ? 1 : 2, &head)) {
            head.flat = false;
            if (!is_head(s, n->channels, 2, &head))
                continue;
        }
        s->head = head;
        const struct od_model *model = model_of(n, s, side, facts->arena);
        if (is_output_at(s, facts, od_model_resolve(model, facts->arena)))
            return true;
        s->head = (struct head){0};
    }
    return false;
}

/* Kernels that are there once, and a head that trains on them. */
static bool know_frozen(struct sizes s, struct od_answer_facts *facts)
{
    s.copies = od_count_of(1);
    const struct network *network = find_network(&s, facts->arena);
    if (!network || !facts->batch.known || !find_head(&s, network, facts))
        return false;
    facts->model = model_of(network, &s, s.head.side, facts->arena);
    facts->network = network->name;
    facts->parameters = facts->model->parameters;
    facts->slots = od_count_of(s.head.copies - 1);
    return true;
}

static struct match best_match(const struct network *network, const struct sizes *s,
                               const struct od_answer_facts *facts)
{
    enum { STEP = 16, SIDE_MOST = 1024, PHOTO = 299, TENS_MOST = 600 };
    struct match best = {0};
    if (!facts->batch.known) {
        try_batches(network, s, facts, &best);
        return best;
    }
    for (uint64_t side = 2 * STEP; side <= SIDE_MOST; side += STEP)
        try_side(network, s, side, facts, &best);
    for (uint64_t side = 50; side <= TENS_MOST; side += 10)
        try_side(network, s, side, facts, &best);
    try_side(network, s, PHOTO, facts, &best);
    return best;
}

void od_answer_know_network(struct od_answer_facts *facts)
{
    struct sizes s = {.dump = facts->scene.dump};
    struct match best = {0};
    if (facts->holding && facts->holding->optimizer_copies.known)
        s.copies = od_count_of(facts->holding->optimizer_copies.n + 1);
    if ((facts->model && facts->model->layers.n > 0) || !s.dump ||
        (facts->batch.known && facts->batch.n > 65536))
        return;
    s.grew = s.dump->dump.regions.n > 1;
    index_rows(&s);
    if (know_frozen(s, facts)) {
        od_index_done(&s.by_bytes);
        return;
    }
    const struct network *network = find_network(&s, facts->arena);
    if (network)
        best = best_match(network, &s, facts);
    od_index_done(&s.by_bytes);
    if (!best.model)
        return;
    double fixed = facts->fixed.known ? (double)facts->fixed.n : (double)network->parameters * 8;
    double rest = (double)facts->scene.in_use.n - fixed;
    if (best.bytes < outputs_least * rest)
        return;
    if (!facts->batch.known) {
        facts->batch = od_count_of(best.batch);
        facts->batch_certainty = OD_POSSIBLE;
    }
    facts->model = best.model;
    facts->network = network->name;
    facts->sixteen_bit = facts->sixteen_bit || best.width == 2;
    facts->parameters = best.model->parameters;
    facts->slots = od_count_of(s.copies.n - 1);
}
