/*
 * Replays training steps of the layer table (of the log, or given by the user) in the simulated
 * allocator (estimate/replay.h). Compares the memory in use at the failure with the replay, if the
 * dump shows it, and widens the range if they differ.
 */
#include "fit/facts.h"

#include "estimate/replay.h"

#include <math.h>

/* relative difference of the memory in use: up to agrees it fits, above strays it is wrong */
static const double agrees = 0.1, strays = 0.4;

static bool says_growth(const struct od_fit_facts *facts)
{
    const struct od_case *c = facts->q->c;
    const struct od_allocator *dump = facts->failure->dump;
    if (od_fit_says(c, OD_SETTING_ALLOW_GROWTH, OD_VALUE_ON))
        return true;
    return dump && dump->dump.family == OD_FAMILY_BFC && dump->dump.regions.n > 1;
}

/* The row of the layer that the failed operation names, as in
 * "model/conv4_block3_3_bn/FusedBatchNormV3:2"; empty = none. */
static struct od_view layer_of(const struct od_fit_facts *facts)
{
    struct od_view rest = facts->failure->op, segment, found = {0};
    const struct od_model *model = facts->model;
    while (od_view_cut(&rest, '/', &segment))
        for (size_t i = 0; i < model->layers.n; i++)
            if (segment.n > 0 && od_view_eq(model->layers.items[i].name, segment))
                found = segment;
    return found;
}

/* Gradient operations have names that show it; those of updates begin with the optimizer's. */
static enum od_tri is_backward(uint64_t op)
{
    return od_means(op, OD_OP_GRADIENT)                               ? OD_YES
           : od_means(op, OD_OP_UPDATE) || !od_means(op, OD_OP_NAMED) ? OD_CANNOT_TELL
                                                                      : OD_NO;
}

/* Is the update a fused kernel, whose name contains "Apply"? An update of arithmetic operations
 * works with copies of the variable. */
static enum od_tri is_fused(uint64_t op)
{
    return !od_means(op, OD_OP_UPDATE)      ? OD_CANNOT_TELL
           : od_means(op, OD_OP_FUSED)      ? OD_YES
           : od_means(op, OD_OP_ARITHMETIC) ? OD_NO
                                            : OD_CANNOT_TELL;
}

/* Bytes of one number for each unit and step of a recurrent layer for the batch; 0 = unknown. */
static double unit_of(const struct od_fit_facts *facts, const struct od_layer *layers, size_t i)
{
    const struct od_shape *out = &layers[i].output;
    const struct od_shape *in = i > 0 ? &layers[i - 1].output : NULL;
    const struct od_shape *steps = out->n == 3 ? out : in && in->n == 3 ? in : NULL;
    if (layers[i].kind != OD_LAYER_RECURRENT || out->n < 2 || !steps ||
        steps->dims[1] == OD_DIM_UNKNOWN || out->dims[out->n - 1] == OD_DIM_UNKNOWN)
        return 0;
    bool both_ways = od_means(od_op_means(layers[i].type), OD_OP_BIDIRECTIONAL);
    /* one kernel for each direction */
    double units = (double)out->dims[out->n - 1] / (both_ways ? 2 : 1);
    return (double)facts->batch.n * (double)steps->dims[1] * units * (facts->sixteen_bit ? 2 : 4);
}

/* Bytes of a recurrent layer's reserve, a buffer with gates and cells whose size only the library
 * knows. Known if it is the failed request. */
static double reserve_of(const struct od_fit_facts *facts)
{
    static const double least = 4.5;
    const double most = facts->sixteen_bit ? 18 : 9; /* may be floats in 16-bit training */
    bool asked = od_means(facts->failure->op_means, OD_OP_RECURRENT) && facts->failure->need.known;
    for (size_t i = 0; facts->batch.known && i < facts->model->layers.n; i++) {
        double unit = unit_of(facts, facts->model->layers.items, i);
        double part = unit > 0 && asked ? (double)facts->failure->need.n / unit : 0;
        if (part >= least && part <= most)
            return part;
    }
    return 0;
}

