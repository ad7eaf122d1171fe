#include "estimate/objective.h"
#include "estimate/range.h"
#include "estimate/transformer_run.h"

#include <math.h>

/* A transformer's memory on this device: parameters, gradients, optimizer states. */

static uint64_t per(uint64_t n, uint64_t parts)
{
    return parts > 1 ? n / parts + (n % parts != 0) : n;
}

/* 16-bit weights of this size and their gradients never fit on each device as a whole. */
static const uint64_t too_large = 40ULL << 30;

void od_transformer_place(struct od_transformer_run *run)
{
    const struct od_workload *w = run->w;
    uint64_t tp = w->tensor_parallel ? w->tensor_parallel : 1;
    uint64_t pp = w->pipeline_parallel ? w->pipeline_parallel : 1;
    uint64_t ep = w->expert_parallel ? w->expert_parallel : 1;
    uint64_t blocks = run->params.total - run->params.tables - run->params.experts;
    uint64_t experts = per(per(run->params.experts, ep), pp);
    run->tables = per(run->params.tables, tp);
    run->held = run->tables + per(per(blocks, pp), tp) + per(experts, tp);
    uint64_t ranks = w->world_size ? w->world_size : 1, model;
    if (ckd_mul(&model, tp, pp))
        model = 1;
    run->local = *w;
    run->local.world_size = ranks > model ? ranks / model : 1;
    run->dp = (double)run->local.world_size;
    run->sharded = run->dp > 1 && (w->fsdp || w->zero_stage >= 3);
    bool frees =
        w->compile || !w->any_program || w->reshards == OD_YES || 2 * run->held > too_large;
    run->loaded =
        run->sharded && w->fsdp && od_precision_is_narrow(w->precision) && !w->inference && !frees;
    run->trained = run->held;
    if (w->lora_rank > 0) {
        run->trained = per(per(run->lora.parameters, pp), tp);
        run->held += run->trained;
    }
}

double od_transformer_set_aside(const struct od_transformer_run *run)
{
    double less = run->w->set_aside_less * (double)run->states.weights.n;
    return fmax((double)run->w->set_aside - less, 0);
}

/* Was the model prepared by PEFT's prepare_model_for_kbit_training()? It turns checkpointing on and
 * makes norms, tables and with them the residual stream float32. Programs with their own code
 * (litgpt, torchtune) do neither. */
bool od_transformer_prepared(const struct od_transformer_run *run)
{
    const struct od_workload *w = run->w;
    /* trainers of 2025 and later do not prepare the model */
    bool rewards = w->objective && w->objective->answered < 1;
    return w->quantize_bits > 0 && !od_precision_is_narrow(w->precision) && w->any_program &&
           (w->widens == OD_YES || (w->widens == OD_CANNOT_TELL && !rewards)) && !run->sharded &&
           w->checkpointing == OD_CKPT_FULL && !w->offload_activations && !w->chunked_loss;
}

/* Sets the bytes of quantized weights: matrices of blocks in 4 bits with a float per 64 numbers
 * (arXiv 2305.14314), or in 8 bits with one per row; all other weights, including embeddings and
 * head, in 16 or 32 bits. */
static void quantize(struct od_transformer_run *run)
{
    const struct od_workload *w = run->w;
    uint64_t linear = per(per(run->params.linear, w->tensor_parallel), w->pipeline_parallel);
    double left = (double)(run->held > linear ? run->held - linear : 0);
    double each = w->quantize_bits == 4 ? 0.5 + 0.0625 : 1.0;
    double parts = run->sharded ? run->dp : 1, on = w->offload_params ? 0 : 1 / parts;
    double bytes = (double)linear * each + left * 2;
    double wide = od_transformer_prepared(run) ? left * 2 : 0;
    /* scales are quantized, too */
    double doubled = w->quantize_bits == 4 ? (double)linear * 0.047 : 0;
    run->states.weights =
        od_bytes_about((bytes + wide) * on, bytes * on - doubled, (bytes + wide) * on);
}

/* Sets the bytes of a served quantized checkpoint: a 16-bit scale and a zero point for each group;
 * everything except matrices of blocks in 16 bit. bitsandbytes has a float per 64 numbers, or a
 * byte as its code. */
static void unpack_stored(struct od_transformer_run *run)
{
    const struct od_transformer *t = run->t;
    const struct od_workload *w = run->w;
    double part = (double)run->held / (double)(run->params.total > 0 ? run->params.total : 1);
    double linear = part * (double)(t->stored_experts ? run->params.experts : run->params.linear);
    double left = fmax((double)run->held - linear, 0);
    double bits = (double)t->stored_bits.n;
    double scale = t->stored_group.n > 0 ? (16 + bits) / (double)t->stored_group.n : 0;
    if (t->stored_nf4 && t->stored_bits.n == 4)
        scale = 32.0 / 64;
    if (t->stored_experts) /* experts have a byte for each group and no zero point */
        scale = 8 / (double)t->stored_group.n;
    double bytes = linear * (bits + scale) / 8 + left * 2;
    if (run->sharded && !w->inference)
        bytes /= run->dp;
    run->states.weights = od_bytes_about(bytes, bytes - linear * scale / 8 * 0.8, bytes * 1.02);
}

