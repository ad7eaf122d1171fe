#include "diagnose/host.h"

#include "diagnose/finding.h"

static void take_shares(struct od_host_failure *host)
{
    const struct od_incident *inc = host->failure->incident;
    if (!inc->capacity.known || inc->capacity.n == 0 || !inc->process.rss.known)
        return;
    double ram = (double)inc->capacity.n;
    host->known_shares = true;
    host->victim_share = (double)inc->process.rss.n / ram;
    for (size_t i = 0; i < inc->others.n; i++)
        if (inc->others.items[i].bytes.known)
            host->others_share += (double)inc->others.items[i].bytes.n / ram;
}

bool od_host_failure_of(const struct od_diagnosis_context *context,
                        struct od_host_failure *ret_host)
{
    struct od_host_failure host = {.failure = context->failure};
    if (!host.failure)
        return false;
    enum od_incident_kind kind = host.failure->incident->kind;
    if (!od_incident_kind_is_host(kind) || kind == OD_INC_SHM_EXHAUSTED)
        return false;
    host.kill = od_incident_kind_is_kill(kind);
    take_shares(&host);
    host.workers = od_failure_setting(context->c, "workers", &host.failure->incident->at);
    host.worker = od_failure_find(context->c, OD_INC_WORKER_KILLED);
    *ret_host = host;
    return true;
}

static bool tells_level(const struct od_series *s)
{
    return s->metric == OD_SERIES_HOST_SHARE ||
           (s->metric == OD_SERIES_HOST_USED && s->limit_known && s->limit > 0);
}

static struct od_host_level level_at(const struct od_series *s, const struct od_point *point)
{
    struct od_host_level level = {.share = point->value / 100,
                                  .said = {.at = s->at, .text = s->said}};
    if (s->metric == OD_SERIES_HOST_USED) {
        level.share = point->value / s->limit;
        level.used = od_bytes_exact((uint64_t)point->value);
        level.capacity = od_bytes_exact((uint64_t)s->limit);
    }
    if (point->line == s->last_at.line)
        level.said = (struct od_evidence){.at = s->last_at, .text = s->last_said};
    return level;
}

struct od_host_level od_host_level_before(const struct od_case *c, const struct od_prov *at)
{
    struct od_host_level level = {.share = -1};
    uint64_t last = 0;
    for (size_t i = 0; i < c->series.n; i++) {
        const struct od_series *s = &c->series.items[i];
        if (s->at.source != at->source || !tells_level(s))
            continue;
        for (size_t k = 0; k < s->nsamples && s->samples[k].line < at->line; k++) {
            if (s->samples[k].line <= last)
                continue;
            last = s->samples[k].line;
            level = level_at(s, &s->samples[k]);
        }
    }
    return level;
}

void od_finding_workers(struct od_finding *finding, struct od_count workers)
{
    od_finding_count(finding, "workers_count", workers);
    if (workers.known && workers.n > 1)
        od_finding_count(finding, "fewer_count", od_count_of(workers.n / 2));
}

void od_finding_host(struct od_finding *finding, const struct od_host_failure *host)
{
    const struct od_incident *inc = host->failure->incident;
    od_finding_failure(finding, host->failure);
    od_finding_bytes(finding, "process_rss_bytes", inc->process.rss);
    od_finding_bytes(finding, "capacity_bytes", inc->capacity);
    od_finding_workers(finding, host->workers);
    if (host->worker && host->worker->evidence.n > 0)
        od_finding_evidence(finding, &host->worker->evidence.items[0]);
}
