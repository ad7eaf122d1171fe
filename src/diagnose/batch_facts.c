/* Facts about weights, batches and samples (section of that name in rules/facts.def). */
#include "diagnose/shares.h"
#include "diagnose/taker.h"
#include "failure/growth.h"
#include "failure/remarks.h"
#include "rules/software.h"

#include <math.h>

static void take_run(const struct taker *t)
{
    const struct od_failure *failure = t->failure;
    const struct od_fit_facts *facts = &t->context->fit->facts;
    double share = od_failure_need_share(failure);
    /* The log does not state the batch of the evaluation, and the batch of the training fits. */
    bool one_failed = !failure->evaluates && t->context->fit->known &&
                      (facts->failed == 1 || facts->batch.n == 1);
    bool several = failure->batch.n > 1, one = failure->batch.n == 1;
    bool shown = failure->hint.batch.n > 1;
    bool loads = failure->phase == OD_PHASE_LOAD || od_failure_is_server(failure);
    take_truth(t, OD_FACT_INFERS_SINGLY, failure->use.infers && !several && !loads);
    take_truth(t, OD_FACT_NO_BATCH, failure->use.batchless && !several && !loads);
    take_truth(t, OD_FACT_EXCEEDS_DEVICE,
               (!several || one_failed) && !shown && !failure->hint.constant &&
                   od_bytes_less(failure->capacity, failure->asked) == OD_YES);
    take_truth(t, OD_FACT_SCORES_ALONE,
               !several && !shown && od_incident_ends_in(t->incident, OD_FRAME_SCORES));
    take_truth(t, OD_FACT_BATCH_OF_ONE, one_failed || (!failure->evaluates && !shown && one));
    take_percent(t, OD_FACT_NEED_SHARE, share > 0 ? share : -1);
}

/* Can the matrix have a row for each token of each sample? Then its sides do not show the batch. */
static bool has_samples(const struct od_failure *failure)
{
    bool stated = failure->batch.known && failure->batch.n == failure->hint.batch.n;
    return stated || failure->incident->tensor.shape.n != 2;
}

/* The batch that the log states, of one device or of all. The batch in the tensor's shape does not
 * count. */
static struct od_count stated_batch(const struct taker *t)
{
    const struct od_fit_facts *facts = &t->context->fit->facts;
    bool known =
        facts->batch_certainty >= OD_LIKELY && t->failure->hint.role != OD_TENSOR_ACTIVATION;
    return t->failure->batch.known || !known ? t->failure->batch : facts->batch;
}

/* Is it a matrix of integers or class labels, among the program's first allocations, with more rows
 * than a batch has? It holds no weights. */
static bool is_table(const struct od_failure *failure)
{
    enum { ROWS = 10000, FIRST_ALLOCATIONS = 256 };
    const struct od_tensor *tensor = &failure->incident->tensor;
    bool whole = tensor->dtype == OD_INT32 || tensor->dtype == OD_INT64;
    return failure->allocations.known && failure->allocations.n < FIRST_ALLOCATIONS &&
           failure->progress == 0 && tensor->shape.n == 2 &&
           tensor->shape.dims[0] != OD_DIM_UNKNOWN && tensor->shape.dims[0] >= ROWS &&
           tensor->shape.dims[0] > tensor->shape.dims[1] &&
           (whole || od_means(failure->op_means, OD_OP_CLASSES));
}

static void take_tensor(const struct taker *t)
{
    const struct od_failure *failure = t->failure;
    const struct od_shape_hint *hint = &failure->hint;
    bool samples = hint->role != OD_TENSOR_ACTIVATION || has_samples(failure);
    struct od_count stated = stated_batch(t);
    const struct od_product *product = t->context->fit->facts.product;
    if (is_table(failure))
        take_count(t, OD_FACT_SAMPLES_COUNT, od_count_of(t->incident->tensor.shape.dims[0]));
    take_truth(t, OD_FACT_BATCH_STATED, stated.known);
    take_count(t, OD_FACT_BATCH, hint->batch.known && samples ? hint->batch : stated);
    take_bytes(t, OD_FACT_SAMPLE, samples ? hint->per_sample : (struct od_bytes){0});
    take_truth(t, OD_FACT_OF_LOGITS,
               !failure->use.infers && (od_incident_ends_in(t->incident, OD_FRAME_LOGITS) ||
                                        (product && product->kind == OD_PRODUCT_LOGITS)));
}

/* --- shapes that look like a mistake --- */

enum { SAME_SIDE = 100 }; /* sides that differ by less are computed from one number */

static bool is_outer_product(const struct od_shape *shape)
{
    static const uint64_t side = 10000;
    if (shape->n != 2 || shape->dims[0] == OD_DIM_UNKNOWN || shape->dims[1] == OD_DIM_UNKNOWN)
        return false;
    uint64_t a = shape->dims[0], b = shape->dims[1];
    uint64_t gap = a > b ? a - b : b - a;
    return a >= side && b >= side && gap <= a / SAME_SIDE;
}

