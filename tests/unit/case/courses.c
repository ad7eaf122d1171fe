#include "tests/unit/case/courses.h"

#include "case/trend.h"
#include "tests/unit/case/make.h"

#include <math.h>
#include <string.h>

static const double mib = 1048576.0;

const char *course_name(enum course_kind kind)
{
    static const char *const names[COURSE_END] = {"flat",
                                                  "noise",
                                                  "wanders",
                                                  "warmup",
                                                  "cache",
                                                  "spikes",
                                                  "sawtooth",
                                                  "steps_up",
                                                  "epochs",
                                                  "highest",
                                                  "lengths",
                                                  "longest",
                                                  "buckets",
                                                  "evaluations",
                                                  "fragments",
                                                  "collected",
                                                  "prefetch",
                                                  "log_cache",
                                                  "shrinks",
                                                  "restarted",
                                                  "fills",
                                                  "stages",
                                                  "leak",
                                                  "leak_uneven",
                                                  "leak_after_loading",
                                                  "leak_lengths",
                                                  "leak_evaluations",
                                                  "leak_collected",
                                                  "leak_after_warmup",
                                                  "leak_highest",
                                                  "leak_few",
                                                  "stairs",
                                                  "stairs_unmarked"};
    return names[kind];
}

static double chance(uint64_t *state)
{
    return (double)(make_random(state) % 1000003) / 1000003.0;
}

static double between(uint64_t *state, double lo, double hi)
{
    return lo + (hi - lo) * chance(state);
}

/* Every order of size is as likely. */
static double of_any_size(uint64_t *state, double lo, double hi)
{
    return lo * pow(hi / lo, chance(state));
}

/* Near enough to normal. */
static double noise(uint64_t *state)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += chance(state);
    return sum;
}

/* What a course is made of besides its shape. */
struct setting {
    uint64_t state;
    double level, grain; /* bytes, what prints are rounded to */
    double spread;       /* spread of the noise */
    double length;       /* x of the last point */
};

static struct setting begin(struct course *course, enum course_kind kind, uint64_t seed)
{
    struct setting s = {.state = seed * 7919 + kind * 104729 + 17};
    for (int i = 0; i < 8; i++)
        (void)make_random(&s.state);
    memset(course, 0, sizeof *course);
    course->kind = kind;
    bool few = kind == COURSE_LEAK_FEW;
    course->n = (size_t)of_any_size(&s.state, few ? 8 : 24, few ? 24 : COURSE_POINTS);
    double stride = floor(of_any_size(&s.state, 1, 200));
    s.length = stride * (double)course->n;
    s.level = of_any_size(&s.state, 500 * mib, 100000 * mib);
    s.spread = s.level * of_any_size(&s.state, 0.0002, 0.04);
    s.grain = s.level * of_any_size(&s.state, 1e-6, 0.005);
    for (size_t i = 0; i < course->n; i++)
        course->points[i] = (struct od_fold_point){.step = stride * (double)(i + 1),
                                                   .epoch = (double)NAN,
                                                   .seconds = (double)NAN,
                                                   .line = i + 1};
    return s;
}

static double wander(struct setting *s, double *before, double phi)
{
    *before = phi * *before + sqrt(1 - phi * phi) * noise(&s->state);
    return *before;
}

/* The course of healthy memory at part t of the run (0..1), in levels above the base. */
struct healthy {
    double size, end, count;
};

