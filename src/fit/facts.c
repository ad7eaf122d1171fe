#include "fit/facts.h"

#include "estimate/parameters.h"
#include "facts/accelerator.h"

#include <math.h>

static bool has_sixteen_bit_sizes(const struct od_incident *incident)
{
    enum od_dtype dtype = incident->tensor.dtype;
    return dtype == OD_FLOAT16 || dtype == OD_BFLOAT16;
}

/* Printed name of the 16-bit type in use: "bf16", "float16" for the failed tensor. Empty = none. */
struct od_view od_fit_sixteen_bit(const struct od_case *c, const struct od_incident *incident)
{
    static const enum od_setting_id types[] = {OD_SETTING_PRECISION, OD_SETTING_MIXED_PRECISION,
                                               OD_SETTING_DTYPE,     OD_SETTING_TORCH_DTYPE,
                                               OD_SETTING_AMP,       OD_SETTING_NONE};
    for (const enum od_setting_id *id = types; *id; id++)
        if (od_fit_says(c, *id, OD_VALUE_SIXTEEN_BIT) || od_fit_says(c, *id, OD_VALUE_MIXED))
            return od_case_setting(c, *id);
    return has_sixteen_bit_sizes(incident) ? od_view_of(od_dtype_name(incident->tensor.dtype))
                                           : (struct od_view){0};
}

static enum od_framework framework_of(const struct od_fit_facts *facts)
{
    enum od_framework framework = OD_FW_PYTORCH;
    struct od_view said = od_case_setting(facts->q->c, OD_SETTING_FRAMEWORK);
    if (od_framework_find(facts->failure->incident->producer, &framework) ||
        od_framework_find(said, &framework) ||
        (facts->model && od_framework_find(facts->model->framework, &framework)))
        return framework;
    return facts->failure->dump && facts->failure->dump->dump.family == OD_FAMILY_BFC
               ? OD_FW_TENSORFLOW
               : OD_FW_PYTORCH;
}

/* Number of devices that share the printed batch size, if the failed tensor has a part of it. */
static uint64_t shares_of(const struct od_fit_facts *facts, struct od_count stated,
                          struct od_count on_device)
{
    enum { MOST = 64 };
    if (!stated.known || !on_device.known || on_device.n == 0 || stated.n % on_device.n != 0)
        return 1;
    uint64_t shares = stated.n / on_device.n;
    struct od_count world =
        od_failure_setting(facts->q->c, OD_SETTING_WORLD_SIZE, &facts->failure->incident->at);
    struct od_count replicas =
        od_failure_setting(facts->q->c, OD_SETTING_REPLICAS, &facts->failure->incident->at);
    bool several = facts->q->c->devices.n >= shares || (world.known && world.n == shares) ||
                   (replicas.known && replicas.n == shares);
    return shares > 1 && shares <= MOST && several ? shares : 1;
}

/* Does an activation have more samples than the printed batch size, and not a multiple of it (time
 * steps are often folded in)? The printed size then belongs to another run, or to training while
 * validation failed. */
static bool shows_another(const struct od_fit_facts *facts, struct od_count stated)
{
    const struct od_failure *failure = facts->failure;
    const struct od_shape *shape = &failure->incident->tensor.shape;
    return stated.known && stated.n > 0 && failure->hint.role == OD_TENSOR_ACTIVATION &&
           shape->known && shape->n >= 4 && shape->dims[0] != OD_DIM_UNKNOWN &&
           shape->dims[0] > stated.n && (facts->evaluates || shape->dims[0] % stated.n != 0);
}

/* The batch of one device in one step, computed from the global batch of an update. */
static struct od_count part_of(const struct od_fit_facts *facts, struct od_count global)
{
    const struct od_prov *at = &facts->failure->incident->at;
    struct od_count world = od_failure_setting(facts->q->c, OD_SETTING_WORLD_SIZE, at);
    struct od_count steps = od_failure_setting(facts->q->c, OD_SETTING_ACCUMULATION, at);
    uint64_t parts = world.known && world.n > 0 ? world.n : 1;
    if (steps.known && steps.n > 0 && ckd_mul(&parts, parts, steps.n))
        return global;
    return global.known && global.n % parts == 0 ? od_count_of(global.n / parts) : global;
}

