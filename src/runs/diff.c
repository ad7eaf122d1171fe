#include "runs/diff.h"

enum { SIZES_MAX = 12 };

const char *od_diff_verdict_name(enum od_diff_verdict verdict)
{
    static const char *const names[] = {
        [OD_DIFF_SAME] = "same",   [OD_DIFF_BETTER] = "better",   [OD_DIFF_WORSE] = "worse",
        [OD_DIFF_MIXED] = "mixed", [OD_DIFF_UNKNOWN] = "unknown",
    };
    return names[verdict];
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static void diff_settings(struct od_diff *diff)
{
    for (size_t i = 0; i < diff->old->settings.n; i++) {
        const struct od_run_setting *was = &diff->old->settings.items[i];
        struct od_diff_setting one = {
            .name = was->name, .old = was->value, .new = od_run_setting(diff->new, was->name)};
        if (!same_text(one.old, one.new))
            od_vec_push(&diff->settings, one);
    }
    for (size_t i = 0; i < diff->new->settings.n; i++) {
        const struct od_run_setting *is = &diff->new->settings.items[i];
        struct od_diff_setting one = {.name = is->name, .new = is->value};
        if (!od_run_setting(diff->old, is->name))
            od_vec_push(&diff->settings, one);
    }
}

static void diff_peaks(struct od_diff *diff)
{
    const struct od_diff_bytes peaks[] = {
        {"device_peak", diff->old->device_peak, diff->new->device_peak},
        {"host_peak", diff->old->host_peak, diff->new->host_peak},
    };
    for (size_t i = 0; i < OD_COUNT_OF(peaks); i++)
        if (peaks[i].old.known || peaks[i].new.known)
            od_vec_push(&diff->peaks, peaks[i]);
}

static const struct od_run_phase *find_phase(const struct od_run *run, const char *name)
{
    for (size_t i = 0; i < run->phases.n; i++)
        if (strcmp(run->phases.items[i].name, name) == 0)
            return &run->phases.items[i];
    return NULL;
}

static void add_phase(struct od_diff *diff, const struct od_run_phase *was,
                      const struct od_run_phase *is)
{
    static const struct od_run_phase none = {0};
    const char *name = was ? was->name : is->name;
    was = was ? was : &none;
    is = is ? is : &none;
    struct od_diff_phase one = {.bytes = {name, was->bytes, is->bytes},
                                .old_basis = was->basis,
                                .new_basis = is->basis,
                                .remainder = strcmp(name, "remainder") == 0};
    od_vec_push(&diff->phases, one);
}

/* Adds to a sum. A sum with an unknown part is unknown. */
static void add_to(struct od_diff_bytes *sum, const struct od_diff_bytes *one)
{
    sum->old.known =
        sum->old.known && one->old.known && !ckd_add(&sum->old.n, sum->old.n, one->old.n);
    sum->new.known =
        sum->new.known && one->new.known && !ckd_add(&sum->new.n, sum->new.n, one->new.n);
}

static void sum_phases(struct od_diff *diff)
{
    const struct od_count none = od_count_of(0);
    diff->phases_sum = (struct od_diff_bytes){"sum of phases", none, none};
    diff->phases_total = (struct od_diff_bytes){"with the remainder", none, none};
    for (size_t i = 0; i < diff->phases.n; i++) {
        if (!diff->phases.items[i].remainder)
            add_to(&diff->phases_sum, &diff->phases.items[i].bytes);
        add_to(&diff->phases_total, &diff->phases.items[i].bytes);
    }
}

static void diff_phases(struct od_diff *diff)
{
    OD_FOR_EACH (const struct od_run_phase, was, diff->old->phases) {
        const struct od_run_phase *is = find_phase(diff->new, was->name);
        add_phase(diff, was, is);
    }
    OD_FOR_EACH (const struct od_run_phase, is, diff->new->phases)
        if (!find_phase(diff->old, is->name))
            add_phase(diff, NULL, is);
    sum_phases(diff);
}

static uint64_t total_of_size(const struct od_run *run, uint64_t bytes)
{
    for (size_t i = 0; i < run->sizes.n; i++)
        if (run->sizes.items[i].bytes == bytes)
            return run->sizes.items[i].total;
    return 0;
}

static uint64_t change_of(const struct od_diff_bytes *one)
{
    return one->old.n > one->new.n ? one->old.n - one->new.n : one->new.n - one->old.n;
}

static int by_change(const void *a, const void *b)
{
    uint64_t x = change_of(a), y = change_of(b);
    return x < y   ? 1
           : x > y ? -1
                   : strcmp(((const struct od_diff_bytes *)a)->name,
                            ((const struct od_diff_bytes *)b)->name);
}

static void add_size(struct od_diff *diff, struct od_arena *arena, uint64_t bytes)
{
    struct od_diff_bytes one = {.old = od_count_of(total_of_size(diff->old, bytes)),
                                .new = od_count_of(total_of_size(diff->new, bytes))};
    if (one.old.n == one.new.n)
        return;
    one.name = od_arena_printf(arena, "chunks of %s", od_bytes_text_u64(arena, bytes));
    od_vec_push(&diff->sizes, one);
}

/* Compares sizes if both runs have a dump. Otherwise every size would be new or gone. */
static void diff_sizes(struct od_diff *diff, struct od_arena *arena)
{
    if (diff->old->sizes.n == 0 || diff->new->sizes.n == 0)
        return;
    for (size_t i = 0; i < diff->old->sizes.n; i++)
        add_size(diff, arena, diff->old->sizes.items[i].bytes);
    for (size_t i = 0; i < diff->new->sizes.n; i++)
        if (total_of_size(diff->old, diff->new->sizes.items[i].bytes) == 0)
            add_size(diff, arena, diff->new->sizes.items[i].bytes);
    if (diff->sizes.n > 0)
        qsort(diff->sizes.items, diff->sizes.n, sizeof *diff->sizes.items, by_change);
    if (diff->sizes.n > SIZES_MAX)
        diff->sizes.n = SIZES_MAX;
}

/* Is b the same failure in another run? Ignores sizes and shapes, which depend on settings. */
static bool same_incident(const struct od_run_incident *a, const struct od_run_incident *b)
{
    return strcmp(a->kind, b->kind) == 0 && same_text(a->producer, b->producer) &&
           same_text(a->device, b->device);
}

static bool has_incident(const struct od_run *run, const struct od_run_incident *incident)
{
    for (size_t i = 0; i < run->incidents.n; i++)
        if (same_incident(&run->incidents.items[i], incident))
            return true;
    return false;
}

static void diff_incidents(struct od_diff *diff)
{
    for (size_t i = 0; i < diff->old->incidents.n; i++) {
        const struct od_run_incident *was = &diff->old->incidents.items[i];
        if (!has_incident(diff->new, was))
            od_vec_push(&diff->gone, was);
    }
    for (size_t i = 0; i < diff->new->incidents.n; i++) {
        const struct od_run_incident *is = &diff->new->incidents.items[i];
        if (has_incident(diff->old, is))
            od_vec_push(&diff->same, is);
        else
            od_vec_push(&diff->fresh, is);
    }
}

/* Do both series measure the same memory? exact: they also need the same name in the log. */
static bool same_series(const struct od_run_series *a, const struct od_run_series *b, bool exact)
{
    bool alike = strcmp(a->metric, b->metric) == 0 && same_text(a->device, b->device) &&
                 a->rank.known == b->rank.known && a->rank.n == b->rank.n;
    return alike && (!exact || (same_text(a->name, b->name) && same_text(a->process, b->process)));
}

/* Pairs series one to one: each new series with the first similar old one that has no partner. */
static void pair_series(struct od_diff *diff, bool exact, bool *paired)
{
    OD_FOR_EACH_OF (struct od_diff_series, one, diff->series.items, diff->old->series.n) {
        for (size_t k = 0; k < diff->new->series.n && !one->new; k++) {
            const struct od_run_series *is = &diff->new->series.items[k];
            if (paired[k] || !same_series(one->old, is, exact))
                continue;
            one->new = is;
            paired[k] = true;
        }
    }
}

static void diff_series(struct od_diff *diff, struct od_arena *arena)
{
    bool *paired = OD_NEW_N(arena, diff->new->series.n + 1, bool);
    for (size_t i = 0; i < diff->old->series.n; i++) {
        const struct od_run_series *was = &diff->old->series.items[i];
        struct od_diff_series one = {.metric = was->metric, .device = was->device, .old = was};
        od_vec_push(&diff->series, one);
    }
    pair_series(diff, true, paired);
    pair_series(diff, false, paired);
    for (size_t i = 0; i < diff->new->series.n; i++) {
        const struct od_run_series *is = &diff->new->series.items[i];
        struct od_diff_series one = {.metric = is->metric, .device = is->device, .new = is};
        if (!paired[i])
            od_vec_push(&diff->series, one);
    }
}

static bool failed(const struct od_run *run)
{
    return strcmp(run->outcome, "memory_failure") == 0;
}

/* -1 if the value fell, 1 if it rose, 0 if neither or unknown. */
static int moved(const struct od_diff_bytes *one)
{
    if (!one->old.known || !one->new.known || one->old.n == 0)
        return 0;
    double share = ((double)one->new.n - (double)one->old.n) / (double)one->old.n;
    return share > OD_DIFF_NOISE ? 1 : share < -OD_DIFF_NOISE ? -1 : 0;
}

/* Joins two reasons; NULL if there are none. */
static const char *join(struct od_arena *arena, const char *reasons, const char *more)
{
    return reasons ? od_arena_printf(arena, "%s, %s", reasons, more) : more;
}

struct reasons {
    const char *better, *worse;
};

static void weigh_peak(struct od_arena *arena, const struct od_diff_bytes *peak, struct reasons *r)
{
    int way = moved(peak);
    if (way == 0)
        return;
    const char *what = strcmp(peak->name, "host_peak") == 0 ? "host memory" : "device memory";
    const char *words = od_arena_printf(
        arena, "the peak of %s %s from %s to %s", what, way > 0 ? "rose" : "fell",
        od_bytes_text_u64(arena, peak->old.n), od_bytes_text_u64(arena, peak->new.n));
    if (way > 0)
        r->worse = join(arena, r->worse, words);
    else
        r->better = join(arena, r->better, words);
}

static void judge(struct od_diff *diff, struct od_arena *arena)
{
    struct reasons r = {0};
    if (failed(diff->old) && !failed(diff->new))
        r.better = "no longer runs out of memory";
    if (!failed(diff->old) && failed(diff->new))
        r.worse = "runs out of memory now";
    if (od_run_leaks(diff->old) && !od_run_leaks(diff->new))
        r.better = join(arena, r.better, "no more leaks");
    if (!od_run_leaks(diff->old) && od_run_leaks(diff->new))
        r.worse = join(arena, r.worse, "memory leaks now");
    bool known = false;
    for (size_t i = 0; i < diff->peaks.n; i++) {
        weigh_peak(arena, &diff->peaks.items[i], &r);
        known = known || (diff->peaks.items[i].old.known && diff->peaks.items[i].new.known);
    }
    known = known || strcmp(diff->old->outcome, "unknown") != 0 ||
            strcmp(diff->new->outcome, "unknown") != 0;
    diff->verdict = r.better && r.worse ? OD_DIFF_MIXED
                    : r.better          ? OD_DIFF_BETTER
                    : r.worse           ? OD_DIFF_WORSE
                    : known             ? OD_DIFF_SAME
                                        : OD_DIFF_UNKNOWN;
    if (r.better && r.worse)
        diff->why = od_arena_printf(arena, "%s; but %s", r.better, r.worse);
    else
        diff->why = r.better  ? r.better
                    : r.worse ? r.worse
                    : known && diff->gone.n > 0 && diff->fresh.n > 0 && diff->same.n == 0
                        ? "both runs fail, in different ways; no peak or trend that both logs show "
                          "changed by more than 2 %"
                    : known
                        ? "outcome, peaks and trends that both logs show are the same within 2 %"
                        : "the two runs have no numbers in common";
}

struct od_diff *od_diff_make(const struct od_run *old, const struct od_run *new,
                             struct od_arena *arena)
{
    struct od_diff *diff = OD_NEW(arena, struct od_diff);
    diff->old = old;
    diff->new = new;
    diff_settings(diff);
    diff_peaks(diff);
    diff_phases(diff);
    diff_sizes(diff, arena);
    diff_incidents(diff);
    diff_series(diff, arena);
    judge(diff, arena);
    return diff;
}

void od_diff_done(struct od_diff *diff)
{
    od_vec_done(&diff->settings);
    od_vec_done(&diff->peaks);
    od_vec_done(&diff->phases);
    od_vec_done(&diff->sizes);
    od_vec_done(&diff->series);
    od_vec_done(&diff->gone);
    od_vec_done(&diff->fresh);
    od_vec_done(&diff->same);
}