static double healthy_at(const struct healthy *h, enum course_kind kind, double t)
{
    if (kind == COURSE_WARMUP)
        return h->size * fmin(t / h->end, 1);
    if (kind == COURSE_CACHE)
        return h->size * (1 - exp(-t / (h->end / 2)));
    if (kind == COURSE_STEPS_UP)
        return h->size * fmin(floor(t / h->end * h->count), h->count) / h->count;
    if (kind == COURSE_FIRST_EPOCHS)
        return h->size * fmin(floor(t * h->count), floor(h->end * h->count)) / h->count;
    if (kind == COURSE_SAWTOOTH)
        return h->size * (t * h->count - floor(t * h->count));
    if (kind == COURSE_LOG_CACHE)
        return h->size * log(1 + t * h->count * 10) / log(1 + h->count * 10);
    if (kind == COURSE_SHRINKS)
        return h->size * (1 - t);
    if (kind == COURSE_RESTARTED)
        return t < h->end ? h->size : 0;
    if (kind == COURSE_FILLS)
        return h->size * fmin(t / (0.3 + h->end), 1);
    if (kind == COURSE_STAGES)
        return h->size * ((t > h->end) + (t > h->end + 0.01 * h->count)) / 2;
    if (kind == COURSE_PREFETCH)
        return h->size * fmin(t / (0.5 * h->end), 1);
    return 0;
}

/* What comes by chance, in levels. */
struct luck {
    double garbage, most, fragments;
};

static double lucky_at(struct luck *luck, const struct healthy *h, enum course_kind kind, double t,
                       uint64_t *state)
{
    switch ((int)kind) {
    case COURSE_LENGTHS:
    case COURSE_LONGEST:
    case COURSE_LEAK_LENGTHS:
        return fmin(h->size * 0.2 * exp(0.7 * noise(state)), 4 * h->size);
    case COURSE_BUCKETS:
        return h->size * floor(chance(state) * 5) / 5;
    case COURSE_EVALUATIONS:
    case COURSE_LEAK_EVALUATIONS:
        return t * h->count - floor(t * h->count) > 0.8 ? h->size : 0;
    case COURSE_FRAGMENTS:
        if (t < h->end && chance(state) < 0.3 * (1 - t / h->end))
            luck->fragments += 0.1 * h->size * chance(state);
        return luck->fragments;
    case COURSE_COLLECTED:
    case COURSE_LEAK_COLLECTED:
        luck->garbage += 0.1 * h->size * chance(state);
        if (luck->garbage > h->size || chance(state) < 0.02)
            luck->garbage = 0;
        return luck->garbage;
    case COURSE_PREFETCH:
        return chance(state) < 0.1 ? -0.3 * h->size * chance(state) : 0;
    default:
        return 0;
    }
}

static void make_healthy(struct course *course, struct setting *s)
{
    struct healthy h = {.size = of_any_size(&s->state, 0.03, 3),
                        .end = between(&s->state, 0.03, 0.45),
                        .count = floor(between(&s->state, 4, 30))};
    struct luck luck = {0};
    if (course->kind == COURSE_FRAGMENTS)
        h.end *= 1.5;
    if (course->kind == COURSE_SAWTOOTH) /* a tooth between two points is not there */
        h.count = fmin(h.count, floor((double)course->n / 5));
    if (course->kind == COURSE_LOG_CACHE) /* noise must not hide that it bends */
        s->spread = fmin(s->spread, 0.05 * h.size * s->level);
    double phi = between(&s->state, 0.3, 0.97), before = 0, highest = 0;
    for (size_t i = 0; i < course->n; i++) {
        double t = (double)i / (double)course->n, v = s->level;
        v += s->level * healthy_at(&h, course->kind, t);
        v += s->level * lucky_at(&luck, &h, course->kind, t, &s->state);
        if (course->kind == COURSE_WANDERS)
            v += s->spread * wander(s, &before, phi);
        else if (course->kind != COURSE_FLAT)
            v += s->spread * noise(&s->state);
        if (course->kind == COURSE_SPIKES && chance(&s->state) < 0.03)
            v += s->level * h.size;
        highest = fmax(highest, v);
        bool record = course->kind == COURSE_HIGHEST || course->kind == COURSE_LONGEST;
        course->points[i].value = record ? highest : v;
        course->points[i].marks[OD_MARKED_EPOCH] = (uint32_t)(t * h.count);
        course->points[i].marks[OD_MARKED_VALIDATION] = (uint32_t)(t * h.count);
    }
}

/* Between eight and eighty standard errors of the slope: seen by those who look. */
static double leak_growth(const struct course *course, struct setting *s)
{
    double error = s->spread * sqrt(12.0 / (double)course->n);
    double growth = fmax(error * of_any_size(&s->state, 8, 80), 4 * s->grain);
    return fmax(growth, 0.02 * s->level);
}

