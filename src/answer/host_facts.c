/* Facts about data loading in a log: sample, batch, workers, limits. */
#include "answer/host_parts.h"
#include "failure/growth.h"

#include <math.h>

/* Swap in use. The processes of the kernel's table hold it in addition to RAM. */
static struct od_bytes swap_used(const struct od_host_facts *f)
{
    struct od_bytes used = f->q.failure->account.swap_used;
    return used.known ? used : od_bytes_exact(0);
}

/* Sets the number and the memory of processes in the kernel's table that are alike. */
static void take_pool(struct od_host_facts *f)
{
    struct od_host_answer *a = f->a;
    bool loads = a->workers.known;
    struct od_count stated = loads ? a->workers : od_loader_number(&f->q, OD_SETTING_JOBS);
    struct od_alike pool = f->q.failure->alike;
    bool unclear = pool.failed == OD_ALIKE_LARGER || (pool.shared && pool.failed != OD_ALIKE_KIN);
    /* if processes of one group share pages with their parent, they are its workers; otherwise they
     * share buffers */
    bool forked = pool.shared && od_account_is_of_group(&f->q.failure->account);
    unclear = unclear || (pool.shared && !forked && !stated.known);
    if (pool.count == 0 || unclear ||
        (!stated.known && !forked && !od_software_used_counts_processes(&f->q.failure->stack)))
        return;
    struct od_bytes limit = f->q.failure->account.limit.bytes;
    struct od_bytes own = od_bytes_sub(limit, f->q.failure->account.victim.bytes);
    bool begun = pool.shared && pool.begun && own.known;
    a->each = od_bytes_exact(begun ? own.n / pool.count : (uint64_t)pool.each);
    a->each_mean = true;
    const struct od_software *driver = f->q.failure->stack.driver;
    bool jobs = !driver || driver->sort == OD_SORT_COMPILER;
    /* workers of a script that has done no step may still grow, as jobs do */
    bool grows = loads ? f->q.failure->progress == 0 && !driver : jobs;
    a->each_at_kill = begun || (!pool.shared && grows);
    a->each_shared = pool.shared && !begun;
    a->each_basis = swap_used(f).n > 0 ? "the kernel's table, swap included" : "the kernel's table";
    /* the parent holds the shared pages once, and the workers hold the rest of the limit */
    a->total =
        begun ? own
              : od_bytes_exact(pool.shared ? limit.n - (uint64_t)pool.each : (uint64_t)pool.bytes);
    a->workers = stated.known ? stated : od_count_of(pool.count);
    a->seen = od_count_of(pool.count);
    if (!loads)
        a->name = pool.name;
}

/* Sets the memory of one worker: from a statement in the log, otherwise from the kernel's table. */
static void take_each(struct od_host_facts *f)
{
    struct od_host_answer *a = f->a;
    const struct od_memory_state *said = od_case_find_state(f->q.c, "worker");
    if (!said || !said->in_use.known) {
        take_pool(f);
        return;
    }
    a->each = said->in_use;
    a->each_basis =
        od_arena_printf(f->q.arena, "line %llu", (unsigned long long)said->said.at.line);
}

static struct od_bytes accumulated_of(const struct od_case *c)
{
    double most = 0;
    OD_FOR_EACH (const struct od_series, s, c->series)
        if (od_series_metric_is_host(s->metric) && s->phase == OD_SERIES_PHASE_VALIDATION)
            most = fmax(most, s->grown_in[OD_SERIES_PHASE_VALIDATION]);
    return most > 0 ? od_bytes_exact((uint64_t)fmin(most, 9e15)) : (struct od_bytes){0};
}

struct od_bytes od_host_held(const struct od_host_facts *f, uint64_t workers)
{
    uint64_t n;
    if (f->a->each.known)
        return ckd_mul(&n, f->a->each.n, workers) ? (struct od_bytes){0} : od_bytes_exact(n);
    return f->a->batch.known ? od_loading_ram(&f->loading, workers) : (struct od_bytes){0};
}

/* Is the need within that part of the limit? If nothing is to stay free, compares the lower bound
 * of the need. */
static enum od_tri within(struct od_bytes need, uint64_t rest, struct od_bytes limit, double share)
{
    if (!need.known || !limit.known)
        return OD_CANNOT_TELL;
    double bytes = (double)(share < 1 ? need.n : need.lo);
    return (double)rest + bytes <= share * (double)limit.n ? OD_YES : OD_NO;
}

struct od_bytes od_host_queued(const struct od_host_facts *f, uint64_t workers)
{
    return f->a->batch.known ? od_loading_shm(&f->loading, workers) : (struct od_bytes){0};
}

enum od_tri od_host_fits(const struct od_host_facts *f, uint64_t workers, double share)
{
    const struct od_host_answer *a = f->a;
    enum od_tri ram = OD_CANNOT_TELL;
    if (a->rest.known && !f->shm)
        ram = within(od_host_held(f, workers), share < 1 ? a->rest.n : f->rest_least, a->limit,
                     share);
    enum od_tri shm = within(od_host_queued(f, workers), 0, a->shm_limit, share);
    if (ram == OD_NO || shm == OD_NO)
        return OD_NO;
    return ram == OD_YES || (f->shm && shm == OD_YES) ? OD_YES : OD_CANNOT_TELL;
}

bool od_host_shm_has_room(const struct od_host_answer *a)
{
    return a->shm.known && a->shm_limit.known && a->shm.n <= a->shm_limit.n;
}

static void take_loading(struct od_host_facts *f)
{
    struct od_host_answer *a = f->a;
    if (a->batch.known) {
        a->shm = od_loading_shm(&f->loading, a->workers.n);
        a->own = od_loading_own(&f->loading, a->workers.n);
        a->pinned = od_loading_pinned(&f->loading, a->workers.n);
    }
    if (!a->total.known)
        a->total = od_host_held(f, a->seen.n);
}

