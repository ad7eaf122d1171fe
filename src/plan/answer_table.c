/*
 * The layer table of the log, or the user's, run as training steps through the simulated allocator
 * (estimate/replay.h). Where the dump shows how much was in use when the step failed, the replay is
 * held against it: a step that is not the simulated one is no guide, and its range grows.
 */
#include "plan/answer_facts.h"

#include "estimate/replay.h"

#include <math.h>

static const double agrees = 0.1, strays = 0.4; /* of the bytes that live at the failure */

static bool says_growth(const struct od_answer_facts *facts)
{
    static const char *const on[] = {"true", "1", "yes", "on", NULL};
    const struct od_case *c = facts->q->c;
    const struct od_allocator *dump = facts->scene.dump;
    if (od_answer_is_set(c, "allow_growth", on) || od_answer_is_set(c, "memory_growth", on))
        return true;
    return dump && dump->dump.family == OD_FAMILY_BFC && dump->dump.regions.n > 1;
}

struct od_workload od_answer_workload(const struct od_answer_facts *facts)
{
    struct od_workload workload = od_workload_defaults(facts->model);
    workload.framework = facts->framework;
    if (facts->sixteen_bit)
        workload.precision =
            facts->framework == OD_FW_TENSORFLOW ? OD_PREC_AMP_FP16 : OD_PREC_AMP_BF16;
    workload.inference = facts->evaluates;
    enum od_optimizer optimizer;
    if (od_answer_optimizer(facts->q->c, &optimizer))
        workload.optimizer = optimizer;
    return workload;
}

static struct od_replay_question question_of(const struct od_answer_facts *facts,
                                             const struct od_workload *workload)
{
    static const char *const expandable[] = {"expandable_segments", NULL};
    struct od_replay_question question = {
        .workload = workload,
        .limit = facts->limit,
        .growth = says_growth(facts),
        .expandable = od_answer_is_set(facts->q->c, "allocator_options", expandable),
        .fused = OD_CANNOT_TELL,
        .gradients_held = OD_CANNOT_TELL,
    };
    question.slots = facts->slots;
    if (facts->holding && facts->holding->optimizer_copies.known && !facts->slots.known)
        question.slots = facts->holding->optimizer_copies;
    bool scaled = facts->sixteen_bit && facts->framework == OD_FW_TENSORFLOW;
    if (scaled || facts->shares > 1)
        question.gradients_held = OD_YES;
    if (facts->batch_matters && !facts->moved)
        question.failed = facts->batch;
    return question;
}

/* "model/conv4_block3_3_bn/FusedBatchNormV3:2": the row of the table it names; empty = none. */
static struct od_view layer_of(const struct od_answer_facts *facts)
{
    struct od_view rest = facts->scene.op, segment, found = {0};
    const struct od_model *model = facts->model;
    while (od_view_cut(&rest, '/', &segment))
        for (size_t i = 0; i < model->layers.n; i++)
            if (segment.n > 0 && od_view_eq(model->layers.items[i].name, segment))
                found = segment;
    return found;
}

/* Part by which what lived at the failure differs from the replay; negative where the replay has no
 * such moment, 0 where it cannot be told. */
static double differs(const struct od_answer_facts *facts,
                      const struct od_replay_question *question)
{
    const struct od_allocator *dump = facts->scene.dump;
    struct od_replay_moment moment = {.layer = layer_of(facts),
                                      .request = facts->scene.need.known
                                                     ? od_count_of(facts->scene.need.n)
                                                     : (struct od_count){0}};
    struct od_bytes live;
    bool backward = od_view_has(facts->scene.op, OD_VIEW("gradient"));
    moment.backward = facts->scene.op.n == 0 ? OD_CANNOT_TELL : backward ? OD_YES : OD_NO;
    /* a table that nobody printed must agree, whatever the layer is called */
    bool named = moment.layer.n > 0 || facts->rebuilt;
    if (!dump || !dump->has_chunks || !facts->batch.known || !named)
        return 0;
    moment.batch = facts->batch.n;
    if (!od_replay_live(question, &moment, facts->arena, &live) || live.n == 0)
        return -1;
    double held = (double)dump->in_use_bytes;
    double lo = (double)live.lo, hi = (double)live.hi * 1.03; /* chunks are more than requests */
    return held < lo ? lo / held - 1 : held > hi ? held / hi - 1 : 0;
}

/* A row "Activation" does not print its function. ReLU's output is what its gradient reads; Swish's
 * and GELU's read the input, which then lives beside the output. NULL = no such row. */
static const struct od_model *with_smooth(const struct od_model *model, struct od_arena *arena)
{
    enum { ROWS_LEAST = 3 };
    struct od_model *smooth = OD_NEW(arena, struct od_model);
    size_t rows = 0;
    *smooth = *model;
    smooth->layers.items = OD_NEW_N(arena, model->layers.n + 1, struct od_layer);
    for (size_t i = 0; i < model->layers.n; i++) {
        smooth->layers.items[i] = model->layers.items[i];
        if (model->layers.items[i].kind != OD_LAYER_ACTIVATION)
            continue;
        smooth->layers.items[i].kind = OD_LAYER_SMOOTH;
        rows++;
    }
    return rows >= ROWS_LEAST ? smooth : NULL;
}

/* Takes the function with which the replay is nearer to what lived at the failure. */
static double choose_function(const struct od_answer_facts *facts, struct od_workload *workload,
                              struct od_replay_question *question)
{
    static const double clearly = 0.02;
    double off = differs(facts, question);
    const struct od_model *smooth =
        off < 0 || off > clearly ? with_smooth(workload->model, facts->arena) : NULL;
    if (!smooth)
        return off;
    const struct od_model *plain = workload->model;
    workload->model = smooth;
    double other = differs(facts, question);
    if (other >= 0 && (off < 0 || other < off - clearly))
        return other;
    workload->model = plain;
    return off;
}

bool od_answer_by_table(const struct od_answer_facts *facts, struct od_answer_found *ret_found)
{
    struct od_replay_answer answer;
    if (!facts->model || facts->limit == 0)
        return false;
    struct od_workload workload = od_answer_workload(facts);
    struct od_replay_question question = question_of(facts, &workload);
    /* What leaks or lies beside the model is no part of a step. */
    double off = facts->batch_matters ? choose_function(facts, &workload, &question) : 0;
    if (off > (facts->rebuilt ? agrees : strays) || (facts->rebuilt && off < 0) ||
        !od_replay_largest(&question, facts->arena, &answer))
        return false;
    double more = off > agrees ? 1 + off : facts->rebuilt ? 1.1 : facts->network ? 1.05 : 1;
    *ret_found = (struct od_answer_found){
        .median = (double)answer.largest + 0.5,
        .lo = (double)answer.lo / more,
        .hi = (double)(answer.hi + 1) * more,
        .safe = answer.safe,
        .safe_known = answer.safe > 0, /* a guess of the update may fit nowhere */
        .fixed = od_bytes_exact(answer.fixed),
        .basis = facts->network ? od_arena_printf(facts->arena,
                                                  "the sizes in the dump are those of %s: its "
                                                  "steps replayed through the allocator",
                                                  facts->network)
                 : facts->rebuilt
                     ? "layers told by the sizes of their kernels, in the order of allocation: "
                       "their steps replayed through the allocator"
                 : off > agrees
                     ? "the layer table's steps replayed through the allocator; what was in use at "
                       "the failure is somewhat different"
                     : "the layer table's steps replayed through the allocator",
        .memory_basis = "variables and optimizer states of the layer table; the rest of the limit "
                        "for the samples that fit",
    };
    return true;
}
