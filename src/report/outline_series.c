/* Memory and time over the run: for each series a line of small bars and a sentence. */
#include "base/stats.h"
#include "failure/assertion.h"
#include "failure/growth.h"
#include "failure/remarks.h"
#include "report/outline_parts.h"
#include "report/words.h"

#include <math.h>

enum { CELLS = 24, FEW = 6, SHOWN = 3, RANKS_LEAST = 3, RANKS_MOST = 256, APART = 2 };

static const char *sparkline(const struct od_outline *outline, const struct od_series *s)
{
    struct od_spark_frame frame = {s->min, s->max, CELLS, outline->unicode};
    double *values = OD_NEW_N(outline->arena, s->nsamples + 1, double);
    for (size_t i = 0; i < s->nsamples; i++)
        values[i] = s->samples[i].value;
    return od_spark(outline->arena, values, s->nsamples, &frame);
}

static bool is_growth(const struct od_series *s)
{
    return s->trend == OD_TREND_LEAK || s->trend == OD_TREND_STAIRCASE;
}

/* Do steps take longer and longer? That is no leak by itself, but worth a look if there are many
 * steps. */
static bool slows_down(const struct od_series *s)
{
    static const double much = 1.5;
    return s->points >= CELLS && od_growth_of_steps_in(s) >= much;
}

static bool is_level(const struct od_outline *outline, const struct od_series *s)
{
    const struct od_assertion level = {.relation = OD_ASSERTS_LEVEL, .series = s};
    return od_assertion_holds(outline->diagnosis->profile, &level);
}

static const char *trend_words(const struct od_outline *outline, const struct od_series *s)
{
    static const char *const words[] = {
#define OD_TREND_WORDS(constant, words, worth) [OD_TREND_##constant] = words,
#include "report/words.def"
    };
    double each;
    if (slows_down(s))
        return "rise";
    if (od_growth_of_readings(s, &each))
        return od_series_metric_is_free(s->metric) ? "falls" : "grows unevenly";
    if (s->trend == OD_TREND_UNCLEAR && s->slope_known && s->slope_hi < 0)
        return "falls";
    if (is_growth(s) && od_series_metric_is_free(s->metric))
        return s->trend == OD_TREND_LEAK ? "falls steadily" : "falls in jumps";
    if (s->trend == OD_TREND_FLAT && !is_level(outline, s))
        return words[OD_TREND_UNCLEAR];
    return words[s->trend];
}

/* rounding: of the values that it was computed from; 0 for an average of many */
static const char *rounded_words(const struct od_outline *outline, const struct od_series *s,
                                 double value, double rounding)
{
    if (!od_series_metric_is_bytes(s->metric))
        return od_arena_printf(outline->arena, "%.3g %s", value,
                               od_series_metric_unit(s->metric) == OD_SERIES_PERCENT ? "%" : "s");
    return od_arena_printf(outline->arena, "%s%s", value < 0 ? "-" : "",
                           od_words_read(outline->arena, fabs(value), rounding));
}

static const char *value_words(const struct od_outline *outline, const struct od_series *s,
                               double value)
{
    return rounded_words(outline, s, value, s->grain);
}

/* "190.11 MiB an hour" */
static const char *each_words(const struct od_outline *outline, const struct od_series *s,
                              double each)
{
    double scale;
    const char *words = od_series_each(s, &scale);
    return od_arena_printf(outline->arena, "%s %s", rounded_words(outline, s, each * scale, 0),
                           words);
}

static const char *x_words(enum od_series_x x)
{
    return x == OD_X_SECONDS ? "second" : x == OD_X_LINE ? "line" : od_series_x_name(x);
}

static const char *count_words(const struct od_outline *outline, double x)
{
    return x >= 0 && x < 1e15 ? od_words_count(outline->arena, (uint64_t)(x + 0.5)) : "?";
}

static void say_who(struct od_text *text, const struct od_series *s)
{
    od_say(text, "%s", od_words_metric(s->metric));
    if (s->device.n > 0) {
        od_say(text, " of ");
        od_doc_add(text, OD_PLAIN, s->device);
    }
    if (s->process.n > 0) {
        od_say(text, ", ");
        od_doc_add(text, OD_CODE, s->process);
    }
    if (s->rank.known)
        od_say(text, " (rank %llu)", (unsigned long long)s->rank.n);
    else if (s->pid.known)
        od_say(text, " (pid %llu)", (unsigned long long)s->pid.n);
}

