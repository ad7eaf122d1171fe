/* The host side of a failed run as JSON: an extension of the contract's plan. */
#include "report/json_parts.h"

void od_json_host(struct od_json_report *out)
{
    const struct od_host_answer *host = out->report->host;
    struct od_json *json = &out->json;
    if (od_json_null_if(json, "host", !host))
        return;
    od_json_object(json, "host");
    od_json_count(json, "workers", host->workers);
    od_json_count(json, "recommended_workers", host->recommended);
    od_json_count(json, "largest_workers", host->most);
    od_json_count(json, "fewer_workers", host->fewer);
    od_json_count(json, "prefetch", host->prefetch);
    od_json_bool(json, "prefetch_said", host->prefetch_said);
    od_json_bytes(json, "sample_bytes", host->sample);
    od_json_bool(json, "sample_assumed", host->sample_assumed);
    od_json_str(json, "sample_basis", host->sample_basis);
    od_json_bytes(json, "batch_bytes", host->batch);
    od_json_bytes(json, "each_bytes", host->each);
    od_json_str(json, "each_basis", host->each_basis);
    od_json_bytes(json, "shm_bytes", host->shm);
    od_json_bytes(json, "shm_limit_bytes", host->shm_limit);
    od_json_str(json, "shm_basis", host->shm_basis);
    od_json_bytes(json, "shm_size_bytes", host->shm_size);
    od_json_bytes(json, "own_bytes", host->own);
    od_json_bytes(json, "pinned_bytes", host->pinned);
    od_json_bytes(json, "copied_bytes", host->copied);
    od_json_bytes(json, "accumulated_bytes", host->accumulated);
    od_json_bytes(json, "dataset_bytes", host->dataset);
    od_json_str(json, "dataset_basis", host->dataset_basis);
    od_json_bytes(json, "limit_bytes", host->limit);
    od_json_str(json, "limit_basis", host->limit_basis);
    od_json_bytes(json, "rest_bytes", host->rest);
    od_json_bool(json, "rest_assumed", host->rest_assumed);
    od_json_bytes(json, "total_bytes", host->total);
    od_json_bytes(json, "saves_bytes", host->saves);
    od_json_str(json, "why", host->why);
    od_json_end(json);
}
