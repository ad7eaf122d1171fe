#include "failure/growth.h"

#include "failure/remarks.h"

#include <math.h>

enum { LEAST = 4, FEW = 6, MANY = 8 };

static const double large_share = 1.0 / 3; /* share of the final value: smaller growth is no leak */
/* For a run near its limit, which would have continued without the growth. */
static const double clear_share = 0.15, at_limit = 0.9;
static const double near_limit = 0.66;
static const double near_end = 0.8;      /* share of the lines up to the failure */
static const double slower_factor = 1.3; /* duration of the last steps relative to the first ones */

static bool is_memory_of(const struct od_series *s, bool host)
{
    bool ours = od_series_metric_is_host(s->metric) == host;
    return od_series_metric_is_bytes(s->metric) &&
           (ours || od_series_metric_is_unowned(s->metric)) && s->metric != OD_SERIES_HOST_VIRTUAL;
}

static bool is_share(const struct od_series *s)
{
    return od_series_metric_unit(s->metric) == OD_SERIES_PERCENT;
}

static bool is_share_of(const struct od_series *s, bool host)
{
    return is_share(s) && od_series_metric_is_host(s->metric) == host;
}

/* Do the lines have PIDs of different processes? A journal stamps all lines of a service with the
 * PID of the process that forwards them, which is the shell if its child was killed. */
static bool has_separate_pids(const struct od_case *c, const struct od_series *s)
{
    bool apart = false;
    OD_FOR_EACH (const struct od_series, other, c->series)
        apart = apart ||
                (other->at.source == s->at.source && other->pid.known && other->pid.n != s->pid.n);
    return apart;
}

/* Does the series belong to another process, rank or device than the failure? */
static bool is_of_another(const struct od_case *c, const struct od_series *s,
                          const struct od_incident *inc)
{
    bool pid = s->pid.known && inc->process.pid.known && s->pid.n != inc->process.pid.n &&
               has_separate_pids(c, s);
    bool rank = s->rank.known && inc->rank.known && s->rank.n != inc->rank.n;
    bool device = s->device.n > 0 && inc->device.n > 0 && !od_view_eq(s->device, inc->device);
    return rank || (od_series_metric_is_host(s->metric) ? pid : device);
}

static bool is_in_front(const struct od_series *s, const struct od_incident *inc)
{
    return s->at.source != inc->at.source || s->at.line < inc->last.line;
}

/* Does each of the first `count` points exceed the one `stride` places earlier by about as much? */
static bool rises_by(const struct od_series *s, size_t count, size_t stride)
{
    /* Do two lines of each round print the series, such as peak and current value? Each of them
     * rises, but the merged series goes up and down. */
    static const double least_rise = 0.5;
    bool rises = true;
    for (size_t first = 0; rises && first < stride; first++) {
        size_t n = (count - first - 1) / stride; /* number of rises */
        double mean = (s->samples[first + n * stride].value - s->samples[first].value) / (double)n;
        rises = mean > 0;
        for (size_t i = first + stride; i < count; i += stride)
            rises =
                rises && s->samples[i].value - s->samples[i - stride].value >= least_rise * mean;
    }
    return rises;
}

/* Two lines in each round print the series, for example peak and current value: each of them rises,
 * but the merged series goes up and down. */
static bool alternates(const struct od_series *s)
{
    return s->nsamples == s->points && s->points >= 2 * LEAST &&
           !od_series_metric_is_free(s->metric) && !rises_by(s, s->nsamples, 1) &&
           rises_by(s, s->nsamples, 2);
}

/* Do a few points all rise, or do two rising series alternate? */
static bool climbs(const struct od_series *s)
{
    bool few = s->points >= LEAST && s->points < FEW && s->nsamples == s->points &&
               !od_series_metric_is_free(s->metric);
    return few ? rises_by(s, s->nsamples, 1) : alternates(s);
}

/* Was the process killed because it reached its limit? Then it held the whole limit. */
static bool is_at_its_limit(const struct od_incident *inc)
{
    return inc->kind == OD_INC_CGROUP_OOM_KILL || inc->kind == OD_INC_JOB_LIMIT_KILL;
}

/* Does it rise to nearly the limit of the kill, and stay there? The kernel then frees other pages
 * for a while, so the constant level does not mean that the growth ended. */
static bool fills_limit(const struct od_series *s, const struct od_incident *inc)
{
    static const double close = 0.95; /* share of the limit */
    double full = is_at_its_limit(inc) && inc->limit.known ? close * (double)inc->limit.lo : 0;
    size_t below = 0;
    while (below < s->nsamples && s->samples[below].value < full)
        below++;
    return below >= FEW && below < s->nsamples && s->last >= full && s->nsamples == s->points &&
           !od_series_metric_is_free(s->metric) && rises_by(s, below, 1);
}