static void say_constant_part(struct od_outline *outline, struct od_text *text,
                              const struct od_series *s)
{
    const struct od_series *part = od_growth_constant_part(outline->c, s);
    if (part)
        od_say(text,
               s->metric == OD_SERIES_HOST_RSS
                   ? "; the heap stays (%s), so what grows is native memory: buffers, "
                     "libraries, fragmentation"
                   : "; the process stays (%s), so what grows is page cache, which the kernel "
                     "takes back, or another process",
               value_words(outline, part, part->last));
}

static void say_growth(struct od_outline *outline, struct od_text *text, const struct od_series *s)
{
    const char *phase = od_series_phase_name(s->phase);
    const char *x = x_words(s->x);
    double scale;
    (void)od_series_each(s, &scale);
    const char *lo = rounded_words(outline, s, s->slope_lo * scale, 0);
    const char *hi = rounded_words(outline, s, s->slope_hi * scale, 0);
    if (s->x != OD_X_LINE)
        od_say(text, ", %s", each_words(outline, s, s->slope));
    if (s->x != OD_X_LINE && strcmp(lo, hi) != 0)
        od_say(text, " (%s to %s)", lo, hi);
    if (phase)
        od_say(text, ", in %s", phase);
    const char *from = count_words(outline, s->exhausts_lo);
    const char *to = count_words(outline, s->exhausts_hi);
    if (s->exhausts_known)
        od_say(text, "; at this rate %s at %s %s",
               od_series_metric_is_free(s->metric)
                   ? "nothing is left"
                   : od_arena_printf(outline->arena, "it reaches %s",
                                     value_words(outline, s, s->limit)),
               x, count_words(outline, s->exhausts_x));
    if (s->exhausts_known && strcmp(from, to) != 0)
        od_say(text, " (%s to %s)", from, to);
    say_constant_part(outline, text, s);
    if (s->exhausts_known && s->shared > 0.05 * s->limit)
        od_say(text, " or later, because RSS also counts shared and file pages");
}

static void say_step(struct od_outline *outline, struct od_text *text, const struct od_series *s)
{
    double before;
    const struct od_evidence *said = od_growth_change(outline->c, s, &before);
    od_say(text, ", at line %s", od_words_count(outline->arena, s->step_line));
    if (!said) {
        od_say(text, ": look at what ran just before");
        return;
    }
    od_say(text, ", after line %s: ", od_words_count(outline->arena, said->at.line));
    od_say_as(text, OD_CODE, "%.*s", (int)said->text.n, said->text.p);
}

static void say_series(struct od_outline *outline, struct od_node *list, const struct od_series *s)
{
    struct od_text *text = od_doc_item(list);
    if (s != outline->drawn) {
        od_say_as(text, OD_CODE, "%s", sparkline(outline, s));
        od_say(text, " ");
    }
    say_who(text, s);
    od_say_as(text, is_growth(s) ? OD_BAD : OD_PLAIN, " %s", trend_words(outline, s));
    od_say(text, ": %s to %s", value_words(outline, s, s->first), value_words(outline, s, s->last));
    if (is_growth(s) || slows_down(s))
        say_growth(outline, text, s);
    if (s->step_line > 0)
        say_step(outline, text, s);
    od_say(text, ".");
    od_say_as(text, OD_DIM, " (%s points, %s%s)", od_words_count(outline->arena, s->points),
              od_words_line(outline->arena, outline->report, s->at),
              s->unit_guessed ? "; the unit is not printed and was guessed from the magnitude"
                              : "");
}

/* "host memory of the process", "RSS": inside a sentence. */
static const char *metric_inside(const struct od_outline *outline, const struct od_series *s)
{
    char *words = od_arena_printf(outline->arena, "%s", od_words_metric(s->metric));
    if (od_is_upper(words[0]) && words[1] && !od_is_upper(words[1]))
        words[0] = od_lower(words[0]);
    return words;
}

/* "host memory of python", "the heap", "host memory in use of mailer" */
static const char *whose_inside(const struct od_outline *outline, const struct od_series *s)
{
    if (od_view_eq_str(s->process, "heap"))
        return "the heap";
    if (s->process.n == 0)
        return metric_inside(outline, s);
    return od_arena_printf(outline->arena, "%s of %.*s",
                           s->metric == OD_SERIES_HOST_RSS ? "host memory"
                                                           : metric_inside(outline, s),
                           (int)s->process.n, s->process.p);
}

