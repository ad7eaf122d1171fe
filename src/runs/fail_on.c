#include "runs/fail_on.h"

#include "base/bytes.h"
#include "case/series.h"
#include "diagnose/diagnose.h"

#include <string.h>

enum { TERMS_MAX = 32 };

enum kind { CAUSE, LEAK, FAILURE, REGRESSION, METRIC };

struct term {
    enum kind kind;
    const char *text; /* as given */
    const char *cause;
    const char *metric; /* a series' whole word, "device_peak" or "host_peak" */
    bool above;
    bool percent;
    double value; /* bytes, seconds or percent */
};

struct od_fail_on {
    struct term terms[TERMS_MAX];
    size_t n;
};

/* ---- reading ---- */

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

static bool is_peak(const char *metric)
{
    return strcmp(metric, "device_peak") == 0 || strcmp(metric, "host_peak") == 0;
}

static bool read_value(struct od_view text, struct term *term)
{
    struct od_bytes bytes;
    text = od_view_trim(text);
    term->percent = text.n > 1 && text.p[text.n - 1] == '%';
    if (term->percent)
        return od_num_parse_double(od_view_trim(od_view_head(text, text.n - 1)), &term->value);
    if (strcmp(term->metric, "step_seconds") == 0) {
        if (text.n > 1 && text.p[text.n - 1] == 's')
            text.n--;
        return od_num_parse_double(od_view_trim(text), &term->value);
    }
    if (!od_bytes_parse(text, OD_UNIT_BINARY, &bytes))
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
                .message = od_arena_printf(arena, "--fail-on: '%s' is no term", term.text),
                .help = "a cause (explain lists them), leak, failure, regression, or "
                        "METRIC>VALUE as in host_used>20GiB or device_peak>90%"};
            od_diags_add(diags, &diag);
            return NULL;
        }
        fail_on->terms[fail_on->n++] = term;
    }
    return fail_on->n > 0 ? fail_on : NULL;
}

/* ---- asking ---- */

static bool is_device(const char *metric)
{
    return strncmp(metric, "device_", strlen("device_")) == 0;
}

/* The largest value the run has of a metric; for '<' the smallest. */
static bool value_of(const struct od_run *run, const struct term *term, double *ret_value)
{
    bool found = false;
    if (is_peak(term->metric)) {
        const struct od_count *peak = is_device(term->metric) ? &run->device_peak : &run->host_peak;
        *ret_value = (double)peak->n;
        return peak->known;
    }
    for (size_t i = 0; i < run->series.n; i++) {
        const struct od_run_series *series = &run->series.items[i];
        if (!series->known || strcmp(series->metric, term->metric) != 0)
            continue;
        double value = term->above ? series->max : series->min;
        if (!found || (term->above ? value > *ret_value : value < *ret_value))
            *ret_value = value;
        found = true;
    }
    return found;
}

static const char *compare(const struct term *term, const struct od_run *run,
                           struct od_arena *arena, bool *ret_known)
{
    double value = 0;
    char have[OD_BYTES_TEXT];
    const struct od_count *limit = is_device(term->metric) ? &run->device_limit : &run->host_limit;
    bool seconds = strcmp(term->metric, "step_seconds") == 0;
    *ret_known = value_of(run, term, &value) && (!term->percent || (limit->known && limit->n > 0));
    if (!*ret_known || (term->percent && seconds))
        return NULL;
    double measured = term->percent ? value / (double)limit->n * 100 : value;
    if (term->above ? measured <= term->value : measured >= term->value)
        return NULL;
    if (term->percent)
        return od_arena_printf(arena, "%s: it is %.1f %% of the limit", term->text, measured);
    if (seconds)
        return od_arena_printf(arena, "%s: it is %.3g s", term->text, value);
    return od_arena_printf(arena, "%s: it is %s", term->text,
                           od_bytes_print_u64(value > 0 ? (uint64_t)value : 0, have));
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
        return strcmp(run->outcome, "memory_failure") == 0 ? "failure: memory ended the run" : NULL;
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
                           const struct od_diff *diff, struct od_arena *arena, size_t *ret_unknown)
{
    const char *first = NULL;
    *ret_unknown = 0;
    for (size_t i = 0; i < fail_on->n; i++) {
        bool known;
        const char *words = met(&fail_on->terms[i], run, diff, arena, &known);
        *ret_unknown += !known;
        if (!first)
            first = words;
    }
    return first;
}
