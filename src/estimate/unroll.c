#include "estimate/unroll.h"

#include "estimate/unroll_parts.h"
#include "facts/module_count.h"

enum { USUAL_IMAGE = 224, USUAL_SEQUENCE = 128 };

/* ---- blocks printed once ---- */

enum { ROWS_MOST = 1 << 12 };

/* "(0-11): 12 x Block", being written out. */
struct again {
    uint32_t from, behind; /* its rows */
    uint64_t left;
};

static uint32_t behind_of(const struct od_model *m, uint32_t i)
{
    uint32_t depth = m->layers.items[i++].depth;
    while (i < m->layers.n && m->layers.items[i].depth > depth)
        i++;
    return i;
}

/* The next row to be copied, where rows before i have been. */
static uint32_t next_row(struct again *open, size_t *n, uint32_t i)
{
    while (*n > 0 && i == open[*n - 1].behind) {
        if (open[*n - 1].left == 0)
            (*n)--;
        else {
            open[*n - 1].left--;
            return open[*n - 1].from;
        }
    }
    return i;
}

/* The model with each of them as often as it is there; NULL where that is too much. */
static const struct od_model *write_out(const struct od_model *m, struct od_arena *arena)
{
    struct again open[OD_UNROLL_DEEPEST];
    struct od_model *whole = OD_NEW(arena, struct od_model);
    struct od_layer *rows = NULL;
    size_t nrows = 0, room = 0, n = 0, most = m->layers.n > ROWS_MOST ? m->layers.n : ROWS_MOST;
    *whole = *m;
    for (uint32_t i = 0; i < m->layers.n; i = next_row(open, &n, i + 1)) {
        bool opened = n > 0 && open[n - 1].from == i;
        struct od_layer row = m->layers.items[i];
        if (row.repeat > 1 && !opened && n < OD_UNROLL_DEEPEST)
            open[n++] = (struct again){i, behind_of(m, i), row.repeat - 1};
        if (nrows == most)
            return NULL;
        if (nrows == room) {
            struct od_layer *more = OD_NEW_N(arena, room = 2 * room + m->layers.n, struct od_layer);
            for (size_t k = 0; k < nrows; k++)
                more[k] = rows[k];
            rows = more;
        }
        row.repeat = 0;
        rows[nrows++] = row;
    }
    whole->layers.items = rows;
    whole->layers.n = whole->layers.room = nrows;
    return nrows > m->layers.n ? whole : m;
}

/* ---- rows ---- */

static struct od_layer *push(struct od_unroll *u, const struct od_layer *layer)
{
    u->rows[u->n] = *layer;
    return &u->rows[u->n++];
}

static void add_leaf(struct od_unroll *u, const struct od_layer *layer)
{
    struct od_layer *row = push(u, layer);
    struct od_shape out = od_unroll_output(u, layer);
    row->output = out;
    if (!(layer->kind == OD_LAYER_LINEAR && u->map)) /* one beside the maps */
        u->now = out;
    if (!row->parameters.known)
        row->parameters = od_module_parameters(layer);
}

/* An activation printed once among several norms is called behind each of them. */
static const struct od_layer *shared_activation(const struct od_model *m, uint32_t holder)
{
    const struct od_layer *found = NULL;
    size_t norms = 0, activations = 0;
    uint32_t depth = m->layers.items[holder].depth;
    for (size_t i = holder + 1; i < m->layers.n && m->layers.items[i].depth > depth; i++) {
        const struct od_layer *layer = &m->layers.items[i];
        if (layer->depth != depth + 1)
            continue;
        norms += layer->kind == OD_LAYER_BATCH_NORM;
        if (layer->kind >= OD_LAYER_RELU && layer->kind <= OD_LAYER_SMOOTH) {
            activations++;
            found = layer;
        }
    }
    return activations == 1 && norms > 1 ? found : NULL;
}