/* "from 1.02 GiB to 7.02 GiB of 8 GiB in 4 readings; full after about one more" */
static const char *readings_words(const struct od_outline *outline, const struct od_series *s,
                                  double each)
{
    static const double foreseen = 20; /* in readings; a more distant forecast is not shown */
    bool less = od_series_metric_is_free(s->metric);
    double more = ceil((less ? s->last : s->limit - s->last) / each);
    const char *of = s->limit_known ? od_arena_printf(outline->arena, " of %s",
                                                      value_words(outline, s, s->limit))
                                    : "";
    const char *end = !(less || s->limit_known) || more < 0 || more > foreseen ? ""
                      : more <= 1 ? od_arena_printf(outline->arena, "; %s after about one more",
                                                    less ? "nothing is left" : "full")
                                  : od_arena_printf(outline->arena, "; %s after about %.0f more",
                                                    less ? "nothing is left" : "full", more);
    double span = s->samples[s->nsamples - 1].x - s->samples[0].x;
    const char *pace =
        s->x == OD_X_SECONDS && span > 0
            ? od_arena_printf(outline->arena, ", %s",
                              each_words(outline, s, fabs(s->last - s->first) / span))
            : "";
    return od_arena_printf(outline->arena, "from %s to %s%s in %llu readings%s%s",
                           value_words(outline, s, s->first), value_words(outline, s, s->last), of,
                           (unsigned long long)s->points, pace, end);
}

/* "19.40 KiB a step, 378.22 MiB in all": from the fit if steps or time are known, otherwise from
 * first and last point. */
static const char *growth_words(const struct od_outline *outline, const struct od_series *s)
{
    if (!s->slope_known || s->x == OD_X_LINE || s->nsamples < 2)
        return od_arena_printf(outline->arena, "%s to %s", value_words(outline, s, s->first),
                               value_words(outline, s, s->last));
    double span = s->samples[s->nsamples - 1].x - s->samples[0].x;
    return od_arena_printf(outline->arena, "%s, %s in all", each_words(outline, s, fabs(s->slope)),
                           value_words(outline, s, fabs(s->slope * span)));
}

const struct od_series *od_outline_growing(const struct od_outline *outline)
{
    static const double settled = 0.02; /* share of the final value */
    return od_growth_unfailed(outline->c, settled);
}

/* ", and in 2 other runs of this log": the same measurement of other attempts grew as well. */
static const char *in_other_runs(const struct od_outline *outline, const struct od_series *grown)
{
    size_t n = 0;
    OD_FOR_EACH (const struct od_series, s, outline->c->series)
        n += s != grown && s->metric == grown->metric && s->at.source == grown->at.source &&
             od_view_eq(s->device, grown->device) && od_view_eq(s->process, grown->process) &&
             od_view_eq(s->name, grown->name) && s->rank.n == grown->rank.n &&
             (s->last_at.line < grown->at.line || s->at.line > grown->last_at.line) &&
             (s->trend == OD_TREND_LEAK || s->trend == OD_TREND_STAIRCASE);
    return n == 0 ? ""
                  : od_arena_printf(outline->arena, ", and so in %s of this log",
                                    od_words_counted(outline->arena, n, "other run", "other runs"));
}

const char *od_outline_growth(const struct od_outline *outline)
{
    const struct od_series *worst = od_outline_growing(outline);
    double each;
    const struct od_series *part = worst ? od_growth_constant_part(outline->c, worst) : NULL;
    const char *outside = part ? " outside the heap" : "";
    if (part && worst->metric == OD_SERIES_HOST_USED)
        return od_arena_printf(
            outline->arena,
            "%s grew from %s to %s while the process stayed at %s: page cache, "
            "which the kernel takes back, or another process",
            whose_inside(outline, worst), value_words(outline, worst, worst->first),
            value_words(outline, worst, worst->last), value_words(outline, part, part->last));
    if (worst && od_growth_of_readings(worst, &each))
        return od_arena_printf(outline->arena, "%s %s%s %s", whose_inside(outline, worst),
                               od_series_metric_is_free(worst->metric) ? "fell" : "grew", outside,
                               readings_words(outline, worst, each));
    return worst ? od_arena_printf(outline->arena, "%s %s%s: %s%s", whose_inside(outline, worst),
                                   trend_words(outline, worst), outside,
                                   growth_words(outline, worst), in_other_runs(outline, worst))
                 : "";
}

