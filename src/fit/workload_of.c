/*
 * Describes the run as a workload according to the log's settings: precision, optimizer and, for a
 * transformer, its sequences, its distribution over devices and its checkpointing. The user's knobs
 * replace settings.
 */
#include "fit/facts.h"

#include "plan/recipe.h"

static struct od_count first_of(const struct od_fit_facts *facts, const enum od_setting_id *ids)
{
    struct od_count value = {0};
    for (; *ids && !value.known; ids++)
        value = od_failure_setting(facts->q->c, *ids, &facts->failure->incident->at);
    return value;
}

static void take_count(const struct od_fit_facts *facts, const enum od_setting_id *ids,
                       uint64_t *to)
{
    enum { MOST = 1 << 20 };
    struct od_count value = first_of(facts, ids);
    if (value.known && value.n > 0 && value.n <= MOST)
        *to = value.n;
}

static void take_sharding(const struct od_fit_facts *facts, struct od_workload *w)
{
    static const enum od_setting_id stages[] = {OD_SETTING_ZERO_STAGE, OD_SETTING_NONE};
    struct od_count stage = first_of(facts, stages);
    if (stage.known && stage.n <= 3)
        w->zero_stage = (unsigned)stage.n;
    w->fsdp = od_fit_says(facts->q->c, OD_SETTING_SHARDING, OD_VALUE_SHARDS_ALL);
    if (!stage.known && od_fit_says(facts->q->c, OD_SETTING_SHARDING, OD_VALUE_SHARDS_STATES))
        w->zero_stage = 1;
    w->offload_optimizer = od_case_setting(facts->q->c, OD_SETTING_OFFLOAD_OPTIMIZER).n > 0;
    w->offload_params = od_case_setting(facts->q->c, OD_SETTING_OFFLOAD_PARAM).n > 0;
}

static void take_checkpointing(const struct od_case *c, struct od_workload *w)
{
    uint64_t said = od_value_means(od_case_setting(c, OD_SETTING_CHECKPOINTING));
    if (od_means(said, OD_VALUE_SELECTIVE))
        w->checkpointing = OD_CKPT_SELECTIVE;
    else if (od_means(said, OD_VALUE_RECOMPUTED) || od_means(said, OD_VALUE_ON))
        w->checkpointing = OD_CKPT_FULL;
}

/* Assumes a usual adapter rank if none is printed. The trained part is small at any rank. */
static void take_adapters(const struct od_fit_facts *facts, struct od_workload *w)
{
    enum { RANK_USUAL = 16 };
    static const enum od_setting_id ranks[] = {OD_SETTING_LORA_RANK, OD_SETTING_NONE};
    static const enum od_setting_id bits[] = {OD_SETTING_QUANTIZE_BITS, OD_SETTING_NONE};
    struct od_count stored = first_of(facts, bits);
    if (od_fit_says(facts->q->c, OD_SETTING_LORA, OD_VALUE_ON))
        w->lora_rank = RANK_USUAL;
    take_count(facts, ranks, &w->lora_rank);
    if (stored.known && (stored.n == 4 || stored.n == 8))
        w->quantize_bits = (unsigned)stored.n;
}

static void take_settings(const struct od_fit_facts *facts, struct od_workload *w)
{
    static const enum od_setting_id lengths[] = {
        OD_SETTING_SEQUENCE_LENGTH, OD_SETTING_SEQ_LENGTH,     OD_SETTING_MAX_SEQ_LENGTH,
        OD_SETTING_MAX_SEQ_LEN,     OD_SETTING_CONTEXT_LENGTH, OD_SETTING_BLOCK_SIZE,
        OD_SETTING_CUTOFF_LEN,      OD_SETTING_MAX_LENGTH,     OD_SETTING_NONE};
    static const enum od_setting_id worlds[] = {OD_SETTING_WORLD_SIZE, OD_SETTING_NUM_GPUS,
                                                OD_SETTING_NPROC_PER_NODE, OD_SETTING_NONE};
    static const enum od_setting_id steps[] = {OD_SETTING_ACCUMULATION, OD_SETTING_NONE};
    static const enum od_setting_id tensor[] = {OD_SETTING_TENSOR_PARALLEL_SIZE, OD_SETTING_NONE};
    static const enum od_setting_id pipeline[] = {OD_SETTING_PIPELINE_PARALLEL_SIZE,
                                                  OD_SETTING_NONE};
    w->sequence = facts->length;
    take_count(facts, lengths, &w->sequence);
    take_count(facts, worlds, &w->world_size);
    take_count(facts, steps, &w->accumulation);
    take_count(facts, tensor, &w->tensor_parallel);
    take_count(facts, pipeline, &w->pipeline_parallel);
    take_adapters(facts, w);
    take_sharding(facts, w);
    take_checkpointing(facts->q->c, w);
}

