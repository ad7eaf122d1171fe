#include "estimate/resize.h"

#include "estimate/first_input.h"

#include <math.h>

enum { EDGE_MOST = 1 << 20 };

struct size {
    uint64_t h, w;
};

struct resize {
    struct od_layer *rows;
    size_t n;
    uint32_t first; /* index of a map's height among the dimensions */
    struct size from, to;
    uint64_t flat_from, flat_to; /* elements of the newest map, before and after the change */
    uint64_t more, less;         /* number of parameters that dense layers gain or lose */
};

static bool is_map(const struct od_shape *shape, uint32_t first)
{
    return shape->known && shape->n == 4 && shape->dims[first] < EDGE_MOST &&
           shape->dims[first + 1] < EDGE_MOST;
}

static struct size map_of(const struct od_shape *shape, uint32_t first)
{
    return (struct size){shape->dims[first], shape->dims[first + 1]};
}

/* Finds the table's image size: that of an input row, else the input of the first convolution. */
static bool find_size(const struct od_model *m, uint32_t first, struct size *ret_size)
{
    OD_FOR_EACH (const struct od_layer, layer, m->layers) {
        struct od_walk_tensor out = {.map = true}, in;
        if (!is_map(&layer->output, first))
            continue;
        if (layer->kind == OD_LAYER_INPUT) {
            *ret_size = map_of(&layer->output, first);
            return ret_size->h > 0 && ret_size->w > 0;
        }
        if (layer->kind != OD_LAYER_CONV)
            continue;
        struct size size = map_of(&layer->output, first);
        out.channels = layer->output.dims[first == 2 ? 1 : 3];
        if (size.h == 0 || size.w == 0 || ckd_mul(&out.elements, out.channels, size.h * size.w) ||
            !od_first_input(m, layer, &out, &in) || in.channels == 0)
            return false;
        /* assumes the aspect ratio of the output */
        double area = (double)in.elements / (double)in.channels;
        double oblong = (double)size.h / (double)size.w;
        ret_size->h = (uint64_t)(sqrt(area * oblong) + 0.5);
        ret_size->w = (uint64_t)(sqrt(area / oblong) + 0.5);
        return ret_size->h > 0 && ret_size->w > 0;
    }
    return false;
}

/* Scales a size. A divisor of the old image size is a stride, which rounds; other sizes scale. */
static uint64_t scaled(uint64_t n, uint64_t from, uint64_t to)
{
    if (n <= 1)
        return n;
    if (from % n == 0) {
        uint64_t stride = from / n;
        return (to + stride - 1) / stride;
    }
    uint64_t rounded = (n * to + from / 2) / from;
    return rounded > 0 ? rounded : 1;
}

static bool has_own_size(const struct od_layer *layer)
{
    return od_view_starts(layer->type, OD_VIEW("Adaptive")) ||
           od_view_starts(layer->type, OD_VIEW("Global"));
}

static uint64_t elements_of(struct od_shape shape)
{
    uint64_t elements;
    shape.dims[0] = 1;
    return od_shape_elements(&shape, &elements) ? elements : 0;
}

static void scale_tokens(const struct resize *r, struct od_layer *layer)
{
    struct od_shape *shape = &layer->output;
    for (uint64_t stride = 2; stride <= 64 && shape->n == 3; stride *= 2) {
        uint64_t tokens = (r->from.h / stride) * (r->from.w / stride);
        if (tokens <= 1 || shape->dims[1] != tokens)
            continue;
        shape->dims[1] = (r->to.h / stride) * (r->to.w / stride);
        return;
    }
}

/* Scales a dense layer over the whole newest map, which has a weight for each of its elements. */
static void scale_dense(struct resize *r, struct od_layer *layer)
{
    uint64_t out = layer->output.n >= 2 ? layer->output.dims[layer->output.n - 1] : 0;
    uint64_t weights, bias = 0;
    if (!layer->parameters.known || out == 0 || out == OD_DIM_UNKNOWN || r->flat_from == 0 ||
        r->flat_from == r->flat_to || ckd_mul(&weights, r->flat_from, out))
        return;
    if (layer->parameters.n == weights + out)
        bias = out;
    else if (layer->parameters.n != weights)
        return;
    uint64_t before = layer->parameters.n;
    if (ckd_mul(&weights, r->flat_to, out) || ckd_add(&weights, weights, bias))
        return;
    layer->parameters.n = weights;
    if (layer->trainable.known && layer->trainable.n == before)
        layer->trainable.n = weights;
    *(weights > before ? &r->more : &r->less) +=
        weights > before ? weights - before : before - weights;
}

static void scale_row(struct resize *r, struct od_layer *layer)
{
    uint64_t before = elements_of(layer->output);
    if (is_map(&layer->output, r->first)) {
        uint64_t *dims = layer->output.dims + r->first;
        if (!has_own_size(layer)) {
            dims[0] = scaled(dims[0], r->from.h, r->to.h);
            dims[1] = scaled(dims[1], r->from.w, r->to.w);
        }
        r->flat_from = before;
        r->flat_to = elements_of(layer->output);
    } else if (layer->kind == OD_LAYER_LINEAR) {
        scale_dense(r, layer);
        r->flat_from = 0;
        scale_tokens(r, layer);
    } else if (layer->output.n == 2 && before == r->flat_from && before > 0) {
        layer->output.dims[1] = r->flat_to; /* a flattened map, possibly with dropout */
    } else {
        scale_tokens(r, layer);
    }
}

static void scale_count(struct od_count *count, const struct resize *r)
{
    if (count->known && count->n >= r->less)
        count->n = count->n - r->less + r->more;
}

const struct od_model *od_model_resize(const struct od_workload *workload, struct od_arena *arena,
                                       const char **ret_note)
{
    const struct od_model *m = workload->model;
    struct resize r = {.first = m->format == OD_MODEL_KERAS ? 1 : 2,
                       .n = m->layers.n,
                       .to = {workload->image_h, workload->image_w}};
    *ret_note = NULL;
    if (workload->image_h == 0 || m->layers.n == 0 || m->format == OD_MODEL_MODULE_TREE)
        return m;
    if (!find_size(m, r.first, &r.from)) {
        *ret_note = "the table does not tell for which size of images it was printed: --image has "
                    "no effect";
        return m;
    }
    if (r.from.h == r.to.h && r.from.w == r.to.w)
        return m;
    struct od_model *whole = OD_NEW(arena, struct od_model);
    *whole = *m;
    r.rows = OD_NEW_N(arena, r.n, struct od_layer);
    for (size_t i = 0; i < r.n; i++) {
        r.rows[i] = m->layers.items[i];
        scale_row(&r, &r.rows[i]);
    }
    whole->layers.items = r.rows;
    whole->layers.room = r.n;
    scale_count(&whole->parameters, &r);
    scale_count(&whole->trainable, &r);
    double ratio = (double)r.to.h * (double)r.to.w / ((double)r.from.h * (double)r.from.w);
    whole->input_bytes.n = (uint64_t)((double)m->input_bytes.n * ratio);
    whole->input_bytes.lo = (uint64_t)((double)m->input_bytes.lo * ratio);
    whole->input_bytes.hi = (uint64_t)((double)m->input_bytes.hi * ratio);
    *ret_note = r.more + r.less > 0
                    ? "a dense layer reads a flattened map: its parameters change with the image"
                    : "maps are scaled from the size of images that the table was printed for";
    return whole;
}
