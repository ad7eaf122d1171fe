#include "estimate/unroll.h"

#include "estimate/unroll_parts.h"
#include "facts/module_count.h"

enum { USUAL_IMAGE = 224, USUAL_SEQUENCE = 128 };

/* ---- blocks printed once ---- */

enum { ROWS_MOST = 1 << 12 };

/* A repeated block, "(0-11): 12 x Block", that is being expanded. */
struct again {
    uint32_t from, after; /* range of its rows */
    uint64_t left;
};

static uint32_t behind_of(const struct od_model *m, uint32_t i)
{
    uint32_t depth = m->layers.items[i++].depth;
    while (i < m->layers.n && m->layers.items[i].depth > depth)
        i++;
    return i;
}

/* Returns the next row to copy after row i - 1, and starts repetitions. */
static uint32_t next_row(struct again *open, size_t *n, uint32_t i)
{
    while (*n > 0 && i == open[*n - 1].after) {
        if (open[*n - 1].left == 0)
            (*n)--;
        else {
            open[*n - 1].left--;
            return open[*n - 1].from;
        }
    }
    return i;
}

static bool repeats_blocks(const struct od_model *m)
{
    OD_FOR_EACH (const struct od_layer, layer, m->layers)
        if (layer->repeat > 1)
            return true;
    return false;
}

/* Lists the indices of rows in order, with repeated blocks. indices NULL: only counts them. Returns
 * their number; 0 if there are more than most. */
static size_t list_rows(const struct od_model *m, size_t most, uint32_t *indices)
{
    struct again open[OD_UNROLL_DEEPEST];
    size_t nrows = 0, n = 0;
    for (uint32_t i = 0; i < m->layers.n; i = next_row(open, &n, i + 1)) {
        bool opened = n > 0 && open[n - 1].from == i;
        uint64_t repeat = m->layers.items[i].repeat;
        if (repeat > 1 && !opened && n < OD_UNROLL_DEEPEST)
            open[n++] = (struct again){i, behind_of(m, i), repeat - 1};
        if (nrows == most)
            return 0;
        if (indices)
            indices[nrows] = i;
        nrows++;
    }
    return nrows;
}

/* Returns the model with each repeated block expanded; NULL if it has too many rows. */
static const struct od_model *write_out(const struct od_model *m, struct od_arena *arena)
{
    size_t most = m->layers.n > ROWS_MOST ? m->layers.n : ROWS_MOST;
    if (!repeats_blocks(m))
        return m;
    size_t nrows = list_rows(m, most, NULL);
    if (nrows <= m->layers.n)
        return nrows > 0 ? m : NULL;
    struct od_model *whole = OD_NEW(arena, struct od_model);
    uint32_t *indices = OD_NEW_N(arena, nrows, uint32_t);
    (void)list_rows(m, most, indices);
    *whole = *m;
    whole->layers.items = OD_NEW_N(arena, nrows, struct od_layer);
    whole->layers.n = whole->layers.room = nrows;
    for (size_t i = 0; i < nrows; i++) {
        whole->layers.items[i] = m->layers.items[indices[i]];
        whole->layers.items[i].repeat = 0;
    }
    return whole;
}

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
    /* a matrix that reads no map is parallel to the maps */
    if (!(layer->kind == OD_LAYER_LINEAR && u->map))
        u->now = out;
    if (!row->parameters.known)
        row->parameters = od_module_parameters(layer);
}

/* For each module (index of its row): the activation that is printed once among several norms and
 * called after each of them. NULL if a module has none. */
static const struct od_layer **shared_activations(const struct od_model *m, struct od_arena *arena)
{
    struct children {
        uint32_t holder, norms, activations;
        const struct od_layer *activation;
    } open[OD_UNROLL_DEEPEST];
    const struct od_layer **shared = OD_NEW_N(arena, m->layers.n + 1, const struct od_layer *);
    size_t n = 0;
    for (uint32_t i = 0; i <= m->layers.n; i++) {
        const struct od_layer *layer = i < m->layers.n ? &m->layers.items[i] : NULL;
        for (; n > 0 && (!layer || m->layers.items[open[n - 1].holder].depth >= layer->depth); n--)
            if (open[n - 1].activations == 1 && open[n - 1].norms > 1)
                shared[open[n - 1].holder] = open[n - 1].activation;
        if (!layer)
            break;
        struct children *holder = n > 0 ? &open[n - 1] : NULL;
        if (holder && m->layers.items[holder->holder].depth + 1 == layer->depth) {
            holder->norms += layer->kind == OD_LAYER_BATCH_NORM;
            if (layer->kind >= OD_LAYER_RELU && layer->kind <= OD_LAYER_SMOOTH) {
                holder->activations++;
                holder->activation = layer;
            }
        }
        if (od_module_holds(m, i) && n < OD_UNROLL_DEEPEST)
            open[n++] = (struct children){.holder = i};
    }
    return shared;
}

