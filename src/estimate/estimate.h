/*
 * Estimates the memory of training or serving a described workload, as intervals with the
 * assumptions for each number. Pure functions, independent of any log. Formulas and their sources
 * are in the files of the functions (saved.c, states.c, peak.c, ...).
 *
 * Exact numbers (parameters, gradients, optimizer states) are exact to the byte if the description
 * gives every parameter. Predictions are 90 % intervals.
 */
#pragma once

#include "base/diag.h"
#include "base/err.h"
#include "facts/model.h"

enum od_framework { OD_FW_PYTORCH, OD_FW_TENSORFLOW, OD_FW_JAX };

/* The order is that of the JSON contract's names. amp_*: float32 weights, 16-bit compute; fp16,
 * bf16: 16-bit weights with float32 masters; *_true: everything in 16 bit. */
enum od_precision {
#define OD_PRECISION(id, name, weight, compute, is) OD_PREC_##id,
#include "estimate/precisions.def"
#undef OD_PRECISION
    OD_PRECISIONS
};

enum od_optimizer {
#define OD_OPTIMIZER(id, name, floats, bytes, factored, rooted) OD_OPT_##id,
#include "estimate/optimizers.def"
#undef OD_OPTIMIZER
    OD_OPTIMIZERS
};

enum od_metric { OD_METRIC_ALLOCATED, OD_METRIC_RESERVED, OD_METRIC_DEVICE };

enum od_checkpointing { OD_CKPT_NONE, OD_CKPT_SELECTIVE, OD_CKPT_FULL, OD_CKPT_EVERY };

struct od_saved;
struct od_objective;

/* Do the samples of a training run differ in length? */
enum od_lengths { OD_LENGTHS_UNKNOWN, OD_LENGTHS_FIXED, OD_LENGTHS_VARIED };

/* Does attention keep its scores for the backward pass? */
enum od_attention { OD_ATTENTION_UNKNOWN, OD_ATTENTION_EAGER, OD_ATTENTION_FUSED };

