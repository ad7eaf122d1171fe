#include "case/run_state.h"

#include "case/builder.h"
#include "case/series_key.h"

#include <math.h>

enum { COURSES_MAX = 64 };

static struct od_run_state *course_of(struct od_case_builder *b, uint32_t source)
{
    od_run_state_list *list = &b->c->courses;
    for (size_t i = list->n; i-- > 0;)
        if (list->items[i].source == source)
            return &list->items[i];
    if (list->n == COURSES_MAX)
        return NULL;
    struct od_run_state fresh = {.source = source,
                                 .clock = {.daytime = (double)NAN, .elapsed = (double)NAN}};
    od_vec_push(list, fresh);
    return &list->items[list->n - 1];
}

/* Updates the clock. A clock without a date starts again at midnight. */
static void tick_by_line(struct od_run_state *course, const struct od_line *line,
                         struct od_line_clock *clock)
{
    static const double day = 86400;
    double now, last = course->clock.daytime;
    if (!od_line_clock_read(clock, line, &now))
        return;
    if (now < day && now < last - day / 2)
        now += day * ceil((last - day / 2 - now) / day);
    course->clock.daytime = now;
}

static void tick(struct od_run_state *course, const struct od_event *event,
                 struct od_line_clock *clock)
{
    double elapsed;
    if (event->line)
        tick_by_line(course, event->line, clock);
    if (od_event_number(event, OD_F_ELAPSED, &elapsed) && isfinite(elapsed))
        course->clock.elapsed = elapsed;
}

static struct od_checkpoint_text keep(struct od_view text)
{
    struct od_checkpoint_text kept;
    kept.n = od_excerpt_keep(text, sizeof kept.p, kept.p);
    return kept;
}

/* A progress bar at 100% is no longer under way. */
static bool is_under_way(const struct od_event *event)
{
    bool over = event->line && od_view_has(event->line->text, OD_VIEW("100%"));
    return !over && (event->kind == OD_EV_PROGRESS ||
                     od_view_eq_str(od_event_text(event, OD_F_NAME), "begins"));
}

/* Updates the action of the run. A measurement without a phase does not change it. */
static void do_next(struct od_run_state *course, const struct od_event *event,
                    const struct od_series_key *series_key)
{
    if (event->kind == OD_EV_SAMPLE && series_key->training)
        return;
    bool begun = series_key->doing == OD_DOING_VALIDATION && is_under_way(event);
    struct od_doing *doing = &course->doing;
    if (doing->begun && doing->at.line == event->at.line &&
        !begun) /* "Test: [20/196]" is progress of a validation */
        return;
    struct od_count total = od_event_count(event, OD_F_TOTAL);
    if (total.known || doing->at.line != event->at.line) {
        doing->done = od_event_count(event, OD_F_STEP);
        doing->total = total;
    }
    doing->what = series_key->doing;
    doing->begun = begun;
    doing->at = event->at;
    doing->said.n = 0;
    if (doing->what > OD_DOING_TRAINING && event->line)
        doing->said = keep(event->line->text);
}

/* A small decrease is not a restart, because ranks differ a little. */
static bool is_fall(uint64_t before, uint64_t now)
{
    return now < before && before - now > 2 + before / 10;
}

static void advance(struct od_run_state *course, const struct od_event *event,
                    const struct od_series_key *series_key)
{
    struct od_count step = od_event_count(event, OD_F_STEP);
    struct od_count epoch = od_event_count(event, OD_F_EPOCH);
    /* a prefix before the step may also name the validation */
    course->validated |= course->step.known && series_key->validation;
    if (!series_key->training || (!step.known && !epoch.known))
        return;
    if (epoch.known)
        course->epoch = epoch;
    if (step.known) {
        course->falls += course->step.known && is_fall(course->step.n, step.n);
        if (!course->first_step.known)
            course->first_step = step;
        if (course->step.known && step.n > course->step.n)
            course->stride = step.n - course->step.n;
        course->step = step;
        struct od_count total = od_event_count(event, OD_F_TOTAL);
        course->over = total.known && step.n >= total.n;
    }
    course->at = event->at;
    course->saved.done = course->saved.known;
}

/* Is the step near the number in a checkpoint's path? Steps printed rarely may differ by their
 * stride. */
static void fit_number(struct od_checkpoint *saved, const struct od_run_state *course, uint64_t n)
{
    static const double near = 0.02;
    double most = fmax(fmax(1, near * (double)course->step.n), (double)course->stride);
    if (!saved->step.known && !saved->epoch.known && course->step.known &&
        fabs((double)n - (double)course->step.n) <= most)
        saved->step = od_count_of(n);
}

static bool is_same(const struct od_checkpoint *a, const struct od_checkpoint *b)
{
    return a->path.n > 0 && a->path.n == b->path.n &&
           memcmp(a->path.p, b->path.p, a->path.n) == 0 && a->step_above.n == b->step_above.n;
}

static void save(struct od_run_state *course, const struct od_event *event)
{
    struct od_count number = od_event_count(event, OD_F_COUNT);
    struct od_checkpoint saved = {.known = true,
                                  .done = od_view_eq_str(od_event_text(event, OD_F_NAME), "saved"),
                                  .step = od_event_count(event, OD_F_STEP),
                                  .epoch = od_event_count(event, OD_F_EPOCH),
                                  .step_above = course->step,
                                  .clock = course->clock,
                                  .falls = course->falls,
                                  .path = keep(od_event_text(event, OD_F_VALUE)),
                                  .said = keep(event->excerpt),
                                  .at = event->at};
    if (number.known)
        fit_number(&saved, course, number.n);
    if (event->line)
        saved.stamp = keep(event->line->stamp);
    if (is_same(&saved, &course->saved)) { /* several parts of one checkpoint are saved */
        course->saved.done |= saved.done;
        return;
    }
    if (course->saved.known && course->saved.done)
        course->saved_before = course->saved;
    course->saved = saved;
}

static void begin_anew(struct od_run_state *course)
{
    course->falls_before = course->falls;
    course->step = course->epoch = (struct od_count){0};
}

void od_fold_run_state(struct od_case_builder *b, const struct od_event *event,
                       const struct od_series_key *series_key)
{
    bool counts = event->kind == OD_EV_PROGRESS || event->kind == OD_EV_SAMPLE;
    struct od_run_state *course = NULL;
    if (counts || event->kind == OD_EV_SAVED || event->kind == OD_EV_RUN_STARTED ||
        od_event_kind_is_trouble(event->kind))
        course = course_of(b, event->at.source);
    if (!course)
        return;
    tick(course, event, &b->clock);
    if (counts) {
        do_next(course, event, series_key);
        advance(course, event, series_key);
    } else if (event->kind == OD_EV_SAVED)
        save(course, event);
    else if (event->kind == OD_EV_RUN_STARTED)
        begin_anew(course);
}
