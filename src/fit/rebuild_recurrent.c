/*
 * Derives recurrent layers from sizes. Keras creates three variables for each: a kernel of gates *
 * units * features, one of gates * units * units, and one or two biases. cuDNN's call over all
 * steps then allocates the inputs in time-major order, the outputs of all steps, two final states
 * and a reserve, which show the batch size and the number of steps.
 */
#include "fit/rebuild.h"

#include <math.h>

enum { TABLE_ROWS_LEAST = 200, STEPS_MOST = 20000, BATCH_MOST = 65536, UNITS_MOST = 8192 };

static uint64_t rounded(uint64_t numbers)
{
    return od_bfc_rounded(numbers * 4);
}

/* Gates and biases of an LSTM, and of a GRU with two biases or one. */
static const struct {
    uint64_t gates, biases;
} kinds[] = {{4, 1}, {3, 2}, {3, 1}};

/* Can a layer of that kind have kernels of these bytes, over features and over states? */
static bool is_layer(size_t kind, uint64_t kernel, uint64_t square, struct od_recurrent *ret)
{
    uint64_t gates = kinds[kind].gates;
    uint64_t units = (uint64_t)sqrt((double)(square / 4 / gates));
    if (units < 8 || units > UNITS_MOST || rounded(gates * units * units) != square)
        return false;
    uint64_t features = kernel / 4 / gates / units;
    *ret = (struct od_recurrent){gates, kinds[kind].biases, units, features};
    return features > 0 && rounded(gates * units * features) == kernel;
}

static uint64_t bias_of(const struct od_recurrent *layer)
{
    return rounded(layer->gates * layer->units * layer->biases);
}

static uint64_t numbers_of(const struct od_recurrent *layer)
{
    return layer->gates * layer->units * (layer->features + layer->units + layer->biases);
}

static uint64_t square_of(const struct od_recurrent *layer)
{
    return rounded(layer->gates * layer->units * layer->units);
}

/* Number of copies of the recurrent kernels in the dump: the minimum, because the step may have
 * tensors of equal size. */
static uint64_t copies_of(const struct od_recurrents *r, const struct od_allocator *dump)
{
    uint64_t least = 0;
    for (size_t i = 0; i < r->n; i++) {
        uint64_t bytes = square_of(&r->list[i]), same = 0, there = 0;
        OD_FOR_EACH_OF (const struct od_recurrent, layer, r->list, r->n) {
            same += square_of(layer) == bytes;
            same += rounded(layer->gates * layer->units * layer->features) == bytes;
        }
        for (size_t k = 0; k < dump->nsizes; k++)
            there += dump->sizes[k].bytes == bytes ? dump->sizes[k].count : 0;
        if (there / same > 0 && (least == 0 || there / same < least))
            least = there / same;
    }
    return least;
}

/* Number of chunks with that many bytes, or up to twice as many: in a growing pool a chunk may be a
 * whole region. */
static uint64_t count_about(const struct od_allocator *dump, uint64_t bytes)
{
    uint64_t n = 0;
    for (size_t i = 0; i < dump->nsizes; i++)
        n += dump->sizes[i].bytes >= bytes && dump->sizes[i].bytes / 2 < bytes
                 ? dump->sizes[i].count
                 : 0;
    return n;
}

/* Is that the size of a variable? Then it shows nothing about the batch. */
static bool is_variable(const struct od_recurrents *r, uint64_t bytes)
{
    OD_FOR_EACH_OF (const struct od_recurrent, layer, r->list, r->n) {
        uint64_t wide = layer->gates * layer->units;
        if (bytes == rounded(wide * layer->features) || bytes == rounded(wide * layer->units) ||
            bytes == rounded(wide * layer->biases))
            return true;
    }
    return bytes == rounded(r->vocabulary * r->list[0].features);
}

/* Rows of the largest embedding table with the features' width and that many copies; 0 = none. */
static uint64_t vocabulary_of(const struct od_allocator *dump, const struct od_recurrents *r)
{
    const struct od_recurrent *layer = &r->list[0];
    uint64_t rows = 0, copies = copies_of(r, dump);
    uint64_t packed = rounded(numbers_of(layer)); /* the step packs all variables of a call */
    for (size_t i = 0; i < dump->nsizes; i++) {
        uint64_t bytes = dump->sizes[i].bytes, here = bytes / 4 / layer->features;
        if (here > rows && here >= TABLE_ROWS_LEAST && bytes != packed && !is_variable(r, bytes) &&
            rounded(here * layer->features) == bytes && count_about(dump, bytes) >= copies)
            rows = here;
    }
    return rows;
}

/* Number of stacked layers of equal width. Each layer except the first has two kernels of the same
 * size. 0 if the variables of the first layer do not have `copies` copies. */