/* Adds states of embeddings, which bitsandbytes keeps in 32 bit under Hugging Face's Trainer. */
static void keep_embedding_states(struct od_transformer_run *run)
{
    const struct od_transformer *t = run->t;
    bool eight = run->w->optimizer == OD_OPT_ADAM8BIT && run->w->lora_rank == 0;
    struct od_bytes *o = &run->states.optimizer;
    uint64_t width = t->embedding.known ? t->embedding.n : t->hidden.n, table, more;
    if (!eight || !o->known || o->n == 0 || ckd_mul(&table, t->vocab.n, width) ||
        ckd_mul(&more, per(table, run->local.world_size), (uint64_t)6))
        return;
    *o = od_bytes_about((double)o->n + (double)more, (double)o->lo, (double)o->n + (double)more);
}

/* Widens the range by the states of a head that may not be tied. */
static void doubt_tie(struct od_transformer_run *run)
{
    struct od_bytes *states[] = {&run->states.weights, &run->states.gradients,
                                 &run->states.optimizer};
    if (run->untied == 0 || run->params.total == 0 || run->w->lora_rank > 0)
        return;
    double more = (double)run->untied / (double)run->params.total;
    for (size_t i = 0; i < OD_COUNT_OF(states); i++)
        *states[i] = od_bytes_about((double)states[i]->n, (double)states[i]->lo,
                                    (double)states[i]->hi * (1 + more));
}

double od_transformer_on_device(const struct od_transformer_run *run)
{
    double blocks = (double)od_transformer_blocks(run->t);
    const struct od_count *some = &run->w->device_blocks;
    return some->known && (double)some->n < blocks ? (double)some->n / blocks : 1;
}

/* Moves blocks to RAM as llama.cpp does: the input embedding stays in RAM, and the head counts as
 * one more block. */
static void leave_blocks(struct od_transformer_run *run)
{
    const struct od_count *some = &run->w->device_blocks;
    double each = run->held > 0 ? (double)run->states.weights.n / (double)run->held : 0;
    double tables = each * (double)run->tables, head = run->t->tied ? tables : tables / 2;
    if (!some->known || !run->w->inference)
        return;
    double bytes = ((double)run->states.weights.n - tables) * od_transformer_on_device(run);
    if (some->n > od_transformer_blocks(run->t))
        bytes += head;
    run->states.weights = od_bytes_about(bytes, bytes * 0.97, bytes * 1.03);
}

static struct od_bytes times(struct od_bytes each, double n, double lo, double hi)
{
    return od_bytes_about((double)each.n * n, (double)each.lo * lo, (double)each.hi * hi);
}

/* Adds the objective's other models. Frozen models are placed like the trained one; a value model
 * has all of its states. */
static void add_models(struct od_transformer_run *run)
{
    const struct od_objective *is = run->w->objective;
    struct od_states *s = &run->states;
    if (!is || run->w->inference)
        return;
    double all = run->models, one = is->with_adapter;
    struct od_range kept = run->w->lora_rank > 0 ? (struct od_range){one, one, one} : is->kept;
    s->weights = times(s->weights, all + kept.n, all + kept.lo, all + kept.hi);
    s->gradients = times(s->gradients, all, all, all);
    s->optimizer = times(s->optimizer, all, all, all);
}

bool od_transformer_states(struct od_transformer_run *run)
{
    if (!od_states_of(&run->local, run->held, run->trained, &run->states))
        return false;
    if (run->w->quantize_bits > 0)
        quantize(run);
    const struct od_model *m = run->w->model;
    uint64_t parts = run->params.total > 0 && run->held > 0 ? run->params.total / run->held : 1;
    if (run->w->inference && m->weight_bytes.known && run->w->quantize_bits == 0)
        run->states.weights = (struct od_bytes){.n = per(m->weight_bytes.n, parts),
                                                .lo = per(m->weight_bytes.lo, parts),
                                                .hi = per(m->weight_bytes.hi, parts),
                                                .known = true};
    else if (run->w->inference && run->t->stored_bits.known && run->w->quantize_bits == 0)
        unpack_stored(run);
    leave_blocks(run);
    keep_embedding_states(run);
    if (run->w->lora_rank == 0 && run->local.world_size <= 1 &&
        !od_states_add_counters(run->w, od_transformer_tensors(run->t), &run->states))
        return false;
    doubt_tie(run);
    add_models(run);
    if (run->w->optimizer_in_backward)
        run->states.gradients = od_bytes_exact(0);
    return true;
}
