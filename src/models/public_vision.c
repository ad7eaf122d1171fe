#include "models/public_vision.h"

#include "base/suggest.h"
#include "facts/module_count.h"

#include <math.h>

static const struct od_public_vision rows[] = {
#include "models/public_vision.inc"
};

const struct od_public_vision *od_public_visions(size_t *ret_n)
{
    *ret_n = OD_COUNT_OF(rows);
    return rows;
}

/* Offset after separators. *ret_apart: they separate two numbers ("1_6"). */
static size_t skip(struct od_view v, size_t i, bool *ret_apart)
{
    size_t from = i;
    while (i < v.n && !od_is_alnum(v.p[i]))
        i++;
    *ret_apart =
        i > from && from > 0 && i < v.n && od_is_digit(v.p[from - 1]) && od_is_digit(v.p[i]);
    return i;
}

/* Are the letters and numbers equal, whatever the separators? */
static bool is_same(struct od_view a, struct od_view b)
{
    size_t i = 0, k = 0;
    for (;;) {
        bool a_apart, b_apart;
        i = skip(a, i, &a_apart);
        k = skip(b, k, &b_apart);
        if (i == a.n || k == b.n)
            return i == a.n && k == b.n;
        if (a_apart != b_apart || od_lower(a.p[i++]) != od_lower(b.p[k++]))
            return false;
    }
}

static const struct od_public_vision *find(struct od_view name, struct od_view library)
{
    for (size_t i = 0; i < OD_COUNT_OF(rows); i++) {
        struct od_view names = od_view_of(rows[i].names), one;
        if (!od_view_starts(od_view_of(rows[i].library), library))
            continue;
        while (od_view_cut(&names, ' ', &one)) {
            size_t slash = od_view_find_char(one, '/', 0);
            if (is_same(one, name) ||
                (slash != OD_VIEW_NONE && is_same(od_view_from(one, slash + 1), name)))
                return &rows[i];
        }
    }
    return NULL;
}

const struct od_public_vision *od_public_vision_find(struct od_view name)
{
    struct od_view library = {0}, left = od_view_trim(name), head = {0};
    size_t slash = od_view_find_char(left, '/', 0);
    if (slash != OD_VIEW_NONE) {
        library = od_view_head(left, slash);
        left = od_view_from(left, slash + 1);
        if (!od_view_eq_str(library, "timm") && !od_view_eq_str(library, "torchvision"))
            return find(od_view_trim(name), (struct od_view){0});
    }
    const struct od_public_vision *found = find(left, library);
    if (!found && od_view_cut(&left, '.', &head) && left.n > 0)
        found = find(head, library);
    return found;
}

const char *od_public_vision_suggest(struct od_view name, struct od_arena *arena)
{
    const char *known[OD_COUNT_OF(rows)];
    for (size_t i = 0; i < OD_COUNT_OF(rows); i++) {
        struct od_view names = od_view_of(rows[i].names), first = {0};
        (void)od_view_cut(&names, ' ', &first);
        known[i] = od_arena_str(arena, first);
    }
    return od_suggest(od_arena_str(arena, name), known, OD_COUNT_OF(rows));
}

/* Half a unit of the last non-zero digit, the rounding error. A number with an error above 1/300
 * identifies no model. */
static uint64_t slack_of(uint64_t n)
{
    enum { COARSE = 300 };
    uint64_t unit = 1, most = n / COARSE;
    while (n > 0 && n % 10 == 0 && unit < UINT64_MAX / 10) {
        n /= 10;
        unit *= 10;
    }
    return unit / 2 < most ? unit / 2 : most;
}

static bool is_near(uint64_t n, uint64_t exact)
{
    uint64_t apart = n > exact ? n - exact : exact - n;
    return apart <= slack_of(n);
}

/* The side of square images for which a model without attention scores has that many activations; 0
 * = no usual one. Has a tolerance, because outputs after a global pool do not grow. */
