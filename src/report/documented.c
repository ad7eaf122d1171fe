/* The settings that every report has, by the contract's names. */
#include "report/rows.h"

enum setting_type { TEXT, NUMBER };

struct setting {
    enum od_setting_id id; /* the contract's */
    enum setting_type type;
    enum od_setting_id also[5]; /* what programs call it */
};

static const struct setting settings[] = {
    {OD_SETTING_MODEL, TEXT, {OD_SETTING_NONE}},
    {OD_SETTING_BATCH_SIZE,
     NUMBER,
     {OD_SETTING_PER_DEVICE_TRAIN_BATCH_SIZE, OD_SETTING_TRAIN_BATCH_SIZE,
      OD_SETTING_TRAIN_MICRO_BATCH_SIZE_PER_GPU, OD_SETTING_MICRO_BATCH_SIZE}},
    {OD_SETTING_GLOBAL_BATCH_SIZE,
     NUMBER,
     {OD_SETTING_TOTAL_TRAIN_BATCH_SIZE, OD_SETTING_TOTAL_BATCH_SIZE, OD_SETTING_IMS_PER_BATCH}},
    {OD_SETTING_PRECISION, TEXT, {OD_SETTING_MIXED_PRECISION, OD_SETTING_DTYPE}},
    {OD_SETTING_OPTIMIZER, TEXT, {OD_SETTING_OPTIM}},
    {OD_SETTING_WORKERS, NUMBER, {OD_SETTING_NUM_WORKERS, OD_SETTING_DATALOADER_NUM_WORKERS}},
    {OD_SETTING_WORLD_SIZE, NUMBER, {OD_SETTING_NUM_GPUS, OD_SETTING_NPROC_PER_NODE}},
    {OD_SETTING_SEQUENCE_LENGTH,
     NUMBER,
     {OD_SETTING_SEQ_LENGTH, OD_SETTING_MAX_SEQ_LENGTH, OD_SETTING_MAX_SEQ_LEN,
      OD_SETTING_MAX_LENGTH}},
    {OD_SETTING_IMAGE_SIZE, TEXT, {OD_SETTING_IMG_SIZE, OD_SETTING_IMGSZ, OD_SETTING_INPUT_SIZE}},
    {OD_SETTING_PREFETCH, NUMBER, {OD_SETTING_PREFETCH_FACTOR}},
    {OD_SETTING_ACCUMULATION,
     NUMBER,
     {OD_SETTING_GRADIENT_ACCUMULATION_STEPS, OD_SETTING_ACCUMULATE_GRAD_BATCHES}},
    {OD_SETTING_CHECKPOINTING,
     TEXT,
     {OD_SETTING_GRADIENT_CHECKPOINTING, OD_SETTING_ACTIVATION_CHECKPOINTING}},
    {OD_SETTING_SHARDING, TEXT, {OD_SETTING_ZERO_STAGE}},
    {OD_SETTING_ALLOCATOR_OPTIONS,
     TEXT,
     {OD_SETTING_GPU_ALLOCATOR, OD_SETTING_ALLOW_GROWTH, OD_SETTING_PREALLOCATE,
      OD_SETTING_GPU_MEMORY_FRACTION}},
    {OD_SETTING_FRAMEWORK, TEXT, {OD_SETTING_NONE}},
    {OD_SETTING_FRAMEWORK_VERSION, TEXT, {OD_SETTING_NONE}},
};

static struct od_view value_of(const struct od_case *c, const struct setting *setting)
{
    struct od_view value = od_case_setting(c, setting->id);
    for (size_t i = 0; value.n == 0 && i < OD_COUNT_OF(setting->also) && setting->also[i]; i++)
        value = od_case_setting(c, setting->also[i]);
    return value;
}

bool od_documented_at(const struct od_case *c, size_t i, struct od_documented *ret_setting)
{
    uint64_t n;
    if (i >= OD_COUNT_OF(settings))
        return false;
    *ret_setting = (struct od_documented){settings[i].id, value_of(c, &settings[i]), {0}};
    if (settings[i].type == NUMBER && od_num_parse_u64(ret_setting->value, &n))
        ret_setting->number = od_count_of(n);
    return true;
}

struct od_count od_current_batch(const struct od_report *report)
{
    struct od_documented setting;
    if (report->answer && report->answer->batch.known)
        return report->answer->batch;
    for (size_t i = 0; od_documented_at(report->c, i, &setting); i++)
        if (setting.id == OD_SETTING_BATCH_SIZE)
            return setting.number;
    return (struct od_count){0};
}