static bool is_rising(const struct od_series *s, const struct od_incident *inc)
{
    return s->trend == OD_TREND_LEAK || s->trend == OD_TREND_STAIRCASE || fills_limit(s, inc);
}

static bool measure(const struct od_series *s, const struct od_incident *inc,
                    struct od_growth *ret_growth)
{
    bool free_memory = od_series_metric_is_free(s->metric);
    bool pairs = alternates(s);
    double first = pairs ? s->samples[(s->nsamples - 1) % 2].value : s->first;
    double came_to = free_memory ? first : s->last;
    struct od_growth growth = {.series = s,
                               .grown = free_memory ? first - s->last : s->last - first};
    if (!(came_to > 0) || (s->points < FEW && !climbs(s)))
        return false;
    growth.few = s->points < FEW;
    /* the series of a process includes pages of files, which the limit of its group does not
     * count */
    bool counted = is_at_its_limit(inc) && inc->limit.known;
    growth.share = growth.grown / (counted ? fmin(came_to, (double)inc->limit.hi) : came_to);
    growth.reached = !s->limit_known || free_memory || s->last >= near_limit * s->limit;
    bool full = ((s->limit_known && s->last >= at_limit * s->limit) || is_at_its_limit(inc)) &&
                !free_memory;
    *ret_growth = growth;
    return growth.share >= (full ? clear_share : large_share);
}

bool od_growth_is_of_validation(const struct od_growth *growth)
{
    return growth->series->phase == OD_SERIES_PHASE_VALIDATION ||
           od_view_eq_str(growth->series->name, "validation");
}

bool od_growth_has_steps(const struct od_case *c)
{
    size_t steps = 0;
    for (size_t i = 0; i < c->run_events.n; i++)
        steps += c->run_events.items[i].kind == OD_EV_PROGRESS;
    return steps > 1;
}

/* Would the request have fitted without the growth? A step needs more between two measurements than
 * they show, so a run may fail far below its limit. */
static bool had_fitted(const struct od_growth *growth, const struct od_incident *inc)
{
    double others = (double)inc->in_use.hi - growth->grown;
    return inc->in_use.known && inc->limit.known && inc->requested.known && others >= 0 &&
           others + (double)inc->requested.hi <= (double)inc->limit.lo;
}

/* The largest growth among the series for which is_wanted returns true. */
static struct od_growth largest(const struct od_case *c, const struct od_incident *incident,
                                bool host, bool (*is_wanted)(const struct od_series *s, bool host))
{
    struct od_growth best = {0}, found;
    OD_FOR_EACH (const struct od_series, s, c->series) {
        if (!is_rising(s, incident) || !is_wanted(s, host) || is_of_another(c, s, incident) ||
            !is_in_front(s, incident) || !measure(s, incident, &found))
            continue;
        found.reached = found.reached || (!host && had_fitted(&found, incident));
        bool better = !best.series || found.grown > 1.2 * best.grown;
        if (better)
            best = found;
    }
    best.loading = best.series && best.series->from_start && !od_growth_has_steps(c);
    return best;
}

bool od_growth_of(const struct od_case *c, const struct od_incident *incident, bool host,
                  struct od_growth *ret_growth)
{
    *ret_growth = largest(c, incident, host, is_memory_of);
    if (!ret_growth->series && !od_growth_refuted(c, incident, host))
        *ret_growth = largest(c, incident, host, is_share_of);
    return ret_growth->series != NULL;
}

bool od_growth_small(const struct od_case *c, const struct od_incident *incident, bool host,
                     struct od_growth *ret_growth)
{
    static const double least = 0.02; /* larger than changes after a warm-up */
    static const double soon = 0.66;  /* share of the lines: a traceback is long */
    OD_FOR_EACH (const struct od_series, s, c->series) {
        struct od_growth found = {0};
        bool grows = s->trend == OD_TREND_LEAK && is_memory_of(s, host) &&
                     !is_of_another(c, s, incident) && is_in_front(s, incident);
        /* measure() returns false for small growth but sets `found`; od_growth_of reports large
         * growth */
        (void)(grows && measure(s, incident, &found));
        if (grows && s->points >= FEW && found.share >= least &&
            (double)s->last_at.line >= soon * (double)incident->at.line) {
            *ret_growth = found;
            return true;
        }
    }
    return false;
}