const char *od_outline_growth_told(const struct od_outline *outline)
{
    enum { BEGINNING = 160 };
    const struct od_evidence *grown = od_remark_anywhere(outline->c, "grown");
    const struct od_series *s = od_growth_reported(outline->c);
    if (!s && !grown)
        return "";
    if (!grown)
        return od_arena_printf(outline->arena, "%s from %s to %s (lines %llu to %llu).",
                               s->metric == OD_SERIES_HOST_RSS ? metric_inside(outline, s)
                                                               : "memory",
                               value_words(outline, s, s->first), value_words(outline, s, s->last),
                               (unsigned long long)s->at.line, (unsigned long long)s->last_at.line);
    struct od_view said =
        od_outline_quoted(outline, od_view_trim(grown->text), BEGINNING, BEGINNING);
    return od_arena_printf(outline->arena, "\"%.*s\" (line %llu).", (int)said.n, said.p,
                           (unsigned long long)grown->at.line);
}

/* Is it about the memory that failed? */
static bool is_of_failure(const struct od_outline *outline, const struct od_series *s)
{
    const struct od_incident *inc = outline->report->diagnosis->failure->run.ended;
    if (!inc || !od_series_metric_is_bytes(s->metric) || od_series_metric_is_free(s->metric))
        return false;
    bool device = inc->kind == OD_INC_DEVICE_ALLOC_FAILED;
    return od_series_metric_is_host(s->metric) != device;
}

/* Lists growing memory and, if none grows, the memory that failed. Without -v, leaves out the
 * series that headline and picture show already. */
static bool is_shown(const struct od_outline *outline, const struct od_series *s, size_t shown)
{
    if (s->points < FEW ||
        (!outline->all && s == outline->drawn && od_outline_growing(outline) == s))
        return false;
    double before, each;
    bool failed = outline->report->diagnosis->failure->run.ended;
    if (outline->verbose || is_growth(s) || (!failed && od_growth_of_readings(s, &each)) ||
        slows_down(s) ||
        (s->step_line > 0 && (!failed || od_growth_change(outline->c, s, &before))))
        return true;
    return shown == 0 && s->points >= CELLS && is_of_failure(outline, s);
}

/* Describes a short series, and what it cannot show. */
static const char *few_words(const struct od_outline *outline, const struct od_series *s)
{
    static const double settled =
        0.1; /* part of the whole change: a smaller last change means that growth ended */
    double each, change = s->last - s->first;
    const char *course = readings_words(outline, s, 1);
    bool levels = s->points > 2 && s->nsamples == s->points &&
                  fabs(s->last - s->samples[s->nsamples - 2].value) <= settled * fabs(change);
    bool ended = outline->report->diagnosis->failure->run.outcome != OD_OUTCOME_NO_FAILURE;
    const char *open =
        ended ? "" : ". More readings would show whether it goes on, or was a start or a cache";
    if (od_growth_of_readings(s, &each))
        return od_arena_printf(outline->arena, "%s %s%s", change > 0 ? "grew" : "fell",
                               readings_words(outline, s, each), open);
    return od_arena_printf(outline->arena, "went %s%s", course,
                           levels ? " and stayed there at the end, as after a start"
                                  : ", too few to show a trend");
}

/* Is it the machine's free memory, with much left? */
static bool is_room(const struct od_series *s)
{
    static const double much = 0.1; /* share of the machine's memory */
    return s->metric == OD_SERIES_HOST_FREE && s->limit_known && s->last >= much * s->limit;
}

/* If nothing failed: shows a few numbers of memory that differ, and the memory that is left. If
 * something failed: shows the numbers that grow and can be of the memory that failed. */
static bool is_few_shown(const struct od_outline *outline, const struct od_series *s, bool differ)
{
    double each;
    if (outline->report->diagnosis->failure->run.outcome == OD_OUTCOME_NO_FAILURE)
        return differ || is_room(s);
    return od_growth_of_readings(s, &each) &&
           (od_series_metric_is_unowned(s->metric) || is_of_failure(outline, s));
}

