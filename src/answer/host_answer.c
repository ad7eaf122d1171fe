#include "answer/words.h"

static const double margin = 0.1; /* share of a limit that stays free */

#define GIB (UINT64_C(1) << 30)

/* --- how many fit --- */

/* The largest number of workers, up to the given one, that fits; unknown if none does. */
static struct od_count most_of(const struct od_host_facts *f, uint64_t most, double share)
{
    uint64_t least = f->a->name.n > 0; /* a program without processes would do nothing */
    for (uint64_t n = most + 1; n-- > least;)
        if (od_host_fits(f, n, share) == OD_YES)
            return od_count_of(n);
    return (struct od_count){0};
}

/* Do all workers together hold a small part of the memory that ran out? Then fewer of them do not
 * help. A size computed from a batch alone is too low for this test, because each worker may hold a
 * copy of the parent's memory. */
static bool is_small(const struct od_host_facts *f)
{
    const struct od_host_answer *a = f->a;
    return !f->shm && a->total.known && a->limit.known &&
           (double)a->total.hi < margin * (double)a->limit.lo;
}

/* Jobs that were killed before their peak would have needed an unknown amount more. Their sizes
 * then give an upper bound of how many fit. The number to try assumes twice the size for each, as
 * if work were half done on average. */
static void choose_at_kill(struct od_host_facts *f, uint64_t most)
{
    struct od_host_answer *a = f->a;
    struct od_bytes each = a->each;
    a->recommended = (struct od_count){0};
    if (ckd_mul(&a->each.n, each.n, 2u))
        a->each.n = each.n;
    a->fewer = most_of(f, most, 1 - margin);
    a->each = each;
    if (a->most.known && a->most.n > 1 && (!a->fewer.known || a->fewer.n == 0))
        a->fewer = od_count_of(1);
}

static void choose(struct od_host_facts *f)
{
    struct od_host_answer *a = f->a;
    uint64_t most = a->seen.n;
    bool given = f->q.request && (f->q.request->ram.known || f->q.request->shm.known);
    if (f->q.request && f->q.request->cpus.known && f->q.request->cpus.n < most)
        most = f->q.request->cpus.n;
    if (!f->grows) {
        a->recommended = most_of(f, most, 1 - margin);
        /* this number of processes failed, so they reached the limit */
        a->most = most_of(f, given || most < a->seen.n ? most : most - 1, 1);
    }
    if (a->each_shared)
        a->most = (struct od_count){0}; /* how much of the shared part the workers will write to is
                                         * unknown */
    if (a->recommended.known && a->recommended.n >= a->seen.n && !given)
        a->recommended = a->most =
            (struct od_count){0}; /* this number failed, so the estimate is wrong */
    a->small = is_small(f);
    if (a->small)
        a->recommended = a->most = (struct od_count){0};
    a->fewer = a->recommended;
    if (a->small)
        return;
    if (a->each_at_kill && a->recommended.known && !given)
        choose_at_kill(f, most);
    if (!a->fewer.known || (a->fewer.n >= a->workers.n && !given))
        a->fewer = a->workers.n > 1 ? od_count_of(a->workers.n / 2) : (struct od_count){0};
}

static bool is_of_descriptors(const struct od_host_facts *f)
{
    return od_incident_says(f->q.ended, OD_SAID_DESCRIPTORS);
}

/* The size for /dev/shm in whole GiB: the need of the workers and a tenth more. If the need is
 * unknown or was available, twice the size that was too small. */
static void choose_shm(struct od_host_facts *f)
{
    struct od_host_answer *a = f->a;
    if (!f->shm || is_of_descriptors(f))
        return;
    bool counted = a->shm.known && !od_host_shm_has_room(a);
    struct od_bytes need = a->shm;
    if (!counted && a->shm_limit.known && !ckd_mul(&need.n, a->shm_limit.n, 2u))
        need.known = true;
    if (!need.known || need.n == 0 || need.n > 8192 * GIB)
        return;
    a->shm_size =
        od_bytes_exact((counted ? od_loading_shm_gib(need) : (need.n - 1) / GIB + 1) * GIB);
}