/* --- the question for the replay --- */

static struct od_replay_question question_of(const struct od_fit_facts *facts,
                                             const struct od_workload *workload)
{
    struct od_replay_question question = {
        .workload = workload,
        .limit = facts->limit,
        .growth = says_growth(facts),
        .fused = is_fused(facts->failure->op_means),
        .gradients_held = OD_CANNOT_TELL,
        .reserve = workload->on_cpu ? 0 : reserve_of(facts),
    };
    question.slots = facts->slots;
    if (facts->holding && facts->holding->optimizer_copies.known && !facts->slots.known)
        question.slots = facts->holding->optimizer_copies;
    bool scaled = facts->sixteen_bit && facts->framework == OD_FW_TENSORFLOW;
    if (scaled || facts->shares > 1)
        question.gradients_held = OD_YES;
    return question;
}

/* Requested bytes of the memory in use. Bins print them rounded; otherwise chunks are slightly
 * larger than requests. */
static struct od_bytes requested_of(const struct od_allocator *dump)
{
    static const double rounded = 0.003, wasted = 0.03;
    struct od_bytes all = od_bytes_exact(dump->in_use_bytes);
    double sum = 0;
    for (size_t i = 0; i < dump->dump.bins.n; i++)
        sum += (double)dump->dump.bins.items[i].requested_in_use.n;
    bool told = sum > (double)all.n / 2 && sum < (double)all.n * (1 + rounded);
    all.lo = (uint64_t)(told ? sum * (1 - rounded) : (double)all.n * (1 - wasted));
    all.hi = told ? (uint64_t)(sum * (1 + rounded)) : all.n;
    return all;
}

/* Describes the failure as a moment of a step, if the dump shows the memory in use. */
static void look_at_failure(const struct od_fit_facts *facts, struct od_replay_question *question)
{
    const struct od_allocator *dump = facts->failure->dump;
    struct od_replay_moment moment = {.layer = layer_of(facts),
                                      .request = facts->failure->need.known
                                                     ? od_count_of(facts->failure->need.n)
                                                     : (struct od_count){0}};
    moment.backward = is_backward(facts->failure->op_means);
    /* a table that was not printed must agree, even if the layer has no name */
    bool named = moment.layer.n > 0 || facts->rebuilt || facts->network;
    if (!dump || !dump->has_chunks || !facts->batch.known || !named)
        return;
    moment.batch = facts->batch.n;
    question->seen = moment;
    question->lived = requested_of(dump);
}

/* Relative difference between the memory in use at the failure and the replay. Negative if the
 * replay lacks this moment, 0 if unknown. */
static double differs(const struct od_fit_facts *facts, const struct od_replay_question *question)
{
    return question->lived.known ? od_replay_differs(question, facts->arena) : 0;
}

/* Can the features be frozen? The sizes of a public network without optimizer states do not show
 * whether they train. */
static bool may_be_frozen(const struct od_fit_facts *facts)
{
    return facts->network && facts->slots.known && facts->slots.n == 0;
}

/* Chooses the table closest to the failure among those with the same kernel sizes. ret_off[i] is
 * the difference of each. */
static void choose_guess(const struct od_fit_facts *facts, struct od_workload *workload,
                         const struct od_replay_question *question, double *ret_off)
{
    const struct od_model *best = workload->model;
    double off = -1;
    for (size_t i = 0; i < facts->nguesses; i++) {
        workload->model = facts->guesses[i];
        ret_off[i] = differs(facts, question);
        if (ret_off[i] >= 0 && (off < 0 || ret_off[i] < off)) {
            off = ret_off[i];
            best = workload->model;
        }
    }
    workload->model = best;
}