static size_t stacked(const struct od_allocator *dump, const struct od_recurrent *first,
                      uint64_t copies)
{
    uint64_t squares = od_allocator_count_of(dump, square_of(first)), n = squares / copies / 2 + 1;
    bool whole = squares % copies == 0 && squares / copies % 2 == 1;
    return whole && n <= OD_RECURRENT_MOST &&
                   od_allocator_count_of(dump, bias_of(first)) >= n * copies
               ? n
               : 0;
}

/* Finds the widest layers whose variables have as many copies as optimizer states require. */
static bool find_layers(const struct od_allocator *dump, struct od_recurrents *r)
{
    enum { SIZES_MOST = 600, COPIES_LEAST = 2, COPIES_MOST = 4 };
    struct od_recurrent layer;
    for (size_t i = 0; i < dump->nsizes && dump->nsizes <= SIZES_MOST; i++)
        for (size_t k = 0; k < dump->nsizes; k++)
            for (size_t kind = 0; kind < OD_COUNT_OF(kinds); kind++) {
                uint64_t copies = dump->sizes[k].count;
                if (k == i || copies < COPIES_LEAST || copies > COPIES_MOST ||
                    !is_layer(kind, dump->sizes[k].bytes, dump->sizes[i].bytes, &layer) ||
                    layer.units <= r->list[0].units || stacked(dump, &layer, copies) == 0)
                    continue;
                r->list[0] = layer;
                r->n = stacked(dump, &layer, copies);
            }
    for (size_t i = 1; i < r->n; i++) {
        r->list[i] = r->list[0];
        r->list[i].features = r->list[0].units;
    }
    if (r->n > 0)
        r->vocabulary = vocabulary_of(dump, r);
    return r->n > 0;
}

bool od_recurrents_read(const struct od_allocator *dump, struct od_recurrents *ret_recurrents)
{
    struct od_recurrents r = {0};
    if (!find_layers(dump, &r))
        return false;
    r.copies = copies_of(&r, dump);
    r.numbers = r.vocabulary * r.list[0].features;
    for (size_t i = 0; i < r.n; i++)
        r.numbers += numbers_of(&r.list[i]);
    *ret_recurrents = r;
    return r.copies > 0;
}

/* --- batch and steps --- */

struct search {
    const struct od_recurrents *r;
    const struct od_allocator *dump;
    uint64_t asked;
    double best;
};

/* Bytes in use of a size, or larger by up to `more` in chunks that were not split; includes a
 * request of that size. */
static double bytes_within(const struct search *s, uint64_t bytes, uint64_t more)
{
    double sum = od_bfc_rounded(s->asked) == bytes ? (double)bytes : 0;
    OD_FOR_EACH_OF (const struct od_size, size, s->dump->sizes, s->dump->nsizes)
        if (size->bytes >= bytes && size->bytes - bytes <= more)
            sum += (double)size->total;
    return sum;
}

static double bytes_of(const struct search *s, uint64_t bytes)
{
    enum { SLACK = 16 };
    return bytes_within(s, bytes, bytes / SLACK);
}

/* Is that size in use? In a growing pool a chunk may be a whole region of up to twice the size. */
static bool is_there(const struct search *s, uint64_t bytes)
{
    return bytes_within(s, bytes, s->dump->dump.regions.n > 1 ? bytes : 0) > 0;
}

/* Bytes in use that can be cuDNN's reserve, which has 9 to 18 half floats per output of a unit and
 * step. */
static double reserved(const struct search *s, uint64_t outputs)
{
    enum { HALVES_LEAST = 9, HALVES_MOST = 18 };
    double sum = 0;
    for (uint64_t halves = HALVES_LEAST; halves <= HALVES_MOST; halves++)
        sum += bytes_of(s, od_bfc_rounded(outputs * 2 * halves));
    return sum;
}

/* Counts the bytes that this batch and number of steps explain. Inputs and outputs of the first
 * layer must both be in use or requested. */
static void try_pair(struct search *s, uint64_t batch, uint64_t steps, struct od_recurrents *ret)
{
    uint64_t all = batch * steps, last = s->r->list[0].features;
    /* the state would have the size of the inputs */
    bool same = s->r->list[0].units == steps * last;
    double first = bytes_of(s, rounded(all * last)), sum = first;
    double out = 0;
    for (size_t i = 0; i < s->r->n; i++) {
        uint64_t units = s->r->list[i].units, outputs = all * units;
        double here = reserved(s, outputs);
        here += units != last ? bytes_of(s, rounded(outputs)) : 0;
        bool again = i > 0 && units == s->r->list[i - 1].units;
        sum += again ? 0 : here;
        out += here;
        last = units;
    }
    bool read = first > 0 || is_there(s, rounded(all * s->r->list[0].features));
    if (same || !read || out <= 0 || sum <= s->best)
        return;
    s->best = sum;
    ret->batch = batch;
    ret->steps = steps;
    ret->matched = sum - (double)s->asked;
}