static bool goes_up(const struct od_layer *layer)
{
    return od_view_starts(layer->type, OD_VIEW("Upsamp")) ||
           od_view_starts(layer->type, OD_VIEW("ConvTranspose"));
}

/* The only pool of a model that upsamples several times. */
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

/* Does the layer begin a level? On the way down, a convolution to twice the channels does. */
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
        /* a module with a map as input ends with one number per channel: their product */
        bool gate = od_unroll_is_map(&level->entry) && od_unroll_is_map(&u->now) &&
                    u->now.dims[2] == 1 && level->entry.dims[2] > 1 &&
                    u->now.dims[1] == level->entry.dims[1] && u->nlevels > 1;
        if (!gate)
            continue;
        u->now = level->entry;
        for (uint32_t i = level->row; i < level->row_end; i++)
            u->rows[i].output = u->now;
    }
}

/* Starts a module with children. Adds its row, and one for a norm with an activation of its own. */
static void open_level(struct od_unroll *u, uint32_t i)
{
    const struct od_layer *layer = &u->model->layers.items[i];
    struct od_unroll_level level = {
        .depth = layer->depth, .holder = i, .entry = u->now, .row = (uint32_t)u->n};
    struct od_count own = od_module_parameters(layer);
    struct od_layer *holder = push(u, layer);
    holder->parameters = (struct od_count){0};
    if (own.known) {
        holder->kind = OD_LAYER_CONTAINER;
        add_leaf(u, layer);
        u->rows[u->n - 1].depth++;
    }
    level.row_end = (uint32_t)u->n;
    if (u->nlevels < OD_UNROLL_DEEPEST)
        u->levels[u->nlevels++] = level;
}

static void add_row(struct od_unroll *u, uint32_t i)
{
    const struct od_layer *layer = &u->model->layers.items[i];
    const struct od_layer *shared = NULL;
    close_levels(u, layer->depth);
    if (od_module_holds(u->model, i)) {
        open_level(u, i);
        return;
    }
    if (u->nlevels > 0 && u->levels[u->nlevels - 1].depth + 1 == layer->depth)
        shared = u->shared[u->levels[u->nlevels - 1].holder];
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

/* Upper bound for the rows of the unrolled model: a second one for each module with parameters and
 * children, for each norm with a shared activation and for each pooled level. */
static size_t most_rows(const struct od_model *m, bool pooled)
{
    size_t most = m->layers.n + 1;
    OD_FOR_EACH (const struct od_layer, layer, m->layers) {
        size_t i = (size_t)(layer - m->layers.items);
        most += layer->kind == OD_LAYER_BATCH_NORM || (pooled && layer->kind == OD_LAYER_CONV) ||
                (od_module_holds(m, i) && od_module_parameters(layer).known);
    }
    return most;
}

/* Sets the input of a convolution of one, two or three dimensions. */
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

/* Does the layer read an image, sound or volume, with few channels? */
static bool is_stem(const struct od_layer *layer)
{
    enum { FEW = 4 };
    return layer->kind == OD_LAYER_CONV && layer->in_features.known &&
           layer->in_features.n <= FEW && layer->in_features.n > 0;
}

/* Finds the convolution that reads the images, if the model starts with another layer. */
static const struct od_layer *find_stem(const struct od_model *m)
{
    for (size_t i = 0; i < m->layers.n; i++)
        if (is_stem(&m->layers.items[i]))
            return &m->layers.items[i];
    return NULL;
}

/* Sets the model's input: an image for a convolution, indices for an embedding, numbers else. */
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
    u.shared = shared_activations(m, arena);
    u.pool = only_pool(m);
    u.rows = OD_NEW_N(arena, most_rows(m, u.pool), struct od_layer);
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