/* Does a network request a square of floats whose side is a round number (12500), as people
 * choose numbers of samples? Products of a layer's sizes are squares too, but their sides are
 * not round. */
static bool is_round_square(const struct od_failure *failure)
{
    enum { LEAST_SIDE = 2500, ROUND = 500, FLOAT = 4, DOUBLE = 8 };
    struct od_bytes asked = failure->asked;
    if (!failure->of_network || asked.lo != asked.hi || failure->incident->tensor.shape.known)
        return false;
    for (uint64_t each = FLOAT; each <= DOUBLE; each *= 2) {
        uint64_t side = (uint64_t)(sqrt((double)asked.n / (double)each) + 0.5);
        if (side >= LEAST_SIDE && side % ROUND == 0 && side * side * each == asked.n)
            return true;
    }
    return false;
}

/* Is the shape a picture? Its sides are often equal, and its last dimension is the number of
 * colors. */
static bool is_picture(const struct od_failure *failure)
{
    enum { COLORS = 4 };
    const struct od_shape *shape = &failure->incident->tensor.shape;
    return shape->n == 3 && shape->dims[2] <= COLORS &&
           od_incident_calls(failure->incident, OD_FRAME_PICTURE);
}

static void take_product(const struct taker *t)
{
    const struct od_product *product = t->context->fit->facts.product;
    if (!product)
        return;
    t->facts->profile.values[OD_FACT_PRODUCT] = od_fact_word(OD_FACT_PRODUCT, product->word);
    t->facts->said[OD_FACT_PRODUCT] = product->lines;
    t->facts->nsaid[OD_FACT_PRODUCT] = product->nlines;
    take_bytes(t, OD_FACT_EACH_TOKEN, product->each);
    take_text(t, OD_FACT_FACTORS, product->factors);
    take_text(t, OD_FACT_PRODUCT_IS, product->what);
}

static void take_shape(const struct taker *t)
{
    static const double half = 0.5;
    const struct od_failure *failure = t->failure;
    bool host = t->incident->kind == OD_INC_HOST_ALLOC_FAILED;
    double share = host ? 0 : od_failure_need_share(failure);
    const struct od_shape *shape = &t->incident->tensor.shape;
    bool grid = shape->n > 2 && shape->dims[2] == shape->dims[0];
    bool square = (failure->hint.pairs && !grid && !is_picture(failure)) ||
                  is_outer_product(&t->incident->tensor.shape) || is_round_square(failure);
    take_product(t);
    take_truth(t, OD_FACT_LARGE_SQUARE, square && (host || share >= half || !failure->limit.known));
    if ((failure->hint.pairs && !grid) || (shape->n == 2 && shape->dims[0] == shape->dims[1]))
        take_count(t, OD_FACT_SQUARE_SIDE, od_count_of(shape->dims[0]));
    if (failure->need.lo > INT64_MAX)
        take_count(t, OD_FACT_NEGATIVE, od_count_of(failure->need.lo));
}

/* Was a checkpoint loaded to the device from which its tensors were saved? */
static bool reads_to_saved_place(const struct taker *t)
{
    return od_failure_is_device(t->failure) &&
           (od_incident_calls(t->incident, OD_FRAME_RESTORING) ||
            od_remark_directly_above(t->c, t->incident, "restores"));
}

static void take_weights(const struct taker *t)
{
    const struct od_fit *fit = t->context->fit;
    static const double little = 0.3; /* share of the limit */
    double model = od_model_share(t->context), fixed = od_fixed_share(t->context);
    take_percent(t, OD_FACT_WEIGHTS_SHARE, model);
    take_truth(t, OD_FACT_LITTLE_FIXED, fixed >= 0 && fixed < little);
    struct od_named_weights named;
    bool nearly = od_named_weights_of(t->context, &named) && model >= OD_NEARLY_ALL;
    if (named.billions > 0)
        take_count(t, OD_FACT_NAMED_BILLIONS, od_count_of((uint64_t)named.billions));
    if (named.model.n > 0)
        take_text(t, OD_FACT_NAMED_MODEL, od_arena_str(t->context->arena, named.model));
    if (nearly) {
        take_bytes(t, OD_FACT_NAMED_WEIGHTS, named.bytes);
        const char *each = od_bytes_text(t->context->arena, named.each);
        take_text(t, OD_FACT_NAMED_ROOM,
                  named.devices == 1 ? each
                                     : od_arena_printf(t->context->arena, "%" PRIu64 " x %s",
                                                       named.devices, each));
        take_count(t, OD_FACT_NAMED_BITS, od_count_of((uint64_t)named.bits));
    }
    if (!fit->facts.serves || fit->n == 0)
        return;
    take_text(t, OD_FACT_SERVED_MODEL, fit->facts.network ? fit->facts.network : "the model");
    take_bytes(t, OD_FACT_SERVED_SIZE, fit->list[0].fixed);
}

