#include "estimate/estimate.h"

static const char *const precision_names[OD_PRECISIONS] = {
    [OD_PREC_FLOAT32] = "float32",
    [OD_PREC_TF32] = "tf32",
    [OD_PREC_AMP_FP16] = "amp_fp16",
    [OD_PREC_AMP_BF16] = "amp_bf16",
    [OD_PREC_FP16] = "fp16",
    [OD_PREC_BF16] = "bf16",
    [OD_PREC_FP16_TRUE] = "fp16_true",
    [OD_PREC_BF16_TRUE] = "bf16_true",
    [OD_PREC_FP8] = "fp8",
};

static const char *const optimizer_names[OD_OPTIMIZERS] = {
    [OD_OPT_SGD] = "sgd",
    [OD_OPT_MOMENTUM] = "momentum",
    [OD_OPT_NESTEROV] = "nesterov",
    [OD_OPT_ADAM] = "adam",
    [OD_OPT_ADAMW] = "adamw",
    [OD_OPT_AMSGRAD] = "amsgrad",
    [OD_OPT_ADAFACTOR] = "adafactor",
    [OD_OPT_ADAM8BIT] = "adam8bit",
    [OD_OPT_LION] = "lion",
    [OD_OPT_RMSPROP] = "rmsprop",
    [OD_OPT_ADAGRAD] = "adagrad",
    [OD_OPT_MUON] = "muon",
};

static const char *const metric_names[] = {"allocated", "reserved", "device"};
static const char *const framework_names[] = {"pytorch", "tensorflow", "jax"};

/* Names used by frameworks, so that users can paste what their program accepts: Lightning's
 * precision, Keras' policies, the optim of Hugging Face's TrainingArguments, PyTorch's types. */
struct spelling {
    const char *word;
    int means;
};
static const struct spelling precision_spellings[] = {
    {"fp32", OD_PREC_FLOAT32},
    {"32", OD_PREC_FLOAT32},
    {"32-true", OD_PREC_FLOAT32},
    {"amp", OD_PREC_AMP_FP16}, /* torch.autocast('cuda') without a type */
    {"fp16-mixed", OD_PREC_AMP_FP16},
    {"16-mixed", OD_PREC_AMP_FP16},
    {"mixed_float16", OD_PREC_AMP_FP16},
    {"bf16-mixed", OD_PREC_AMP_BF16},
    {"mixed_bfloat16", OD_PREC_AMP_BF16},
    {"float16", OD_PREC_FP16},
    {"half", OD_PREC_FP16},
    {"bfloat16", OD_PREC_BF16},
    {"16-true", OD_PREC_FP16_TRUE},
    {"bf16-true", OD_PREC_BF16_TRUE},
};
static const struct spelling optimizer_spellings[] = {
    {"sgd_momentum", OD_OPT_MOMENTUM}, {"adamw_torch", OD_OPT_ADAMW},
    {"adamw_hf", OD_OPT_ADAMW},        {"adamw8bit", OD_OPT_ADAM8BIT},
    {"adamw_8bit", OD_OPT_ADAM8BIT},   {"adamw_bnb_8bit", OD_OPT_ADAM8BIT},
    {"adam_8bit", OD_OPT_ADAM8BIT},    {"paged_adamw_8bit", OD_OPT_ADAM8BIT},
    {"adamw_32bit", OD_OPT_ADAMW},     {"lion_32bit", OD_OPT_LION},
};

static const struct vocabulary {
    const char *const *names;
    size_t n;
    const struct spelling *spellings;
    size_t nspellings;
} precisions = {precision_names, OD_PRECISIONS, precision_spellings,
                OD_COUNT_OF(precision_spellings)},
  optimizers = {optimizer_names, OD_OPTIMIZERS, optimizer_spellings,
                OD_COUNT_OF(optimizer_spellings)};

static bool find(const char *const *names, size_t n, struct od_view word, size_t *ret_i)
{
    for (size_t i = 0; i < n; i++)
        if (od_view_eq_str(word, names[i])) {
            *ret_i = i;
            return true;
        }
    return false;
}

