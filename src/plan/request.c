#include "plan/request.h"

#include "estimate/adapters.h"
#include "estimate/objective.h"

struct od_plan_request od_plan_request_start(void)
{
    struct od_plan_request request = {.workload = od_workload_defaults(NULL)};
    request.workload.batch = 0;
    request.workload.planned = request.workload.any_program = true;
    return request;
}

static const struct od_model *bare_model(const struct od_plan_request *request,
                                         struct od_arena *arena)
{
    struct od_model *model = OD_NEW(arena, struct od_model);
    model->name = OD_VIEW("parameters alone");
    model->format = OD_MODEL_BARE;
    model->parameters = request->params;
    model->activations = request->activations;
    model->complete = true;
    return model;
}

static bool is_served(const struct od_plan_request *request)
{
    return od_knob_said(request, "running") != NULL || request->workload.mean_sequence > 0 ||
           request->workload.kv_block > 0 || request->workload.chunk > 0;
}

/* vLLM's default number of running sequences, higher on large devices except the A100. */
static uint64_t tries(const struct od_plan_request *request)
{
    static const uint64_t large = (uint64_t)70 << 30;
    const struct od_plan_device *device = &request->device;
    if (!request->workload.any_program && od_knob_said(request, "running"))
        return request->workload.batch;
    if (!device->name)
        return 0;
    bool few = device->bytes < large || od_view_has(od_view_of(device->name), OD_VIEW("a100"));
    return few ? 256 : 1024;
}

/* Applies vLLM's defaults: blocks of 16 tokens; prompts read in pieces of 8192 tokens at most
 * (before 0.8 only prompts above 32768 tokens); and 0.9 of the device (0.92 in the latest
 * releases). */
static void serve(struct od_plan_request *request)
{
    enum { BLOCK = 16, PIECE = 8192 };
    static const double usual = 0.9;
    struct od_plan_device *device = &request->device;
    bool served = is_served(request);
    request->workload.tried = tries(request);
    double kept = request->free_share > 0 ? request->free_share : request->static_share;
    if (kept > 0 && kept < 1)
        request->workload.set_aside = (uint64_t)((1 - kept) * (double)device->bytes);
    if (kept > 0 && kept < 1 && request->free_share > 0)
        request->workload.set_aside_less = 1 - kept;
    if (served && request->workload.kv_block == 0)
        request->workload.kv_block = BLOCK;
    if (served && request->workload.chunk == 0 && request->workload.sequence > PIECE)
        request->workload.chunk = PIECE;
    double share = request->utilization;
    if (share <= 0 && served)
        share = usual;
    double reserved = share * (double)device->bytes;
    if (share > 0 && reserved < (double)device->usable_bytes)
        device->usable_bytes = (uint64_t)reserved;
}

/* Takes the number of devices. A server splits its model among them; training has a copy on each.
 */
static void take_devices(struct od_plan_request *request)
{
    struct od_workload *w = &request->workload;
    if (request->devices < 2)
        return;
    if (w->inference && w->tensor_parallel <= 1 && w->pipeline_parallel <= 1)
        w->tensor_parallel = request->devices;
    if (!od_knob_said(request, "world-size"))
        w->world_size = request->devices;
}

/* Checks knobs that depend on each other. Reports contradictions. */
static bool is_consistent(const struct od_plan_request *request, struct od_diags *diags)
{
    const struct od_workload *w = &request->workload;
    const char *problem = NULL;
    if (w->nlora_targets > 0 && w->lora_rank == 0)
        problem = "--lora-targets needs --lora R";
    else if (w->quantize_bits > 0 && w->lora_rank == 0 && !w->inference)
        problem = "--quantize can only train adapters: add --lora R, or --inference";
    else if (w->tensor_parallel * w->pipeline_parallel > w->world_size && w->world_size > 1)
        problem = "--tp times --pp is more than --world-size";
    else if (!w->inference && is_served(request))
        problem = "--running, --mean-seq, --kv-block and --chunk are for serving: add --inference";
    else if (od_knob_said(request, "running") && od_knob_said(request, "batch"))
        problem = "--running is the batch size of a server: give only one of them";
    else if ((w->kv_bytes > 0 || w->device_blocks.known) && !w->inference)
        problem = "--kv-dtype and --gpu-layers are for serving: add --inference";
    else if (w->prompt > 0 && !w->inference)
        problem = "--prompt is for serving: add --inference";
    else if (w->lengths != OD_LENGTHS_UNKNOWN && w->inference)
        problem = "--lengths is for training: --prompt and --mean-seq are those of inference";
    else if ((w->objective || request->engine > 0) && w->inference)
        problem = "--objective and --engine are for training";
    else if (w->sequence > 0 && w->prompt > w->sequence)
        problem = "--prompt is larger than --seq, which counts what is generated too";
    else if (w->sequence > 0 && w->mean_sequence > w->sequence)
        problem = "--mean-seq is larger than --seq, the maximum length";
    else if (request->activations.known && !request->params.known)
        problem = "--activations needs --params N";
    if (problem)
        od_diags_say(diags, OD_ERROR, "%s", problem);
    return problem == NULL;
}

/* Plans a pasted module tree with its adapters, unless the knobs say otherwise. */
static void take_adapters(struct od_plan_request *request, const struct od_model *model,
                          struct od_arena *arena)
{
    if (!od_knob_said(request, "lora") && !od_knob_said(request, "quantize"))
        od_adapters_take(model, arena, &request->workload);
}

