/* Settings as JSON. */
#include "report/json_parts.h"
#include "report/rows.h"

#include <string.h>

enum setting_type { TEXT, NUMBER };

struct setting {
    const char *name; /* the contract's */
    enum setting_type type;
    const char *also[5]; /* what programs call it */
};

static const struct setting settings[] = {
    {"model", TEXT, {NULL}},
    {"batch_size",
     NUMBER,
     {"per_device_train_batch_size", "train_batch_size", "train_micro_batch_size_per_gpu",
      "micro_batch_size"}},
    {"global_batch_size", NUMBER, {"total_train_batch_size", "total_batch_size", "ims_per_batch"}},
    {"precision", TEXT, {"mixed_precision", "dtype"}},
    {"optimizer", TEXT, {"optim"}},
    {"workers", NUMBER, {"num_workers", "dataloader_num_workers"}},
    {"world_size", NUMBER, {"num_gpus", "nproc_per_node"}},
    {"sequence_length", NUMBER, {"seq_length", "max_seq_length", "max_seq_len", "max_length"}},
    {"image_size", TEXT, {"img_size", "imgsz", "input_size"}},
    {"prefetch", NUMBER, {"prefetch_factor"}},
    {"accumulation", NUMBER, {"gradient_accumulation_steps", "accumulate_grad_batches"}},
    {"checkpointing", TEXT, {"gradient_checkpointing", "activation_checkpointing"}},
    {"sharding", TEXT, {"zero_stage"}},
    {"allocator_options",
     TEXT,
     {"gpu_allocator", "allow_growth", "preallocate", "gpu_memory_fraction"}},
    {"framework", TEXT, {NULL}},
    {"framework_version", TEXT, {NULL}},
};

static struct od_view value_of(const struct od_case *c, const struct setting *setting)
{
    struct od_view value = od_case_setting(c, setting->name);
    for (size_t i = 0; value.n == 0 && i < OD_COUNT_OF(setting->also) && setting->also[i]; i++)
        value = od_case_setting(c, setting->also[i]);
    return value;
}

bool od_documented_at(const struct od_case *c, size_t i, struct od_documented *ret_setting)
{
    uint64_t n;
    if (i >= OD_COUNT_OF(settings))
        return false;
    *ret_setting = (struct od_documented){settings[i].name, value_of(c, &settings[i]), {0}};
    if (settings[i].type == NUMBER && od_num_parse_u64(ret_setting->value, &n))
        ret_setting->number = od_count_of(n);
    return true;
}

/* A number where it is one, so that nobody has to parse "32". */
static void add_setting(struct od_json *json, const char *key, const struct od_documented *setting)
{
    if (setting->number.known)
        od_json_count(json, key, setting->number);
    else
        od_json_text_or_null(json, key, setting->value);
}

void od_json_setting(struct od_json_report *out, const char *key, const char *name)
{
    struct od_documented setting;
    for (size_t i = 0; od_documented_at(out->report->c, i, &setting); i++)
        if (strcmp(name, setting.name) == 0)
            add_setting(&out->json, key, &setting);
}

struct od_count od_current_batch(const struct od_report *report)
{
    struct od_documented setting;
    if (report->answer && report->answer->batch.known)
        return report->answer->batch;
    for (size_t i = 0; od_documented_at(report->c, i, &setting); i++)
        if (strcmp("batch_size", setting.name) == 0)
            return setting.number;
    return (struct od_count){0};
}

void od_json_settings(struct od_json_report *out)
{
    struct od_json *json = &out->json;
    const struct od_case *c = out->report->c;
    od_json_object(json, "settings");
    struct od_documented setting;
    for (size_t i = 0; od_documented_at(c, i, &setting); i++)
        add_setting(json, setting.name, &setting);
    od_json_array(json, "said");
    for (size_t i = 0; i < c->settings.n; i++) {
        const struct od_setting *said = &c->settings.items[i];
        od_json_object_inline(json, NULL);
        struct od_row_said row = {.name = said->name, .value = said->value};
        od_json_row(json, od_fields_said, &row);
        od_json_line(out, said->said.at);
        od_json_end(json);
    }
    od_json_end(json);
    od_json_end(json);
}
