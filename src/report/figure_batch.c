/*
 * Figure: the peak memory by batch size. Shows the expected peak with its 90 % range, the limit,
 * the tried and the recommended batch, and below these the probability that a batch fits.
 */
#include "report/figure_parts.h"

#include <math.h>

enum { HEIGHT = 460, STEPS = 48 };

/* Labels the batches above their lines. If two labels would overlap, the less important one is left
 * out. */
static void set_marks(struct od_gnuplot_script *plot, const struct od_batch_curve *curve)
{
    static const double axis = 0.78; /* share of the drawing's width that the axis takes */
    double most = (double)curve->points[curve->n - 1].batch;
    bool best = curve->recommended.known;
    bool tried = curve->tried.known && !(best && curve->tried.n == curve->recommended.n);
    const char *tried_words =
        od_arena_printf(plot->arena, "%s %" PRIu64, curve->tried_word, curve->tried.n);
    const char *best_words =
        od_arena_printf(plot->arena, "recommended %" PRIu64, curve->recommended.n);
    double tried_at = (double)curve->tried.n / most, best_at = (double)curve->recommended.n / most;
    double tried_width = od_gnuplot_text_width(tried_words) / axis;
    double best_width = od_gnuplot_text_width(best_words) / axis;
    bool at_end = tried_at + tried_width > 1.05;
    double from = tried_at - (at_end ? tried_width : 0);
    bool meets = best && tried_at <= 1 && tried_at >= best_at &&
                 from < best_at + (best_at < best_width ? best_width : 0);
    od_gnuplot_say(plot, "best = %" PRIu64 "\nbest_words = '%s'\nbest_side = '%s'",
                   best ? curve->recommended.n : 0, best_words,
                   best_at < best_width ? "left" : "right");
    od_gnuplot_say(plot, "tried = %" PRIu64 "\ntried_words = '%s%s'\ntried_side = '%s'",
                   tried ? curve->tried.n : 0, tried && !meets ? tried_words : "",
                   tried && tried_at > 1 ? ", beyond" : "", at_end ? "right" : "left");
}

void od_figure_batch(struct od_figures *figures, const struct od_batch_curve *curve,
                     struct od_arena *arena)
{
    double top = (double)curve->limit * 1.15;
    for (size_t i = 0; i < curve->n; i++)
        top = fmax(top, curve->points[i].peak * 1.08);
    if (curve->n < 2 || !(top > 0) || !(top < 0x1p63))
        return;
    struct od_gnuplot_script plot =
        od_gnuplot_start(figures, arena, curve->limit > 0 ? curve->limit : (uint64_t)top);
    (void)od_gnuplot_block(&plot, "batch, peak: low, expected, high; probability that it fits");
    OD_FOR_EACH_OF (const struct od_batch_point, point, curve->points, curve->n)
        od_gnuplot_row(&plot, "%" PRIu64 " %.0f %.0f %.0f %.4f", point->batch, point->lo,
                       point->peak, fmin(point->hi, top), fmax(point->fits, 0));
    uint64_t most = curve->points[curve->n - 1].batch;
    od_gnuplot_say(&plot, "most = %" PRIu64 "\nxstep = %.0f\ntop = %.9g\nlimit = %.9g", most,
                   fmax(od_gnuplot_step((double)most), 1), top, (double)curve->limit);
    od_gnuplot_say(&plot, "limit_words = 'limit %s'", od_bytes_text_u64(arena, curve->limit));
    set_marks(&plot, curve);
    od_gnuplot_run(&plot, "labels_on_top");
    od_gnuplot_run(&plot, "batch");
    od_gnuplot_run(&plot, curve->limit > 0 ? "batch_limit" : "batch_alone");
    const char *fits = curve->recommended.known
                           ? od_arena_printf(arena, " Batch size %" PRIu64 " is recommended.",
                                             curve->recommended.n)
                           : "";
    struct od_figure words = {
        .name = "batch",
        .title = "Peak by batch size",
        .alt =
            od_arena_printf(arena,
                            "A line: the predicted peak rises with the batch size%s%s; below it, "
                            "the probability that a batch size fits.%s",
                            curve->limit > 0 ? " towards the limit of " : "",
                            curve->limit > 0 ? od_bytes_text_u64(arena, curve->limit) : "", fits),
        .height = curve->limit > 0 ? HEIGHT : HEIGHT - 120};
    od_gnuplot_finish(&plot, &words);
}

/* Interpolates the probability between the answer's points: 95 % at lo, 50 % at largest, 5 % at hi,
 * as a normal distribution of the logarithm on either side. */
static double fits_at(const struct od_answer *answer, double batch)
{
    static const double at_5_percent = 1.6449;
    double middle = (double)answer->largest.n;
    double edge = (double)(batch < middle ? answer->lo.n : answer->hi.n);
    double width = fabs(log(fmax(edge, 0.5) / fmax(middle, 0.5)));
    double away = log(batch / fmax(middle, 0.5));
    if (width < 1e-6)
        return away <= 0 ? 1 : 0;
    return 0.5 * erfc(at_5_percent * away / width / sqrt(2));
}

/* The peak according to the answer; its bounds reach the limit at the ends of the batch's range. */
static struct od_batch_point point_of(const struct od_answer *answer, uint64_t batch)
{
    double fixed = (double)answer->fixed.n, limit = (double)answer->limit.n;
    double b = (double)batch;
    struct od_batch_point point = {.batch = batch, .fits = fits_at(answer, b)};
    point.peak = fixed + b * (double)answer->per_sample.n;
    point.lo = fmin(point.peak, fixed + b * (limit - fixed) / fmax((double)answer->hi.n, 1));
    point.hi = fmax(point.peak, fixed + b * (limit - fixed) / fmax((double)answer->lo.n, 1));
    return point;
}

void od_figure_answer(struct od_figures *figures, const struct od_report *report,
                      struct od_arena *arena)
{
    const struct od_answer *answer = report->answer;
    if (!answer || !answer->largest.known || !answer->lo.known || !answer->hi.known ||
        !answer->fixed.known || !answer->per_sample.known || !answer->limit.known ||
        answer->fixed.n >= answer->limit.n || answer->largest.n == 0)
        return;
    uint64_t most =
        answer->batch.known && answer->batch.n > answer->hi.n ? answer->batch.n : answer->hi.n;
    struct od_batch_curve curve = {.limit = answer->limit.n,
                                   .tried = answer->batch,
                                   .tried_word = "tried",
                                   .recommended = answer->recommended};
    if (most > UINT32_MAX)
        return;
    if (answer->hi.n < most / 5 && answer->hi.n > 0)
        most = answer->hi.n * 3; /* a larger batch would make the part that fits invisible */
    most += most / 8 + 1;
    curve.points = OD_NEW_N(arena, STEPS + 1, struct od_batch_point);
    for (uint64_t i = 0; i <= STEPS; i++) {
        uint64_t batch = i == 0 ? 1 : most * i / STEPS;
        if (batch > 0 && (curve.n == 0 || batch > curve.points[curve.n - 1].batch))
            curve.points[curve.n++] = point_of(answer, batch);
    }
    od_figure_batch(figures, &curve, arena);
}
