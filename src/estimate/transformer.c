#include "estimate/transformer.h"

#include "estimate/objective.h"
#include "estimate/range.h"
#include "estimate/transformer_run.h"

#include <math.h>

void od_estimate_assume(struct od_estimate *e, struct od_arena *arena, const char *text)
{
    const char **items = OD_NEW_N(arena, e->assumptions.n + 1, const char *);
    for (size_t i = 0; i < e->assumptions.n; i++)
        items[i] = e->assumptions.items[i];
    items[e->assumptions.n] = text;
    e->assumptions.items = items;
    e->assumptions.room = ++e->assumptions.n;
}

void od_transformer_resize(struct od_transformer *t, const struct od_workload *w)
{
    if (w->image_h > 0 && (t->traits & OD_TR_VISION) != 0)
        t->image = od_count_of((uint64_t)sqrt((double)w->image_h * (double)w->image_w));
}

static void assume(struct od_transformer_run *run, const char *text)
{
    od_estimate_assume(run->e, run->arena, text);
}

/* Doubts about facts that no text prints, in bytes of one sample: heads may be half as wide as the
 * usual 64 and twice as many (a quarter in narrow models), or twice as wide; dropouts may have a
 * rate of 0. */
static void add_doubts(const struct od_transformer_run *run, double *ret_less, double *ret_more)
{
    enum { NARROW = 256 };
    double each = (double)od_transformer_blocks(run->t) * (double)run->sequence;
    *ret_less = *ret_more = 0;
    if (run->w->checkpointing != OD_CKPT_NONE)
        return;
    *ret_more = each * run->block.adapter_doubt;
    *ret_less = hypot(*ret_more, each * run->block.steps);
    /* an answer may be a short label; only our own runs have a known length */
    if (run->t->decoder_layers.known && !run->w->hopper)
        *ret_less = hypot(*ret_less, 1.5 * (double)run->t->decoder_layers.n * run->written *
                                         (double)run->sequence * run->block.saved);
    if (run->t->heads_guessed && run->block.fused && !(run->t->traits & OD_TR_FUSED))
        *ret_more += each * run->block.written; /* an older release, or a model with its own code */
    if (run->t->heads_guessed) {
        *ret_less += each * run->block.scores / 2;
        *ret_more += each * run->block.scores * (run->t->hidden.n <= NARROW ? 3 : 1);
    }
    if (run->t->rate_guessed)
        *(run->t->hidden_dropout > 0 ? ret_less : ret_more) += each * run->block.dropped;
}

static const char *why_saved(const struct od_transformer_run *run)
{
    return od_arena_printf(run->arena,
                           "%" PRIu64 " blocks x %.0f bytes a token, %.0f tokens; saved, the loss, "
                           "beyond gradients",
                           od_transformer_blocks(run->t), run->block.saved, run->tokens);
}

static const char *why_cache(const struct od_transformer_run *run)
{
    const struct od_kv_cache *cache = &run->e->cache;
    const char *places = "";
    if (cache->paged)
        places = od_arena_printf(run->arena,
                                 " in %" PRIu64 " blocks of %" PRIu64 " tokens, %" PRIu64
                                 " bytes of them empty",
                                 cache->blocks.n, run->w->kv_block, cache->waste.n);
    return od_arena_printf(
        run->arena,
        "cache of keys and values: %.0f sequences of %" PRIu64 " tokens x %" PRIu64
        " bytes a token%s: %" PRIu64 " bytes; one forward pass over %.0f tokens%s",
        run->batch, run->w->mean_sequence > 0 ? run->w->mean_sequence : cache->longest,
        cache->token_bytes, places, cache->bytes.n, run->tokens,
        cache->paged && !run->w->device_blocks.known
            ? ", or a token drawn for each of those it may run"
            : "");
}

/* How much less the loss may need. It is not known whether it is compiled with the model: one
 * kernel only keeps the logits and their gradients, like a chunked loss; fused ones (cut
 * cross-entropy, Liger) compute no logits. */
static double compiled_loss(const struct od_transformer_run *run, double all)
{
    struct od_workload w = *run->w;
    struct od_transformer_run whole = *run;
    if (w.chunked_loss)
        return od_transformer_loss(run);
    if (!w.compile || w.framework != OD_FW_PYTORCH)
        return 0;
    whole.w = &w;
    w.chunked_loss = true;
    return all - od_transformer_training(&whole);
}