bool od_growth_of_few(const struct od_case *c, const struct od_incident *incident, bool host,
                      struct od_growth *ret_growth)
{
    struct od_growth best = {0}, found;
    OD_FOR_EACH (const struct od_series, s, c->series) {
        bool wanted = is_memory_of(s, host) && climbs(s) && !is_of_another(c, s, incident) &&
                      is_in_front(s, incident) && measure(s, incident, &found);
        if (wanted && (!best.series || found.grown > best.grown))
            best = found;
    }
    best.loading = best.series && best.series->from_start && !od_growth_has_steps(c);
    *ret_growth = best;
    return best.series != NULL;
}

bool od_growth_refuted(const struct od_case *c, const struct od_incident *incident, bool host)
{
    bool level = false;
    OD_FOR_EACH (const struct od_series, s, c->series) {
        if (!is_memory_of(s, host) || is_of_another(c, s, incident) || s->points < MANY ||
            s->at.source != incident->at.source || s->at.line > incident->at.line || alternates(s))
            continue;
        if (is_rising(s, incident) || s->trend == OD_TREND_UNCLEAR)
            return false;
        double way = (double)s->last_at.line / (double)incident->at.line;
        level |= way >= near_end && s->trend != OD_TREND_SPIKY;
    }
    return level;
}

/* Hash of a line's letters without units, because "900 MB" may be followed by "1.6 GB" and "20min"
 * by "2h". */
static uint64_t words_hash(struct od_view said)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    bool unit = false;
    for (size_t i = 0; i < said.n; i++) {
        char before = i > 0 ? said.p[i - 1] : ' ';
        if (!od_is_letter(said.p[i]))
            continue;
        unit = od_is_digit(before) || (unit && od_is_letter(before));
        if (!unit && !(before == ' ' && memchr("KMGTkmgt", said.p[i], 8)))
            hash = (hash ^ (unsigned char)said.p[i]) * UINT64_C(1099511628211);
    }
    return hash;
}

bool od_growth_of_readings(const struct od_series *s, double *ret_each)
{
    enum { READINGS = 3, READINGS_MOST = 12, LEAST_BYTES = 16 << 20, LEAST_PERCENT = 10 };
    static const double last_rise = 0.5, even_rise = 0.3; /* shares of the mean rise */
    /* Least growth as a share of the maximum. The more points rise evenly, the less growth is
     * needed. */
    double even_share = s->points > READINGS + 1 ? 0.1 : s->points > READINGS ? 0.2 : 0.25;
    static const double uneven_share = 0.5;
    bool even = true;
    double sign = od_series_metric_is_free(s->metric) ? -1 : 1;
    double grown = sign * (s->last - s->first);
    if (s->trend != OD_TREND_UNCLEAR || s->points < READINGS || s->points > READINGS_MOST ||
        s->nsamples != s->points || s->metric == OD_SERIES_HOST_VIRTUAL ||
        grown < (is_share(s) ? LEAST_PERCENT : LEAST_BYTES) || grown < even_share * s->max ||
        ((s->said.n == 0 || s->said.p[0] != '|') && /* rows of a table have no words to compare */
         words_hash(s->said) != words_hash(s->last_said)))
        return false;
    *ret_each = grown / (double)(s->points - 1);
    for (size_t i = 1; i < s->nsamples; i++) {
        double rise = sign * (s->samples[i].value - s->samples[i - 1].value);
        even = even && rise >= even_rise * *ret_each;
        if (!(rise > 0) || (i + 1 == s->nsamples && rise < last_rise * *ret_each))
            return false;
    }
    return even || (s->points >= FEW && grown >= uneven_share * s->max);
}

static const struct od_series *unfailed(const struct od_case *c, double least, bool shares)
{
    const struct od_series *worst = NULL;
    double most = 0;
    OD_FOR_EACH (const struct od_series, s, c->series) {
        bool less = od_series_metric_is_free(s->metric);
        double grown = less ? s->first - s->last : s->last - s->first, each;
        bool grows = s->trend == OD_TREND_LEAK || s->trend == OD_TREND_STAIRCASE ||
                     od_growth_of_readings(s, &each);
        if (!grows || (shares ? !is_share(s) : !od_series_metric_is_bytes(s->metric)) ||
            s->phase == OD_SERIES_PHASE_LOAD || s->metric == OD_SERIES_HOST_VIRTUAL ||
            grown < least * (less ? s->first : s->last) || grown <= most)
            continue;
        worst = s;
        most = grown;
    }
    return worst;
}

const struct od_series *od_growth_unfailed(const struct od_case *c, double least)
{
    const struct od_series *worst = unfailed(c, least, false);
    return worst ? worst : unfailed(c, least, true);
}