/* All knobs. Zeroed members are not given; od_workload_defaults fills them in. */
struct od_workload {
    const struct od_model *model;
    enum od_framework framework;
    enum od_precision precision;
    enum od_optimizer optimizer;
    enum od_metric metric;
    enum od_checkpointing checkpointing;
    uint64_t checkpoint_every;
    bool checkpoints_open; /* not given: may be full or none; `checkpointing` has the usual one */
    bool optimizer_open;   /* not given, and the optimizer's states are large */
    uint64_t batch, accumulation, sequence, world_size;
    uint64_t image_h, image_w; /* 0 = size in the model's description */
    unsigned zero_stage;
    bool fsdp;
    uint64_t tensor_parallel, pipeline_parallel, expert_parallel;
    bool sequence_parallel;
    bool offload_optimizer, offload_params, offload_activations;
    uint64_t lora_rank;
    const char *const *lora_targets;
    size_t nlora_targets;
    unsigned quantize_bits; /* 0 = not quantized, 8 or 4 */
    bool compile, chunked_loss, optimizer_in_backward;
    bool fused_step;      /* the optimizer uses a kernel without temporaries */
    bool paged_states;    /* the optimizer moves its states out of a full device (bitsandbytes) */
    bool keeps_gradients; /* gradients of the last step are live during the forward pass */
    enum od_tri reshards; /* FSDP frees gathered frozen weights again (PyTorch since 2.1) */
    bool planned;         /* the user plans a run: ranges have the errors for published peaks */
    bool any_program;     /* the training program is not known: its loss may keep more or less */
    bool hopper;          /* a device of compute capability 9 */
    bool no_bitsandbytes; /* bitsandbytes does not support the device */
    bool on_cpu;          /* TensorFlow runs on a CPU, with other kernels */
    bool onednn;          /* the CPU kernels are certainly oneDNN's */
    bool inference;
    uint64_t kv_block;      /* tokens per block of a server's paged cache; 0 = not paged */
    uint64_t mean_sequence; /* average tokens of a running sequence; 0 = sequence */
    double kv_bytes;        /* bytes of one value of the cache; 0 = computed */
    uint64_t chunk;         /* maximum number of prompt tokens in one forward pass; 0 = all */
    /* sequences for which a server draws a token before it allocates its cache; 0 = unknown */
    uint64_t tried;
    uint64_t set_aside; /* bytes that a server reserves for its passes, not for weights and cache */
    /* reduces set_aside by this share of the weights: LMDeploy divides the rest of the device */
    double set_aside_less;
    enum od_attention attention;
    /* bitsandbytes before 0.43.2 keeps the inputs of 4-bit matrices */
    enum od_tri keeps_packed;
    /* PEFT's preparation converts matrices that are not quantized to float32; TRL has its own
     * preparation since 0.26 */
    enum od_tri widens;
    enum od_tri zeroes_gradients; /* PyTorch before 2.0 keeps gradients from step to step */
    enum od_tri adapter_dropout;  /* LoRA has a dropout rate above 0 */
    enum od_tri all_logits;       /* the forward pass of a prompt computes logits for every token */
    /* number of blocks on the device, all others are in host memory; unknown = all */
    struct od_count device_blocks;
    uint64_t prompt; /* tokens read in one forward pass before generation; 0 = unknown */
    const struct od_objective *objective; /* NULL = next-token prediction (objectives.def) */
    uint64_t engine_bytes; /* bytes reserved by an inference engine in the same process; 0 = none */
    enum od_lengths lengths;
    uint64_t mean_length; /* average tokens of a sample if lengths vary; 0 = unknown */
    /* Saved activations from an earlier estimate that differs only in batch, optimizer and device
     * (with its model as `model`); NULL = not known yet. Avoids repeated walks during a search. */
    const struct od_saved *saved;
    bool sized; /* set by od_workload_size */
    /* Factor by which earlier runs on the machine exceeded the plan, without weights and states; 0
     * = not known. It includes the context if the device's peak was measured. */
    double correction;
    bool corrects_context;
};

/* One summand of the peak, with its derivation. */
struct od_part {
    struct od_bytes bytes; /* n is the expected value, lo and hi the 90 % interval */
    const char *why;       /* formula with numbers, for --why */
};

struct od_breakdown {
    struct od_part parameters, gradients, optimizer, buffers, activations, inputs, workspace,
        framework, allocator_waste;
    /* workspace and allocator_waste on a full device; unknown = the same as bytes */
    struct od_bytes at_limit;
    bool lengths_vary; /* short samples would reduce both activations and allocator_waste */
};

struct od_layer_estimate {
    uint32_t layer;        /* index in the layers of the estimate's model */
    uint64_t output_bytes; /* for one sample, at the compute precision */
    uint64_t saved_bytes;
};

/* Keys and values of all running sequences on this device. */
struct od_kv_cache {
    bool known; /* the workload is a serving transformer with a cache */
    bool paged;
    uint64_t token_bytes; /* bytes of one token in all layers */
    uint64_t longest;     /* longest allowed sequence in tokens */
    struct od_bytes bytes;
    struct od_bytes waste;  /* part of bytes without tokens; known if paged */
    struct od_bytes blocks; /* number of blocks; known if paged */
};

struct od_estimate {
    uint64_t parameters, trainable;
    struct od_bytes parameter_bytes;
    struct od_bytes saved_per_sample; /* for one sample at this precision */
    struct od_bytes batch_bytes;
    struct od_breakdown breakdown;
    struct od_bytes peak;
    struct od_bytes at_limit; /* the peak on a full device */
    bool lower_limit; /* some activations are not counted, so the peak is only a lower limit */
    double unsaid;    /* bytes above and below the peak by which unknown programs may differ */
    struct od_kv_cache cache;
    const struct od_model *model; /* model with the layers: the workload's model with all sizes */
    const struct od_saved *saved; /* for od_workload.saved; NULL = the model has no layers */
    OD_VEC(struct od_layer_estimate) layers;
    OD_VEC(const char *) assumptions;
    OD_VEC(struct od_view) unknown_layers;
};

