/*
 * Estimate: a described workload -> the memory of training or serving it, as intervals, with the
 * assumptions behind each number. Pure functions; no log in sight. Formulas and their sources stand
 * with the functions (saved.c, states.c, peak.c, ...).
 *
 * Exact numbers (parameters, gradients, optimizer states) are exact to the byte where the
 * description states every parameter. Predictions are 90 % intervals.
 */
#pragma once

#include "base/diag.h"
#include "base/err.h"
#include "facts/model.h"

enum od_framework { OD_FW_PYTORCH, OD_FW_TENSORFLOW, OD_FW_JAX };

/* The contract's words, in its order. amp_*: float32 weights, 16-bit compute; fp16, bf16: 16-bit
 * weights with float32 masters; *_true: all in 16 bit. */
enum od_precision {
    OD_PREC_FLOAT32,
    OD_PREC_TF32,
    OD_PREC_AMP_FP16,
    OD_PREC_AMP_BF16,
    OD_PREC_FP16,
    OD_PREC_BF16,
    OD_PREC_FP16_TRUE,
    OD_PREC_BF16_TRUE,
    OD_PREC_FP8,
    OD_PRECISIONS
};

enum od_optimizer {
    OD_OPT_SGD,
    OD_OPT_MOMENTUM,
    OD_OPT_NESTEROV,
    OD_OPT_ADAM,
    OD_OPT_ADAMW,
    OD_OPT_AMSGRAD,
    OD_OPT_ADAFACTOR,
    OD_OPT_ADAM8BIT,
    OD_OPT_LION,
    OD_OPT_RMSPROP,
    OD_OPT_ADAGRAD,
    OD_OPT_MUON,
    OD_OPTIMIZERS
};

enum od_metric { OD_METRIC_ALLOCATED, OD_METRIC_RESERVED, OD_METRIC_DEVICE };

enum od_checkpointing { OD_CKPT_NONE, OD_CKPT_SELECTIVE, OD_CKPT_FULL, OD_CKPT_EVERY };

struct od_saved;

/* Do the samples of a training run differ in length? */
enum od_lengths { OD_LENGTHS_UNKNOWN, OD_LENGTHS_FIXED, OD_LENGTHS_VARIED };

/* Does attention keep its scores for the backward pass? */
enum od_attention { OD_ATTENTION_UNKNOWN, OD_ATTENTION_EAGER, OD_ATTENTION_FUSED };

/* Everything that can be turned. Zeroed members are "not given"; od_workload_defaults fills them.
 */
struct od_workload {
    const struct od_model *model;
    enum od_framework framework;
    enum od_precision precision;
    enum od_optimizer optimizer;
    enum od_metric metric;
    enum od_checkpointing checkpointing;
    uint64_t checkpoint_every;
    uint64_t batch, accumulation, sequence, world_size;
    uint64_t image_h, image_w; /* 0 = as described */
    unsigned zero_stage;
    bool fsdp;
    uint64_t tensor_parallel, pipeline_parallel, expert_parallel;
    bool sequence_parallel;
    bool offload_optimizer, offload_params, offload_activations;
    uint64_t lora_rank;
    const char *const *lora_targets;
    size_t nlora_targets;
    unsigned quantize_bits; /* 0, 8 or 4 */
    bool compile, chunked_loss, optimizer_in_backward;
    bool fused_step;      /* the optimizer's: a kernel that makes no temporaries */
    bool keeps_gradients; /* those of the last step live through the forward pass */
    bool hopper;          /* a device of compute capability 9 */
    bool no_bitsandbytes; /* nor has that library kernels for it */
    bool on_cpu;          /* TensorFlow's kernels of a processor, which are others */
    bool onednn;          /* of which those are oneDNN's, surely */
    bool inference;
    uint64_t kv_block;      /* serving with a paged cache: tokens of a block; 0 = in one piece */
    uint64_t mean_sequence; /* tokens that a running sequence has on average; 0 = sequence */
    double kv_bytes;        /* of one value of the cache; 0 = as computed */
    uint64_t chunk;         /* tokens of prompts that one forward pass reads at most; 0 = all */
    enum od_attention attention;
    enum od_tri keeps_packed;      /* bitsandbytes before 0.43.2: the inputs of 4-bit matrices */
    enum od_tri zeroes_gradients;  /* PyTorch before 2.0: they stay between steps */
    enum od_tri adapter_dropout;   /* of LoRA: a rate above 0 */
    struct od_count device_blocks; /* the others are in host memory; unknown = all */
    uint64_t prompt; /* tokens that one forward pass reads before it generates; 0 = unknown */
    enum od_lengths lengths;
    uint64_t mean_length; /* tokens of a sample on average, where lengths are varied; 0 = unknown */
    /* What the layers save, of an earlier estimate that differs in batch, optimizer and device
     * alone (its model is the model then); NULL = not known yet. Spares a search the walk. */
    const struct od_saved *saved;
    bool sized; /* by od_workload_size */
    /* What earlier runs on the machine took of what was planned beside weights and states, as a
     * factor; 0 = not known. Of the context, too, where the device's peak was measured. */
    double correction;
    bool corrects_context;
};