/* How much less and how much more the losses of other programs may need. */
static struct od_range other_losses(const struct od_transformer_run *run, double all)
{
    struct od_range bytes = od_transformer_factor(run, OD_FACTOR_LOSS);
    struct od_transformer_run less = *run, more = *run;
    less.loss_bytes = bytes.lo;
    more.loss_bytes = bytes.hi;
    more.answered = 1;
    return (struct od_range){.n = all,
                             .lo = all - od_transformer_training(&less),
                             .hi = od_transformer_training(&more) - all};
}

static void add_activations(struct od_transformer_run *run)
{
    struct od_estimate *e = run->e;
    double s = od_transformer_factor(run, OD_FACTOR_KERNELS).hi;
    double per_sample = od_transformer_saved(run);
    per_sample *= run->w->objective ? run->w->objective->sequences : 1;
    double all = od_transformer_training(run);
    double step = od_transformer_step(run), passes = all;
    if (!run->w->compile) /* compiled runs use a fused optimizer step, or compile it */
        all = fmax(all, step);
    double doubt = all * s;
    struct od_range losses = other_losses(run, passes);
    bool old = run->w->zeroes_gradients == OD_CANNOT_TELL && !run->w->hopper;
    double one_by_one = old ? all - passes : 0; /* PyTorch before 2.0 updates one by one */
    double freed = od_transformer_doubts_gradients(run) && run->w->accumulation <= 1
                       ? (double)run->states.gradients.n
                       : 0;
    double less, more;
    add_doubts(run, &less, &more);
    e->saved_per_sample = od_bytes_about(per_sample, per_sample - hypot(per_sample * s, less),
                                         per_sample + hypot(per_sample * s, more));
    double below = hypot(hypot(doubt, freed), hypot(less * run->batch, losses.lo));
    below += compiled_loss(run, all);
    below = fmax(below, one_by_one + hypot(passes * s, less * run->batch));
    double above = fmax(hypot(doubt, hypot(more * run->batch, losses.hi)), step - all);
    if (run->w->chunked_loss)
        above += od_transformer_loss(run);
    struct od_range longest = od_transformer_factor(run, OD_FACTOR_LONGEST);
    e->breakdown.activations = (struct od_part){
        .bytes = od_bytes_about(all * longest.n, (all - below) * longest.lo, all + above),
        .why = why_saved(run)};
}

/* Widens the range for an unknown model_type. For four in five of 94 unknown types in transformers
 * 5.24, built from their defaults, the count is between 0.77 and 2.02 of the truth
 * (tests/accuracy/architectures). */
static void widen_guess(const struct od_transformer_run *run)
{
    static const double less = 0.5, more = 1.3; /* 1 / 2.02, 1 / 0.77 */
    struct od_breakdown *b = &run->e->breakdown;
    struct od_bytes *parts[] = {&b->activations.bytes, &b->parameters.bytes, &b->gradients.bytes,
                                &b->optimizer.bytes};
    size_t guessed = run->t->counted.known ? 1 : OD_COUNT_OF(parts);
    for (size_t i = 0; run->t->block_guessed && i < guessed; i++)
        *parts[i] = od_bytes_about((double)parts[i]->n, (double)parts[i]->lo * less,
                                   (double)parts[i]->hi * more);
}

static void add_answering(struct od_transformer_run *run)
{
    struct od_estimate *e = run->e;
    struct od_kv_cache *cache = &e->cache;
    od_transformer_cache(run, cache);
    struct od_range peak = od_transformer_answering(run, cache);
    double lo = peak.lo - (double)(cache->bytes.n - cache->bytes.lo);
    double hi = peak.hi + (double)(cache->bytes.hi - cache->bytes.n);
    e->saved_per_sample =
        od_bytes_about((double)cache->bytes.n / run->batch, (double)cache->bytes.n / run->batch,
                       (double)cache->bytes.n / run->batch);
    e->breakdown.activations =
        (struct od_part){.bytes = od_bytes_about(peak.n, lo, hi), .why = why_cache(run)};
}

/* ---- other memory of the device ---- */

static void add_rest(struct od_transformer_run *run)
{
    struct od_estimate *e = run->e;
    e->breakdown.inputs =
        (struct od_part){.bytes = od_bytes_exact((uint64_t)fmin(run->tokens * 24, 0x1p60)),
                         .why = "token ids, mask and labels, 8 bytes each"};
    e->breakdown.buffers.bytes = od_bytes_exact(0);
    e->breakdown.framework = od_transformer_framework(run);
    od_transformer_add_waste(run, &e->breakdown);
    e->batch_bytes = e->breakdown.inputs.bytes;
}