const struct od_plan_request *od_fit_command(const struct od_case *c, struct od_arena *arena)
{
    static const struct od_plan_request none;
    struct od_plan_request *options = OD_NEW(arena, struct od_plan_request);
    struct od_diags *unread = od_diags_new();
    struct od_recipe recipe;
    bool found = false;
    for (size_t i = c->commands.n; !found && i > 0; i--) {
        struct od_view line = c->commands.items[i - 1].text;
        while (line.n > 0 && !od_is_word(line.p[0])) /* skips the prompt */
            line = od_view_from(line, 1);
        found = od_recipe_read(line, NULL, arena, unread, &recipe) && !recipe.bad;
    }
    if (found)
        od_recipe_apply(&recipe, &none, options, arena, unread);
    od_diags_free(unread);
    return found ? options : NULL;
}

/* The user's knobs replace the log's settings. */
static void take_knobs(const struct od_plan_request *request, struct od_workload *w)
{
    const struct od_workload *given = &request->workload;
    if (request->precision_given)
        w->precision = given->precision;
    if (request->optimizer_given)
        w->optimizer = given->optimizer;
    if (od_knob_said(request, "seq"))
        w->sequence = given->sequence;
    if (od_knob_said(request, "checkpointing")) {
        w->checkpointing = given->checkpointing;
        w->checkpoint_every = given->checkpoint_every;
    }
}

/* Were weights moved to the device without any sign of training? */
static bool loads_to_serve(const struct od_fit_facts *facts)
{
    const struct od_failure *failure = facts->failure;
    bool training = failure->phase != OD_PHASE_LOAD || failure->progress > 0 || facts->batch.known;
    return !training && !od_use_says_training(facts->q->c) && facts->model &&
           facts->model->transformer.known;
}

/* DeepSpeed and Megatron store weights in 16 bit and add a float32 copy. */
static bool keeps_masters(const struct od_case *c)
{
    return od_case_setting(c, OD_SETTING_ZERO_STAGE).n > 0 ||
           od_case_setting(c, OD_SETTING_PIPELINE_PARALLEL_SIZE).n > 0;
}

static bool on_cpu(const struct od_fit_facts *facts)
{
    return facts->failure->incident && od_view_eq_str(facts->failure->incident->device, "CPU");
}

struct od_workload od_fit_workload(const struct od_fit_facts *facts)
{
    struct od_workload workload = od_workload_defaults(facts->model);
    enum od_optimizer optimizer;
    if (facts->supposed)
        return *facts->supposed;
    workload.framework = facts->framework;
    if (facts->sixteen_bit)
        workload.precision =
            facts->framework == OD_FW_TENSORFLOW ? OD_PREC_AMP_FP16 : OD_PREC_AMP_BF16;
    if (facts->sixteen_bit && keeps_masters(facts->q->c))
        workload.precision = OD_PREC_BF16;
    workload.on_cpu = facts->framework == OD_FW_TENSORFLOW && on_cpu(facts);
    workload.onednn = od_fit_says(facts->q->c, OD_SETTING_ONEDNN, OD_VALUE_ON);
    workload.inference = facts->evaluates || facts->serves || loads_to_serve(facts);
    if (od_fit_optimizer(facts->q->c, &optimizer))
        workload.optimizer = optimizer;
    if (facts->model && facts->model->transformer.known)
        take_settings(facts, &workload);
    if (facts->model && facts->model->measured.known)
        workload.image_h = workload.image_w =
            od_failure_setting(facts->q->c, OD_SETTING_IMAGE_SIZE, &facts->failure->incident->at).n;
    if (facts->command)
        take_knobs(facts->command, &workload);
    if (facts->q->request)
        take_knobs(facts->q->request, &workload);
    return workload;
}
