#include "diagnose/host.h"

#include "diagnose/finding.h"

static void take_shares(struct od_host_scene *host)
{
    const struct od_incident *inc = host->scene.incident;
    if (!inc->capacity.known || inc->capacity.n == 0 || !inc->process.rss.known)
        return;
    double ram = (double)inc->capacity.n;
    host->known_shares = true;
    host->victim_share = (double)inc->process.rss.n / ram;
    for (size_t i = 0; i < inc->others.n; i++)
        if (inc->others.items[i].bytes.known)
            host->others_share += (double)inc->others.items[i].bytes.n / ram;
}

bool od_host_scene_of(const struct od_diagnosis_context *context, struct od_host_scene *ret_host)
{
    struct od_host_scene host = {0};
    if (!od_scene_of(context, &host.scene))
        return false;
    enum od_incident_kind kind = host.scene.incident->kind;
    if (!od_incident_kind_is_host(kind) || kind == OD_INC_SHM_EXHAUSTED)
        return false;
    host.kill = od_incident_kind_is_kill(kind);
    take_shares(&host);
    host.workers = od_scene_setting(context->c, "workers", &host.scene.incident->at);
    host.worker = od_scene_find(context->c, OD_INC_WORKER_KILLED);
    *ret_host = host;
    return true;
}

void od_finding_workers(struct od_finding *finding, struct od_count workers)
{
    od_finding_count(finding, "workers_count", workers);
    if (workers.known && workers.n > 1)
        od_finding_count(finding, "fewer_count", od_count_of(workers.n / 2));
}

void od_finding_host(struct od_finding *finding, const struct od_host_scene *host)
{
    const struct od_incident *inc = host->scene.incident;
    od_finding_scene(finding, &host->scene);
    od_finding_bytes(finding, "process_rss_bytes", inc->process.rss);
    od_finding_bytes(finding, "capacity_bytes", inc->capacity);
    od_finding_workers(finding, host->workers);
    if (host->worker && host->worker->evidence.n > 0)
        od_finding_evidence(finding, &host->worker->evidence.items[0]);
}
