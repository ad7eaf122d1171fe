#include "answer/phases.h"

#include <math.h>

static const double least_share =
    0.01; /* share of the peak; smaller growth is not shown as a phase */

struct drawing {
    const struct od_phases_question *question;
    struct od_phases *phases;
    struct od_arena *arena;
};

static void add(struct drawing *d, const char *name, double bytes, const char *basis)
{
    if (!(bytes > 0) || bytes > 9e15 || d->phases->n == OD_PHASES_MAX)
        return;
    d->phases->rows[d->phases->n++] = (struct od_phase_row){
        .name = od_view_of(name), .bytes = od_bytes_exact((uint64_t)bytes), .basis = basis};
}

bool od_phase_parse(struct od_view text, struct od_phase_given *ret_phase)
{
    size_t at = od_view_find_char(text, '=', 0);
    if (at == OD_VIEW_NONE || at == 0)
        return false;
    struct od_phase_given phase = {.name = od_view_trim(od_view_head(text, at))};
    if (phase.name.n == 0 ||
        !od_bytes_parse(od_view_trim(od_view_from(text, at + 1)), OD_UNIT_BINARY, &phase.bytes))
        return false;
    *ret_phase = phase;
    return true;
}

static void draw_given(struct drawing *d)
{
    OD_FOR_EACH_OF (const struct od_phase_given, given, d->question->given, d->question->ngiven) {
        if (od_view_eq_str(given->name, "total")) {
            d->phases->total = given->bytes;
            d->phases->total_basis = "given";
            continue;
        }
        if (d->phases->n < OD_PHASES_MAX)
            d->phases->rows[d->phases->n++] =
                (struct od_phase_row){.name = given->name, .bytes = given->bytes, .basis = "given"};
    }
}

/* The series of the process or the machine with the highest value. */
static const struct od_series *host_series(const struct od_case *c)
{
    const struct od_series *best = NULL;
    OD_FOR_EACH (const struct od_series, s, c->series)
        if ((s->metric == OD_SERIES_HOST_RSS || s->metric == OD_SERIES_HOST_USED) &&
            s->points > 1 && (!best || s->max > best->max))
            best = s;
    return best;
}

static bool is_host(const struct od_phases_question *q)
{
    const struct od_incident *inc = q->diagnosis->failure->run.ended;
    return !inc || od_incident_kind_is_host(inc->kind);
}

static const char *line_words(const struct drawing *d, struct od_prov at)
{
    return od_arena_printf(d->arena, "line %llu", (unsigned long long)at.line);
}

static void find_host_total(struct drawing *d, const struct od_series *s)
{
    const struct od_incident *inc = d->question->diagnosis->failure->run.ended;
    if (d->phases->total.known)
        return;
    if (inc && inc->process.rss.known && (!s || (double)inc->process.rss.n >= s->max)) {
        d->phases->total = inc->process.rss;
        d->phases->total_basis =
            od_arena_printf(d->arena, "in use when it was killed, %s", line_words(d, inc->at));
    } else if (s) {
        d->phases->total = od_bytes_exact((uint64_t)s->max);
        d->phases->total_basis = "the highest measured value";
    }
}

/* Does the log not mark a phase of the series? A series outside of validation need not belong to
 * training. */
static bool is_of_no_phase(const struct od_series *s)
{
    return s->phase == OD_SERIES_PHASE_NONE && s->grown_in[OD_SERIES_PHASE_VALIDATION] <= 0 &&
           s->grown_in[OD_SERIES_PHASE_LOAD] <= 0 && s->grown_in[OD_SERIES_PHASE_CHECKPOINT] <= 0;
}

static void draw_host(struct drawing *d, const struct od_series *s)
{
    add(d, "at the first measurement", s->first, line_words(d, s->at));
    if (s->trend != OD_TREND_LEAK && s->trend != OD_TREND_STAIRCASE)
        return;
    if (is_of_no_phase(s)) {
        d->phases->unmarked = true;
        add(d, "growth since then", s->grown_in[OD_SERIES_PHASE_TRAIN],
            od_arena_printf(d->arena, "to line %llu", (unsigned long long)s->last_at.line));
        return;
    }
    for (enum od_series_phase p = OD_SERIES_PHASE_TRAIN; p <= OD_SERIES_PHASE_CHECKPOINT; p++)
        if (s->grown_in[p] >= least_share * s->max)
            add(d,
                p == OD_SERIES_PHASE_TRAIN
                    ? "growth while training"
                    : od_arena_printf(d->arena, "growth at %ss", od_series_phase_name(p)),
                s->grown_in[p], "between the marks of the log");
}