static void find_batch(struct od_fit_facts *facts)
{
    const struct od_plan_request *request = facts->q->request;
    const struct od_attribution *attribution = facts->q->attribution;
    const struct od_failure *failure = facts->failure;
    struct od_count global =
        od_failure_setting(facts->q->c, OD_SETTING_GLOBAL_BATCH_SIZE, &failure->incident->at);
    if (!global.known)
        global = od_failure_setting(facts->q->c, OD_SETTING_IMS_PER_BATCH, &failure->incident->at);
    struct od_count stated = failure->batch.known ? failure->batch : global;
    facts->shares = 1;
    bool credible = attribution && attribution->batch.known && attribution->batch.n > 0 &&
                    (!stated.known || attribution->batch.n <= stated.n);
    if (credible) {
        facts->batch = attribution->batch;
        facts->batch_certainty = attribution->batch_certainty;
    } else if (failure->hint.role == OD_TENSOR_ACTIVATION && failure->hint.batch.known) {
        facts->batch = failure->hint.batch;
        facts->batch_certainty = failure->batch.known ? OD_LIKELY : OD_POSSIBLE;
    } else if (stated.known &&
               !od_failure_is_server(failure)) { /* a server forms its own batches */
        facts->batch = failure->batch.known ? stated : part_of(facts, global);
        facts->batch_certainty = OD_LIKELY;
    }
    const struct od_shape *shape = &failure->incident->tensor.shape;
    bool own = !stated.known && failure->hint.role == OD_TENSOR_ACTIVATION && shape->known &&
               shape->n >= 4 &&
               failure->hint.batch.known; /* this is not the batch of another rank */
    bool another = shows_another(facts, stated);
    if (another)
        facts->overruled = stated;
    if (own || another) {
        facts->batch = od_count_of(shape->dims[0]);
        facts->batch_certainty = OD_LIKELY;
    } else if (stated.known && facts->batch.known && facts->batch.n < stated.n)
        facts->shares = shares_of(facts, stated, facts->batch);
    if (request && request->workload.batch > 0) {
        facts->batch = od_count_of(request->workload.batch);
        facts->batch_certainty = OD_CERTAIN;
    }
}

/* Memory that this process may use: its limit, otherwise the rest of the device. */
static uint64_t limit_of(const struct od_failure *failure)
{
    const struct od_incident *incident = failure->incident;
    if (failure->account.conflict)
        return 0;
    if (failure->verdict == OD_VERDICT_DEVICE_REFUSED && failure->pool.known)
        return failure->pool.n; /* the driver gave no more memory */
    if (failure->limit.known)
        return failure->limit.n;
    struct od_bytes room = od_bytes_add(failure->account.own, incident->free);
    if (room.known)
        return room.n;
    return failure->capacity.known ? failure->capacity.n
           : failure->one_device   ? failure->usable.n
                                   : 0;
}

/* Is the device that the user names the one that failed, or one with as much memory? */
static bool is_same_device(const struct od_fit_facts *facts, uint64_t usable)
{
    static const double rounded = 0.03;
    const struct od_bytes *capacity = &facts->failure->capacity;
    struct od_accelerator named;
    OD_FOR_EACH (const struct od_device, device, facts->q->c->devices)
        if (od_accelerator_find(device->name, &named) && named.usable_bytes == usable)
            return true;
    return capacity->known &&
           fabs((double)capacity->n - (double)usable) <= rounded * (double)usable;
}

