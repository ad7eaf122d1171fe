/*
 * How a failed run used its transformer, according to its failed request. The request is one tensor
 * of the step. For a known width and batch, its size gives the sequence length (if it is the
 * logits), or shows that attention keeps its scores.
 */
#include "fit/facts.h"

#include "base/version.h"

#include <math.h>

/* PyTorch rounds requests of 10 MiB and more up to whole blocks and prints the rounded size
 * (c10/cuda/CUDACachingAllocator.cpp, get_allocation_size). Smaller requests share a block. */
enum { BLOCK = 2 << 20, LEAST = 20 << 20 };

bool od_fit_request(const struct od_fit_facts *facts, struct od_request_span *ret_bytes)
{
    struct od_bytes asked = facts->failure->asked;
    bool caching =
        facts->framework == OD_FW_PYTORCH && !facts->failure->incident->tensor.shape.known;
    if (!caching || !asked.known || asked.lo <= LEAST || !facts->batch.known ||
        facts->batch.n == 0 || facts->batch_certainty == OD_POSSIBLE)
        return false;
    *ret_bytes = (struct od_request_span){(double)asked.lo - BLOCK, (double)asked.hi};
    return true;
}

uint64_t od_fit_count(const struct od_model *model)
{
    struct od_workload workload = od_workload_defaults(model);
    struct od_diags *unread = od_diags_new();
    struct od_arena *scratch = od_arena_new();
    struct od_estimate estimate;
    bool ok = od_estimate(&workload, scratch, unread, &estimate);
    od_diags_free(unread);
    od_arena_free(scratch);
    return ok ? estimate.parameters : 0;
}

/* --- sequence length --- */

static bool ends_in(const struct od_incident *incident, enum od_frame_meaning meaning)
{
    return incident->nframes > 0 &&
           od_means(incident->frames[incident->nframes - 1].means, meaning);
}

/* Is the request for logits? The model's outer forward calls the body, which calls the blocks.
 * Logits are allocated by the outermost one, or by a loss function. */
static bool is_of_logits(const struct od_incident *incident)
{
    size_t models = 0;
    for (size_t i = 0; i < incident->nframes; i++)
        models += od_means(incident->frames[i].means, OD_FRAME_MODEL_FORWARD);
    return od_incident_calls(incident, OD_FRAME_LOSS) ||
           od_incident_ends_in(incident, OD_FRAME_LOGITS) ||
           (models == 1 &&
            (ends_in(incident, OD_FRAME_MODEL_FORWARD) || ends_in(incident, OD_FRAME_LINEAR)));
}

/* The head computes logits in its own type; the loss converts them to float32. */
static unsigned width_of_logits(const struct od_fit_facts *facts)
{
    const struct od_incident *incident = facts->failure->incident;
    return facts->sixteen_bit && ends_in(incident, OD_FRAME_LINEAR) ? 2 : 4;
}

/* The most usual sequence length that the request allows, if all lengths are within one block. A
 * loss often covers one token less, because the last token has no label. */
static uint64_t length_in(struct od_request_span tokens, double batch)
{
    enum { COMMON = 64, SHORTEST = 64 };
    uint64_t least = (uint64_t)floor(tokens.lo / batch) + 1, most = (uint64_t)(tokens.hi / batch);
    if (most < SHORTEST || least > most)
        return 0;
    uint64_t round = (most + 1) / COMMON * COMMON;
    return round >= least ? round : most;
}

/* Length in a shape batch x heads x length x length, or batch x length x width; 0 = neither. */
static uint64_t length_of_shape(const struct od_transformer *t, const struct od_shape *shape)
{
    const struct od_count widths[] = {t->hidden, t->intermediate, t->vocab};
    const uint64_t *dims = shape->dims;
    if (!shape->known)
        return 0;
    if (shape->n == 4 && dims[1] == t->heads.n && dims[2] == dims[3])
        return dims[2];
    for (size_t i = 0; shape->n == 3 && i < OD_COUNT_OF(widths); i++)
        if (widths[i].known && dims[2] == widths[i].n)
            return dims[1];
    return 0;
}

static void find_length(struct od_fit_facts *facts)
{
    const struct od_transformer *t = &facts->model->transformer;
    struct od_request_span bytes;
    struct od_count split = od_failure_setting(facts->q->c, OD_SETTING_TENSOR_PARALLEL_SIZE,
                                               &facts->failure->incident->at);
    /* an encoder-decoder has two lengths, and a part of the vocabulary shows nothing */
    if (t->decoder_layers.known || (split.known && split.n > 1))
        return;
    facts->length = length_of_shape(t, &facts->failure->incident->tensor.shape);
    if (facts->length > 0 || !t->vocab.known || t->vocab.n == 0 || !od_fit_request(facts, &bytes) ||
        !is_of_logits(facts->failure->incident))
        return;
    double token = (double)t->vocab.n * width_of_logits(facts);
    struct od_request_span tokens = {bytes.lo / token, bytes.hi / token};
    uint64_t length = length_in(tokens, (double)facts->batch.n);
    if (!t->positions.known || t->positions.n == 0 || length <= t->positions.n)
        facts->length = length;
}

static bool requests(const struct od_fit_facts *facts, enum od_product_kind kind)
{
    return facts->product && facts->product->kind == kind;
}

static struct od_model *copy_of(const struct od_fit_facts *facts)
{
    struct od_model *model = OD_NEW(facts->arena, struct od_model);
    *model = *facts->model;
    return model;
}

/* --- head over the vocabulary --- */

/* Finds a head if the configuration names no class but the failed tensor has the size of logits. */
static void find_head(struct od_fit_facts *facts)
{
    const struct od_transformer *t = &facts->model->transformer;
    if (t->head != OD_HEAD_NONE || t->decoder_layers.known || !requests(facts, OD_PRODUCT_LOGITS))
        return;
    struct od_model *model = copy_of(facts);
    model->transformer.head = t->traits & OD_TR_CAUSAL ? OD_HEAD_LM : OD_HEAD_PRETRAIN;
    facts->model = model;
}

/* Older versions of transformers used no fused kernel unless requested. */
static bool is_too_old(const struct od_fit_facts *facts)
{
    struct od_view version = od_case_setting(facts->q->c, OD_SETTING_TRANSFORMERS_VERSION);
    return od_version_at_least(version, "4.36") == OD_NO;
}

static void set_attention(struct od_fit_facts *facts, uint32_t trait)
{
    struct od_model *model = copy_of(facts);
    model->transformer.traits &= ~(uint32_t)(OD_TR_EAGER | OD_TR_FUSED);
    model->transformer.traits |= trait;
    facts->model = model;
}

static void find_attention(struct od_fit_facts *facts)
{
    uint64_t said = od_value_means(od_case_setting(facts->q->c, OD_SETTING_ATTENTION));
    if (od_means(said, OD_VALUE_FUSED) || od_means(said, OD_VALUE_ON))
        set_attention(facts, OD_TR_FUSED);
    else if (od_means(said, OD_VALUE_EAGER) || is_too_old(facts) ||
             requests(facts, OD_PRODUCT_SCORES))
        set_attention(facts, OD_TR_EAGER);
}

void od_fit_read_request(struct od_fit_facts *facts)
{
    if (!facts->model || !facts->model->transformer.known)
        return;
    if (od_fit_workload(facts).sequence == 0)
        find_length(facts);
    bool described = facts->q->model == facts->model;
    find_head(facts);
    if (!described) /* the user's own description is not changed */
        find_attention(facts);
}