static void make_leak(struct course *course, struct setting *s)
{
    double growth = leak_growth(course, s), highest = 0;
    struct healthy h = {.size = of_any_size(&s->state, 0.03, 0.5),
                        .end = between(&s->state, 0.03, 0.2),
                        .count = floor(between(&s->state, 4, 30))};
    struct luck luck = {0};
    /* Seen above what else goes up and down. */
    if (course->kind == COURSE_LEAK_LENGTHS || course->kind == COURSE_LEAK_EVALUATIONS ||
        course->kind == COURSE_LEAK_COLLECTED || course->kind == COURSE_LEAK_AFTER_WARMUP)
        growth = fmax(growth, s->level * h.size * of_any_size(&s->state, 1, 10));
    size_t loading = course->kind == COURSE_LEAK_AFTER_LOADING ? 1 + course->n / 40 : 0;
    course->slope = growth / s->length;
    for (size_t i = 0; i < course->n; i++) {
        double v = i < loading ? 0.3 * s->level : s->level + course->slope * course->points[i].step;
        double t = (double)i / (double)course->n;
        v += s->level * lucky_at(&luck, &h, course->kind, t, &s->state);
        if (course->kind == COURSE_LEAK_AFTER_WARMUP)
            v += s->level * h.size * fmin(t / h.end, 1);
        v += s->spread * noise(&s->state);
        highest = fmax(highest, v);
        course->points[i].value = course->kind == COURSE_LEAK_HIGHEST ? highest : v;
    }
}

static void make_uneven_leak(struct course *course, struct setting *s)
{
    double growth = s->level * of_any_size(&s->state, 0.5, 5), v = s->level;
    course->slope = growth / s->length;
    for (size_t i = 0; i < course->n; i++) {
        v += 2 * chance(&s->state) * growth / (double)course->n;
        course->points[i].value = v;
    }
}

static void make_stairs(struct course *course, struct setting *s)
{
    double least = 5, most = fmin(40, (double)course->n / 6);
    double count = floor(between(&s->state, fmin(least, most), most + 1));
    double step = s->spread * of_any_size(&s->state, 6, 40);
    step = fmax(step, 4 * s->grain);
    step = fmax(step, 0.01 * s->level);
    course->slope = step * count / s->length;
    for (size_t i = 0; i < course->n; i++) {
        double done = floor((double)i * count / (double)course->n);
        course->points[i].value = s->level + step * done + s->spread * noise(&s->state);
        if (course->kind == COURSE_STAIRS)
            course->points[i].marks[OD_MARKED_VALIDATION] = (uint32_t)done;
    }
}

void course_make(struct course *course, enum course_kind kind, uint64_t seed)
{
    struct setting s = begin(course, kind, seed);
    if (kind < COURSE_HEALTHY_END)
        make_healthy(course, &s);
    else if (kind == COURSE_STAIRS || kind == COURSE_STAIRS_UNMARKED)
        make_stairs(course, &s);
    else if (kind == COURSE_LEAK_UNEVEN)
        make_uneven_leak(course, &s);
    else
        make_leak(course, &s);
    course->grain = s.grain;
    for (size_t i = 0; i < course->n; i++)
        course->points[i].value = s.grain * floor(course->points[i].value / s.grain + 0.5);
}

struct od_series course_judge(const struct course *course)
{
    static const struct od_series rss = {.metric = OD_SERIES_HOST_RSS};
    struct od_series series = rss;
    double x[COURSE_POINTS];
    series.min = series.max = course->points[0].value;
    for (size_t i = 0; i < course->n; i++) {
        x[i] = course->points[i].step;
        series.min = fmin(series.min, course->points[i].value);
        series.max = fmax(series.max, course->points[i].value);
    }
    struct od_trend_input input = {
        .points = course->points, .x = x, .n = course->n, .grain = course->grain};
    od_trend_judge(&input, &series);
    return series;
}
