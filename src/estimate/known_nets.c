#include "estimate/known_nets.h"

/*
 * The language of nets.def: layers in their order, separated by blanks.
 *
 *   C64x3      convolution to 64 channels, kernel 3x3, padded. C64x3x7: kernel 3x7.
 *              Suffixes: /2 stride 2, v no padding, - no bias
 *   D/2        depthwise convolution, kernel 3x3
 *   N, L       batch norm; batch norm without scale
 *   R, Q       ReLU, ReLU6
 *   M          maximum pool that keeps the size
 *   P3, P3v    maximum pool, stride 2
 *   A, A/2     average pool; one that halves the size
 *   Z2, Z6-    pads with two zeros; the same, invisible for the next layer's size
 *   F          pads an image by three pixels if its side is a multiple of four
 *   ( a )      sum of a and its input. ( b ; a ): sum of a and b, which have one input
 *   [ a | b ]  concatenation. { a }: concatenation of a and its input
 *   @name      begins a stage
 *   3*C64x3    repetition. 2*name(64,$1): repeats a part of net_parts.def, whose $1, $2, ...
 *              are these arguments
 *
 * Shapes: the papers of AlexNet (2012 and its one-tower form of 2014), GoogLeNet (2014), Inception
 * v3 (2015) and residual networks (2015); the others as keras.applications builds them.
 */
static const struct {
    const char *name, *text;
} parts[] = {
#define OD_NET_PART(name, text) {name, text},
#include "estimate/net_parts.def"
};

static const struct {
    struct od_net_about about;
    const char *text;
} nets[] = {
#define OD_NET(name, side, dense, text) {{name, side, dense}, text},
#include "estimate/nets.def"
};

enum { ARGUMENTS = 8, BRANCHES = 4, DEPTH = 3 };

/* A tensor during the layout. */
struct at {
    uint32_t layer; /* the layer that created it */
    uint64_t side, channels;
};

/* A group that an opening bracket started. */
struct group {
    struct at in, out[BRANCHES];
    size_t n;
    uint32_t beside; /* the other summand */
};

struct plan {
    struct od_net *net;
    struct at at;
    struct group groups[DEPTH];
    size_t depth;
    uint64_t parameters;
    struct od_arena *arena; /* owns names of layers; NULL = name layers after their types */
    struct od_view stage;   /* prefix of the names */
    unsigned named[OD_LAYER_END];
};

struct reading {
    const char *text;
    const uint64_t *arguments;
};

static struct od_view name_of(struct plan *p, enum od_layer_kind kind, const char *type)
{
    if (!p->arena)
        return od_view_of(type);
    return od_view_of(od_arena_printf(p->arena, "%.*s%s%s%u", (int)p->stage.n, p->stage.p,
                                      p->stage.n > 0 ? "_" : "", od_layer_kind_name(kind),
                                      ++p->named[kind]));
}

static void add(struct plan *p, enum od_layer_kind kind, const char *type, uint64_t parameters)
{
    struct od_layer layer = od_layer_blank();
    layer.kind = kind;
    layer.type = od_view_of(type);
    layer.name = name_of(p, kind, type);
    layer.output = (struct od_shape){
        .dims = {OD_DIM_UNKNOWN, p->at.side, p->at.side, p->at.channels}, .n = 4, .known = true};
    layer.noutputs = 1;
    layer.parameters = od_count_of(parameters);
    layer.first_input = (uint32_t)p->net->inputs.n;
    layer.ninputs = 1;
    od_vec_push(&p->net->inputs, p->at.layer);
    od_vec_push(&p->net->layers, layer);
    p->parameters += parameters;
    p->at.layer = (uint32_t)(p->net->layers.n - 1);
}

/* The side after a window with TensorFlow's padding. */
static uint64_t shrunk(uint64_t side, uint64_t kernel, uint64_t stride, bool valid)
{
    if (!valid)
        return (side + stride - 1) / stride;
    return side < kernel ? 0 : (side - kernel) / stride + 1;
}

static uint64_t number(struct reading *r)
{
    uint64_t n = 0;
    if (*r->text == '$') {
        r->text += 2;
        return r->arguments[r->text[-1] - '1'];
    }
    for (; od_is_digit(*r->text); r->text++)
        n = 10 * n + (uint64_t)(*r->text - '0');
    return n;
}

static bool take(struct reading *r, char c)
{
    bool is = *r->text == c;
    r->text += is;
    return is;
}

static uint64_t number_behind(struct reading *r, char sign, uint64_t without)
{
    return take(r, sign) ? number(r) : without;
}

