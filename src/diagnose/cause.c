#include "diagnose/diagnose.h"

#include "base/num.h"

#include <assert.h>

struct cause_row {
    const char *name;
    const char *code;
};

/* Codes are for ever: OD1nn memory of the device, OD2nn of the host, OD9nn no failure of memory. */
static const struct cause_row causes[OD_CAUSE_END] = {
    [OD_CAUSE_BATCH_TOO_LARGE] = {"batch_too_large", "OD101"},
    [OD_CAUSE_MODEL_TOO_LARGE] = {"model_too_large", "OD102"},
    [OD_CAUSE_INPUT_TOO_LARGE] = {"input_too_large", "OD103"},
    [OD_CAUSE_FRAGMENTED] = {"fragmented", "OD104"},
    [OD_CAUSE_OTHER_TENANT] = {"other_tenant", "OD105"},
    [OD_CAUSE_CAPPED] = {"capped", "OD106"},
    [OD_CAUSE_DEVICE_LEAK] = {"device_leak", "OD107"},
    [OD_CAUSE_HOST_LEAK] = {"host_leak", "OD201"},
    [OD_CAUSE_GRAPH_GROWTH] = {"graph_growth", "OD108"},
    [OD_CAUSE_MODEL_RELOAD] = {"model_reload", "OD109"},
    [OD_CAUSE_DATASET_ON_DEVICE] = {"dataset_on_device", "OD110"},
    [OD_CAUSE_DATASET_IN_HOST_MEMORY] = {"dataset_in_host_memory", "OD202"},
    [OD_CAUSE_ACCIDENTAL_SHAPE] = {"accidental_shape", "OD111"},
    [OD_CAUSE_WORKERS_HOST_MEMORY] = {"workers_host_memory", "OD203"},
    [OD_CAUSE_SHM_TOO_SMALL] = {"shm_too_small", "OD204"},
    [OD_CAUSE_GROUP_LIMIT] = {"group_limit", "OD205"},
    [OD_CAUSE_HOST_EXHAUSTED] = {"host_exhausted", "OD206"},
    [OD_CAUSE_HOST_OTHER_TENANT] = {"host_other_tenant", "OD207"},
    [OD_CAUSE_EVALUATION_ACCUMULATES] = {"evaluation_accumulates", "OD112"},
    [OD_CAUSE_KV_CACHE] = {"kv_cache", "OD113"},
    [OD_CAUSE_WORKSPACE] = {"workspace", "OD114"},
    [OD_CAUSE_COMPILE_PLAN] = {"compile_plan", "OD115"},
    [OD_CAUSE_DRIVER_REFUSED] = {"driver_refused", "OD116"},
    [OD_CAUSE_NOT_MEMORY] = {"not_memory", "OD901"},
    [OD_CAUSE_SURVIVED] = {"survived", "OD902"},
};

const char *od_cause_name(enum od_cause cause)
{
    assert(cause < OD_CAUSE_END);
    return causes[cause].name;
}

const char *od_cause_code(enum od_cause cause)
{
    assert(cause < OD_CAUSE_END);
    return causes[cause].code;
}

const char *od_outcome_name(enum od_outcome outcome)
{
    static const char *const names[] = {
        [OD_OUTCOME_MEMORY_FAILURE] = "memory_failure",
        [OD_OUTCOME_SURVIVED] = "survived",
        [OD_OUTCOME_OTHER_FAILURE] = "other_failure",
        [OD_OUTCOME_NO_FAILURE] = "no_failure",
        [OD_OUTCOME_UNKNOWN] = "unknown",
    };
    assert(outcome < OD_COUNT_OF(names));
    return names[outcome];
}