static void try_batch(struct search *s, uint64_t batch, struct od_recurrents *ret)
{
    uint64_t each[] = {batch * s->r->list[0].features * 4, batch * s->r->list[0].units * 4};
    for (size_t i = 0; i < s->dump->nsizes; i++) {
        for (size_t k = 0; k < OD_COUNT_OF(each); k++) { /* inputs, outputs */
            uint64_t bytes = s->dump->sizes[i].bytes, steps = bytes / each[k];
            if (steps > 1 && steps <= STEPS_MOST && od_bfc_rounded(steps * each[k]) == bytes)
                try_pair(s, batch, steps, ret);
        }
    }
}

/* Bytes in use that are not variables. */
static double step_of(const struct od_recurrents *r, const struct od_allocator *dump)
{
    double sum = 0;
    for (size_t i = 0; i < dump->nsizes; i++)
        sum += (double)dump->sizes[i].total;
    return sum - (double)r->numbers * 4 * (double)r->copies;
}

bool od_recurrents_batch(struct od_recurrents *recurrents, const struct od_allocator *dump,
                         uint64_t asked, struct od_count batch)
{
    static const double matched_least = 0.65;
    struct search s = {.r = recurrents, .dump = dump, .asked = asked};
    if (batch.known && batch.n > 0 && batch.n <= BATCH_MOST)
        try_batch(&s, batch.n, recurrents);
    for (size_t i = 0; !batch.known && i < dump->nsizes; i++) {
        uint64_t state = recurrents->list[0].units * 4;
        uint64_t n = dump->sizes[i].bytes / state;
        bool twice = dump->sizes[i].count >= 2 && n * state == dump->sizes[i].bytes &&
                     !is_variable(recurrents, dump->sizes[i].bytes);
        if (twice && n > 1 && n <= BATCH_MOST)
            try_batch(&s, n, recurrents);
    }
    return s.best > 0 && recurrents->matched >= matched_least * step_of(recurrents, dump);
}

struct writer {
    struct od_model *model;
    struct od_arena *arena;
};

static struct od_layer *add(struct writer *w, enum od_layer_kind kind, const char *type,
                            const char *name)
{
    struct od_layer layer = od_layer_blank();
    struct od_model *model = w->model;
    unsigned same = 0;
    for (size_t i = 0; i < model->layers.n; i++)
        same += od_view_eq_str(model->layers.items[i].type, type);
    layer.kind = kind;
    layer.type = od_view_of(type);
    layer.name = od_view_of(same ? od_arena_printf(w->arena, "%s_%u", name, same) : name);
    layer.noutputs = 1;
    layer.parameters = od_count_of(0);
    model->layers.items[model->layers.n] = layer;
    return &model->layers.items[model->layers.n++];
}

static void shape(struct od_layer *layer, uint64_t steps, uint64_t features)
{
    layer->output = (struct od_shape){.dims = {OD_DIM_UNKNOWN, features}, .n = 2, .known = true};
    if (steps > 0)
        layer->output =
            (struct od_shape){.dims = {OD_DIM_UNKNOWN, steps, features}, .n = 3, .known = true};
}

const struct od_model *od_rebuild_recurrent(const struct od_recurrents *r, struct od_arena *arena)
{
    struct writer w = {.model = OD_NEW(arena, struct od_model), .arena = arena};
    struct od_model *model = w.model;
    model->name = OD_VIEW("rebuilt");
    model->format = OD_MODEL_KERAS;
    model->framework = OD_VIEW("tensorflow");
    model->complete = true;
    model->parameters = od_count_of(r->numbers);
    model->layers.items = OD_NEW_N(arena, r->n + 1, struct od_layer);
    model->layers.room = r->n + 1;
    struct od_layer *layer =
        add(&w, r->vocabulary ? OD_LAYER_EMBEDDING : OD_LAYER_INPUT,
            r->vocabulary ? "Embedding" : "InputLayer", r->vocabulary ? "embedding" : "input");
    shape(layer, r->steps, r->list[0].features);
    layer->parameters.n = r->vocabulary * r->list[0].features;
    for (size_t i = 0; i < r->n; i++) {
        bool lstm = r->list[i].gates == 4;
        layer = add(&w, OD_LAYER_RECURRENT, lstm ? "LSTM" : "GRU", lstm ? "lstm" : "gru");
        shape(layer, i + 1 < r->n ? r->steps : 0, r->list[i].units);
        layer->parameters.n = numbers_of(&r->list[i]);
    }
    return model;
}
