/*
 * The moments of a step. At the loss: all saved tensors, the logits and their gradients. After the
 * first blocks of the backward pass: one recomputed block. At its end: all gradients and one block.
 * The peak is the largest of them.
 */
#include "estimate/transformer_run.h"

#include <math.h>

static bool has(const struct od_transformer_run *run, uint32_t traits)
{
    return (run->t->traits & traits) != 0;
}

/* Number of blocks that save tensors. A decoder's second attention counts as half a block. */
static double blocks(const struct od_transformer_run *run)
{
    double decoder = run->t->decoder_layers.known ? (double)run->t->decoder_layers.n : 0;
    return (double)run->t->layers.n + 1.5 * decoder * run->written;
}

/* A block's bytes under tensor parallelism. Norms, inputs and masks are repeated unless the
 * sequence is split, too (arXiv 2205.05198, section 4). */
static double split(const struct od_transformer_run *run, double bytes)
{
    double ranks = (double)run->w->tensor_parallel;
    if (ranks <= 1)
        return bytes;
    double repeated = run->w->sequence_parallel ? 0 : run->block.replicated;
    repeated = repeated < bytes ? repeated : bytes;
    return repeated + (bytes - repeated) / ranks;
}

static double block_saved(const struct od_transformer_run *run)
{
    return split(run, run->block.saved);
}

static double boundary(const struct od_transformer_run *run)
{
    double ranks = run->w->sequence_parallel ? fmax((double)run->w->tensor_parallel, 1) : 1;
    return run->block.boundary / ranks;
}

/* Bytes of one token in all blocks for which this device saves tensors. In a pipeline the first
 * stage holds as many micro-batches as there are stages, so the sum is the same. */
static double saved_token(const struct od_transformer_run *run)
{
    double n = blocks(run);
    double every = (double)(run->w->checkpoint_every ? run->w->checkpoint_every : 1);
    if (run->w->offload_activations)
        return run->w->checkpointing == OD_CKPT_NONE ? block_saved(run) : 2 * boundary(run);
    switch (run->w->checkpointing) {
    case OD_CKPT_NONE:
        break;
    case OD_CKPT_SELECTIVE:
        return n * split(run, run->block.selective);
    case OD_CKPT_FULL:
        return n * boundary(run);
    case OD_CKPT_EVERY:
        return n / every * boundary(run) + (n - n / every) * block_saved(run);
    }
    return n * block_saved(run);
}

/* Bytes of one token outside of the blocks: the embedding (indices, a dropout's mask), and the last
 * norm with its output. */
static double around_token(const struct od_transformer_run *run)
{
    double h = (double)run->t->hidden.n;
    double mask = run->t->hidden_dropout > 0 ? h : 0;
    bool upcast = run->t->rms_norm && run->c < 4 && !run->w->compile;
    bool embed_norm = has(run, OD_TR_EMBED_NORM);
    double norm = has(run, OD_TR_NO_FINAL_NORM) ? 0 : h * (upcast ? 4 : run->c);
    double read = 8; /* bytes of an index, or of the numbers of a patch */
    if (has(run, OD_TR_VISION))
        read = (double)run->t->patch.n * (double)run->t->patch.n * 3 * run->c;
    return read + mask + norm + h * run->c + (embed_norm ? h * run->c : 0);
}

/* Number of tokens whose logits the loss reads. BERT's code in TensorFlow gathers the masked
 * positions (20 of 128, 80 of 512). */
static double loss_tokens(const struct od_transformer_run *run)
{
    bool masked = run->t->head == OD_HEAD_MASKED || run->t->head == OD_HEAD_PRETRAIN;
    switch (run->t->head) {
    case OD_HEAD_LM:
    case OD_HEAD_MASKED:
    case OD_HEAD_PRETRAIN:
        return run->written * run->answered * run->tokens *
               (masked && run->w->framework == OD_FW_TENSORFLOW ? 0.16 : 1);
    case OD_HEAD_NONE:
    case OD_HEAD_LABELS:
    case OD_HEAD_TOKENS:
        break;
    }
    return 0;
}

/* The loss keeps the logarithms of the softmax in float32, and the labels. */
double od_transformer_saved(const struct od_transformer_run *run)
{
    bool kept = !run->w->chunked_loss && od_transformer_loss(run) > 0;
    double loss = kept ? loss_tokens(run) * ((double)run->t->vocab.n * 4 + 8) : 0;
    return ((saved_token(run) + around_token(run)) * run->tokens + loss) / run->batch;
}

static double logits(const struct od_transformer_run *run)
{
    return loss_tokens(run) * (double)run->t->vocab.n / fmax((double)run->w->tensor_parallel, 1);
}

/* Bytes of the loss at its largest moment: the logits, the log-softmax and its gradient. A chunked
 * loss keeps between nothing (the head is part of each chunk) and the logits with their gradients
 * at the computed precision; only the logits are expected. */
double od_transformer_loss(const struct od_transformer_run *run)
{
    double bytes = run->loss_bytes;
    if (run->w->chunked_loss)
        bytes = run->c;
    else if (bytes <= 0)
        bytes = od_transformer_factor(run, OD_FACTOR_LOSS).n;
    return logits(run) * bytes;
}