/*
 * Memory in use on the device after the model and the optimizer were created and before the first
 * step, from lines that name this moment ("after creating optimizer: 41 GB"). It does not depend on
 * the batch size. Only lines of the failed attempt and, if both ranks are known, of the failed rank
 * are used.
 */
static bool is_of_device(const struct od_series *s, const struct od_incident *incident)
{
    bool other = s->rank.known && incident->rank.known && s->rank.n != incident->rank.n;
    return s->metric == OD_SERIES_DEVICE_USED && s->at.source == incident->at.source && !other;
}

/* The first line of the attempt that shows a training step. */
static uint64_t first_step(const struct od_case *c, const struct od_incident *incident,
                           uint64_t start)
{
    uint64_t first = incident->at.line;
    OD_FOR_EACH (const struct od_run_event, m, c->run_events)
        if (m->kind == OD_EV_PROGRESS && m->first.source == incident->at.source &&
            m->first.line > start && m->first.line < first &&
            !od_means(m->said.means, OD_SAID_PREPARING))
            first = m->first.line;
    OD_FOR_EACH (const struct od_series, s, c->series) {
        for (size_t k = 0; is_of_device(s, incident) &&
                           od_means(od_label_means(s->name), OD_LABEL_STEP) && k < s->nsamples;
             k++)
            if (s->samples[k].line > start && s->samples[k].line < first)
                first = s->samples[k].line;
    }
    return first;
}

static bool find_last(const struct od_case *c, const struct od_incident *incident,
                      struct od_evidence *ret_said, struct od_bytes *ret_in_use)
{
    uint64_t start = od_start_of(c, incident).line, last = 0;
    uint64_t end = first_step(c, incident, start);
    OD_FOR_EACH (const struct od_series, s, c->series) {
        if (!is_of_device(s, incident) || !od_means(od_label_means(s->name), OD_LABEL_PREPARATION))
            continue;
        OD_FOR_EACH_OF (const struct od_point, point, s->samples, s->nsamples) {
            if (point->line <= start || point->line >= end || point->line < last)
                continue;
            last = point->line;
            *ret_in_use = od_bytes_exact((uint64_t)point->value);
            bool at_first = s->at.line == last;
            *ret_said = (struct od_evidence){.at = at_first ? s->at : s->last_at,
                                             .text = at_first ? s->said : s->last_said};
        }
    }
    return last > 0;
}

/* Share of the limit or capacity, 0..1; negative = not known. */
static double prepared_share(const struct od_case *c, const struct od_failure *failure,
                             struct od_evidence *ret_said, struct od_bytes *ret_in_use)
{
    double room = (double)(failure->limit.known ? failure->limit.n : failure->capacity.n);
    if (!(room > 0) || !find_last(c, failure->incident, ret_said, ret_in_use))
        return -1;
    return (double)ret_in_use->n / room;
}

static void take_prepared(const struct taker *t)
{
    struct od_evidence said = {0};
    struct od_bytes in_use = {0};
    double share = prepared_share(t->c, t->failure, &said, &in_use);
    take_percent(t, OD_FACT_PREPARED_SHARE, share);
    take_bytes(t, OD_FACT_PREPARED, in_use);
    if (share >= 0)
        t->facts->said[OD_FACT_PREPARED] = copy_line(t, said);
}

static void take_rise(const struct taker *t)
{
    struct od_rise rise = {0};
    bool rose = od_growth_rise(t->c, t->incident, false, &rise);
    take_truth(t, OD_FACT_ROSE, rose);
    if (!rose)
        return;
    take_bytes(t, OD_FACT_ROSE_FROM, od_bytes_exact((uint64_t)rise.before));
    take_bytes(t, OD_FACT_ROSE_TO, od_bytes_exact((uint64_t)rise.after));
    take_bytes(t, OD_FACT_GROWN, od_bytes_exact((uint64_t)(rise.after - rise.before)));
    take_count(t, OD_FACT_ROSE_AT, od_count_of(rise.line));
    t->facts->said[OD_FACT_ROSE] = rise.change;
    if (rise.change)
        take_count(t, OD_FACT_CHANGED_AT, od_count_of(rise.change->at.line));
}

static void take_rows(const struct taker *t)
{
    const struct od_failure *failure = t->failure;
    const struct od_incident *inc = t->incident;
    const struct od_software *driver = t->failure->stack.driver;
#define OD_TAKEN_BATCH
#include "diagnose/taken.def"
}

void od_take_batch(const struct taker *t)
{
    take_rows(t);
    take_run(t);
    take_tensor(t);
    take_shape(t);
    take_weights(t);
    take_prepared(t);
    take_rise(t);
}