static uint64_t other_side(const struct od_public_vision *row, uint64_t activations)
{
    enum { STEP = 16, LEAST = 96, MOST = 1024 };
    static const double tolerance = 0.004;
    if (row->square_fused != 0 || row->square_eager != 0 || row->height != row->width)
        return 0;
    double side = row->width * sqrt((double)activations / (double)row->activations);
    double near_ = STEP * round(side / STEP);
    return side >= LEAST && side <= MOST && fabs(side - near_) < tolerance * side ? (uint64_t)near_
                                                                                  : 0;
}

/* Do two models keep equally many bytes, except for one or two scales? */
static bool is_alike(const struct od_public_vision *a, const struct od_public_vision *b)
{
    static const double most = 1.03;
    for (size_t i = 0; i < OD_MEASURED_WIDTHS; i++) {
        double ratio = (double)a->fused[i] / (double)b->fused[i];
        if (ratio > most || ratio < 1 / most)
            return false;
    }
    return a->height == b->height && a->width == b->width;
}

struct counts {
    uint64_t parameters, activations;
    bool resized; /* the activations are for another image size */
    bool normed;  /* the model has batch norms, like most models with the same counts */
};

/* Finds a model by its counts. False if several match that keep different bytes. */
static bool find_counted(const struct counts *c, const struct od_public_vision **ret_found,
                         uint64_t *ret_side)
{
    *ret_found = NULL;
    OD_FOR_EACH_OF (const struct od_public_vision, row, rows, OD_COUNT_OF(rows)) {
        if (row->activations == 0 || (c->normed && row->buffers == 0) ||
            !is_near(c->parameters, row->parameters))
            continue;
        uint64_t side = c->resized ? other_side(row, c->activations) : 0;
        if (c->resized ? side == 0 : !is_near(c->activations, row->activations))
            continue;
        if (*ret_found && (!is_alike(row, *ret_found) || side != *ret_side))
            return false;
        *ret_found = *ret_found ? *ret_found : row;
        *ret_side = side;
    }
    return true;
}

const struct od_public_vision *od_public_vision_counted(uint64_t parameters, uint64_t activations,
                                                        uint64_t *ret_side)
{
    const struct counts ways[] = {{parameters, activations, false, true},
                                  {parameters, activations, false, false},
                                  {parameters, activations, true, true},
                                  {parameters, activations, true, false}};
    for (size_t i = 0; i < OD_COUNT_OF(ways); i++) {
        const struct od_public_vision *found;
        if (!find_counted(&ways[i], &found, ret_side))
            return NULL;
        if (found)
            return found;
    }
    return NULL;
}

/* ---- a printed network ---- */

static struct od_count own_of(const struct od_layer *layer)
{
    return layer->parameters.known ? layer->parameters : od_module_parameters(layer);
}

/* The printed total, otherwise the sum of all rows with repeats; 0 = none, or rounded. */
static uint64_t numbers_of(const struct od_model *model)
{
    enum { DEEPEST = 64 };
    uint64_t sum = 0, times[DEEPEST + 1] = {1};
    for (size_t i = 0; i < model->layers.n; i++) {
        const struct od_layer *layer = &model->layers.items[i];
        bool sums = layer->recursive || (od_module_holds(model, i) && layer->parameters.known);
        uint64_t own = sums ? 0 : own_of(layer).n;
        uint32_t depth = layer->depth < DEEPEST ? layer->depth : DEEPEST - 1;
        if (layer->parameters_slack > 0 ||
            ckd_mul(&times[depth + 1], times[depth], layer->repeat ? layer->repeat : 1) ||
            ckd_mul(&own, own, times[depth + 1]) || ckd_add(&sum, sum, own))
            return 0;
    }
    return model->parameters.known ? model->parameters.n : sum;
}