/* Gradients of the head under a chunked loss: each chunk creates one of the whole head, added to
 * the sum of earlier chunks. The sum is already counted if gradients are kept between steps. */
static double head_gradients(const struct od_transformer_run *run, bool kept)
{
    double each = run->trained > 0 ? (double)run->states.gradients.n / (double)run->trained : 0;
    bool made = run->w->chunked_loss && run->w->lora_rank == 0 && !run->sharded;
    if (run->w->optimizer_in_backward)
        each = (double)od_precision_weight_bytes(run->w->precision);
    double head = (double)run->t->vocab.n * (double)run->t->hidden.n * each;
    return made ? head * (kept ? 1 : 2) / fmax((double)run->w->tensor_parallel, 1) : 0;
}

/* Bytes of the loss at the end of the forward pass: the logarithms, and the logits in float32 (and
 * in 16 bit as computed). */
static double loss_forward(const struct od_transformer_run *run)
{
    return run->w->chunked_loss ? od_transformer_loss(run)
                                : logits(run) * (run->c < 4 ? 8 + run->c : 8);
}

/* Is it unknown whether gradients are kept between steps? PyTorch frees them since 2.0; since then
 * the pool's fragments take about as much of the whole device (4 public runs measured by
 * nvidia-smi, within 10 %). */
bool od_transformer_doubts_gradients(const struct od_transformer_run *run)
{
    bool narrow =
        run->w->hopper || run->w->lora_rank > 0 || run->sharded || run->w->optimizer_in_backward;
    return run->w->metric == OD_METRIC_DEVICE && !run->w->inference && !narrow &&
           run->w->zeroes_gradients == OD_CANNOT_TELL;
}

/* Do the last step's gradients still exist when the loss is computed? */
static bool gradients_stay(const struct od_transformer_run *run)
{
    bool buckets = run->dp > 1 && !run->sharded;
    return run->w->accumulation > 1 || run->w->framework == OD_FW_TENSORFLOW || buckets ||
           (run->w->zeroes_gradients == OD_YES && !run->w->optimizer_in_backward) ||
           od_transformer_doubts_gradients(run);
}

double od_transformer_training(const struct od_transformer_run *run)
{
    double saved = (saved_token(run) + around_token(run)) * run->tokens * run->models;
    double live = block_saved(run) * run->tokens;
    double gradients = (double)run->states.gradients.n;
    double kept = gradients_stay(run) ? gradients : 0;
    bool again = run->w->checkpointing == OD_CKPT_FULL || run->w->checkpointing == OD_CKPT_EVERY;
    double at_loss = kept + saved + od_transformer_loss(run) + head_gradients(run, kept > 0);
    if (run->w->keeps_gradients) /* zero_grad() freed them before the backward pass */
        at_loss = fmax(at_loss, gradients + saved + loss_forward(run));
    double other = again ? live : live - block_saved(run) * run->tokens;
    double passing = run->block.fused ? 0 : 2 * run->block.scores * run->tokens;
    double after = kept + saved + other + od_transformer_loss(run) / 6 + passing;
    /* casts that exist at the end */
    double gathered = run->w->lora_rank > 0 ? od_transformer_gathered(run) : 0;
    double at_end = gradients + live + boundary(run) * run->tokens + passing + gathered;
    if (run->w->optimizer_in_backward) {
        at_end -= gradients;
        gradients = 0;
    }
    return fmax(fmax(at_loss, after), at_end) - gradients - gathered;
}

double od_transformer_step(const struct od_transformer_run *run)
{
    double made = (double)od_states_temporaries(run->w, &run->states);
    /* PyTorch before 2.0 updates the parameters one by one */
    bool one_by_one = run->w->zeroes_gradients == OD_YES;
    return run->loaded || one_by_one ? 0 : fmax(made - od_transformer_casts(run), 0);
}

struct widest {
    double block, logits;
};

/* The widest moments of a forward pass: residual, norm, scores and the MLP's tensors of one block;
 * and the logits of `read` tokens with their copy in float32. */
static struct widest widest_of(const struct od_transformer_run *run, double scores, double read)
{
    double h = (double)run->t->hidden.n;
    double f = run->t->intermediate.known ? (double)run->t->intermediate.n
                                          : (double)run->t->expert_intermediate.n;
    double ranks = fmax((double)run->w->tensor_parallel, 1);
    double block = (2 * h + (run->t->gated ? 3 : 2) * f / ranks) * run->c * run->tokens;
    double logits = read * (double)run->t->vocab.n * (run->c + 4) + 2 * h * run->c * run->tokens;
    block += (double)od_transformer_heads(run->t) * (double)run->sequence * run->tokens * scores;
    return (struct widest){block, logits};
}

double od_transformer_forward(const struct od_transformer_run *run)
{
    bool all = run->w->all_logits == OD_YES;
    struct widest w =
        widest_of(run, run->block.fused ? 0 : 2 * run->c, all ? run->tokens : run->batch);
    return fmax(w.block, w.logits);
}

double od_transformer_old_forward(const struct od_transformer_run *run)
{
    bool last = run->w->all_logits == OD_NO, fused = run->w->attention == OD_ATTENTION_FUSED;
    struct widest w = widest_of(run, fused ? 0 : 2 * run->c + 8, last ? run->batch : run->tokens);
    return w.block + w.logits;
}