static void add_states(struct od_transformer_run *run)
{
    struct od_estimate *e = run->e;
    e->parameters = run->params.total;
    e->trainable = run->w->lora_rank > 0 ? run->lora.parameters : run->params.total;
    e->unsaid = od_transformer_factor(run, OD_FACTOR_PROGRAM).hi * (double)run->states.weights.n;
    e->parameter_bytes = run->states.weights;
    e->breakdown.parameters = (struct od_part){
        .bytes = run->states.weights,
        .why = od_arena_printf(run->arena, "%" PRIu64 " parameters on this device", run->held)};
    e->breakdown.gradients =
        (struct od_part){.bytes = run->states.gradients, .why = "of trainable parameters"};
    e->breakdown.optimizer =
        (struct od_part){.bytes = run->states.optimizer, .why = "state of trainable parameters"};
}

static void settle_sequence(struct od_transformer_run *run)
{
    const struct od_transformer *t = run->t;
    uint64_t fixed = od_transformer_fixed_tokens(t);
    uint64_t longest = t->positions.known && t->positions.n > 0 ? t->positions.n : 2048;
    run->sequence = run->w->sequence;
    if (fixed > 0) {
        run->sequence = fixed;
    } else if (run->sequence == 0) {
        run->sequence = longest < 2048 || run->w->kv_block > 0 ? longest : 2048;
        assume(run,
               od_arena_printf(run->arena, "sequence length not given: %" PRIu64 " tokens a sample",
                               run->sequence));
    }
    run->batch = run->w->batch > 0 ? (double)run->w->batch : 1;
    if (run->w->objective)
        run->batch *= run->w->objective->sequences;
    run->tokens = run->batch * (double)run->sequence;
    run->written = 1;
    if ((t->traits & OD_TR_AUDIO) != 0 && t->decoder_layers.known && t->positions.known) {
        uint64_t most = t->positions.n, asked = run->w->sequence;
        run->written = (double)(asked > 0 && asked < most ? asked : most) / (double)fixed;
    }
    if (run->w->inference && run->w->kv_block > 0)
        run->tokens = (double)run->sequence + run->batch - 1;
    if (run->w->chunk > 0)
        run->tokens = fmin(run->tokens, (double)run->w->chunk);
}

static void tell_cache(struct od_transformer_run *run)
{
    uint64_t mean = run->w->mean_sequence;
    if (mean == 0 || mean >= run->sequence)
        assume(run, "the cache of keys and values is filled to the sequence length");
    else
        assume(run, "lengths of running sequences are spread evenly about their mean");
    if (run->w->set_aside > 0)
        assume(run, "passes take the part of the device that is not for weights and cache");
    else if (run->w->chunk > 0)
        assume(run,
               od_arena_printf(run->arena, "a step reads at most %" PRIu64 " tokens of prompts",
                               run->w->chunk));
    else if (run->w->kv_block > 0)
        assume(run, "a step reads one prompt of the longest length, and a token of each other "
                    "sequence");
    if (od_transformer_doubts_release(run) && run->w->all_logits == OD_CANNOT_TELL)
        assume(run, "unknown: the release of transformers: before 4.45 a prompt's forward pass "
                    "makes the logits of every token, before 4.36 it keeps attention's scores; "
                    "the range covers both; narrow it by --with transformers=VERSION");
    if (run->w->device_blocks.known)
        assume(run,
               "blocks that are not on the device, their keys and values and the embedding are "
               "in RAM");
}

/* Reports properties of the checkpoint that the plan's numbers do not show. */
static void tell_stored(struct od_transformer_run *run)
{
    const struct od_transformer *t = run->t;
    if (!t->stored_bits.known || run->w->quantize_bits > 0)
        return;
    if (run->w->inference)
        assume(run, od_arena_printf(run->arena,
                                    "%s are stored at %" PRIu64
                                    " bits, as the configuration says, all else at 16",
                                    t->stored_experts ? "experts" : "matrices of blocks",
                                    t->stored_bits.n));
    else
        assume(run, od_arena_printf(run->arena,
                                    "the checkpoint is stored at %" PRIu64
                                    " bits: trained as if it were unpacked first",
                                    t->stored_bits.n));
}

