#include "runs/fail_on.h"

#include "case/series.h"

enum { TERMS_MAX = 32 };

enum kind { CAUSE, LEAK, FAILURE, REGRESSION, METRIC };

struct term {
    enum kind kind;
    const char *text; /* the term as given */
    const char *cause;
    const char *metric; /* full name of a metric of series, or "device_peak", "host_peak" */
    bool above;
    bool percent;
    double value; /* bytes, seconds or percent */
};

struct od_fail_on {
    struct term terms[TERMS_MAX];
    size_t n;
};

static const char *metric_word(struct od_view name)
{
    static const char *const peaks[] = {"device_peak", "host_peak"};
    for (size_t i = 0; i < OD_COUNT_OF(peaks); i++)
        if (od_view_eq_str(name, peaks[i]))
            return peaks[i];
    for (unsigned m = 0; m < OD_SERIES_METRIC_END; m++) {
        struct od_view word = od_view_of(od_series_metric_name((enum od_series_metric)m));
        struct od_view brief = od_view_head(word, word.n - strlen("_bytes"));
        bool bytes = od_series_metric_is_bytes((enum od_series_metric)m);
        if (od_view_eq(name, word) || (bytes && od_view_eq(name, brief)))
            return word.p;
    }
    return NULL;
}

const char *od_fail_on_metrics(struct od_arena *arena)
{
    const char *list = "device_peak, host_peak";
    for (unsigned m = 0; m < OD_SERIES_METRIC_END; m++) {
        struct od_view word = od_view_of(od_series_metric_name((enum od_series_metric)m));
        if (od_series_metric_is_bytes((enum od_series_metric)m))
            word.n -= strlen("_bytes");
        if (!od_view_eq_str(word, "device_peak") && !od_view_eq_str(word, "host_peak"))
            list = od_arena_printf(arena, "%s, %.*s", list, (int)word.n, word.p);
    }
    return list;
}

static bool is_peak(const char *metric)
{
    return strcmp(metric, "device_peak") == 0 || strcmp(metric, "host_peak") == 0;
}

static bool read_value(struct od_view text, struct term *term)
{
    struct od_bytes bytes;
    text = od_view_trim(text);
    bool seconds = strcmp(term->metric, "step_seconds") == 0;
    term->percent = text.n > 1 && text.p[text.n - 1] == '%';
    if (term->percent)
        return !seconds &&
               od_num_parse_double(od_view_trim(od_view_head(text, text.n - 1)), &term->value);
    if (seconds) {
        if (text.n > 1 && text.p[text.n - 1] == 's')
            text.n--;
        return od_num_parse_double(od_view_trim(text), &term->value);
    }
    /* "device_peak>90" lacks its unit, because no program needs so few bytes */
    static const uint64_t least = 1000;
    bool bare = od_view_ends(od_view_of(term->metric), OD_VIEW("_percent"));
    if (!od_bytes_parse(text, OD_UNIT_BINARY, &bytes) ||
        (!bare && bytes.n < least && od_is_digit(text.p[text.n - 1])))
        return false;
    term->value = (double)bytes.n;
    return true;
}

static bool read_comparison(struct od_view text, struct term *term)
{
    size_t at = 0;
    while (at < text.n && text.p[at] != '<' && text.p[at] != '>')
        at++;
    if (at == text.n)
        return false;
    term->kind = METRIC;
    term->above = text.p[at] == '>';
    term->metric = metric_word(od_view_trim(od_view_head(text, at)));
    return term->metric && read_value(od_view_from(text, at + 1), term);
}

static bool read_cause(struct od_view text, struct term *term)
{
    term->kind = CAUSE;
    for (unsigned c = 0; c < OD_CAUSE_END; c++) {
        term->cause = od_cause_name((enum od_cause)c);
        if (od_view_eq_str(text, term->cause))
            return true;
    }
    return false;
}

static bool read_term(struct od_view text, struct term *term)
{
    static const struct {
        const char *word;
        enum kind kind;
    } words[] = {{"leak", LEAK}, {"failure", FAILURE}, {"regression", REGRESSION}};
    for (size_t i = 0; i < OD_COUNT_OF(words); i++) {
        if (od_view_eq_str(text, words[i].word)) {
            term->kind = words[i].kind;
            return true;
        }
    }
    return read_comparison(text, term) || read_cause(text, term);
}