static bool goes_up(const struct od_layer *layer)
{
    return od_view_starts(layer->type, OD_VIEW("Upsamp")) ||
           od_view_starts(layer->type, OD_VIEW("ConvTranspose"));
}

/* The only pool of a model that enlarges several times. */
static const struct od_layer *only_pool(const struct od_model *m)
{
    const struct od_layer *pool = NULL;
    size_t pools = 0, ups = 0;
    OD_FOR_EACH (const struct od_layer, layer, m->layers) {
        ups += goes_up(layer);
        if (layer->kind != OD_LAYER_MAX_POOL)
            continue;
        pools++;
        pool = layer;
    }
    return pools == 1 && ups > 1 ? pool : NULL;
}

/* On the way down a convolution to twice the channels begins a level: the pool comes before it. */
static bool begins_level(const struct od_unroll *u, const struct od_layer *layer)
{
    return u->pool && layer->kind == OD_LAYER_CONV &&
           layer->out_features.n == 2 * layer->in_features.n &&
           od_unroll_extent(&layer->kernel, 0, 1) > 1 && u->map;
}

static void close_levels(struct od_unroll *u, uint32_t depth)
{
    while (u->nlevels > 0 && u->levels[u->nlevels - 1].depth >= depth) {
        const struct od_unroll_level *level = &u->levels[--u->nlevels];
        /* one number for each channel at the end of a module that was given a map: their product */
        bool gate = od_unroll_is_map(&level->entry) && od_unroll_is_map(&u->now) &&
                    u->now.dims[2] == 1 && level->entry.dims[2] > 1 &&
                    u->now.dims[1] == level->entry.dims[1] && u->nlevels > 1;
        if (!gate)
            continue;
        u->now = level->entry;
        for (size_t i = 0; i < u->n; i++)
            if (u->rows[i].at.line == u->model->layers.items[level->holder].at.line)
                u->rows[i].output = u->now;
    }
}

static void add_row(struct od_unroll *u, uint32_t i)
{
    const struct od_layer *layer = &u->model->layers.items[i];
    const struct od_layer *shared = NULL;
    close_levels(u, layer->depth);
    if (od_module_holds(u->model, i)) {
        if (u->nlevels < OD_UNROLL_DEEPEST)
            u->levels[u->nlevels++] =
                (struct od_unroll_level){.depth = layer->depth, .holder = i, .entry = u->now};
        struct od_count own = od_module_parameters(layer);
        struct od_layer *holder = push(u, layer);
        holder->parameters = (struct od_count){0};
        if (own.known) { /* a norm that holds its activation */
            holder->kind = OD_LAYER_CONTAINER;
            add_leaf(u, layer);
            u->rows[u->n - 1].depth++;
        }
        return;
    }
    if (u->nlevels > 0 && u->levels[u->nlevels - 1].depth + 1 == layer->depth)
        shared = shared_activation(u->model, u->levels[u->nlevels - 1].holder);
    if (shared == layer || layer == u->pool)
        return;
    if (goes_up(layer))
        u->pool = NULL;
    if (begins_level(u, layer))
        add_leaf(u, u->pool);
    add_leaf(u, layer);
    if (shared && layer->kind == OD_LAYER_BATCH_NORM)
        add_leaf(u, shared);
}