/* Memory of the training process in the last line that states it. */
static double own_rss(const struct od_case *c)
{
    double rss = 0;
    OD_FOR_EACH (const struct od_series, s, c->series)
        if (s->metric == OD_SERIES_HOST_RSS)
            rss = fmax(rss, s->last);
    return rss;
}

/* Sets the memory of everything except loading. If no worker was measured, the workers may have
 * been killed before they held their full need, and the limit minus that need is too small. Then
 * assumes half of the memory in use, as a plan does, unless the log shows the process's memory. */
static void take_rest(struct od_host_facts *f, struct od_bytes used)
{
    struct od_host_answer *a = f->a;
    if (used.known && a->seen.known)
        used = od_bytes_add(used, swap_used(f));
    if (!used.known || !a->total.known || (a->each.known && a->total.n > used.n))
        return;
    double rss = own_rss(f->q.c), left = (double)used.n - (double)a->total.n;
    double least = a->each.known ? left : fmax(left, rss);
    double rest = a->each.known || rss > 0 ? least : fmax(least, (double)used.n / 2);
    a->rest_assumed = rest > fmax(left, rss);
    a->rest = od_bytes_exact((uint64_t)rest);
    f->rest_least = (uint64_t)fmin(least, rest);
}

/* When a process was killed for memory, the whole limit was in use unless the kernel prints another
 * amount; earlier lines do not count. A limit from the user may be of another machine, so it is
 * used only if the log states none. */
static void take_memory(struct od_host_facts *f)
{
    struct od_host_answer *a = f->a;
    const struct od_account *account = &f->q.failure->account;
    bool killed = od_incident_kind_is_guard(f->q.ended->kind);
    if (killed && (f->q.ended->limit.known || f->q.ended->capacity.known)) {
        a->limit = account->limit.bytes;
        a->limit_basis =
            od_arena_printf(f->q.arena, "%s, line %llu",
                            od_account_is_of_group(account) ? "the limit of the group or job"
                                                            : "the machine's memory",
                            (unsigned long long)f->q.ended->at.line);
    } else {
        a->limit = od_loader_memory(&f->q, &a->limit_basis);
    }
    struct od_bytes used = killed && account->used.known ? account->used : a->limit;
    if (f->q.request && f->q.request->ram.known) {
        a->limit = f->q.request->ram;
        a->limit_basis = "given";
        used = used.known ? used : a->limit;
    }
    take_rest(f, used);
}

/* Is it the 64 MiB of a Docker container whose start command sets no size? */
static bool is_default(const struct od_host_facts *f)
{
    const struct od_software_used *stack = &f->q.failure->stack;
    return od_case_setting(f->q.c, OD_SETTING_SHM_SIZE).n == 0 &&
           (od_case_setting(f->q.c, OD_SETTING_IN_CONTAINER).n > 0 ||
            od_software_used_has_named(stack, "docker") ||
            od_software_used_has_named(stack, "podman") ||
            od_software_used_has_named(stack, "kubernetes"));
}

static void take_shm_limit(struct od_host_facts *f)
{
    struct od_host_answer *a = f->a;
    const struct od_memory_state *df = od_case_find_state(f->q.c, "shm");
    struct od_view given = od_case_setting(f->q.c, OD_SETTING_SHM_SIZE);
    if (f->q.request && f->q.request->shm.known) {
        a->shm_limit = f->q.request->shm;
        a->shm_basis = "given";
    } else if (df && df->limit.known) {
        a->shm_limit = df->limit;
        a->shm_basis =
            od_arena_printf(f->q.arena, "line %llu", (unsigned long long)df->said.at.line);
    } else if (od_bytes_parse_option(given, (struct od_view){0}, &a->shm_limit)) {
        a->shm_basis = "as the container was started";
    } else if (f->shm && f->q.ended->limit.known) {
        a->shm_limit = f->q.ended->limit;
        a->shm_basis =
            od_arena_printf(f->q.arena, "line %llu", (unsigned long long)f->q.ended->at.line);
    } else if (f->shm && is_default(f)) {
        a->shm_limit = od_bytes_exact(UINT64_C(64) << 20);
        a->shm_basis = "a container's default";
    }
}

/* Does the run's memory grow by itself? Then it fails with any number of workers. */
static bool grows(const struct od_host_facts *f)
{
    OD_FOR_EACH (const struct od_series, s, f->q.c->series)
        if (od_series_metric_is_host(s->metric) &&
            (s->trend == OD_TREND_LEAK || s->trend == OD_TREND_STAIRCASE))
            return true;
    struct od_growth few;
    return od_growth_of_few(f->q.c, f->q.ended, true, &few);
}

static void take_loader(struct od_host_facts *f)
{
    struct od_host_answer *a = f->a;
    struct od_loader loader;
    od_loader_of(&f->q, &loader);
    a->workers = loader.workers;
    a->prefetch = loader.prefetch;
    a->prefetch_said = loader.prefetch_said;
    a->sample = loader.sample;
    a->sample_basis = loader.sample_basis;
    a->sample_assumed = loader.sample_assumed;
    a->batch = loader.batch;
    f->loading = loader.loading;
}

void od_host_read(struct od_host_facts *f)
{
    struct od_host_answer *a = f->a;
    take_loader(f);
    take_each(f);
    a->accumulated = accumulated_of(f->q.c);
    if (!a->workers.known || a->workers.n == 0)
        return;
    if (!a->seen.known)
        a->seen = a->workers;
    take_loading(f);
    if (!f->shm)
        take_memory(f);
    take_shm_limit(f);
    f->grows = !f->shm && grows(f);
}