static void add_conv(struct plan *p, struct reading *r)
{
    uint64_t channels = number(r), kernel = number_behind(r, 'x', 1);
    uint64_t across = number_behind(r, 'x', kernel), stride = number_behind(r, '/', 1);
    bool valid = take(r, 'v'), bias = !take(r, '-');
    uint64_t weights = kernel * across * p->at.channels * channels;
    p->at.side = shrunk(p->at.side, kernel, stride, valid);
    p->at.channels = channels;
    add(p, OD_LAYER_CONV, "Conv2D", weights + (bias ? channels : 0));
    struct od_layer *layer = &p->net->layers.items[p->at.layer];
    layer->kernel = (struct od_shape){.dims = {kernel, across}, .n = 2, .known = true};
    layer->stride = (struct od_shape){.dims = {stride, stride}, .n = 2, .known = true};
    layer->bias = bias ? OD_YES : OD_NO;
}

static void add_pool(struct plan *p, struct reading *r)
{
    uint64_t kernel = number(r);
    p->at.side = shrunk(p->at.side, kernel, 2, take(r, 'v'));
    add(p, OD_LAYER_MAX_POOL, "MaxPooling2D", 0);
}

static void add_zeros(struct plan *p, struct reading *r)
{
    uint64_t zeros = number(r);
    p->at.side += zeros;
    add(p, OD_LAYER_COPY, "ZeroPadding2D", 0);
    p->at.side -= take(r, '-') ? zeros : 0;
}

static void add_layer(struct plan *p, char what, struct reading *r)
{
    if (what == 'C') {
        add_conv(p, r);
    } else if (what == 'D') {
        p->at.side = shrunk(p->at.side, 3, number_behind(r, '/', 1), false);
        add(p, OD_LAYER_CONV, "DepthwiseConv2D", 9 * p->at.channels);
    } else if (what == 'N' || what == 'L') {
        add(p, OD_LAYER_BATCH_NORM, "BatchNormalization", (what == 'N' ? 4 : 3) * p->at.channels);
    } else if (what == 'R' || what == 'Q') {
        add(p, what == 'R' ? OD_LAYER_RELU : OD_LAYER_RELU6, "ReLU", 0);
    } else if (what == 'P') {
        add_pool(p, r);
    } else if (what == 'M') {
        add(p, OD_LAYER_MAX_POOL, "MaxPooling2D", 0);
    } else if (what == 'A') {
        p->at.side /= number_behind(r, '/', 1);
        add(p, OD_LAYER_AVG_POOL, "AveragePooling2D", 0);
    } else if (what == 'Z') {
        add_zeros(p, r);
    } else if (what == 'F') {
        p->at.side += p->at.side % 4 == 0 ? 3 : 0;
    }
}

/* Adds another input to the last layer. */
static void also_reads(struct plan *p, uint32_t layer)
{
    od_vec_push(&p->net->inputs, layer);
    p->net->layers.items[p->at.layer].ninputs++;
}

static void join(struct plan *p, const struct group *g)
{
    p->at = g->out[0];
    for (size_t i = 1; i < g->n; i++)
        p->at.channels += g->out[i].channels;
    add(p, OD_LAYER_CONCAT, "Concatenate", 0);
    for (size_t i = 1; i < g->n; i++)
        also_reads(p, g->out[i].layer);
}

static void end_group(struct plan *p, char bracket)
{
    struct group *g = &p->groups[--p->depth];
    if (bracket == ']') {
        g->out[g->n++] = p->at;
        join(p, g);
    } else if (bracket == ')') {
        add(p, OD_LAYER_ADD, "Add", 0);
        also_reads(p, g->beside);
    } else {
        p->at.channels += g->in.channels;
        add(p, OD_LAYER_CONCAT, "Concatenate", 0);
        also_reads(p, g->in.layer);
    }
}

static void group(struct plan *p, char sign)
{
    struct group *g = &p->groups[p->depth > 0 ? p->depth - 1 : 0];
    if (strchr("([{", sign)) {
        p->groups[p->depth++] = (struct group){.in = p->at, .beside = p->at.layer};
    } else if (strchr(")]}", sign)) {
        end_group(p, sign);
    } else {
        if (sign == ';')
            g->beside = p->at.layer;
        else
            g->out[g->n++] = p->at;
        p->at = g->in;
    }
}

static void begin_stage(struct plan *p, struct reading *r)
{
    size_t n = strcspn(r->text, " ");
    p->stage = (struct od_view){r->text, n};
    memset(p->named, 0, sizeof p->named);
    r->text += n;
}

static const char *part_of(struct reading *r)
{
    size_t n = strspn(r->text, "abcdefghijklmnopqrstuvwxyz"), i = 0;
    while (strlen(parts[i].name) != n || memcmp(parts[i].name, r->text, n) != 0)
        i++;
    r->text += n;
    return parts[i].text;
}

static void lay_out(struct plan *p, struct reading r);

static void lay_out_part(struct plan *p, struct reading *r, uint64_t times)
{
    uint64_t arguments[ARGUMENTS];
    struct reading part = {part_of(r), arguments};
    size_t n = 0;
    (void)take(r, '(');
    while (!take(r, ')')) {
        arguments[n++] = number(r);
        (void)take(r, ',');
    }
    for (; times > 0; times--)
        lay_out(p, part);
}