static void add_row(struct od_host_facts *f, uint64_t workers)
{
    struct od_host_answer *a = f->a;
    struct od_bytes held = od_host_held(f, workers), shm = od_host_queued(f, workers);
    for (size_t i = 0; i < a->nrows; i++)
        if (a->rows[i].count == workers)
            return;
    if (a->nrows == OD_PLAN_WORKERS_MAX || !held.known)
        return;
    size_t at = a->nrows++;
    for (; at > 0 && a->rows[at - 1].count > workers; at--)
        a->rows[at] = a->rows[at - 1];
    a->rows[at] =
        (struct od_plan_workers){.count = workers,
                                 .bytes = a->rest.known ? od_bytes_add(a->rest, held) : held,
                                 .shm = shm.known ? shm : od_bytes_exact(0),
                                 .fits = od_host_fits(f, workers, 1 - margin)};
}

static void add_rows(struct od_host_facts *f)
{
    const struct od_host_answer *a = f->a;
    add_row(f, a->seen.n);
    if (a->recommended.known)
        add_row(f, a->recommended.n);
    if (a->most.known)
        add_row(f, a->most.n);
    if (a->name.n == 0)
        add_row(f, 0);
    for (uint64_t n = 1; n < a->workers.n; n *= 2)
        add_row(f, n);
}

bool od_host_action_of(const struct od_host_answer *host, const char *remedy,
                       struct od_arena *arena, struct od_answer_action *ret_action)
{
    struct od_answer_action action = {.fits = -1};
    if (!host)
        return false;
    bool jobs = strcmp(remedy, "fewer_jobs") == 0 && host->name.n > 0;
    if (host->grows && strcmp(remedy, "fewer_jobs") == 0) {
        action.figures = host->workers_do;
        action.does_not_help = true;
    } else if (jobs || (host->name.n == 0 && strcmp(remedy, "fewer_workers") == 0)) {
        action.figures = host->workers_do;
        action.does_not_help = host->grows || host->small ||
                               (host->recommended.known && host->recommended.n >= host->seen.n);
        if (host->recommended.known)
            action.what = od_arena_printf(arena, "%llu", (unsigned long long)host->recommended.n);
        action.saves = host->saves;
    } else if (strcmp(remedy, "larger_shm") == 0 && host->shm_size.known) {
        action.what = od_bytes_text_u64(arena, host->shm_size.n);
        action.figures = host->shm_does;
    } else {
        return false;
    }
    *ret_action = action;
    return true;
}

const struct od_host_answer *od_host_answer_of(const struct od_case *c,
                                               const struct od_diagnosis *diagnosis,
                                               const struct od_plan_request *request,
                                               struct od_arena *arena)
{
    const struct od_incident *ended = diagnosis->failure->run.ended;
    bool kill = ended && ended->kind == OD_INC_UNEXPLAINED_KILL;
    if (!ended || (!kill && !od_incident_kind_is_host(ended->kind)))
        return NULL;
    struct od_host_answer *a = OD_NEW(arena, struct od_host_answer);
    struct od_host_facts f = {.q = {.c = c,
                                    .failure = diagnosis->failure,
                                    .ended = ended,
                                    .request = request,
                                    .arena = arena},
                              .a = a,
                              .shm = ended->kind == OD_INC_SHM_EXHAUSTED ||
                                     od_first_cause(diagnosis) == OD_CAUSE_SHM_TOO_SMALL};
    od_host_read(&f);
    if (!a->workers.known || a->workers.n == 0)
        return NULL;
    choose(&f);
    choose_shm(&f);
    struct od_bytes now = f.shm ? a->shm : a->total;
    struct od_bytes then = f.shm ? od_host_queued(&f, a->fewer.n) : od_host_held(&f, a->fewer.n);
    if (now.known && then.known && a->fewer.known && a->fewer.n < a->seen.n && !a->each_shared)
        a->saves = od_bytes_sub(now, then);
    if (!a->each_shared)
        add_rows(&f);
    a->grows = f.grows;
    a->workers_do = a->grows || a->total.known ? od_host_words(&f, "fewer_workers") : NULL;
    a->shm_does = a->shm_size.known ? od_host_words(&f, "larger_shm") : NULL;
    a->why = od_host_words(&f, "loading");
    a->no_number = od_host_words(&f, "no_number_why");
    return a;
}
