#include "failure/setting_on.h"

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

static bool contains(const struct od_setting *setting, const char *text)
{
    if (text[0] == '=')
        return od_view_eq_str(setting->value, text + 1);
    return has_folded(setting->value, text) ||
           (is_truth(setting->value) && has_folded(setting->name, text));
}

/* Is it the last value of a setting of that name? Earlier values were replaced. */
static bool is_last(const struct od_case *c, size_t at)
{
    for (size_t i = at + 1; i < c->settings.n; i++)
        if (od_view_eq(c->settings.items[i].name, c->settings.items[at].name))
            return false;
    return true;
}

bool od_setting_is_on(const struct od_case *c, const char *name, const char *const *texts)
{
    for (size_t i = 0; i < c->settings.n; i++) {
        const struct od_setting *setting = &c->settings.items[i];
        if (!is_called(setting->name, name))
            continue;
        bool shown = !texts;
        for (size_t k = 0; texts && texts[k]; k++)
            shown = shown || contains(setting, texts[k]);
        if (shown && is_last(c, i))
            return true;
    }
    return false;
}