static void lay_out(struct plan *p, struct reading r)
{
    while (*r.text) {
        uint64_t times = *r.text == '$' || od_is_digit(*r.text) ? number(&r) : 1;
        (void)take(&r, '*');
        if (*r.text >= 'a' && *r.text <= 'z') {
            lay_out_part(p, &r, times);
            continue;
        }
        char what = *r.text++;
        const char *numbers = r.text;
        if (what == '@')
            begin_stage(p, &r);
        else if (strchr("([{|;}])", what))
            group(p, what);
        for (; what >= 'A' && what <= 'Z' && times > 0; times--) {
            r.text = numbers;
            add_layer(p, what, &r);
        }
    }
}

static struct plan laid_out(size_t which, struct plan plan)
{
    lay_out(&plan, (struct reading){nets[which].text, NULL});
    return plan;
}

bool od_net_find(const struct od_layer *row, uint64_t side, struct od_net *ret_net)
{
    enum { RATIO = 32, SIDE_MAX = 1 << 16 };
    const struct od_shape *shape = &row->output;
    *ret_net = (struct od_net){0};
    if (!row->parameters.known || !shape->known || shape->n < 2)
        return false;
    uint64_t channels = shape->dims[shape->n - 1], out = shape->n == 4 ? shape->dims[1] : 0;
    if (side == 0 && out <= SIDE_MAX / RATIO)
        side = out * RATIO;
    if (side == 0 || side > SIDE_MAX)
        return false;
    for (size_t i = 0; i < OD_COUNT_OF(nets); i++) {
        ret_net->layers.n = ret_net->inputs.n = 0;
        struct plan plan =
            laid_out(i, (struct plan){.net = ret_net, .at = {OD_NET_OUTSIDE, side, 3}});
        if (plan.parameters == row->parameters.n && plan.at.channels == channels &&
            (out == 0 || out == plan.at.side))
            return true;
    }
    return false;
}

void od_net_done(struct od_net *net)
{
    od_vec_done(&net->layers);
    od_vec_done(&net->inputs);
}

size_t od_net_count(void)
{
    return OD_COUNT_OF(nets);
}

const struct od_net_about *od_net_about(size_t which)
{
    return &nets[which].about;
}

void od_net_lay_out(size_t which, struct od_net *net)
{
    net->layers.n = net->inputs.n = 0;
    (void)laid_out(which,
                   (struct plan){.net = net, .at = {OD_NET_OUTSIDE, nets[which].about.side, 3}});
}

static void linear(struct plan *p, uint64_t in, uint64_t features)
{
    add(p, OD_LAYER_LINEAR, "Dense", (in + 1) * features);
    struct od_layer *layer = &p->net->layers.items[p->at.layer];
    layer->output = (struct od_shape){.dims = {OD_DIM_UNKNOWN, features}, .n = 2, .known = true};
    layer->bias = OD_YES;
}

static void add_head(struct plan *p, uint64_t dense, uint64_t classes)
{
    uint64_t wide = p->at.channels * (dense > 0 ? p->at.side * p->at.side : 1);
    p->stage = OD_VIEW("");
    memset(p->named, 0, sizeof p->named);
    add(p, dense > 0 ? OD_LAYER_VIEW : OD_LAYER_AVG_POOL,
        dense > 0 ? "Flatten" : "GlobalAveragePooling2D", 0);
    p->net->layers.items[p->at.layer].output =
        (struct od_shape){.dims = {OD_DIM_UNKNOWN, wide}, .n = 2, .known = true};
    if (dense > 0) {
        linear(p, wide, dense);
        linear(p, dense, dense);
    }
    linear(p, dense > 0 ? dense : wide, classes);
}

const struct od_model *od_net_model(size_t which, uint64_t side, uint64_t classes,
                                    struct od_arena *arena)
{
    struct od_net net = {0};
    struct plan plan = {.net = &net, .at = {OD_NET_OUTSIDE, side, 3}, .arena = arena};
    add(&plan, OD_LAYER_INPUT, "InputLayer", 0);
    net.layers.items[0].ninputs = 0;
    plan = laid_out(which, plan);
    if (classes > 0)
        add_head(&plan, nets[which].about.dense, classes);
    struct od_model *model = OD_NEW(arena, struct od_model);
    model->name = od_view_of(nets[which].about.name);
    model->format = OD_MODEL_KERAS;
    model->parameters = od_count_of(plan.parameters);
    model->layers.items = OD_NEW_N(arena, net.layers.n + 1, struct od_layer);
    model->layers.n = net.layers.n;
    memcpy(model->layers.items, net.layers.items, net.layers.n * sizeof *net.layers.items);
    model->inputs.items = OD_NEW_N(arena, net.inputs.n + 1, uint32_t);
    model->inputs.n = net.inputs.n;
    memcpy(model->inputs.items, net.inputs.items, net.inputs.n * sizeof *net.inputs.items);
    od_net_done(&net);
    return model;
}
