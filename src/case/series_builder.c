#include "case/series_builder.h"

#include "case/trend.h"

#include <math.h>

struct od_series_builder *od_series_builder_new(const struct od_series *s)
{
    struct od_series_builder *d = od_mem_alloc(1, sizeof *d);
    d->series = *s;
    d->last_step = d->last_epoch = (double)NAN;
    return d;
}

void od_series_builder_free(struct od_series_builder *builder)
{
    od_sampled_done(&builder->points);
    od_mem_free(builder);
}

/* Continues step numbers that start again in each epoch. */
static double unrolled_step(struct od_series_builder *d, double step)
{
    if (isnan(step))
        return (double)NAN;
    if (step < d->last_step)
        d->step_offset += d->last_step - step + d->step_stride;
    else if (step > d->last_step)
        d->step_stride = step - d->last_step;
    d->last_step = step;
    return d->step_offset + step;
}

/* Has the series lost most of its growth again? */
static bool is_as_at_first(const struct od_series_builder *d, double value)
{
    static const double left = 0.3;
    return value < d->series.first + left * (d->points.tail.value - d->series.first);
}

bool od_series_builder_begins_anew(const struct od_series_builder *d,
                                   const struct od_fold_point *point)
{
    if (d->series.points == 0)
        return false;
    bool back = point->epoch < d->last_epoch ||
                (!(point->epoch > d->last_epoch) && point->step < d->last_step);
    bool axis = !isnan(point->epoch) || !isnan(point->step);
    bool fell = point->value < 0.8 * d->points.tail.value;
    if (d->started_anew)
        return back || !axis || fell;
    bool on = point->epoch > d->last_epoch || point->step > d->last_step;
    if (d->broke_down && !on && fell && is_as_at_first(d, point->value))
        return true;
    return point->epoch + 2 <= d->last_epoch && point->epoch <= d->first_axis;
}

static void take_load(struct od_series_builder *d, const struct od_fold_point *point)
{
    double grown = point->value - d->points.tail.value;
    /* the first load has no earlier one to compare with */
    if (!od_series_metric_is_bytes(d->series.metric) || d->series.points == 0 ||
        grown <= d->series.loaded || d->points.tail.value < 0.5 * grown ||
        point->marks[OD_MARKED_LOAD] == d->points.tail.marks[OD_MARKED_LOAD])
        return;
    d->series.loaded = grown;
    d->series.before_load = d->points.tail.value;
}

void od_series_builder_add(struct od_series_builder *d, const struct od_fold_point *added,
                           struct od_prov at, struct od_view said)
{
    struct od_fold_point point = *added;
    struct od_series *s = &d->series;
    if (s->points == 0)
        d->first_axis = point.epoch;
    d->last_epoch = point.epoch;
    point.step = unrolled_step(d, point.step);
    take_load(d, &point);
    d->last_said_n = od_excerpt_keep(said, sizeof d->last_said, d->last_said);
    od_sampled_add(&d->points, &point);
    s->first = s->points == 0 ? point.value : s->first;
    s->min = s->points == 0 ? point.value : fmin(s->min, point.value);
    s->max = s->points == 0 ? point.value : fmax(s->max, point.value);
    s->last = point.value;
    s->points++;
    s->last_at = at;
    d->started_anew = d->broke_down = false;
}

void od_series_builder_take_limit(struct od_series_builder *d, const struct od_event *event,
                                  double value)
{
    struct od_series *s = &d->series;
    double share;
    struct od_bytes limit = od_event_bytes(event, OD_F_LIMIT);
    if (!limit.known)
        limit = od_event_bytes(event, OD_F_CAPACITY);
    /* otherwise it is the limit of something else */
    if (limit.known && (double)limit.hi >= value / 2 && limit.n > 0) {
        s->limit_known = true;
        s->limit = (double)limit.n;
    }
    if (od_event_number(event, OD_F_SHARE, &share) && share >= 0.05 && share <= 1) {
        d->share_sum += value / share;
        d->share_n++;
    }
}

/* Possible axes, best first. */
enum axis { BY_STEP, BY_EPOCH, BY_SECONDS, BY_STEP_ABOVE, BY_LINE };

static enum od_series_x x_of(enum axis axis)
{
    static const enum od_series_x names[] = {OD_X_STEP, OD_X_EPOCH, OD_X_SECONDS, OD_X_STEP,
                                             OD_X_LINE};
    return names[axis];
}

static double axis_of(const struct od_fold_point *point, enum axis axis)
{
    const double values[] = {point->step, point->epoch, point->seconds, point->step_above,
                             (double)point->line};
    return values[axis];
}