/* What a convolution reads, of one, two or three dimensions. */
static const char *start_map(struct od_unroll *u, const struct od_workload *w,
                             const struct od_layer *layer)
{
    enum { USUAL_LENGTH = 1024, USUAL_FRAMES = 16, USUAL_FRAME = 112 };
    bool line = od_view_has(layer->type, OD_VIEW("1d")),
         cube = od_view_has(layer->type, OD_VIEW("3d"));
    uint64_t side = cube ? USUAL_FRAME : USUAL_IMAGE;
    uint64_t h = w->image_h ? w->image_h : side, v = w->image_w ? w->image_w : h;
    uint64_t length = w->sequence ? w->sequence : cube ? USUAL_FRAMES : USUAL_LENGTH;
    struct od_shape image = {.dims = {OD_DIM_UNKNOWN, layer->in_features.n}, .n = 2, .known = true};
    if (line || cube)
        image.dims[image.n++] = length;
    if (!line) {
        image.dims[image.n++] = h;
        image.dims[image.n++] = v;
    }
    u->edge = line ? length : h > v ? h : v;
    u->edge = cube && length > u->edge ? length : u->edge;
    u->image = image;
    if (line)
        return w->sequence ? NULL
                           : "the length that is read is not printed: 1024 is assumed (--seq N)";
    if (cube)
        return w->sequence && w->image_h
                   ? NULL
                   : "the size of the volumes is not printed: 16 frames of "
                     "112x112 are assumed where not given (--seq N, --image HxW)";
    return w->image_h ? NULL
                      : "the size of the images is not printed: 224x224 is assumed (--image HxW)";
}

/* Of an image, a sound or a volume: few channels. */
static bool is_stem(const struct od_layer *layer)
{
    enum { FEW = 4 };
    return layer->kind == OD_LAYER_CONV && layer->in_features.known &&
           layer->in_features.n <= FEW && layer->in_features.n > 0;
}

/* The convolution that reads the images of a model that begins with something else. */
static const struct od_layer *find_stem(const struct od_model *m)
{
    for (size_t i = 0; i < m->layers.n; i++)
        if (is_stem(&m->layers.items[i]))
            return &m->layers.items[i];
    return NULL;
}

/* The input: an image for a convolution, indices for an embedding, numbers for the others. */
static const char *start(struct od_unroll *u, const struct od_workload *w)
{
    const struct od_model *m = u->model;
    const char *note;
    uint64_t s = w->sequence ? w->sequence : USUAL_SEQUENCE;
    OD_FOR_EACH (const struct od_layer, layer, m->layers) {
        if (layer->kind == OD_LAYER_CONV && layer->in_features.known) {
            note = start_map(u, w, layer);
            u->map = true;
            u->now = u->image;
            return note;
        }
        if (layer->kind == OD_LAYER_EMBEDDING || layer->kind == OD_LAYER_RECURRENT) {
            u->now = (struct od_shape){
                .dims = {OD_DIM_UNKNOWN, s, layer->in_features.n}, .n = 3, .known = true};
            return w->sequence
                       ? NULL
                       : "the length of a sequence is not printed: 128 is assumed (--seq N)";
        }
        if (layer->kind == OD_LAYER_LINEAR) {
            u->now = od_unroll_vector(layer->in_features.n);
            u->stem = find_stem(m);
            return u->stem ? start_map(u, w, u->stem) : NULL;
        }
    }
    return "what the model reads is not printed: its activations are not counted";
}

static struct od_bytes bytes_of(struct od_shape shape)
{
    if (shape.known)
        shape.dims[0] = 1;
    return od_shape_bytes(&shape, OD_FLOAT32);
}

const struct od_model *od_model_unroll(const struct od_workload *workload, struct od_arena *arena,
                                       const char **ret_note)
{
    const struct od_model *m = workload->model;
    *ret_note = NULL;
    if (m->format != OD_MODEL_MODULE_TREE || m->layers.n == 0)
        return m;
    const struct od_model *written = write_out(m, arena);
    m = written ? written : m;
    struct od_unroll u = {.model = m, .arena = arena};
    struct od_model *whole = OD_NEW(arena, struct od_model);
    u.rows = OD_NEW_N(arena, 3 * m->layers.n + 1, struct od_layer);
    u.pool = only_pool(m);
    *ret_note = start(&u, workload);
    if (!written)
        *ret_note = "blocks are repeated too often to be written out: each counts once";
    struct od_bytes input = bytes_of(u.now);
    for (uint32_t i = 0; i < m->layers.n; i++)
        add_row(&u, i);
    *whole = *m;
    whole->input_bytes = input;
    whole->layers.items = u.rows;
    whole->layers.n = whole->layers.room = u.n;
    return whole;
}
