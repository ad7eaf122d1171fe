#include "answer/host_parts.h"

static const double margin = 0.1; /* share of a limit, left free */

#define GIB (UINT64_C(1) << 30)

/* --- how many fit --- */

/* With nothing left free, compares the lower bound of the need. */
static enum od_tri within(struct od_bytes need, uint64_t rest, struct od_bytes limit, double share)
{
    if (!need.known || !limit.known)
        return OD_CANNOT_TELL;
    double bytes = (double)(share < 1 ? need.n : need.lo);
    return (double)rest + bytes <= share * (double)limit.n ? OD_YES : OD_NO;
}

/* Memory of the workers' queues in /dev/shm. */
static struct od_bytes queued(const struct od_host_facts *f, uint64_t workers)
{
    return f->a->batch.known ? od_loading_shm(&f->loading, workers) : (struct od_bytes){0};
}

/* Do this many workers fit that share of the memory and of /dev/shm? With nothing left free, the
 * lower bound of the rest of the run counts. */
static enum od_tri fits(const struct od_host_facts *f, uint64_t workers, double share)
{
    const struct od_host_answer *a = f->a;
    enum od_tri ram = OD_CANNOT_TELL;
    if (a->rest.known && !f->shm)
        ram = within(od_host_held(f, workers), share < 1 ? a->rest.n : f->rest_least, a->limit,
                     share);
    enum od_tri shm = within(queued(f, workers), 0, a->shm_limit, share);
    if (ram == OD_NO || shm == OD_NO)
        return OD_NO;
    return ram == OD_YES || (f->shm && shm == OD_YES) ? OD_YES : OD_CANNOT_TELL;
}

/* The largest number of workers, up to the given one, that fits; unknown if none does. */
static struct od_count most_of(const struct od_host_facts *f, uint64_t most, double share)
{
    uint64_t least = f->a->name.n > 0; /* for programs without processes, 0 would do nothing */
    for (uint64_t n = most + 1; n-- > least;)
        if (fits(f, n, share) == OD_YES)
            return od_count_of(n);
    return (struct od_count){0};
}

/* Do all workers together hold a small part of the memory that ran out? Then fewer of them do not
 * help. A size that follows from a batch alone is too low for this test: each worker may hold a
 * copy of the parent's memory. */
static bool is_small(const struct od_host_facts *f)
{
    const struct od_host_answer *a = f->a;
    return !f->shm && a->total.known && a->limit.known &&
           (double)a->total.hi < margin * (double)a->limit.lo;
}

/* Jobs that were killed before their peak need an unknown amount more than they held. So their
 * current sizes give an upper bound of how many fit. The number to try assumes that each needs
 * twice as much: work is half done on average. */
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
        /* this number failed, so it reached the limit */
        a->most = most_of(f, given || most < a->seen.n ? most : most - 1, 1);
    }
    if (a->each_shared)
        a->most =
            (struct od_count){0}; /* how much of the shared part they will write to is unknown */
    if (a->recommended.known && a->recommended.n >= a->seen.n && !given)
        a->recommended = a->most =
            (struct od_count){0}; /* this number failed, so an estimate is wrong */
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

bool od_host_shm_has_room(const struct od_host_answer *a)
{
    return a->shm.known && a->shm_limit.known && a->shm.n <= a->shm_limit.n;
}

/* The size for /dev/shm in whole GiB: the workers' need and a tenth more. If the need is unknown or
 * had been available, twice the size that was too small. */
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
    struct od_bytes held = od_host_held(f, workers), shm = queued(f, workers);
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
                                 .fits = fits(f, workers, 1 - margin)};
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

static const char *text_of(const struct od_host_facts *f, struct od_bytes bytes)
{
    return od_bytes_text_u64(f->q.arena, bytes.n);
}

/* "workers", "cc1plus processes" */
static const char *noun_of(const struct od_host_facts *f, uint64_t n)
{
    struct od_view name = f->a->name;
    if (name.n == 0)
        return n == 1 ? "worker" : "workers";
    return od_arena_printf(f->q.arena, "%.*s process%s", (int)name.n, name.p, n == 1 ? "" : "es");
}