/* Adds rows by the roles of a dump's chunks. */
static void draw_device(struct drawing *d, const struct od_holding *held)
{
    static const struct {
        const char *name;
        enum od_role roles[6]; /* OD_ROLE_UNKNOWN marks the end */
    } parts[] = {
        {"model + optimizer",
         {OD_ROLE_WEIGHTS, OD_ROLE_GRADIENTS, OD_ROLE_OPTIMIZER, OD_ROLE_BUFFERS,
          OD_ROLE_CONSTANT}},
        {"fixed", {OD_ROLE_FIXED}},
        {"batch", {OD_ROLE_ACTIVATION, OD_ROLE_INPUT, OD_ROLE_BATCH}},
        {"workspace", {OD_ROLE_WORKSPACE}},
    };
    for (size_t i = 0; i < OD_COUNT_OF(parts); i++) {
        double bytes = 0;
        for (size_t k = 0; k < 6 && parts[i].roles[k] != OD_ROLE_UNKNOWN; k++)
            bytes += (double)held->bytes_by_role[parts[i].roles[k]];
        add(d, parts[i].name, bytes, "dump sizes explained by tensors");
    }
    if (d->phases->n > 0 && !d->phases->total.known && held->allocator->in_use.known) {
        d->phases->total = od_bytes_exact(held->allocator->in_use.n);
        d->phases->total_basis = "in use when it failed";
    }
}

/* Adds rows by the memory printed at moments of a step: of the device first, if nothing failed. */
static bool draw_moments(struct drawing *d)
{
    bool failed = d->question->diagnosis->failure->run.ended, host = is_host(d->question);
    bool device = !failed || !host;
    return (device && od_phases_draw_moments(d->question, false, d->phases, d->arena)) ||
           (host && od_phases_draw_moments(d->question, true, d->phases, d->arena));
}

/* Adds a row for the remainder, so that the rows sum to the total. */
static void close_table(struct drawing *d)
{
    struct od_phases *phases = d->phases;
    struct od_bytes sum = od_bytes_exact(0);
    for (size_t i = 0; i < phases->n; i++)
        sum = od_bytes_add(sum, od_bytes_exact(phases->rows[i].bytes.n));
    if (!phases->total.known || !sum.known)
        return;
    struct od_phase_row row = {.name = OD_VIEW("remainder"), .remainder = true};
    if (sum.n <= phases->total.n) {
        row.bytes = od_bytes_exact(phases->total.n - sum.n);
        row.basis = od_arena_printf(d->arena, "the phases sum to %s", od_bytes_text(d->arena, sum));
    } else {
        row.basis = od_arena_printf(d->arena, "the phases sum to %s, more than the peak",
                                    od_bytes_text(d->arena, sum));
    }
    phases->rows[phases->n++] = row;
}

const struct od_phases *od_phases_of(const struct od_phases_question *question,
                                     struct od_arena *arena)
{
    struct drawing d = {question, OD_NEW(arena, struct od_phases), arena};
    const struct od_failure *failure = question->diagnosis->failure;
    const struct od_series *s = host_series(question->c);
    const struct od_holding *held = failure->run.ended && failure->dump && question->attribution
                                        ? od_holding_of(question->attribution, failure->dump)
                                        : NULL;
    draw_given(&d);
    bool given = d.phases->given = d.phases->n > 0;
    bool drawn = !given && !held && draw_moments(&d);
    if (!drawn && is_host(question)) {
        if (!given && s)
            draw_host(&d, s);
        if (d.phases->n > 0)
            find_host_total(&d, s);
    } else if (held) {
        if (!given)
            draw_device(&d, held);
        else if (!d.phases->total.known && held->allocator->in_use.known)
            d.phases->total = od_bytes_exact(held->allocator->in_use.n);
    }
    if (d.phases->n == 0)
        return NULL;
    d.phases->tells = d.phases->n > 1 || held; /* a first level without growth is not shown */
    close_table(&d);
    return given || d.phases->tells ? d.phases : NULL;
}