const struct od_fail_on *od_fail_on_parse(const char *text, struct od_arena *arena,
                                          struct od_diags *diags)
{
    struct od_fail_on *fail_on = OD_NEW(arena, struct od_fail_on);
    struct od_view rest = od_view_of(text);
    struct od_view one;
    while (od_view_cut(&rest, '|', &one)) {
        struct term term = {0};
        one = od_view_trim(one);
        term.text = od_arena_str(arena, one);
        if (fail_on->n == TERMS_MAX || !read_term(one, &term)) {
            struct od_diag diag = {
                .severity = OD_ERROR,
                .message = od_arena_printf(arena, "--fail-on: unknown term '%s'", term.text),
                .help = od_arena_printf(
                    arena,
                    "a cause (explain lists them), leak, failure, regression, or METRIC>VALUE "
                    "as in host_used>20GiB or device_peak>90%%. Metrics: %s",
                    od_fail_on_metrics(arena))};
            od_diags_add(diags, &diag);
            return NULL;
        }
        fail_on->terms[fail_on->n++] = term;
    }
    return fail_on->n > 0 ? fail_on : NULL;
}

static bool is_device(const char *metric)
{
    return strncmp(metric, "device_", strlen("device_")) == 0;
}

/* Does the term refer to this series? device_peak and host_peak refer to several metrics. */
static bool is_asked(const struct od_run *run, const struct term *term,
                     const struct od_run_series *series)
{
    if (is_peak(term->metric))
        return od_run_raises_peak(run, series, is_device(term->metric));
    return series->known && strcmp(series->metric, term->metric) == 0;
}

struct measured {
    bool known;
    double value; /* in the metric's unit: bytes, seconds or percent */
};

/* Keeps the largest value, or the smallest one for '<'. A peak is always the largest. */
static void take(const struct term *term, double value, double limit, struct measured *measured)
{
    bool largest = term->above || is_peak(term->metric);
    if (term->percent && limit <= 0)
        return;
    double counted = term->percent ? value / limit * 100 : value;
    if (!measured->known || (largest ? counted > measured->value : counted < measured->value))
        measured->value = counted;
    measured->known = true;
}

/* The value of a series. A percentage is relative to the limit of its own device. */
static struct measured measure(const struct od_run *run, const struct term *term)
{
    struct measured measured = {0};
    bool peak = is_peak(term->metric), device = is_device(term->metric);
    const struct od_count *limit = device ? &run->device_limit : &run->host_limit;
    const struct od_count *most = device ? &run->device_peak : &run->host_peak;
    double of_run = limit->known ? (double)limit->n : 0;
    if (peak && most->known)
        take(term, (double)most->n, of_run, &measured);
    OD_FOR_EACH (const struct od_run_series, series, run->series)
        if (is_asked(run, term, series))
            take(term, term->above || peak ? series->max : series->min,
                 series->limit_known ? series->limit : of_run, &measured);
    return measured;
}

static const char *compare(const struct term *term, const struct od_run *run,
                           struct od_arena *arena, bool *ret_known)
{
    struct measured measured = measure(run, term);
    double value = measured.value;
    *ret_known = measured.known;
    if (!measured.known || (term->above ? value <= term->value : value >= term->value))
        return NULL;
    if (term->percent)
        return od_arena_printf(arena, "%s: it is %.1f %% of the limit", term->text, value);
    if (strcmp(term->metric, "step_seconds") == 0)
        return od_arena_printf(arena, "%s: it is %.3g s", term->text, value);
    return od_arena_printf(arena, "%s: it is %s", term->text,
                           od_bytes_text_u64(arena, value > 0 ? (uint64_t)value : 0));
}

static const char *met(const struct term *term, const struct od_run *run,
                       const struct od_diff *diff, struct od_arena *arena, bool *ret_known)
{
    *ret_known = true;
    switch (term->kind) {
    case CAUSE:
        return run->cause && strcmp(run->cause, term->cause) == 0 ? term->text : NULL;
    case LEAK:
        return od_run_leaks(run) ? "leak: memory grows without end" : NULL;
    case FAILURE:
        return strcmp(run->outcome, "memory_failure") == 0 ? "failure: the run ran out of memory"
                                                           : NULL;
    case REGRESSION:
        *ret_known = diff != NULL;
        if (!diff || (diff->verdict != OD_DIFF_WORSE && diff->verdict != OD_DIFF_MIXED))
            return NULL;
        return od_arena_printf(arena, "regression: %s", diff->why);
    case METRIC:
        return compare(term, run, arena, ret_known);
    }
    return NULL;
}

const char *od_fail_on_met(const struct od_fail_on *fail_on, const struct od_run *run,
                           const struct od_diff *diff, struct od_arena *arena,
                           const char **ret_unknown)
{
    const char *first = NULL, *unknown = NULL;
    for (size_t i = 0; i < fail_on->n; i++) {
        bool known;
        const struct term *term = &fail_on->terms[i];
        const char *words = met(term, run, diff, arena, &known);
        if (!known)
            unknown = unknown ? od_arena_printf(arena, "%s|%s", unknown, term->text) : term->text;
        if (!first)
            first = words;
    }
    *ret_unknown = unknown;
    return first;
}