static void say_loading(const struct od_host_facts *f, struct od_buf *to)
{
    const struct od_host_answer *a = f->a;
    unsigned long long workers = a->workers.n, ahead = a->prefetch.n;
    if (a->each_shared)
        od_buf_printf(to,
                      "%llu %s show %s on average (%s), a part of it shared with the process "
                      "that started them: together they show more than there is.",
                      (unsigned long long)a->seen.n, noun_of(f, a->seen.n), text_of(f, a->each),
                      a->each_basis);
    else if (a->each.known && od_host_held(f, a->seen.n).n > a->total.n)
        od_buf_printf(to, "%llu %s hold %s (%s), the killed one %s.", (unsigned long long)a->seen.n,
                      noun_of(f, a->seen.n), text_of(f, a->total), a->each_basis,
                      text_of(f, a->each));
    else if (a->each.known)
        od_buf_printf(to, "%llu %s hold %s %s (%s): %s in all.", (unsigned long long)a->seen.n,
                      noun_of(f, a->seen.n), text_of(f, a->each),
                      a->each_mean ? "on average" : "each", a->each_basis, text_of(f, a->total));
    if (!a->batch.known)
        return;
    od_buf_printf(to,
                  "%s%llu workers x %llu prefetched batches + 1 = %llu batches of %s: %s in shared "
                  "memory, and %s in the workers",
                  a->each.known ? " " : "", workers, ahead, workers * ahead + 1,
                  text_of(f, a->batch), text_of(f, a->shm), text_of(f, a->own));
    od_buf_printf(to, ". A sample is %s (%s).", text_of(f, a->sample), a->sample_basis);
}

static void say_saving(const struct od_host_facts *f, struct od_buf *to)
{
    const struct od_host_answer *a = f->a;
    struct od_bytes then = f->shm ? queued(f, a->fewer.n) : od_host_held(f, a->fewer.n);
    struct od_bytes now = f->shm ? a->shm : a->total;
    if (!a->saves.known || a->saves.n == 0)
        return;
    od_buf_printf(to, " Reducing %s from %llu to %llu saves %s: %s instead of %s%s.", noun_of(f, 2),
                  (unsigned long long)a->seen.n, (unsigned long long)a->fewer.n,
                  text_of(f, a->saves), text_of(f, then), text_of(f, now),
                  f->shm ? " in shared memory" : "");
}

static void say_limit(const struct od_host_facts *f, struct od_buf *to)
{
    const struct od_host_answer *a = f->a;
    if (!a->batch.known && !a->each.known)
        return;
    if (f->grows) {
        od_buf_printf(to, " Memory also grows over time, so fewer workers only delay the failure.");
        return;
    }
    if (a->shm_limit.known && a->batch.known)
        od_buf_printf(to, " /dev/shm has %s (%s).", text_of(f, a->shm_limit), a->shm_basis);
    if (a->limit.known && a->rest.known && !f->shm)
        od_buf_printf(to, " Of %s (%s) the rest of the run %s %s.", text_of(f, a->limit),
                      a->limit_basis, a->rest_assumed ? "is taken to use" : "used",
                      text_of(f, a->rest));
    if (a->recommended.known && a->recommended.n == 0)
        od_buf_printf(to, " Not even one worker leaves a tenth free.");
    else if (a->recommended.known)
        od_buf_printf(to, " At most %llu %s leave%s a tenth free.",
                      (unsigned long long)a->recommended.n, noun_of(f, a->recommended.n),
                      a->recommended.n == 1 ? "s" : "");
    else if (fits(f, 0, 1 - margin) == OD_NO)
        od_buf_printf(to, " No number of %s leaves a tenth free.", noun_of(f, 2));
}

static const char *say_why(const struct od_host_facts *f)
{
    const struct od_host_answer *a = f->a;
    struct od_buf to = {0};
    say_loading(f, &to);
    say_saving(f, &to);
    say_limit(f, &to);
    if (a->accumulated.known)
        od_buf_printf(&to, " Validation kept %s, independent of the number of workers.",
                      text_of(f, a->accumulated));
    const char *why = od_arena_str(f->q.arena, od_view_trim(od_buf_view(&to)));
    od_buf_done(&to);
    return why;
}

static const char *say_shared(const struct od_host_facts *f)
{
    const struct od_host_answer *a = f->a;
    uint64_t n = a->recommended.n > 0 ? a->recommended.n : 1;
    const char *each = text_of(f, a->each), *limit = text_of(f, a->limit);
    const char *all = text_of(f, od_bytes_add(a->rest, od_host_held(f, n)));
    return od_arena_printf(
        f->q.arena,
        "One that writes to all of the memory it shares holds %s of its own: %llu "
        "%s and the process that starts them would %shold %s of %s.",
        each, (unsigned long long)n, noun_of(f, n), a->recommended.n > 0 ? "" : "already ", all,
        limit);
}