/* Widens the range to include equally likely tables. False if it becomes too wide to be useful. */
static bool heed_rivals(const struct od_fit_facts *facts, const struct od_replay_question *question,
                        const double *off, double best, struct od_replay_answer *answer)
{
    static const double as_near = 0.005, widest = 2;
    struct od_workload workload = *question->workload;
    struct od_replay_question other = *question;
    struct od_replay_answer rival;
    other.workload = &workload;
    for (size_t i = 0; i < facts->nguesses; i++) {
        workload.model = facts->guesses[i];
        if (workload.model == question->workload->model || off[i] < 0 || off[i] > best + as_near ||
            !od_replay_largest(&other, facts->arena, &rival))
            continue;
        answer->lo = rival.lo < answer->lo ? rival.lo : answer->lo;
        answer->hi = rival.hi > answer->hi ? rival.hi : answer->hi;
        answer->safe = rival.safe < answer->safe ? rival.safe : answer->safe;
    }
    return facts->nguesses < 2 || (double)answer->hi <= widest * (double)answer->lo;
}

/* For another device: the factor by which the failure reduces the largest batch. It is below 1 if
 * the replay would have let the failed batch pass, so the step needs more than the table shows. */
static double less_by_failure(const struct od_fit_facts *facts,
                              const struct od_replay_question *question)
{
    struct od_replay_question then = *question;
    struct od_replay_answer plain, heeded;
    then.limit = facts->limit_then;
    if (!facts->moved || !facts->batch.known || then.limit == 0 ||
        !od_replay_largest(&then, facts->arena, &plain) || plain.largest < facts->batch.n)
        return 0;
    then.failed = facts->batch;
    if (!od_replay_largest(&then, facts->arena, &heeded) || plain.largest == 0)
        return 0;
    return (double)heeded.largest / (double)plain.largest;
}

/* Is the memory in use too different from the replay to describe this moment? */
static bool is_apart(const struct od_fit_facts *facts, double off)
{
    return off > (facts->rebuilt ? agrees : strays) || (facts->rebuilt && off < 0);
}

bool od_fit_by_table(const struct od_fit_facts *facts, struct od_hypothesis *ret_found)
{
    struct od_replay_answer answer;
    double off_of[OD_COUNT_OF(facts->guesses)];
    if (!facts->model || facts->limit == 0)
        return false;
    struct od_workload workload = od_fit_workload(facts);
    struct od_replay_question question = question_of(facts, &workload);
    look_at_failure(facts, &question);
    choose_guess(facts, &workload, &question, off_of);
    double off = differs(facts, &question);
    /* with and without frozen features the steps differ by more than any range */
    if (may_be_frozen(facts))
        return false;
    bool apart = is_apart(facts, off);
    if (apart) { /* leaked memory and memory outside of the model are not part of a step */
        question.lived.known = false;
        off = 0;
    }
    if (!od_replay_largest(&question, facts->arena, &answer) ||
        (!apart && !heed_rivals(facts, &question, off_of, off, &answer)))
        return false;
    double more = off > agrees ? 1 + off : facts->rebuilt ? 1.1 : facts->network ? 1.05 : 1;
    *ret_found = (struct od_hypothesis){
        .median = (double)answer.largest + 0.5,
        .off = question.lived.known ? off : -1,
        .less = less_by_failure(facts, &question),
        .needs_others = apart,
        .lo = (double)answer.lo / more,
        .hi = (double)(answer.hi + 1) * more,
        .safe = answer.safe,
        .safe_known = answer.safe > 0, /* the optimizer's update is assumed and may fit nowhere */
        .fixed = od_bytes_exact(answer.fixed),
        .basis = facts->network
                     ? od_arena_printf(facts->arena,
                                       facts->failure->dump
                                           ? "the sizes in the dump are those of %s: its "
                                             "steps replayed through the allocator"
                                           : "the log names %s, and the refused request "
                                             "is an output of one of its layers: its "
                                             "steps replayed through the allocator",
                                       facts->network)
                 : facts->rebuilt ? "layers identified by the sizes of their kernels, in order of "
                                    "allocation: their steps replayed through the allocator"
                 : off > agrees   ? "the layer table's steps replayed through the allocator; the "
                                    "memory in use at the failure differs somewhat"
                                  : "the layer table's steps replayed through the allocator",
        .memory_basis = "variables and optimizer states of the layer table; the rest of the limit "
                        "is for samples",
    };
    return true;
}
