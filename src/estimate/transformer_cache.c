/*
 * The cache of keys and values. If it is one tensor, every sequence has space for the maximum
 * length. If it is paged (vLLM, arXiv 2309.06180), each sequence has whole blocks, so the last one
 * is partly empty: on average half of a block if lengths are arbitrary.
 */
#include "estimate/transformer_run.h"

#include "estimate/range.h"

#include <math.h>

static const double z95 = 1.645;

/* Numbers of tokens for which all running sequences have space in one layer. */
struct places {
    double n, lo, hi, used;
};

static double min2(double a, double b)
{
    return a < b ? a : b;
}

/* Bytes of one token in all layers of this device: keys and values, or the latent vector from which
 * they are computed, which tensor parallelism repeats. */
static double token_bytes(const struct od_transformer_run *run)
{
    const struct od_transformer *t = run->t;
    if ((t->traits & OD_TR_CAUSAL) == 0 && !t->decoder_layers.known)
        return 0;
    double layers = t->decoder_layers.known ? (1 + run->written) * (double)t->decoder_layers.n
                                            : (double)t->layers.n;
    layers -= t->linear_layers.known ? (double)t->linear_layers.n : 0;
    layers = fmax(layers - (double)t->borrowing_layers.n, 0);
    double kv = (double)od_transformer_kv_heads(t);
    double width = kv * (double)(od_transformer_head_dim(t) + od_transformer_value_dim(t));
    if (t->kv_rank.known)
        width = (double)t->kv_rank.n + (double)t->rope_dim.n;
    double ranks = t->kv_rank.known ? 1 : fmax((double)run->w->tensor_parallel, 1);
    double stages = fmax((double)run->w->pipeline_parallel, 1);
    double bytes = run->w->kv_bytes > 0 ? run->w->kv_bytes : run->c;
    return od_transformer_on_device(run) * layers * width * bytes / fmax(min2(ranks, kv), 1) /
           stages;
}

/* Number of blocks of a sequence of which only the last `window` tokens count. */
static double blocks_of(double tokens, double window, double block)
{
    double before = tokens > window ? tokens - window : 0;
    return ceil(tokens / block) - floor(before / block);
}

/* Tokens of `running` sequences with varying lengths, spread as evenly as their mean and maximum
 * allow (a variance of mean x (longest - mean) / 3); with a window, as many as at the mean. */
static struct places of_some_length(double running, double mean, double longest, double window,
                                    double block)
{
    double most = running * blocks_of(longest, window, block) * block;
    double kept = min2(mean, window);
    double least = 2 * mean > window ? window - window * window / (4 * mean) : mean;
    /* blocks that are partly empty, or partly before the window */
    double ends = mean > window ? 2 : 1;
    double waste = running * ends * (block - 1) / 2;
    double sigma = z95 * sqrt(running * mean * (longest - mean) / 3);
    struct places p = {.used = running * kept};
    p.n = min2(p.used + waste, most);
    p.hi = min2(p.n + sigma, most);
    p.lo = fmax(running * least - sigma, running);
    p.lo = min2(p.lo, p.n);
    return p;
}

static struct places places_of(const struct od_transformer_run *run, double window)
{
    double longest = (double)run->sequence, mean = (double)run->w->mean_sequence;
    double block = (double)run->w->kv_block;
    if (block <= 0)
        block = 1;
    if (mean > 0 && mean < longest)
        return of_some_length(run->batch, mean, longest, window, block);
    double all = run->batch * blocks_of(longest, window, block) * block;
    return (struct places){all, all, all, run->batch * min2(longest, window)};
}

static void add_share(struct places *sum, const struct places *part, double share)
{
    sum->n += share * part->n;
    sum->lo += share * part->lo;
    sum->hi += share * part->hi;
    sum->used += share * part->used;
}

static double windowed_share(const struct od_transformer *t)
{
    double full = (double)t->full_layers.n, layers = (double)t->layers.n;
    return t->full_layers.known ? (layers - min2(full, layers)) / layers : 1;
}

/* Width of keys in a layer without a window, relative to a layer with one. */
static double full_width(const struct od_transformer *t)
{
    uint64_t any = od_transformer_kv_heads(t) * od_transformer_head_dim(t);
    return t->full_kv.known && any > 0 ? (double)t->full_kv.n / (double)any : 1;
}

void od_transformer_cache(const struct od_transformer_run *run, struct od_kv_cache *ret_cache)
{
    const struct od_transformer *t = run->t;
    double token = token_bytes(run), block = (double)run->w->kv_block;
    double inside = 0; /* share of layers with a window */
    double states = run->w->tried > 0 ? min2(run->batch, (double)run->w->tried) : run->batch;
    double kept = states * t->linear_state / fmax((double)run->w->tensor_parallel, 1);
    struct places sum = {0};
    if (t->window.known && t->window.n > 0 && t->window.n < run->sequence)
        inside = windowed_share(t);
    if (inside > 0) {
        struct places windowed = places_of(run, (double)t->window.n);
        add_share(&sum, &windowed, inside);
    }
    if (inside < 1) {
        struct places whole = places_of(run, (double)run->sequence);
        add_share(&sum, &whole, (1 - inside) * (inside > 0 ? full_width(t) : 1));
    }
    /* many programs keep all tokens in layers with a window, too (SGLang in 2025) */
    if (inside > 0) {
        struct places all = places_of(run, (double)run->sequence);
        sum.hi = fmax(sum.hi, all.hi);
    }
    *ret_cache = (struct od_kv_cache){
        .known = token > 0,
        .paged = run->w->kv_block > 0,
        .token_bytes = (uint64_t)token,
        .longest = run->sequence,
        .bytes = od_bytes_about(token * sum.n + 4 * kept, token * sum.lo + 2 * kept,
                                /* upper end: states in float32; lower end: in 16 bit */
                                token * sum.hi + 4 * kept),
    };
    if (ret_cache->paged) {
        double empty = token * (sum.n - sum.used);
        bool sure = sum.hi <= sum.lo;
        ret_cache->waste = od_bytes_about(empty, sure ? empty : 0, sure ? empty : 2 * empty);
        ret_cache->blocks = od_bytes_about(sum.n / block, sum.lo / block, sum.hi / block);
    }
}

