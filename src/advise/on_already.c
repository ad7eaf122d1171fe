#include "advise/on_already.h"

#include <strings.h>

struct alias {
    const char *name;
    const char *also;
};

static const struct alias aliases[] = {
    {"precision", "mixed_precision"},
    {"precision", "dtype"},
    {"precision", "torch_dtype"},
    {"precision", "fp16"},
    {"precision", "bf16"},
    {"precision", "amp"},
    {"allocator_options", "gpu_allocator"},
    {"allocator_options", "TF_GPU_ALLOCATOR"},
    {"allocator_options", "PYTORCH_CUDA_ALLOC_CONF"},
    {"checkpointing", "gradient_checkpointing"},
    {"checkpointing", "activation_checkpointing"},
    {"sharding", "zero_stage"},
    {"batch_size", "per_device_train_batch_size"},
    {"batch_size", "train_batch_size"},
    {"batch_size", "micro_batch_size"},
    {"workers", "num_workers"},
    {"workers", "dataloader_num_workers"},
    {"optimizer", "optim"},
};

static bool is_called(struct od_view name, const char *wanted)
{
    if (od_view_eq_str(name, wanted))
        return true;
    for (size_t i = 0; i < OD_COUNT_OF(aliases); i++)
        if (strcmp(aliases[i].name, wanted) == 0 && od_view_eq_str(name, aliases[i].also))
            return true;
    return false;
}

static bool has_folded(struct od_view text, const char *part)
{
    size_t n = strlen(part);
    for (size_t i = 0; n > 0 && i + n <= text.n; i++)
        if (strncasecmp(text.p + i, part, n) == 0)
            return true;
    return false;
}

static bool is_truth(struct od_view value)
{
    static const char *const words[] = {"true", "1", "on", "yes"};
    for (size_t i = 0; i < OD_COUNT_OF(words); i++)
        if (value.n == strlen(words[i]) && strncasecmp(value.p, words[i], value.n) == 0)
            return true;
    return false;
}

/* "=1" is the whole value, "*" any; else a part of it, or of the name of a switch that is on (fp16:
 * true).
 */
static bool shows(const struct od_setting *setting, const struct od_advice_setting *wanted)
{
    if (!is_called(setting->name, wanted->name))
        return false;
    if (wanted->value[0] == '=')
        return od_view_eq_str(setting->value, wanted->value + 1);
    return wanted->value[0] == '*' || has_folded(setting->value, wanted->value) ||
           (is_truth(setting->value) && has_folded(setting->name, wanted->value));
}

/* Is the last word of a setting of that name?  What was changed later is off again. */
static bool is_last(const struct od_case *c, size_t at)
{
    for (size_t i = at + 1; i < c->settings.n; i++)
        if (od_view_eq(c->settings.items[i].name, c->settings.items[at].name))
            return false;
    return true;
}

bool od_how_is_on(const struct od_advise_question *q, const struct od_advice_how *how)
{
    const struct od_case *c = q->c;
    for (size_t i = 0; i < how->nunless; i++) {
        bool yes = q->diagnosis->failure->of_network && !q->diagnosis->failure->use.batchless;
        if (strcmp(how->unless[i].name, "network") == 0 &&
            strcmp(how->unless[i].value, yes ? "yes" : "no") == 0)
            return true;
        bool system = strcmp(how->unless[i].name, "system") == 0;
        if (system && od_stack_has_named(&q->diagnosis->failure->stack, how->unless[i].value))
            return true;
        for (size_t k = 0; k < c->settings.n; k++) {
            if (shows(&c->settings.items[k], &how->unless[i]) && is_last(c, k))
                return true;
        }
    }
    return false;
}
