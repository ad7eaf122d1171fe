/* Settings as JSON. */
#include "report/json_parts.h"

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

/* A number where it is one, so that nobody has to parse "32". */
static void add_setting(struct od_json_report *out, const char *key, const struct setting *setting)
{
    struct od_view value = value_of(out->report->c, setting);
    uint64_t number;
    if (setting->type == NUMBER && od_num_parse_u64(value, &number))
        od_json_u64(&out->json, key, number);
    else
        od_json_text_or_null(&out->json, key, value);
}

void od_json_setting(struct od_json_report *out, const char *key, const char *name)
{
    for (size_t i = 0; i < OD_COUNT_OF(settings); i++) {
        if (od_view_eq_str(od_view_of(name), settings[i].name)) {
            add_setting(out, key, &settings[i]);
            return;
        }
    }
    od_json_null(&out->json, key);
}

void od_json_settings(struct od_json_report *out)
{
    struct od_json *json = &out->json;
    const struct od_case *c = out->report->c;
    od_json_object(json, "settings");
    for (size_t i = 0; i < OD_COUNT_OF(settings); i++)
        add_setting(out, settings[i].name, &settings[i]);
    od_json_array(json, "said");
    for (size_t i = 0; i < c->settings.n; i++) {
        const struct od_setting *said = &c->settings.items[i];
        od_json_object_inline(json, NULL);
        od_json_text(json, "name", said->name);
        od_json_text(json, "value", said->value);
        od_json_line(out, said->said.at);
        od_json_end(json);
    }
    od_json_end(json);
    od_json_end(json);
}