/* The peak while an answer is computed: the cache of `tokens` per sequence and a forward pass over
 * them; later the whole cache and a pass over one token. */
static double answer_peak(const struct od_transformer_run *run, double cache, double tokens,
                          double (*pass)(const struct od_transformer_run *run))
{
    struct od_transformer_run read = *run, last = *run;
    double all = (double)run->sequence;
    read.tokens = run->batch * tokens;
    read.sequence = (uint64_t)tokens;
    last.tokens = run->batch;
    double reading = cache * tokens / all + pass(&read);
    return fmax(reading, cache + od_transformer_forward(&last));
}

bool od_transformer_doubts_release(const struct od_transformer_run *run)
{
    enum { OLD_PROMPT = 4096 };
    const struct od_workload *w = run->w;
    return w->prompt > 0 && w->prompt <= OLD_PROMPT && w->kv_block == 0 && w->chunk == 0 &&
           !w->device_blocks.known && w->framework == OD_FW_PYTORCH;
}

/* vLLM measures a step with the maximum number of sequences before it allocates its cache, and
 * draws a token for each (get_batch_defaults in its engine/arg_utils.py). */
enum { SEQUENCES_TRIED = 256, SEQUENCES_MOST = 1024 };

/* llama.cpp reserves one buffer for the widest moment of a pass: the scores of attention in
 * float32, unless a kernel keeps none (off by default before August 2025), or the logits of every
 * token of a pass, with its tokens (five logs of its buffers, within 8 %). */
static struct od_range graph_peak(const struct od_transformer_run *run, double cache)
{
    double outputs = run->tokens * ((double)run->t->vocab.n + (double)run->t->hidden.n) * 4;
    double scores = (double)od_transformer_heads(run->t) * (double)run->sequence * run->tokens * 4;
    double narrow = fmax(od_transformer_forward(run), outputs);
    double wide = run->w->attention == OD_ATTENTION_FUSED ? narrow : fmax(narrow, scores);
    bool written = run->w->attention == OD_ATTENTION_EAGER;
    double most = wide + (wide - narrow) / 10 + narrow / 4;
    return (struct od_range){cache + (written ? wide : narrow), cache + narrow * 0.8, cache + most};
}

/* The length of the prompt is often unknown: half of the sequence is expected, and the range covers
 * one token to all of it, and an answer that ends early. Older releases need more for a prompt
 * (READMEs of DeepSeek LLM and AutoAWQ); the range covers them up to the lengths for which they
 * were used. A cache that is not allocated at once grows by a copy for each token, and the freed
 * copies stay reserved: up to the size of the cache (README of Qwen: 7B at 512 to 8192 generated
 * tokens). That table calls its peak allocated, so the metric does not narrow the range. */
struct od_range od_transformer_answering(const struct od_transformer_run *run,
                                         const struct od_kv_cache *cache)
{
    double at_once = od_transformer_factor(run, OD_FACTOR_PASS).hi;
    struct od_range answer = od_transformer_factor(run, OD_FACTOR_ANSWER);
    double bytes = (double)cache->bytes.n, all = (double)run->sequence;
    double prompt = run->w->prompt > 0 ? (double)run->w->prompt : all / 2;
    if (cache->paged && run->w->set_aside > 0) {
        double kept = bytes + od_transformer_set_aside(run);
        return (struct od_range){kept, kept, kept};
    }
    if (run->w->device_blocks.known)
        return graph_peak(run, bytes);
    if (cache->paged || bytes <= 0) {
        double pass = od_transformer_forward(run), rows = cache->paged ? SEQUENCES_TRIED : 0;
        double more = run->w->tried > 0 ? 1 : SEQUENCES_MOST / SEQUENCES_TRIED;
        if (cache->paged && run->w->tried > 0)
            rows = (double)run->w->tried;
        double sampled =
            rows * (double)run->t->vocab.n * od_transformer_factor(run, OD_FACTOR_SAMPLED).n;
        return (struct od_range){bytes + fmax(pass, sampled), bytes + pass * (1 - at_once),
                                 bytes + fmax(pass * (1 + at_once), more * sampled)};
    }
    bool known = run->w->prompt > 0;
    double generated = bytes * (known ? fmax(1 - prompt / all, 0) : 1);
    struct od_range r = {.n = answer_peak(run, bytes, prompt, od_transformer_forward),
                         .lo = answer_peak(run, bytes, known ? prompt : 1, od_transformer_forward),
                         .hi = answer_peak(run, bytes, known ? prompt : all,
                                           od_transformer_doubts_release(run)
                                               ? od_transformer_old_forward
                                               : od_transformer_forward)};
    r.lo -= (r.lo - bytes) * at_once + generated * answer.lo;
    r.hi = fmax(r.hi + (r.hi - bytes) * at_once, bytes * (1 + answer.hi));
    return r;
}
