/* The host side of a plan as JSON. */
#include "report/plan_parts.h"

static void add_number(struct od_json *json, const char *key, struct od_bytes bytes)
{
    od_json_count(json, key, (struct od_count){.n = bytes.n, .known = bytes.known});
}

void od_json_plan_host(struct od_json *json, const struct od_plan *plan)
{
    const struct od_plan_host *host = &plan->host;
    od_json_object(json, "host");
    add_number(json, "per_worker_bytes", host->per_worker);
    od_json_str(json, "start_method", plan->request.spawn ? "spawn" : "fork");
    add_number(json, "copied_bytes", host->copied);
    add_number(json, "pinned_bytes", host->pinned);
    add_number(json, "offloaded_bytes", host->offloaded);
    od_json_array(json, "workers");
    OD_FOR_EACH_OF (const struct od_plan_workers, row, host->workers, host->nworkers) {
        od_json_object_inline(json, NULL);
        od_json_u64(json, "count", row->count);
        add_number(json, "bytes", row->bytes);
        add_number(json, "shm_bytes", row->shm);
        od_json_tri(json, "fits", row->fits);
        od_json_end(json);
    }
    od_json_end(json);
    od_json_count(json, "recommended_workers", host->recommended);
    add_number(json, "shm_bytes_needed", host->shm_needed);
    add_number(json, "dataset_bytes", host->dataset);
    od_json_tri(json, "dataset_fits_ram", host->dataset_fits_ram);
    od_json_tri(json, "dataset_fits_device", host->dataset_fits_device);
    od_json_end(json);
}