static void find_memory(struct od_fit_facts *facts)
{
    const struct od_plan_request *request = facts->q->request;
    uint64_t given = request && request->device.name ? request->device.usable_bytes : 0;
    bool same = given > 0 && is_same_device(facts, given);
    facts->limit_then = limit_of(facts->failure);
    facts->limit = given > 0 && !(same && facts->limit_then > 0) ? given : facts->limit_then;
    facts->moved = !same && facts->limit != facts->limit_then;
    const struct od_attribution *attribution = facts->q->attribution;
    if (attribution && facts->failure->dump)
        for (size_t i = 0; i < attribution->nholdings; i++)
            if (attribution->holdings[i].allocator == facts->failure->dump)
                facts->holding = &attribution->holdings[i];
    if (facts->holding && facts->holding->fixed.known) {
        facts->fixed = facts->holding->fixed;
        facts->fixed_basis = facts->holding->basis;
    }
}

/* Does the run need other memory than a training of the model it names? True for scripts that
 * generate, servers, and trainings with several copies of the model (preferences, rewards). */
static bool is_of_another_kind(const struct od_fit_facts *facts)
{
    const struct od_incident *incident = facts->failure->incident;
    return od_incident_calls(incident, OD_FRAME_GENERATE) ||
           od_incident_calls(incident, OD_FRAME_SEVERAL_MODELS) ||
           od_failure_is_server(facts->failure);
}

static bool is_seen_training(const struct od_fit_facts *facts)
{
    const struct od_incident *incident = facts->failure->incident;
    bool trains = facts->evaluates || od_use_says_training(facts->q->c) ||
                  od_incident_calls(incident, OD_FRAME_TRAINING) ||
                  od_incident_calls(incident, OD_FRAME_GRADIENT);
    return trains && !is_of_another_kind(facts);
}

/* Is the whole model moved to one device, in a known type? */
static bool is_seen_moving(const struct od_fit_facts *facts)
{
    return od_fit_type_is_said(facts->q->c) &&
           od_incident_calls(facts->failure->incident, OD_FRAME_MOVING) &&
           facts->failure->phase == OD_PHASE_LOAD && facts->failure->progress == 0 &&
           !od_failure_is_server(facts->failure);
}

/* Did the failed run print several different configurations? Only one of them fills the device. */
static bool is_one_of_several(const struct od_fit_facts *facts, const struct od_model *printed)
{
    const struct od_case *c = facts->q->c;
    for (size_t i = 0; i < c->models.n; i++)
        if (&c->models.items[i] != printed && c->models.items[i].format == OD_MODEL_HF_CONFIG)
            return true;
    return false;
}

static bool is_told(const struct od_fit_facts *facts, const struct od_model *model, bool runs)
{
    bool printed = model->format == OD_MODEL_HF_CONFIG &&
                   model->at.source == facts->failure->incident->at.source;
    return !printed || (runs && !is_one_of_several(facts, model));
}

/* Does the table only have whole transformers as rows ("bert (TFBertMainLayer)")? The public model
 * with the same number of parameters is then used, because it is more detailed. */
static bool is_row_of_named(const struct od_fit_facts *facts)
{
    static const double alike = 0.03; /* relative difference that different heads may cause */
    const struct od_model *table = facts->model, *named = facts->q->named;
    struct od_parameters parameters;
    if (!named || table == facts->q->model || table->transformer.known ||
        is_of_another_kind(facts) || !od_parameters_of(table, &parameters))
        return false;
    double all = (double)facts->q->named_count;
    return fabs((double)parameters.all - all) <= alike * all;
}

static void take_named(struct od_fit_facts *facts)
{
    facts->model = facts->q->named;
    facts->network = od_arena_str(facts->arena, facts->model->name);
}

/* Uses measurements of a public model that is not a transformer, if its layers were not recognized
 * and the run has loaded it. */
static void take_measured(struct od_fit_facts *facts)
{
    const struct od_model *named = facts->q->named;
    bool steps = facts->batch.known && facts->failure->phase == OD_PHASE_UNKNOWN &&
                 !facts->failure->use.infers && !is_of_another_kind(facts);
    bool runs = steps || is_seen_training(facts) || is_seen_moving(facts);
    if (facts->model || !named || !named->measured.known || !runs)
        return;
    take_named(facts);
    facts->parameters = named->parameters;
}