static void say_few(struct od_outline *outline)
{
    static const double much = 0.1; /* part of the greater number */
    struct od_node *list = NULL;
    for (size_t i = 0, n = 0; i < outline->c->series.n && n < SHOWN; i++) {
        const struct od_series *s = &outline->c->series.items[i];
        bool differ = s->points > 1 && fabs(s->last - s->first) >= much * fmax(s->last, s->first);
        if (s->points >= FEW || !od_series_metric_is_bytes(s->metric) ||
            s->metric == OD_SERIES_HOST_VIRTUAL || !is_few_shown(outline, s, differ))
            continue;
        if (n++ == 0)
            list = od_doc_list(od_doc_section(outline->doc, "Over time"));
        struct od_text *text = od_doc_item(list);
        say_who(text, s);
        if (differ) {
            od_say(text, " %s", few_words(outline, s));
            say_constant_part(outline, text, s);
        } else
            od_say(text,
                   ": %s of %s, so the machine is not short: what it keeps of "
                   "files (cache) is given back when a program needs it",
                   value_words(outline, s, s->last), value_words(outline, s, s->limit));
        od_say(text, ".");
        od_say_as(text, OD_DIM, " (%s)", od_words_line(outline->arena, outline->report, s->at));
    }
}

/* A level that does not grow is still worth showing if nothing failed. */
static void say_level(struct od_outline *outline)
{
    size_t n = 0;
    for (size_t i = 0; i < outline->c->series.n; i++)
        n += outline->c->series.items[i].points >= FEW;
    bool few = n == 0 || *od_outline_growth(outline);
    if (few)
        say_few(outline);
    if (few || outline->all || outline->diagnosis->failure->run.outcome != OD_OUTCOME_NO_FAILURE)
        return;
    struct od_text *text = od_doc_text(od_doc_section(outline->doc, "Over time"));
    od_say(text, "%s of memory or time: %s. -v shows %s.",
           od_words_counted(outline->arena, n, "series", "series"),
           n == 1 ? "it does not grow steadily" : "none of them grows steadily",
           n == 1 ? "it" : "them");
}

/* Are both the same metric, but of different ranks or devices? */
static bool is_counterpart(const struct od_series *a, const struct od_series *b)
{
    bool ranks = a->rank.known && b->rank.known;
    bool devices = !a->rank.known && !b->rank.known && a->device.n > 0 && b->device.n > 0 &&
                   !a->pid.known && !b->pid.known;
    return a->metric == b->metric && (ranks || devices) && a->at.source == b->at.source &&
           (b->points >= FEW || b->points == a->points) && od_view_eq(a->name, b->name);
}

/* One rank or device holds more memory than the others, so it fails first. */
static bool say_apart(struct od_outline *outline, const struct od_series *s, struct od_node **list)
{
    static const double
        apart = 1.15 /* factor of the median: processes of one job differ by less */,
        idle = 0.25 /* part of the median: if most processes hold less, they do something else */;
    double most[RANKS_MOST];
    size_t n = 0;
    if (!od_series_metric_is_bytes(s->metric) || od_series_metric_is_free(s->metric) ||
        s->metric == OD_SERIES_HOST_VIRTUAL)
        return false;
    for (size_t i = 0; i < outline->c->series.n && n < RANKS_MOST; i++)
        if (is_counterpart(s, &outline->c->series.items[i]))
            most[n++] = outline->c->series.items[i].max;
    double usual = n >= RANKS_LEAST ? od_stats_median(most, n) : s->max;
    if (s->max < apart * usual || usual < idle * s->max || (s->points < FEW && n <= RANKS_LEAST))
        return false;
    if (!*list)
        *list = od_doc_list(od_doc_section(outline->doc, "Over time"));
    struct od_text *text = od_doc_item(*list);
    if (s->rank.known)
        od_say_as(text, OD_BAD, "Rank %llu", (unsigned long long)s->rank.n);
    else
        od_say_as(text, OD_BAD, "%.*s", (int)s->device.n, s->device.p);
    od_say_as(text, OD_BAD, " differs: %s up to %s, against %s in most of %s %s.",
              metric_inside(outline, s), value_words(outline, s, s->max),
              value_words(outline, s, usual), od_words_count(outline->arena, n),
              s->rank.known ? "ranks" : "devices");
    return true;
}

void od_outline_series(struct od_outline *outline)
{
    struct od_node *list = NULL;
    size_t shown = 0;
    size_t most = outline->verbose ? OD_OUTLINE_ROWS : SHOWN;
    for (int growth = 1; growth >= 0; growth--)
        OD_FOR_EACH (const struct od_series, s, outline->c->series) {
            if (is_growth(s) != (growth == 1) || shown == most || !is_shown(outline, s, shown))
                continue;
            if (!list)
                list = od_doc_list(od_doc_section(outline->doc, "Over time"));
            say_series(outline, list, s);
            shown++;
        }
    for (size_t i = 0, said = 0; i < outline->c->series.n && said < APART; i++)
        said += say_apart(outline, &outline->c->series.items[i], &list);
    if (!list)
        say_level(outline);
}
