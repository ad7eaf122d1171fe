/* The settings that every report has, named as in the JSON format. */
#include "report/rows.h"

enum setting_type { TEXT, NUMBER };

struct setting {
    enum od_setting_id id; /* the setting's id in the JSON format */
    enum setting_type type;
    enum od_setting_id also[5]; /* other settings with the same meaning */
};

static const struct setting settings[] = {
#define ALSO(a, b, c, d, ...)                                          \
    {                                                                  \
        OD_SETTING_##a, OD_SETTING_##b, OD_SETTING_##c, OD_SETTING_##d \
    }
#define OD_DOCUMENTED_SETTING(constant, type, ...) \
    {OD_SETTING_##constant, type, ALSO(__VA_ARGS__, NONE, NONE, NONE, NONE)},
#include "report/words.def"
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