static void find_model(struct od_fit_facts *facts)
{
    struct od_parameters parameters;
    bool runs = is_seen_training(facts) || is_seen_moving(facts) || facts->serves;
    bool other = is_of_another_kind(facts) && !facts->serves;
    facts->model = other ? NULL : facts->q->model;
    if (!facts->model && facts->q->attribution && facts->q->attribution->model != facts->q->model)
        facts->model = facts->q->attribution->model;
    for (size_t i = facts->q->c->models.n; !facts->model && i > 0; i--)
        if (is_told(facts, &facts->q->c->models.items[i - 1], runs))
            facts->model = &facts->q->c->models.items[i - 1];
    bool named = facts->model ? is_row_of_named(facts) : runs;
    if (facts->q->named && named && !facts->q->named->measured.known)
        take_named(facts);
    if (facts->model && od_parameters_of(facts->model, &parameters))
        facts->parameters = od_count_of(parameters.all);
    if (!facts->parameters.known)
        facts->parameters =
            od_answer_parse_parameters(od_case_setting(facts->q->c, OD_SETTING_PARAMETERS));
}

/* Did training work with the printed batch size before an evaluation with another one failed? */
static bool is_proven_by_training(const struct od_fit_facts *facts)
{
    return facts->evaluates && facts->failure->progress > 0 && facts->failure->batch.known &&
           facts->batch.known && facts->batch.n == facts->failure->batch.n &&
           !facts->failure->incident->tensor.shape.known;
}

/* Do settings pack or offload weights, so that their type does not give their size or place? */
static bool packs_weights(const struct od_case *c)
{
    static const enum od_setting_id names[] = {OD_SETTING_QUANTIZATION,   OD_SETTING_QUANTIZE_BITS,
                                               OD_SETTING_WEIGHTS_FORMAT, OD_SETTING_CPU_OFFLOAD_GB,
                                               OD_SETTING_OFFLOAD_PARAM,  OD_SETTING_NONE};
    for (size_t i = 0; names[i]; i++) {
        struct od_view value = od_case_setting(c, names[i]);
        if (value.n > 0 && !od_means(od_value_means(value), OD_VALUE_NONE))
            return true;
    }
    return false;
}

static bool keeps_weights_alone(const struct od_fit_facts *facts)
{
    const struct od_failure *failure = facts->failure;
    return failure->use.infers && od_failure_is_server(failure) && !packs_weights(facts->q->c);
}

bool od_fit_facts_of(const struct od_fit_question *question, struct od_arena *arena,
                     struct od_fit_facts *ret_facts)
{
    const struct od_failure *failure = question->failure;
    struct od_fit_facts facts = {
        .q = question, .arena = arena, .failure = failure, .evaluates = failure->evaluates};
    if (failure->run.outcome != OD_OUTCOME_MEMORY_FAILURE || !failure->open)
        return false;
    enum od_incident_kind kind = failure->incident->kind;
    facts.serves = keeps_weights_alone(&facts);
    bool serving =
        kind == OD_INC_KV_CACHE_TOO_SMALL && facts.serves && (question->named || question->model);
    if (kind != OD_INC_DEVICE_ALLOC_FAILED && kind != OD_INC_DEVICE_COMPILE_OOM &&
        kind != OD_INC_DEVICE_CONTEXT_FAILED && !serving)
        return false;
    find_model(&facts);
    facts.framework = framework_of(&facts);
    find_batch(&facts);
    find_memory(&facts);
    facts.command = od_fit_command(question->c, arena);
    facts.sixteen_bit = od_fit_sixteen_bit(question->c, failure->incident).n > 0;
    facts.trained = is_proven_by_training(&facts);
    if (facts.trained)
        facts.worked = facts.batch.n;
    od_fit_network_by_sizes(&facts);
    take_measured(&facts);
    od_fit_rebuild(&facts);
    facts.product = od_product_of(question, &facts, arena);
    od_fit_read_request(&facts);
    od_fit_trials(&facts);
    *ret_facts = facts;
    return true;
}