/* Estimates a workload. The result, including its vectors, is allocated in arena. False with
 * diagnostics if the description is insufficient (no parameters known) or sizes overflow. */
bool od_estimate(const struct od_workload *workload, struct od_arena *arena, struct od_diags *diags,
                 struct od_estimate *ret_estimate);

/* Converts between values and names of the JSON contract; false or NULL for an unknown name.
 * Precisions and optimizers are also found in the spelling of large frameworks ("bf16-mixed",
 * "adamw_torch"). */
bool od_precision_find(struct od_view word, enum od_precision *ret_precision);
const char *od_precision_name(enum od_precision precision);
/* Is the precision autocast? 16-bit weights with float32 masters? 16 bits throughout? */
bool od_precision_casts(enum od_precision precision);
bool od_precision_has_masters(enum od_precision precision);
bool od_precision_is_narrow(enum od_precision precision);
bool od_optimizer_find(struct od_view word, enum od_optimizer *ret_optimizer);
/* Finds the optimizer with the longest name in the text: "torch.optim.SGD", "adamw_torch". */
bool od_optimizer_in(struct od_view text, enum od_optimizer *ret_optimizer);
const char *od_optimizer_name(enum od_optimizer optimizer);
bool od_metric_find(struct od_view word, enum od_metric *ret_metric);
const char *od_metric_name(enum od_metric metric);
bool od_framework_find(struct od_view word, enum od_framework *ret_framework);
const char *od_framework_name(enum od_framework framework);

/* Parses none, selective, full, every:K (*ret_every is K, else 1). False for any other word. */
bool od_checkpointing_find(struct od_view word, enum od_checkpointing *ret_checkpointing,
                           uint64_t *ret_every);

/* Name of a kind of checkpointing; "every:K" is allocated in arena. */
const char *od_checkpointing_name(enum od_checkpointing checkpointing, uint64_t every,
                                  struct od_arena *arena);

/* Returns a workload without knobs: batch, accumulation, world size and parallelism 1, device
 * metric, float32, AdamW, the framework shown by the model's text (default PyTorch). */
struct od_workload od_workload_defaults(const struct od_model *model);

/* Fills in the sizes of the model's layers once, for many estimates of the same sequence length and
 * image size. Allocated in arena. The estimates do not report its assumptions. */
void od_workload_size(struct od_workload *workload, struct od_arena *arena);

/* The probability that the estimated peak at the device's limit is at most usable_bytes: n is the
 * median, lo and hi are the 5th and 95th percentiles, and the logarithm has Student's tails on both
 * sides. Negative if the peak is only a lower limit below usable_bytes. */
double od_estimate_fits(const struct od_estimate *estimate, uint64_t usable_bytes);

/* The memory that the workload needs on a device: the peak, or the peak at the limit if the
 * workload only fits when the pool returns unused memory. */
struct od_bytes od_estimate_need(const struct od_estimate *estimate, uint64_t usable_bytes);

/* Sets peak and at_limit to sums of the breakdown's parts. The relative errors of activations,
 * workspace and framework are assumed to be independent, so the interval of the sum is narrower
 * than the sum of the intervals. False on overflow or if a part is unknown. */
bool od_estimate_close(struct od_estimate *estimate);

/* Widens the ranges to the errors of estimates for other models with similar descriptions
 * (odds.def, widths.def). */
void od_estimate_earn(const struct od_workload *workload, struct od_estimate *estimate);

/* Applies the workload's correction to the parts and sums them again. False on overflow. */
bool od_estimate_correct(const struct od_workload *workload, struct od_estimate *estimate);
