#include "estimate/estimate.h"

static const char *const precision_names[OD_PRECISIONS] = {
#define OD_PRECISION(id, name, weight, compute, is) name,
#include "estimate/precisions.def"
#undef OD_PRECISION
};

static const char *const optimizer_names[OD_OPTIMIZERS] = {
#define OD_OPTIMIZER(id, name, floats, bytes, factored, rooted) name,
#include "estimate/optimizers.def"
#undef OD_OPTIMIZER
};

static const char *const metric_names[] = {"allocated", "reserved", "device"};
static const char *const framework_names[] = {"pytorch", "tensorflow", "jax"};

enum kind { PREC, OPT };

static const struct {
    enum kind kind;
    const char *word;
    size_t means;
} spellings[] = {
#define OD_SPELLING(kind, word, id) {kind, word, OD_##kind##_##id},
#include "estimate/spellings.def"
#undef OD_SPELLING
};

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
static bool find_spelt(enum kind kind, struct od_view word, size_t *ret_i)
{
    char low[32];
    word = od_view_lowered(word, low, sizeof low);
    for (size_t i = 0; i < OD_COUNT_OF(spellings); i++)
        if (spellings[i].kind == kind && od_view_eq_str(word, spellings[i].word)) {
            *ret_i = spellings[i].means;
            return true;
        }
    return kind == PREC ? find(precision_names, OD_PRECISIONS, word, ret_i)
                        : find(optimizer_names, OD_OPTIMIZERS, word, ret_i);
}

bool od_precision_find(struct od_view word, enum od_precision *ret_precision)
{
    size_t i;
    if (!find_spelt(PREC, word, &i))
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
    if (!find_spelt(OPT, word, &i))
        return false;
    *ret_optimizer = (enum od_optimizer)i;
    return true;
}

/* Prefers "momentum" to "sgd" and "adamw" to "adam". */
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

static const char *const checkpointing_names[] = {"none", "selective", "full"};

bool od_checkpointing_find(struct od_view word, enum od_checkpointing *ret_checkpointing,
                           uint64_t *ret_every)
{
    uint64_t every = 1;
    size_t i = OD_CKPT_EVERY;
    if (od_view_take(&word, OD_VIEW("every:"))
            ? !od_num_parse_u64(word, &every) || every == 0
            : !find(checkpointing_names, OD_COUNT_OF(checkpointing_names), word, &i))
        return false;
    *ret_checkpointing = (enum od_checkpointing)i;
    *ret_every = every;
    return true;
}

const char *od_checkpointing_name(enum od_checkpointing checkpointing, uint64_t every,
                                  struct od_arena *arena)
{
    return checkpointing < OD_CKPT_EVERY
               ? checkpointing_names[checkpointing]
               : od_arena_printf(arena, "every:%llu", (unsigned long long)every);
}