/* "13 workers bring it to 55 of 62.6 GiB; 15 is the largest number that fits." */
static const char *say_workers(const struct od_host_facts *f)
{
    const struct od_host_answer *a = f->a;
    bool shm = f->shm || (a->shm_limit.known && fits(f, a->workers.n, 1) == OD_NO &&
                          within(queued(f, a->workers.n), 0, a->shm_limit, 1) == OD_NO);
    if (f->grows)
        return "Memory grows over time: fewer workers only delay the failure.";
    if (!a->total.known)
        return NULL;
    if (a->small)
        return od_arena_printf(f->q.arena, "%s %s of %s: fewer of them save little%s.",
                               a->each.known ? "All workers hold"
                                             : "The batches of all workers take",
                               text_of(f, a->total), text_of(f, a->limit),
                               a->each.known ? "" : " unless each holds more than its batches");
    if (a->each_shared && a->recommended.known)
        return say_shared(f);
    if (a->each_at_kill && a->most.known && a->fewer.known && !a->recommended.known)
        return od_arena_printf(
            f->q.arena,
            "%llu %s held %s %s when one was killed, maybe before their peak: at most %llu fit, "
            "and %llu if each needs twice as much.",
            (unsigned long long)a->seen.n, noun_of(f, a->seen.n), text_of(f, a->each),
            a->each_mean ? "on average" : "each", (unsigned long long)a->most.n,
            (unsigned long long)a->fewer.n);
    if (!a->recommended.known)
        return od_arena_printf(f->q.arena,
                               a->each.known ? "By the size of each, %llu %s hold %s in all."
                                             : "The batches of %llu %s take %s in all.",
                               (unsigned long long)a->seen.n, noun_of(f, a->seen.n),
                               text_of(f, f->shm ? a->shm : a->total));
    struct od_bytes need = shm ? queued(f, a->recommended.n)
                               : od_bytes_add(a->rest, od_host_held(f, a->recommended.n));
    const char *limit = text_of(f, shm ? a->shm_limit : a->limit);
    unsigned long long n = a->recommended.n, most = a->most.known ? a->most.n : n;
    const char *where = shm ? "/dev/shm" : "memory";
    if (n == 0)
        return od_arena_printf(
            f->q.arena,
            "Without workers no batch is in %s: one worker alone needs %s, and there are %s.",
            where, text_of(f, shm ? queued(f, 1) : od_host_held(f, 1)), limit);
    return od_arena_printf(
        f->q.arena, "%llu %s %s %s of %s%s; %llu is the largest number that fits.", n,
        noun_of(f, n),
        shm      ? n == 1 ? "needs" : "need"
        : n == 1 ? "brings memory to"
                 : "bring memory to",
        need.known ? text_of(f, need) : "less", limit, shm ? " of /dev/shm" : "", most);
}

static const char *say_shm(const struct od_host_facts *f)
{
    const struct od_host_answer *a = f->a;
    if (!a->shm_size.known)
        return NULL;
    const char *has = a->shm_limit.known ? od_arena_printf(f->q.arena, "; it has %s (%s)",
                                                           text_of(f, a->shm_limit), a->shm_basis)
                                         : "";
    if (!a->shm.known)
        return od_arena_printf(f->q.arena,
                               "%s was too little; the log does not show the size of a batch.",
                               text_of(f, a->shm_limit));
    if (od_host_shm_has_room(a))
        return od_arena_printf(
            f->q.arena,
            "By the sizes in the log the workers need %s, and there are %s (%s): "
            "a batch is larger, or something else is in /dev/shm.",
            text_of(f, a->shm), text_of(f, a->shm_limit), a->shm_basis);
    return od_arena_printf(f->q.arena, "%llu workers with %llu prefetched batches of %s need %s%s.",
                           (unsigned long long)a->workers.n, (unsigned long long)a->prefetch.n,
                           text_of(f, a->batch), text_of(f, a->shm), has);
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
        action.vain = true;
    } else if (jobs || (host->name.n == 0 && strcmp(remedy, "fewer_workers") == 0)) {
        action.figures = host->workers_do;
        action.vain = host->grows || host->small ||
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
    struct od_bytes then = f.shm ? queued(&f, a->fewer.n) : od_host_held(&f, a->fewer.n);
    if (now.known && then.known && a->fewer.known && a->fewer.n < a->seen.n && !a->each_shared)
        a->saves = od_bytes_sub(now, then);
    if (!a->each_shared)
        add_rows(&f);
    a->workers_do = say_workers(&f);
    a->shm_does = say_shm(&f);
    a->grows = f.grows;
    a->why = say_why(&f);
    return a;
}