/* One number of the sum, with where it comes from. */
struct od_part {
    struct od_bytes bytes; /* n is the expected value, lo and hi the 90 % interval */
    const char *why;       /* the formula with its numbers, for --why */
};

struct od_breakdown {
    struct od_part parameters, gradients, optimizer, buffers, activations, inputs, workspace,
        framework, allocator_waste;
    struct od_bytes at_limit; /* workspace and allocator_waste when the device is full; unknown:
                               * the same */
};

struct od_layer_estimate {
    uint32_t layer;        /* into the estimate's model's layers */
    uint64_t output_bytes; /* of one sample, at the compute precision */
    uint64_t saved_bytes;
};

/* Keys and values of all running sequences, on this device. */
struct od_kv_cache {
    bool known; /* a transformer that serves and has one */
    bool paged;
    uint64_t token_bytes; /* of one token in all layers */
    uint64_t longest;     /* tokens a sequence may have */
    struct od_bytes bytes;
    struct od_bytes waste;  /* of bytes: places without a token; known where paged */
    struct od_bytes blocks; /* a number, not bytes; known where paged */
};

struct od_estimate {
    uint64_t parameters, trainable;
    struct od_bytes parameter_bytes;
    struct od_bytes saved_per_sample; /* kept for backward by one sample at this precision */
    struct od_bytes batch_bytes;
    struct od_breakdown breakdown;
    struct od_bytes peak;
    struct od_bytes at_limit; /* of the peak, what is left when the device is full */
    bool lower_limit; /* activations that are not counted come on top: how many is not known */
    struct od_kv_cache cache;
    const struct od_model *model; /* whose layers these are: the workload's, sizes filled in */
    const struct od_saved *saved; /* of a layered model, for od_workload.saved; else NULL */
    OD_VEC(struct od_layer_estimate) layers;
    OD_VEC(const char *) assumptions;
    OD_VEC(struct od_view) unknown_layers;
};

/*
 * The estimate of a workload; lives in arena (vectors too: no done). False with diagnostics when
 * the description cannot be estimated (no parameters known, sizes that overflow).
 */
bool od_estimate(const struct od_workload *workload, struct od_arena *arena, struct od_diags *diags,
                 struct od_estimate *ret_estimate);

/*
 * Words of the contract <-> numbers; false, NULL when there is no such word. Precisions and
 * optimizers are found as the large frameworks spell them, too ("bf16-mixed", "adamw_torch").
 */
bool od_precision_find(struct od_view word, enum od_precision *ret_precision);
const char *od_precision_name(enum od_precision precision);
bool od_optimizer_find(struct od_view word, enum od_optimizer *ret_optimizer);
/* The longest name of one that the text holds: "torch.optim.SGD", "adamw_torch". */
bool od_optimizer_in(struct od_view text, enum od_optimizer *ret_optimizer);
const char *od_optimizer_name(enum od_optimizer optimizer);
bool od_metric_find(struct od_view word, enum od_metric *ret_metric);
const char *od_metric_name(enum od_metric metric);
bool od_framework_find(struct od_view word, enum od_framework *ret_framework);
const char *od_framework_name(enum od_framework framework);

/* none, selective, full, every:K (*ret_every is K, else 1); false when it is none of them. */
bool od_checkpointing_find(struct od_view word, enum od_checkpointing *ret_checkpointing,
                           uint64_t *ret_every);

/* The word again; "every:K" lives in arena. */
const char *od_checkpointing_name(enum od_checkpointing checkpointing, uint64_t every,
                                  struct od_arena *arena);

/* A workload of nothing given: batch, accumulation, world size and parallelism 1, device metric,
 * float32, AdamW, the framework that the model's text tells (PyTorch when it tells none). */
struct od_workload od_workload_defaults(const struct od_model *model);

/*
 * Fills in the sizes of the model's layers once for many estimates of the same sequence length and
 * image size; lives in arena. What it assumes is in no estimate's assumptions.
 */
void od_workload_size(struct od_workload *workload, struct od_arena *arena);

/*
 * The probability that the estimated peak, at the device's limit, stays within so many bytes: n is
 * its median, lo and hi its 5th and 95th percentiles, and the logarithm has Student's tails on
 * either side. Negative where it is not known: the peak is a lower limit that is not beyond
 * them.
 */
double od_estimate_fits(const struct od_estimate *estimate, uint64_t usable_bytes);

/* Sets peak and at_limit to sums of the breakdown's parts. The relative errors of activations,
 * workspace and framework are taken as independent: the interval of the sum is narrower than the
 * sum of the intervals. False on overflow or when a part is unknown. */
bool od_estimate_close(struct od_estimate *estimate);

/* Makes the ranges as wide as errors of others described alike (odds.def). */
void od_estimate_earn(const struct od_workload *workload, struct od_estimate *estimate);

/* Applies the workload's correction to the parts, and closes again. False on overflow. */
bool od_estimate_correct(const struct od_workload *workload, struct od_estimate *estimate);