/* Reports the assumption about sample lengths. With samples of equal length the pool keeps few
 * unused blocks. */
static void tell_lengths(struct od_transformer_run *run)
{
    if (run->w->lengths != OD_LENGTHS_UNKNOWN || od_transformer_varied(run).hi <= 0)
        return;
    struct od_workload w = *run->w;
    struct od_transformer_run fixed = *run;
    struct od_breakdown b = run->e->breakdown;
    fixed.w = &w;
    w.lengths = OD_LENGTHS_FIXED;
    od_transformer_add_waste(&fixed, &b);
    uint64_t less = run->e->breakdown.allocator_waste.bytes.n - b.allocator_waste.bytes.n;
    assume(run, od_arena_printf(run->arena,
                                "unknown: whether samples differ in length; then freed blocks of "
                                "other lengths stay reserved while the device has room; samples of "
                                "one length need %s less: give --lengths",
                                od_bytes_text_u64(run->arena, less)));
}

static void tell_objective(struct od_transformer_run *run)
{
    const struct od_objective *is = run->w->objective;
    if (!is || !is->why)
        return;
    if (run->w->lora_rank > 0 && is->with_adapter == 0 && is->kept.hi > 0)
        assume(run, "the model without its adapters serves as the reference");
    else
        assume(run, od_arena_printf(run->arena, "%s: %s", is->name, is->why));
    if (is->sequences > 1)
        assume(run, "a sample is a chosen and a rejected sequence, which pass together");
    else if (run->w->engine_bytes == 0)
        assume(run, "an engine that generates on the same device is not counted: give --engine "
                    "SHARE and the device");
}

static void tell(struct od_transformer_run *run)
{
    const struct od_workload *w = run->w;
    tell_objective(run);
    if (w->image_h > 0 && (run->t->traits & OD_TR_VISION) == 0)
        assume(run, "--image has no effect: the model reads no images");
    tell_stored(run);
    if (run->t->block_guessed)
        assume(run, run->t->counted.known
                        ? "the parameters of this model type are counted exactly; what its blocks "
                          "compute is assumed to be standard, with a wide range"
                        : "unknown model type: its blocks are assumed to be standard, and may have "
                          "parts that are not counted; the range covers four in five of such "
                          "types");
    if (w->model->ntowers > 0)
        assume(run, "what reads images or sound is counted by its weights; what it computes for an "
                    "image is not");
    assume(run, run->block.fused ? "attention runs in a fused kernel that keeps no scores"
                                 : "attention keeps its scores (heads x sequence squared)");
    if (w->inference) {
        tell_cache(run);
        return;
    }
    if (run->block.adapter_doubt > 0 && w->adapter_dropout == OD_CANNOT_TELL)
        assume(
            run,
            "unknown: the dropout of the adapters, and whether one matrix makes queries, keys "
            "and values; half of what that keeps is counted and the range covers both; narrow it "
            "by --with lora_dropout=RATE");
    if (w->quantize_bits > 0)
        assume(run,
               run->w->quantize_bits == 8
                   ? "matrices of blocks are quantized as LLM.int8 does, and keep their inputs; "
                     "embeddings, head and norms stay at 16 bit"
                   : "matrices of blocks are quantized; embeddings, head and norms stay at 16 "
                     "bit");
    if (w->quantize_bits == 4 && w->keeps_packed == OD_CANNOT_TELL)
        assume(run, "unknown: the release of bitsandbytes: before 0.43.2 each 4-bit matrix keeps "
                    "its input, which is counted; the range covers both; narrow it by --with "
                    "bitsandbytes=VERSION");
    tell_lengths(run);
    if (w->compile && !w->chunked_loss && w->framework == OD_FW_PYTORCH)
        assume(run, "unknown: whether the loss is compiled with the model, where it takes 4 bytes "
                    "for 12; the range covers both");
    if (run->loaded)
        assume(run,
               run->w->lora_rank > 0
                   ? "frozen weights that were gathered stay until the backward pass ends, as "
                     "before PyTorch 2.1: --with torch=VERSION says which"
                   : "every rank holds all 16-bit weights once while the checkpoint is loaded");
    if (od_transformer_doubts_gradients(run))
        assume(run, "gradients are kept between steps, or fragmentation takes as much; --with "
                    "torch=VERSION says which");
    else if (w->accumulation <= 1 && w->zeroes_gradients != OD_YES && !w->keeps_gradients)
        assume(run, "gradients are freed between steps");
    struct od_range loss = od_transformer_factor(run, OD_FACTOR_LOSS);
    if (loss.n <= 0)
        assume(run, "labels are learnt, not words that were masked, whose logits the range covers");
    double other = (double)run->e->breakdown.activations.bytes.n + (double)run->states.weights.n;
    if (w->any_program && !w->chunked_loss && od_transformer_loss(run) > 0.2 * other)
        assume(run,
               od_arena_printf(run->arena,
                               "unknown: how the program computes its loss: %.0f bytes of each "
                               "logit are counted, %.0f are enough in 16 bit, and copies take up "
                               "to %.0f; the range covers both; if it is transformers, narrow it "
                               "by --with transformers=VERSION",
                               loss.n, loss.lo, loss.hi));
}