/* Adapters on a checkpoint that bitsandbytes quantized are trained with it unchanged. */
static void take_stored(struct od_plan_request *request, const struct od_model *model)
{
    const struct od_transformer *t = &model->transformer;
    struct od_workload *w = &request->workload;
    if (w->lora_rank > 0 && !w->inference && t->stored_nf4 && !od_knob_said(request, "quantize"))
        w->quantize_bits = (unsigned)t->stored_bits.n;
}

/* Denoisers of this size and more are mostly trained in 16 bit with recomputed blocks. */
#define LARGE_DENOISER 3000000000

/* Recent language models (recognized by RMS norms, or by their size alone) are trained in bf16 by
 * default. A server loads the stored type; llama.cpp computes and caches in 16 bit for any type of
 * weights. */
static void take_precision(struct od_plan_request *request, const struct od_model *model)
{
    struct od_workload *w = &request->workload;
    bool file = model->format == OD_MODEL_GGUF || model->format == OD_MODEL_SAFETENSORS;
    const struct od_transformer *t = &model->transformer;
    static const uint64_t large = 1000000000;
    bool bare = model->format == OD_MODEL_BARE && model->parameters.n >= large;
    if (!w->inference &&
        (bare || model->pipeline.denoiser > LARGE_DENOISER ||
         (t->known && t->head == OD_HEAD_LM && t->rms_norm)) &&
        w->framework == OD_FW_PYTORCH && !od_knob_said(request, "precision")) {
        w->precision = OD_PREC_BF16;
        request->precision_assumed = true;
    }
    if (model->recorded.known && model->dtype == OD_BFLOAT16 && !od_knob_said(request, "precision"))
        w->precision = model->weight_bytes.known ? OD_PREC_AMP_BF16 : OD_PREC_BF16_TRUE;
    bool halved = bare || model->pipeline.known; /* they are published in 16 bit */
    if (!w->inference || od_knob_said(request, "precision") || !(file || t->known || halved))
        return;
    if (model->format == OD_MODEL_GGUF || model->dtype == OD_FLOAT16)
        w->precision = OD_PREC_FP16_TRUE;
    else if (model->dtype == OD_BFLOAT16 || model->transformer.stored_bits.known)
        w->precision = OD_PREC_BF16_TRUE;
    else if (halved || (model->dtype == OD_DTYPE_UNKNOWN && t->head == OD_HEAD_LM && t->rms_norm)) {
        w->precision = OD_PREC_BF16_TRUE;
        request->precision_assumed = true;
    }
}

static bool is_language(const struct od_model *model)
{
    return model->format == OD_MODEL_HF_CONFIG && model->transformer.head == OD_HEAD_LM;
}

/* Decides whether blocks may be recomputed if the request does not set it. That is likely for
 * models divided among devices, adapters on quantized weights with PEFT (its preparation turns
 * recomputing on), training with rewards, and large denoisers: six of seven of these projects
 * recompute, but only two of eleven others (tests/accuracy/peaks.jsonl). */
static void take_checkpoints(struct od_plan_request *request, const struct od_model *model)
{
    struct od_workload *w = &request->workload;
    bool blocks = model->pipeline.known || is_language(model);
    bool divided = w->tensor_parallel > 1 || w->pipeline_parallel > 1 ||
                   (w->world_size > 1 && (w->fsdp || w->zero_stage > 0));
    w->checkpoints_open = blocks && !w->inference && w->any_program && !w->compile &&
                          w->framework == OD_FW_PYTORCH && !od_knob_said(request, "checkpointing");
    if (w->checkpoints_open &&
        (divided || w->quantize_bits == 8 ||
         (w->quantize_bits == 4 && !od_precision_is_narrow(w->precision)) ||
         model->pipeline.denoiser > LARGE_DENOISER || (w->objective && w->objective->answered < 1)))
        w->checkpointing = OD_CKPT_FULL;
}

/* Takes the optimizer of a traced run. Leaves it open for a fully trained language model without a
 * given optimizer. */
static void take_optimizer(struct od_plan_request *request, const struct od_model *model)
{
    struct od_workload *w = &request->workload;
    if (request->optimizer_given)
        return;
    (void)od_optimizer_find(model->traced.optimizer, &w->optimizer);
    w->optimizer_open = (is_language(model) || model->format == OD_MODEL_BARE) && !w->inference &&
                        w->lora_rank == 0 && w->any_program && w->framework == OD_FW_PYTORCH &&
                        !w->no_bitsandbytes;
}

bool od_plan_request_finish(struct od_plan_request *request, const struct od_model *model,
                            struct od_arena *arena, struct od_diags *diags)
{
    take_devices(request);
    if (!is_consistent(request, diags))
        return false;
    if (request->params.known && model) {
        od_diags_say(diags, OD_ERROR, "give a model or --params N, not both");
        return false;
    }
    if (request->params.known)
        model = bare_model(request, arena);
    if (!model) {
        od_diags_say(diags, OD_ERROR, "name a model: a file, or --params N");
        return false;
    }
    request->workload.model = model;
    take_adapters(request, model, arena);
    take_stored(request, model);
    take_precision(request, model);
    take_optimizer(request, model);
    take_checkpoints(request, model);
    serve(request);
    request->workload.engine_bytes = (uint64_t)(request->engine * (double)request->device.bytes);
    if (!request->framework_given)
        od_framework_find(model->framework, &request->workload.framework);
    uint64_t together = request->workload.tensor_parallel * request->workload.pipeline_parallel;
    if (request->workload.world_size < together)
        request->workload.world_size = together;
    return true;
}
