#include "diagnose/host.h"

#include "diagnose/finding.h"
#include "rules/software.h"

static void take_shares(struct od_host_failure *host)
{
    const struct od_incident *inc = host->failure->incident;
    if (!inc->capacity.known || inc->capacity.n == 0 || !inc->process.rss.known)
        return;
    double ram = (double)inc->capacity.n + (inc->swap.known ? (double)inc->swap.n : 0);
    host->known_shares = true;
    host->victim_share = (double)inc->process.rss.n / ram;
    /* Pages that processes share are counted for each of them. */
    double others = od_account_processes(&host->failure->account);
    host->others_share = others > ram ? 1 : others / ram;
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
    host.workers = od_failure_setting(context->c, OD_SETTING_WORKERS, &host.failure->incident->at);
    host.worker = od_failure_find(context->c, OD_INC_WORKER_KILLED);
    *ret_host = host;
    return true;
}

bool od_host_is_build(const struct od_incident *incident)
{
    for (size_t i = 0; od_shipped_software[i]; i++) {
        const struct od_software *software = od_shipped_software[i];
        for (size_t k = 0; software->sort == OD_SORT_COMPILER && k < software->nmarks; k++)
            if (software->marks[k].kind == OD_MARK_PROCESS &&
                od_view_eq_str(incident->process.name, software->marks[k].text))
                return true;
    }
    return false;
}

bool od_host_has_device(const struct od_case *c)
{
    bool device = c->devices.n > 0 || c->allocators.n > 0;
    for (size_t i = 0; i < c->series.n; i++)
        device = device || !(od_series_metric_is_host(c->series.items[i].metric) ||
                             od_series_metric_is_unowned(c->series.items[i].metric));
    return device;
}

const char *od_host_first(const struct od_diagnosis_context *context)
{
    enum { FEW = 2 };
    const struct od_failure *failure = context->failure;
    if (od_host_is_build(failure->incident) && !od_account_is_one_process(&failure->account))
        return "fewer_jobs";
    /* A value or result of that size is made whole, whatever the settings of buffers are. */
    static const uint64_t of_statement = UINT64_C(64) << 20;
    const struct od_software *driver = failure->stack.driver;
    const struct od_bytes requested = failure->incident->requested;
    if (driver && driver->sort == OD_SORT_DATABASE &&
        !(requested.known && requested.lo >= of_statement))
        return NULL;
    static const uint64_t of_one = UINT64_C(4) << 30; /* none of several takes that at once */
    uint64_t jobs;
    if (od_num_parse_u64(od_case_setting(context->c, OD_SETTING_JOBS), &jobs) && jobs > FEW &&
        !(requested.known && requested.lo >= of_one) &&
        !od_account_is_one_process(&failure->account))
        return "fewer_jobs";
    bool early = failure->progress <= FEW && !od_host_has_device(context->c);
    if (early && failure->batch.known && failure->batch.n > 1)
        return "reduce_batch";
    return early && failure->incident->kind == OD_INC_HOST_ALLOC_FAILED ? "less_at_once" : NULL;
}

void od_finding_workers(struct od_finding *finding, struct od_count workers)
{
    od_finding_count(finding, "workers_count", workers);
}

/* Is it resident memory of a process, not of a heap, that was printed before that incident? */
static bool is_rss_before(const struct od_series *s, const struct od_incident *inc)
{
    return s->metric == OD_SERIES_HOST_RSS && !od_view_eq_str(s->process, "heap") &&
           s->last_at.source == inc->at.source && s->last_at.line <= inc->at.line;
}

/* What the process held by the last line before the failure that prints it. */
struct od_bytes od_host_last_rss(const struct od_case *c, const struct od_incident *inc)
{
    const struct od_series *last = NULL;
    OD_FOR_EACH (const struct od_series, s, c->series)
        if (is_rss_before(s, inc) && (!last || s->last_at.line > last->last_at.line))
            last = s;
    return last && last->last > 0 ? od_bytes_exact((uint64_t)last->last) : (struct od_bytes){0};
}

/* The most that a process of the run printed of its resident memory before that incident; unknown
 * where it is not printed, or grew. */
static struct od_bytes steady_rss(const struct od_case *c, const struct od_incident *inc)
{
    static const double grown = 1.25; /* of what it began with */
    double most = 0;
    OD_FOR_EACH (const struct od_series, s, c->series) {
        if (!is_rss_before(s, inc))
            continue;
        if (s->max > grown * s->first)
            return (struct od_bytes){0};
        most = s->max > most ? s->max : most;
    }
    return most > 0 ? od_bytes_exact((uint64_t)most) : (struct od_bytes){0};
}

void od_host_say_workers(struct od_diagnosis_context *context, struct od_finding *finding,
                         const struct od_host_failure *host, struct od_bytes limit)
{
    static const double near = 0.75, beyond = 1.6; /* of the limit: they start one after another */
    struct od_bytes each = steady_rss(context->c, host->failure->incident);
    uint64_t total;
    if (!host->workers.known || host->workers.n < 2 || !each.known || !limit.known ||
        ckd_mul(&total, each.n, host->workers.n) || (double)total < near * (double)limit.n ||
        (double)total > beyond * (double)limit.n)
        return;
    od_finding_say(context, finding,
                   "%llu workers hold about %s each, %s together, and the limit is %s.",
                   (unsigned long long)host->workers.n, od_bytes_text(context->arena, each),
                   od_bytes_text_u64(context->arena, total), od_bytes_text(context->arena, limit));
    finding->clause = "its workers together need more than there is";
    finding->first = "fewer_jobs";
}

void od_finding_host(const struct od_diagnosis_context *context, struct od_finding *finding,
                     const struct od_host_failure *host)
{
    const struct od_incident *inc = host->failure->incident;
    od_finding_failure(finding, host->failure);
    od_finding_bytes(finding, "process_rss_bytes",
                     inc->process.rss.known ? inc->process.rss : od_host_last_rss(context->c, inc));
    od_finding_bytes(finding, "capacity_bytes", inc->capacity);
    od_finding_workers(finding, host->workers);
    if (host->worker && host->worker->evidence.n > 0)
        od_finding_evidence(finding, &host->worker->evidence.items[0]);
}

const char *od_host_swap_words(struct od_arena *arena, const struct od_account *account)
{
    return od_account_swap_is_full(account) ? od_arena_printf(arena, "; swap was full, too (%s)",
                                                              od_bytes_text(arena, account->swap))
                                            : "";
}

const char *od_host_part_words(enum od_holding_kind kind)
{
    return kind == OD_HELD_FILES         ? "files in memory (/dev/shm, tmpfs)"
           : kind == OD_HELD_SLAB        ? "the kernel's own objects (slab)"
           : kind == OD_HELD_PAGE_TABLES ? "page tables"
                                         : "drivers, huge pages and other memory of no process";
}