/* Number of parameters of a head that may be tied to the embedding, which a table counts twice. */
static uint64_t doubled_head(const struct od_transformer_run *run)
{
    const struct od_transformer *t = run->t;
    uint64_t table;
    if (t->head != OD_HEAD_LM || !t->tied || ckd_mul(&table, t->vocab.n, t->hidden.n))
        return 0;
    return run->w->model->parameters.n == run->params.total + table ? table : 0;
}

/* Does the table omit the class token and positions? torchsummary does not count them. */
static bool lacks_loose(const struct od_transformer_run *run)
{
    const struct od_transformer *t = run->t;
    uint64_t loose = (od_transformer_fixed_tokens(t) + 1) * t->hidden.n;
    return (t->traits & OD_TR_VISION) != 0 &&
           run->w->model->parameters.n + loose == run->params.total;
}

/* Takes the printed number of parameters. A table's total is exact except for a tied head and
 * parameters outside of modules; a printed module tree counts a tied head twice and omits those
 * parameters. */
static void take_printed(struct od_transformer_run *run)
{
    const struct od_model *m = run->w->model;
    bool table = m->format == OD_MODEL_TORCHSUMMARY || m->format == OD_MODEL_TORCHINFO ||
                 m->format == OD_MODEL_KERAS || m->format == OD_MODEL_GGUF;
    uint64_t half = run->params.tables / 2 + run->params.experts / 2 + 1;
    bool whole = m->parameters.n > run->params.total / 100 * 99; /* no rows lack their parameters */
    if (!table || !m->parameters.known)
        return;
    run->untied = doubled_head(run);
    if (run->untied > 0)
        assume(run, od_arena_printf(run->arena,
                                    "the head is as large as the embedding: they are taken as one "
                                    "tensor; else there are %" PRIu64 " parameters more",
                                    run->untied));
    else if (lacks_loose(run))
        assume(run, "a class token and positions, which the table does not count, are added");
    else if (whole && m->parameters.n / 2 >= half)
        run->params.total = m->parameters.n;
}

bool od_estimate_transformer(const struct od_workload *workload, struct od_arena *arena,
                             struct od_diags *diags, struct od_estimate *ret_estimate)
{
    struct od_estimate e = {0};
    struct od_transformer_run run = {.w = workload,
                                     .t = &workload->model->transformer,
                                     .c = od_precision_compute_bytes(workload->precision),
                                     .models = 1,
                                     .arena = arena,
                                     .e = &e};
    if (!od_transformer_count(run.t, diags, &run.params))
        return false;
    for (size_t i = 0; i < workload->model->ntowers && !run.t->counted.known; i++)
        if (!od_transformer_count_tower(&workload->model->towers[i], run.t, diags, &run.params))
            return false;
    take_printed(&run);
    settle_sequence(&run);
    run.answered = 1;
    if (workload->objective) {
        run.models += workload->objective->trained;
        run.answered = workload->objective->answered;
    }
    run.lora = od_lora_targets_of(workload, diags);
    run.block = od_block_count(workload, &run.lora, run.sequence);
    od_transformer_place(&run);
    if (!od_transformer_states(&run)) {
        od_diags_say(diags, OD_ERROR, "the sizes described exceed 64 bits");
        return false;
    }
    add_states(&run);
    if (workload->inference)
        add_answering(&run);
    else
        add_activations(&run);
    widen_guess(&run);
    e.breakdown.workspace = od_transformer_workspace(&run);
    add_rest(&run);
    tell(&run);
    if (!od_estimate_close(&e)) {
        od_diags_say(diags, OD_ERROR, "the sizes described exceed 64 bits");
        return false;
    }
    *ret_estimate = e;
    return true;
}
