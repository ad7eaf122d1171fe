#include "rules/advice.h"

#include "base/num.h"

#include <string.h>

const char *const od_advice_numbers[] = {"request_bytes", "limit_bytes", "in_use_bytes",
                                         "pool_bytes", NULL};

#define NUMBERS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define NONE ((const char *const[]){NULL})

const struct od_advice_cause od_advice_causes[] = {
    {"batch_too_large", NUMBERS("batch_count", "sample_bytes")},
    {"model_too_large", NONE},
    {"input_too_large", NUMBERS("batch_count", "sample_bytes")},
    {"fragmented", NUMBERS("free_bytes", "largest_free_bytes", "free_chunks_count", "unused_bytes",
                           "reserved_bytes")},
    {"other_tenant",
     NUMBERS("free_at_start_bytes", "capacity_bytes", "held_by_others_bytes", "free_bytes")},
    {"capped", NUMBERS("free_at_start_bytes", "capacity_bytes", "free_bytes", "reserved_bytes",
                       "piece_bytes")},
    {"device_leak", NUMBERS("grown_bytes", "first_bytes", "last_bytes", "growth_per_x_bytes",
                            "points_count", "equal_chunks_count", "equal_chunk_bytes",
                            "allocations_count", "progress_lines_count")},
    {"host_leak",
     NUMBERS("grown_bytes", "first_bytes", "last_bytes", "growth_per_x_bytes", "points_count",
             "process_rss_bytes", "capacity_bytes", "workers_count", "progress_lines_count")},
    {"graph_growth", NUMBERS("suffix_count")},
    {"model_reload", NONE},
    {"dataset_on_device", NUMBERS("samples_count", "sample_bytes", "huge_chunks_count",
                                  "huge_chunks_bytes", "largest_chunk_bytes")},
    {"dataset_in_host_memory", NUMBERS("samples_count")},
    {"accidental_shape", NONE},
    {"workers_host_memory", NUMBERS("process_rss_bytes", "capacity_bytes", "workers_count")},
    {"shm_too_small", NUMBERS("workers_count")},
    {"group_limit", NUMBERS("process_rss_bytes", "capacity_bytes", "workers_count")},
    {"host_exhausted", NUMBERS("process_rss_bytes", "capacity_bytes", "workers_count")},
    {"host_other_tenant", NUMBERS("process_rss_bytes", "capacity_bytes", "workers_count")},
    {"evaluation_accumulates",
     NUMBERS("grown_bytes", "first_bytes", "last_bytes", "growth_per_x_bytes", "points_count",
             "allocations_count", "sample_bytes")},
    {"kv_cache", NUMBERS("free_bytes", "tokens_count")},
    {"workspace", NUMBERS("warnings_count", "bucket_bytes")},
    {"compile_plan", NUMBERS("capacity_bytes")},
    {"driver_refused",
     NUMBERS("untaken_bytes", "smallest_refused_bytes", "driver_refusals_count", "free_bytes")},
    {"not_memory", NONE},
    {"survived", NUMBERS("complaints_count", "warnings_count")},
    {NULL, NULL},
};

bool od_advice_has_number(const char *cause, struct od_view name)
{
    for (const struct od_advice_cause *c = od_advice_causes; c->name; c++) {
        if (strcmp(c->name, cause) == 0)
            return od_view_eq_any(name, c->numbers) || od_view_eq_any(name, od_advice_numbers);
    }
    return false;
}

static size_t index_of(const char *cause)
{
    size_t i = 0;
    while (od_advice_causes[i].name && strcmp(od_advice_causes[i].name, cause) != 0)
        i++;
    return i;
}

static bool report(struct od_diags *diags, const char *code, const char *file, const char *message)
{
    od_diags_add(diags, &(struct od_diag){
                            .severity = OD_ERROR, .code = code, .file = file, .message = message});
    return false;
}

enum od_err od_advice_check_all(const struct od_advice *const *advice, size_t n,
                                struct od_diags *diags)
{
    const struct od_advice *of[OD_COUNT_OF(od_advice_causes)] = {NULL};
    struct od_arena *scratch = od_arena_new();
    bool good = true;
    for (size_t i = 0; i < n; i++) {
        const struct od_advice **place = &of[index_of(advice[i]->cause)];
        if (*place)
            good = report(diags, "R0309", advice[i]->file,
                          od_arena_printf(scratch, "%s also is advice for %s", (*place)->file,
                                          advice[i]->cause));
        *place = advice[i];
    }
    for (size_t i = 0; od_advice_causes[i].name; i++) {
        if (!of[i])
            good = report(
                diags, "R0310", NULL,
                od_arena_printf(scratch, "no advice for the cause %s", od_advice_causes[i].name));
    }
    od_arena_free(scratch);
    return good ? OD_OK : OD_ERULE;
}

const struct od_advice *od_advice_find(const struct od_advice *const *list, const char *cause)
{
    for (; list && *list; list++) {
        if (strcmp((*list)->cause, cause) == 0)
            return *list;
    }
    return NULL;
}