/* Number of parameters to add for a classifier with the usual number of classes. */
static int64_t more_classes(const struct od_model *model)
{
    enum { CLASSES = 1000, MOST = 1 << 20 };
    const struct od_layer *head = NULL;
    for (size_t i = 0; i < model->layers.n; i++)
        if (model->layers.items[i].kind == OD_LAYER_LINEAR)
            head = &model->layers.items[i];
    if (!head)
        return 0;
    const struct od_shape *out = &head->output;
    uint64_t classes = head->out_features.known   ? head->out_features.n
                       : out->known && out->n > 0 ? out->dims[out->n - 1]
                                                  : 0;
    uint64_t numbers = own_of(head).n;
    if (classes == 0 || classes > MOST || numbers % classes != 0 || numbers >> 40)
        return 0;
    return (int64_t)(numbers / classes) * (CLASSES - (int64_t)classes);
}

/* Is the input float32 images of the size for which the row was measured? */
static bool has_side_of(const struct od_model *model, const struct od_public_vision *row)
{
    enum { CHANNELS = 3 };
    uint64_t batch = model->batch.known && model->batch.n > 0 ? model->batch.n : 1;
    uint64_t bytes = (uint64_t)row->height * row->width * CHANNELS * sizeof(float) * batch;
    const struct od_bytes *said = &model->input_bytes;
    return !said->known || (said->lo <= bytes && bytes <= said->hi);
}

/* Has `a` the shorter name? Variants (blurred pools) have longer names than their base. */
static bool is_plainer(const struct od_public_vision *a, const struct od_public_vision *b)
{
    return strcspn(a->names, " ") < strcspn(b->names, " ");
}

/* Of the models with equally many parameters, the one with the shortest name; the first one if
 * several image sizes print the same. Some totals include parameters that no module prints: scales,
 * positions. */
static const struct od_public_vision *printed_as(const struct od_model *model, uint64_t numbers)
{
    const struct od_public_vision *best = NULL;
    OD_FOR_EACH_OF (const struct od_public_vision, row, rows, OD_COUNT_OF(rows)) {
        bool same = row->parameters == numbers || row->printed == numbers;
        if (same && row->printed > 0 && has_side_of(model, row) && (!best || is_plainer(row, best)))
            best = row;
    }
    return best;
}

void od_public_vision_recognise(struct od_model *model)
{
    enum { LEAST = 100000 };
    uint64_t numbers = numbers_of(model);
    bool frozen = model->trainable.known && model->parameters.known &&
                  model->trainable.n != model->parameters.n;
    if (!od_view_eq_str(model->framework, "pytorch") || frozen || numbers < LEAST)
        return;
    const struct od_public_vision *row = printed_as(model, numbers);
    if (!row)
        row = printed_as(model, numbers + (uint64_t)more_classes(model));
    if (!row)
        return;
    model->measured = od_public_vision_model(row).measured;
    model->measured.recognised = od_view_of(row->names);
}

static double share(int16_t thousandths)
{
    return thousandths < 0 ? -1 : thousandths / 1000.0;
}

struct od_model od_public_vision_model(const struct od_public_vision *vision)
{
    struct od_view names = od_view_of(vision->names), first = {0};
    (void)od_view_cut(&names, ' ', &first);
    struct od_model model = {.name = first,
                             .format = OD_MODEL_PUBLIC,
                             .framework = OD_VIEW("pytorch"),
                             .parameters = od_count_of(vision->parameters),
                             .trainable = od_count_of(vision->parameters),
                             .dtype = OD_FLOAT32,
                             .complete = true};
    model.measured = (struct od_measured){.known = true,
                                          .library = od_view_of(vision->library),
                                          .height = vision->height,
                                          .width = vision->width,
                                          .evaluated = vision->evaluated,
                                          .square_fused = share(vision->square_fused),
                                          .square_eager = share(vision->square_eager),
                                          .checkpointed = share(vision->checkpointed),
                                          .unfolded = vision->unfolded,
                                          .buffers = vision->buffers};
    for (size_t i = 0; i < OD_MEASURED_WIDTHS; i++) {
        model.measured.fused[i] = vision->fused[i];
        model.measured.eager[i] = vision->eager[i];
    }
    return model;
}