const struct od_series *od_growth_constant_part(const struct od_case *c, const struct od_series *s)
{
    /* share of the growth; if the other series grew less, it counts as constant */
    static const double its_part = 0.1;
    enum { NEAR = 8 }; /* lines; series this near are printed together */
    OD_FOR_EACH (const struct od_series, other, c->series) {
        bool near = other->at.source == s->at.source && other->at.line < s->at.line + NEAR &&
                    s->at.line < other->at.line + NEAR;
        bool heap = od_view_eq_str(other->process, "heap");
        bool within = s->metric == OD_SERIES_HOST_RSS ? other->metric == OD_SERIES_HOST_USED && heap
                      : s->metric == OD_SERIES_HOST_USED
                          ? other->metric == OD_SERIES_HOST_RSS && !heap && s->process.n > 0
                          : false;
        if (other != s && within && near && other->points > 1 &&
            other->last - other->first <= its_part * (s->last - s->first) && other->last < s->last)
            return other;
    }
    return NULL;
}

/* Are both on one line, or is `heap` named as the heap in the same source? */
static bool is_heap_of(const struct od_series *heap, const struct od_series *rss)
{
    bool named = od_view_eq_str(heap->process, "heap");
    bool together =
        heap->metric == OD_SERIES_MEMORY_USED && heap->last_at.line == rss->last_at.line;
    return heap->at.source == rss->at.source && (named || together) &&
           od_series_metric_is_bytes(heap->metric);
}

bool od_growth_outside_heap(const struct od_case *c, const struct od_incident *incident,
                            double most, struct od_outside *ret_outside)
{
    bool found = false;
    OD_FOR_EACH (const struct od_series, rss, c->series) {
        if (rss->metric != OD_SERIES_HOST_RSS || od_view_eq_str(rss->process, "heap") ||
            rss->listed || rss->at.source != incident->at.source ||
            (found && rss->last <= ret_outside->rss->last))
            continue;
        OD_FOR_EACH (const struct od_series, heap, c->series)
            if (is_heap_of(heap, rss) && heap->last < most * rss->last) {
                *ret_outside = (struct od_outside){rss, heap};
                found = true;
            }
    }
    return found;
}

const struct od_series *od_growth_reported(const struct od_case *c)
{
    static const double least = 0.1; /* share of the final value */
    bool told = od_remark_anywhere(c, "growth") || od_remark_anywhere(c, "grown");
    const struct od_series *best = NULL;
    for (size_t i = 0; told && i < c->series.n; i++) {
        const struct od_series *s = &c->series.items[i];
        bool rises = s->points > 1 && s->points < FEW && s->nsamples == s->points &&
                     !od_series_metric_is_free(s->metric) &&
                     (is_memory_of(s, true) || is_memory_of(s, false)) &&
                     s->last - s->first >= least * s->last;
        for (size_t k = 1; rises && k < s->nsamples; k++)
            rises = s->samples[k].value > s->samples[k - 1].value;
        if (rises && (!best || s->points > best->points))
            best = s;
    }
    return best;
}

double od_growth_of_steps_in(const struct od_series *s)
{
    if (s->metric != OD_SERIES_STEP_SECONDS || s->nsamples == 0 ||
        s->phase == OD_SERIES_PHASE_VALIDATION)
        return 0;
    double began = 0, end = s->last;
    if (s->points >= FEW && s->slope_known && s->slope_lo > 0) {
        end = s->end_level;
        began = end - s->slope * (s->samples[s->nsamples - 1].x - s->samples[0].x);
    } else if (s->points < FEW && climbs(s)) {
        began = s->first;
    }
    return began > 0 && end / began >= slower_factor ? end / began : 0;
}

double od_growth_of_steps(const struct od_case *c)
{
    double most = 0;
    for (size_t i = 0; i < c->series.n; i++)
        most = fmax(most, od_growth_of_steps_in(&c->series.items[i]));
    return most;
}

const struct od_evidence *od_growth_change(const struct od_case *c, const struct od_series *s,
                                           double *ret_before)
{
    struct od_prov after = s->at;
    for (size_t i = 0; i < s->nsamples && s->samples[i].line < s->step_line; i++) {
        after.line = s->samples[i].line;
        *ret_before = s->samples[i].value;
    }
    return s->step_line > 0 ? od_remark_between(c, &after, s->step_line, "change") : NULL;
}

bool od_growth_rise(const struct od_case *c, const struct od_incident *incident, bool host,
                    struct od_rise *ret_rise)
{
    OD_FOR_EACH (const struct od_series, s, c->series) {
        if (s->step_line == 0 || od_series_metric_is_free(s->metric) || !is_memory_of(s, host) ||
            is_of_another(c, s, incident) || !is_in_front(s, incident))
            continue;
        ret_rise->change = od_growth_change(c, s, &ret_rise->before);
        ret_rise->after = s->last;
        ret_rise->line = s->step_line;
        return true;
    }
    return false;
}
