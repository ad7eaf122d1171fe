#include "advise/user_setting.h"

const struct od_user_setting od_user_settings[] = {
    {"batch", OD_SETTING_PER_DEVICE_TRAIN_BATCH_SIZE},
    {"batch", OD_SETTING_TRAIN_BATCH_SIZE},
    {"batch", OD_SETTING_BATCH_SIZE},
    {"batch", OD_SETTING_GLOBAL_BATCH_SIZE},
    {"sequence_length", OD_SETTING_SEQUENCE_LENGTH},
    {"sequence_length", OD_SETTING_MAX_LENGTH},
    {"sequence_length", OD_SETTING_NEW_TOKENS},
    {"context_length", OD_SETTING_SEQUENCE_LENGTH},
    {"image_size", OD_SETTING_IMAGE_SIZE},
    {"frames", OD_SETTING_FRAMES},
    {"tile", OD_SETTING_TILE},
    {"environments", OD_SETTING_ENVIRONMENTS},
    {"points", OD_SETTING_POINTS},
    {"buffer", OD_SETTING_BUFFER},
    {"threads", OD_SETTING_THREADS},
    {"chunk", OD_SETTING_CHUNK_SIZE},
    {"cache", OD_SETTING_CACHE_SIZE},
    {"workers", OD_SETTING_WORKERS},
    {"workers", OD_SETTING_JOBS},
    {NULL, OD_SETTING_NONE}};

bool od_user_setting_shown(const struct od_case *c, const struct od_advice_remedy *remedy)
{
    for (const struct od_user_setting *user = od_user_settings; remedy->knobs && user->knob; user++)
        if (od_is_among(user->knob, remedy->knobs) && od_case_setting(c, user->setting).n > 0)
            return true;
    return false;
}