/* The best axis that all points have, that never decreases and that distinguishes the points. */
static enum axis best_axis(const struct od_fold_point *points, size_t n)
{
    for (enum axis axis = BY_STEP; axis < BY_LINE; axis++) {
        size_t moves = 0;
        bool ok = !isnan(axis_of(&points[0], axis));
        for (size_t i = 1; i < n && ok; i++) {
            double before = axis_of(&points[i - 1], axis), now = axis_of(&points[i], axis);
            ok = now >= before; /* false for NaN, too */
            moves += now > before;
        }
        if (ok && (n == 1 || 2 * moves >= n - 1))
            return axis;
    }
    return BY_LINE;
}

/* The phase of the interval between two points: a validation, a checkpoint or a load, if exactly
 * one of them passed. */
static enum od_series_phase phase_between(const struct od_fold_point *before,
                                          const struct od_fold_point *point)
{
    if (point->phase != OD_SERIES_PHASE_NONE || !before)
        return point->phase;
    if (point->marks[OD_MARKED_VALIDATION] != before->marks[OD_MARKED_VALIDATION])
        return OD_SERIES_PHASE_VALIDATION;
    if (point->marks[OD_MARKED_CHECKPOINT] != before->marks[OD_MARKED_CHECKPOINT])
        return OD_SERIES_PHASE_CHECKPOINT;
    if (point->marks[OD_MARKED_LOAD] != before->marks[OD_MARKED_LOAD])
        return OD_SERIES_PHASE_LOAD;
    return OD_SERIES_PHASE_NONE;
}

static void end_samples(struct od_series_builder *d, enum axis axis, struct od_arena *arena)
{
    struct od_series *s = &d->series;
    const struct od_fold_point **shown =
        od_mem_resize(NULL, d->points.most, sizeof(const struct od_fold_point *));
    s->nsamples = od_sampled_shown(&d->points, shown);
    struct od_point *points = OD_NEW_N(arena, s->nsamples, struct od_point);
    for (size_t i = 0; i < s->nsamples; i++)
        points[i] =
            (struct od_point){.x = axis_of(shown[i], axis),
                              .value = shown[i]->value,
                              .line = shown[i]->line,
                              .phase = phase_between(i > 0 ? shown[i - 1] : NULL, shown[i])};
    s->samples = points;
    od_mem_free(shown);
}

/* Corrects a unit that was guessed from the first number if the maximum is more than any machine
 * has. */
static void mend_unit(struct od_series_builder *d)
{
    /* KiB may have been taken for MiB, and bytes for either */
    static const double step = 1024, of_one = (double)(UINT64_C(4) << 40),
                        of_both = (double)(UINT64_C(95) << 40);
    struct od_series *s = &d->series;
    if (!s->unit_guessed || !od_series_metric_is_bytes(s->metric) || s->max < of_one)
        return;
    double factor = s->max < of_both ? 1 / step : 1 / (step * step);
    od_sampled_scale(&d->points, factor);
    s->first *= factor;
    s->last *= factor;
    s->min *= factor;
    s->max *= factor;
    d->series.grain *= factor;
    s->limit_known = s->limit_known && s->limit >= s->max;
}

/* Sets x, samples and trend of the series on that axis. */
static void judge_on(struct od_series_builder *d, enum axis axis, struct od_arena *arena)
{
    size_t n = d->points.sample.n;
    double *x = od_mem_alloc(n, sizeof *x);
    struct od_trend_input input = {
        .points = d->points.sample.items, .x = x, .n = n, .grain = d->series.grain};
    for (size_t i = 0; i < n; i++)
        x[i] = axis_of(&d->points.sample.items[i], axis);
    d->series.x = x_of(axis);
    end_samples(d, axis, arena);
    od_trend_judge(&input, &d->series);
    od_mem_free(x);
}

/* A program becomes slower as its memory runs out, so over time a steady growth looks as if it
 * ended. It grows as before if each line that the program prints adds as much as earlier ones. */
static void judge(struct od_series_builder *d, struct od_arena *arena)
{
    enum axis axis = best_axis(d->points.sample.items, d->points.sample.n);
    judge_on(d, axis, arena);
    struct od_series over_time = d->series;
    if (axis != BY_SECONDS ||
        (over_time.trend != OD_TREND_WARMUP && over_time.trend != OD_TREND_UNCLEAR))
        return;
    judge_on(d, BY_LINE, arena);
    if (d->series.trend != OD_TREND_LEAK)
        d->series = over_time;
}

struct od_series od_series_builder_end(struct od_series_builder *d, struct od_arena *arena)
{
    struct od_series *s = &d->series;
    mend_unit(d);
    if (!s->limit_known && d->share_n > 0) {
        s->limit_known = true;
        s->limit = d->share_sum / (double)d->share_n;
    }
    s->device = od_arena_view(arena, s->device);
    s->producer = od_arena_view(arena, s->producer);
    s->process = od_arena_view(arena, s->process);
    s->name = od_arena_view(arena, s->name);
    s->said = od_arena_view(arena, s->said);
    s->last_said = od_arena_view(arena, (struct od_view){d->last_said, d->last_said_n});
    judge(d, arena);
    od_sampled_done(&d->points); /* free the points early; many series follow */
    return *s;
}
