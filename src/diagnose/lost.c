#include "diagnose/lost.h"

#include "base/stats.h"

/* The input with the most progress. Others are of its ranks, or report its end. */
static const struct od_run_state *course_of(const struct od_case *c)
{
    const struct od_run_state *best = NULL;
    OD_FOR_EACH (const struct od_run_state, course, c->courses) {
        bool has = course->step.known || course->epoch.known || course->saved.known;
        bool farther = !best || (!best->saved.known && course->saved.known) ||
                       (best->saved.known == course->saved.known && course->step.n > best->step.n);
        if (has && farther)
            best = course;
    }
    return best;
}

/* The last complete checkpoint. One that was being saved when the run died may be incomplete. */
static const struct od_checkpoint *last_whole(const struct od_run_state *course)
{
    if (course->saved.known && !course->saved.done && course->saved_before.known)
        return &course->saved_before;
    return course->saved.known ? &course->saved : NULL;
}

static void count_steps(struct od_lost *lost, const struct od_run_state *course)
{
    const struct od_checkpoint *saved = lost->saved;
    bool of_run =
        course->falls == course->falls_before; /* the count never fell since the start of the run */
    lost->saved_step = saved->step.known ? saved->step : saved->step_above;
    if (!course->step.known)
        return;
    if (saved->step.known && of_run)
        lost->steps =
            od_count_of(course->step.n > saved->step.n ? course->step.n - saved->step.n : 0);
    else if (saved->step_above.known && saved->falls == course->falls &&
             course->step.n >= saved->step_above.n)
        lost->steps = od_count_of(course->step.n - saved->step_above.n);
    else if (!saved->step.known)
        lost->saved_step = (struct od_count){0}; /* the saved step belongs to another epoch */
}

/* The usual duration of a step, in seconds; 0 = unknown. */
static double step_seconds(const struct od_case *c, uint32_t source)
{
    OD_FOR_EACH (const struct od_series, s, c->series) {
        if (s->metric != OD_SERIES_STEP_SECONDS || s->at.source != source || s->nsamples == 0 ||
            s->phase == OD_SERIES_PHASE_VALIDATION)
            continue;
        double *values = od_mem_alloc(s->nsamples, sizeof *values);
        for (size_t k = 0; k < s->nsamples; k++)
            values[k] = s->samples[k].value;
        double median = od_stats_median(values, s->nsamples);
        od_mem_free(values);
        return median;
    }
    return 0;
}

static void set_seconds(struct od_lost *lost, double seconds)
{
    static const double most = 3e9;
    if (seconds >= 0 && seconds < most)
        lost->seconds = od_count_of((uint64_t)(seconds + 0.5));
}

static void count_seconds(struct od_lost *lost, const struct od_run_state *course,
                          const struct od_case *c)
{
    const struct od_run_clock *then = &lost->saved->clock, *now = &course->clock;
    double step = step_seconds(c, course->source);
    set_seconds(lost, now->daytime - then->daytime);
    if (!lost->seconds.known)
        set_seconds(lost, now->elapsed - then->elapsed);
    if (lost->seconds.known || !lost->steps.known || !(step > 0))
        return;
    set_seconds(lost, step * (double)lost->steps.n);
    lost->seconds_estimated = lost->seconds.known;
}

/* Did the run start after the failure, or continue after it long enough to save? Then the failure
 * belongs to another run. */
static bool is_of_later_run(const struct od_run_state *course, const struct od_failure *failure)
{
    const struct od_incident *ended = failure->run.ended;
    if (!ended || ended->titled || ended->at.source != course->source ||
        course->at.line <= ended->last.line)
        return false;
    return failure->progress == 0 ||
           (course->saved.known && course->saved.at.line > ended->last.line);
}

const struct od_lost *od_lost_of(const struct od_case *c, const struct od_diagnosis *diagnosis,
                                 struct od_arena *arena)
{
    const struct od_run_state *course = course_of(c);
    if (!course || diagnosis->failure->run.outcome == OD_OUTCOME_NO_FAILURE ||
        diagnosis->failure->run.outcome == OD_OUTCOME_SURVIVED ||
        is_of_later_run(course, diagnosis->failure))
        return NULL;
    struct od_lost *lost = OD_NEW(arena, struct od_lost);
    bool later = course->over &&
                 course->epoch.known; /* the failed epoch followed one that had ended ("512/512") */
    lost->died_at_step = later ? (struct od_count){0} : course->step;
    if (later || course->falls != course->falls_before)
        lost->died_in_epoch = course->epoch;
    lost->saved = last_whole(course);
    lost->at = course->at;
    if (lost->saved) {
        count_steps(lost, course);
        count_seconds(lost, course, c);
    }
    return lost;
}