/* Finds a name of the JSON contract or of a framework, ignoring case. */
static bool find_spelt(const struct vocabulary *v, struct od_view word, size_t *ret_i)
{
    char low[32];
    word = od_view_lowered(word, low, sizeof low);
    for (size_t i = 0; i < v->nspellings; i++)
        if (od_view_eq_str(word, v->spellings[i].word)) {
            *ret_i = (size_t)v->spellings[i].means;
            return true;
        }
    return find(v->names, v->n, word, ret_i);
}

bool od_precision_find(struct od_view word, enum od_precision *ret_precision)
{
    size_t i;
    if (!find_spelt(&precisions, word, &i))
        return false;
    *ret_precision = (enum od_precision)i;
    return true;
}

const char *od_precision_name(enum od_precision precision)
{
    return precision < OD_PRECISIONS ? precision_names[precision] : NULL;
}

bool od_optimizer_find(struct od_view word, enum od_optimizer *ret_optimizer)
{
    size_t i;
    if (!find_spelt(&optimizers, word, &i))
        return false;
    *ret_optimizer = (enum od_optimizer)i;
    return true;
}

/* "momentum" is preferred to "sgd", "adamw" to "adam". */
bool od_optimizer_in(struct od_view text, enum od_optimizer *ret_optimizer)
{
    enum { TEXT_MOST = 256 };
    char low[TEXT_MOST];
    size_t longest = 0;
    text = od_view_lowered(text, low, sizeof low);
    for (unsigned i = 0; i < OD_OPTIMIZERS; i++) {
        struct od_view name = od_view_of(optimizer_names[i]);
        if (name.n <= longest || !od_view_has(text, name))
            continue;
        longest = name.n;
        *ret_optimizer = (enum od_optimizer)i;
    }
    return longest > 0;
}

const char *od_optimizer_name(enum od_optimizer optimizer)
{
    return optimizer < OD_OPTIMIZERS ? optimizer_names[optimizer] : NULL;
}

bool od_metric_find(struct od_view word, enum od_metric *ret_metric)
{
    size_t i;
    if (!find(metric_names, OD_COUNT_OF(metric_names), word, &i))
        return false;
    *ret_metric = (enum od_metric)i;
    return true;
}

const char *od_metric_name(enum od_metric metric)
{
    return metric_names[metric];
}

bool od_framework_find(struct od_view word, enum od_framework *ret_framework)
{
    size_t i;
    if (!find(framework_names, OD_COUNT_OF(framework_names), word, &i))
        return false;
    *ret_framework = (enum od_framework)i;
    return true;
}

const char *od_framework_name(enum od_framework framework)
{
    return framework_names[framework];
}

bool od_checkpointing_find(struct od_view word, enum od_checkpointing *ret_checkpointing,
                           uint64_t *ret_every)
{
    uint64_t every = 1;
    enum od_checkpointing found;
    if (od_view_take(&word, OD_VIEW("every:"))) {
        if (!od_num_parse_u64(word, &every) || every == 0)
            return false;
        found = OD_CKPT_EVERY;
    } else if (od_view_eq_str(word, "none")) {
        found = OD_CKPT_NONE;
    } else if (od_view_eq_str(word, "selective")) {
        found = OD_CKPT_SELECTIVE;
    } else if (od_view_eq_str(word, "full")) {
        found = OD_CKPT_FULL;
    } else {
        return false;
    }
    *ret_checkpointing = found;
    *ret_every = every;
    return true;
}

const char *od_checkpointing_name(enum od_checkpointing checkpointing, uint64_t every,
                                  struct od_arena *arena)
{
    switch (checkpointing) {
    case OD_CKPT_NONE:
        return "none";
    case OD_CKPT_SELECTIVE:
        return "selective";
    case OD_CKPT_FULL:
        return "full";
    case OD_CKPT_EVERY:
        break;
    }
    return od_arena_printf(arena, "every:%llu", (unsigned long long)every);
}
