#include "report/outline.h"
#include "report/words.h"
#include "runs/diff.h"
#include "runs/names.h"

#include <math.h>

enum { LIST_MAX = 12, SPARK_CELLS = 10 };

static const char *shown(struct od_doc *doc, const char *text)
{
    return text ? od_arena_printf(doc->arena, "%s", text) : "not in the log";
}

static const char *outcome_words(const char *outcome)
{
    static const char *const words[][2] = {
        {"memory_failure", "ran out of memory"},
        {"survived", "an allocation failed, the run went on"},
        {"other_failure", "failed for another reason"},
        {"no_failure", "no failure"},
    };
    for (size_t i = 0; i < OD_COUNT_OF(words); i++)
        if (strcmp(outcome, words[i][0]) == 0)
            return words[i][1];
    return "unknown";
}

static void add_opening(struct od_doc *doc, const struct od_diff *diff)
{
    static const char *const verdicts[] = {
        [OD_DIFF_SAME] = "No significant change",
        [OD_DIFF_BETTER] = "Better",
        [OD_DIFF_WORSE] = "Worse",
        [OD_DIFF_MIXED] = "Better and worse",
        [OD_DIFF_UNKNOWN] = "These cannot be compared",
    };
    enum od_tone tone = diff->verdict == OD_DIFF_BETTER  ? OD_GOOD
                        : diff->verdict == OD_DIFF_WORSE ? OD_BAD
                                                         : OD_STRONG;
    struct od_section *section = od_doc_section(doc, NULL);
    struct od_text *text = od_doc_text(section);
    od_say_as(text, tone, "%s", verdicts[diff->verdict]);
    od_say(text, ": %s.", diff->why);
    struct od_table *table = od_doc_table(section);
    od_doc_columns(table, "|log|outcome");
    const struct od_run *runs[] = {diff->old, diff->new};
    for (size_t i = 0; i < OD_COUNT_OF(runs); i++) {
        od_doc_row_of(table, OD_CELLS(i == 0 ? "old" : "new", shown(doc, runs[i]->name),
                                      outcome_words(runs[i]->outcome)));
    }
}

static uint64_t largest(const struct od_diff_bytes *list, size_t n)
{
    uint64_t most = 0;
    for (size_t i = 0; i < n; i++) {
        most = list[i].old.n > most ? list[i].old.n : most;
        most = list[i].new.n > most ? list[i].new.n : most;
    }
    return most;
}

static const char *bytes_in(struct od_doc *doc, struct od_count bytes, unsigned unit)
{
    char text[OD_BYTES_TEXT];
    return bytes.known ? od_arena_printf(doc->arena, "%s", od_bytes_print_in(bytes.n, unit, text))
                       : "unknown";
}

static long long hundredths(uint64_t bytes, unsigned unit)
{
    return llround((double)bytes * 100 / pow(1024, unit));
}

static const char *saved_in(struct od_doc *doc, const struct od_diff_bytes *one, unsigned unit)
{
    if (!one->old.known || !one->new.known)
        return "";
    /* computed from the rounded numbers, so that the columns add up */
    long long by = hundredths(one->old.n, unit) - hundredths(one->new.n, unit);
    if (by == 0)
        return one->new.n == one->old.n ? "" : "<0.01";
    if (unit == 0)
        return od_arena_printf(doc->arena, "%lld", by / 100);
    return od_arena_printf(doc->arena, "%s%lld.%02lld", by < 0 ? "-" : "", llabs(by) / 100,
                           llabs(by) % 100);
}

static void add_bytes_row(struct od_doc *doc, struct od_table *table,
                          const struct od_diff_bytes *one, unsigned unit)
{
    od_doc_row_of(table, OD_CELLS(one->name, bytes_in(doc, one->old, unit),
                                  bytes_in(doc, one->new, unit), saved_in(doc, one, unit)));
}

static struct od_table *bytes_table(struct od_section *section, unsigned unit)
{
    const char *name = od_bytes_unit_name(unit);
    struct od_table *table = od_doc_table(section);
    od_doc_columns(table, "|>old %s|>new %s|>saved %s", name, name, name);
    return table;
}

static struct od_section *add_bytes(struct od_doc *doc, const char *title,
                                    const struct od_diff_bytes *list, size_t n)
{
    unsigned unit = od_bytes_unit_for(largest(list, n));
    struct od_section *section = od_doc_section(doc, title);
    struct od_table *table = bytes_table(section, unit);
    for (size_t i = 0; i < n; i++)
        add_bytes_row(doc, table, &list[i], unit);
    return section;
}

static bool ran_out(const struct od_run *run)
{
    return strcmp(run->outcome, "memory_failure") == 0;
}

static void add_peaks(struct od_doc *doc, const struct od_diff *diff)
{
    struct od_diff_bytes named[2];
    size_t n = diff->peaks.n < 2 ? diff->peaks.n : 2;
    for (size_t i = 0; i < n; i++) {
        named[i] = diff->peaks.items[i];
        named[i].name = strcmp(named[i].name, "host_peak") == 0 ? "host" : "device";
    }
    if (n == 0)
        return;
    struct od_section *section = add_bytes(doc, "Peaks", named, n);
    bool old = ran_out(diff->old), new = ran_out(diff->new);
    if (old || new)
        od_say_as(od_doc_text(section), OD_DIM,
                  "%s ran out of memory: its peak would be higher, had it gone on.",
                  old && new ? "Each run"
                  : old      ? "The old run"
                             : "The new run");
}

static const char *basis_words(const char *basis)
{
    return basis ? basis : "not in the log";
}

/* Describes the phases whose sources differ between the runs. */
static void add_bases(struct od_section *section, const struct od_diff *diff)
{
    struct od_node *list = NULL;
    for (size_t i = 0; i < diff->phases.n && i < LIST_MAX; i++) {
        const struct od_diff_phase *one = &diff->phases.items[i];
        const char *old = basis_words(one->old_basis), *new = basis_words(one->new_basis);
        if (strcmp(old, new) == 0)
            continue;
        list = list ? list : od_doc_list(section);
        struct od_text *text = od_doc_item(list);
        od_say_as(text, OD_STRONG, "%s: ", one->bytes.name);
        od_say(text, "old: %s. New: %s.", old, new);
    }
}

static unsigned unit_of_phases(const struct od_diff *diff)
{
    uint64_t most = largest(&diff->phases_total, 1), sum = largest(&diff->phases_sum, 1);
    most = most > sum ? most : sum;
    for (size_t i = 0; i < diff->phases.n; i++) {
        uint64_t one = largest(&diff->phases.items[i].bytes, 1);
        most = most > one ? most : one;
    }
    return od_bytes_unit_for(most);
}

static void add_phase_rows(struct od_doc *doc, struct od_table *table, const struct od_diff *diff,
                           bool remainder)
{
    unsigned unit = unit_of_phases(diff);
    for (size_t i = 0; i < diff->phases.n; i++)
        if (diff->phases.items[i].remainder == remainder)
            add_bytes_row(doc, table, &diff->phases.items[i].bytes, unit);
    const struct od_diff_bytes *sum = remainder ? &diff->phases_total : &diff->phases_sum;
    add_bytes_row(doc, table, sum, unit);
    table->last->total = true;
}

/* Adds the phases, their sum, and the remainder up to the peak if known. */
static void add_phases(struct od_doc *doc, const struct od_diff *diff)
{
    bool remainder = false;
    if (diff->phases.n == 0)
        return;
    for (size_t i = 0; i < diff->phases.n; i++)
        remainder = remainder || diff->phases.items[i].remainder;
    struct od_section *section = od_doc_section(doc, "Phases");
    struct od_table *table = bytes_table(section, unit_of_phases(diff));
    add_phase_rows(doc, table, diff, false);
    if (remainder)
        add_phase_rows(doc, table, diff, true);
    add_bases(section, diff);
}

static void add_settings(struct od_doc *doc, const struct od_diff *diff)
{
    if (diff->settings.n == 0)
        return;
    struct od_table *table = od_doc_table(od_doc_section(doc, "Settings that differ"));
    od_doc_columns(table, "|old|new");
    for (size_t i = 0; i < diff->settings.n && i < LIST_MAX * 2; i++) {
        const struct od_diff_setting *one = &diff->settings.items[i];
        od_doc_row_of(table, OD_CELLS(one->name, shown(doc, one->old), shown(doc, one->new)));
    }
}

static void add_incident_list(struct od_doc *doc, struct od_section *section, const char *what,
                              const struct od_run_incident *const *list, size_t n)
{
    struct od_node *node = n > 0 ? od_doc_list(section) : NULL;
    for (size_t i = 0; i < n && i < LIST_MAX; i++) {
        const struct od_run_incident *one = list[i];
        struct od_text *text = od_doc_item(node);
        od_say_as(text, OD_STRONG, "%s: ", what);
        const char *kind = od_name_incident(one->kind);
        const char *producer = od_name_producer(one->producer, doc->arena);
        od_say(text, "%s", kind ? kind : one->kind);
        if (producer || one->producer)
            od_say(text, " (%s)", producer ? producer : one->producer);
        if (one->device)
            od_say(text, " on %s", one->device);
        if (one->requested.known)
            od_say(text, ", %s requested", od_bytes_text_u64(doc->arena, one->requested.n));
        if (one->count > 1)
            od_say(text, ", %llu times", (unsigned long long)one->count);
    }
    if (n > LIST_MAX)
        od_say_as(od_doc_item(node), OD_DIM, "and %zu more", n - LIST_MAX);
}

static void add_incidents(struct od_doc *doc, const struct od_diff *diff)
{
    if (diff->gone.n + diff->fresh.n + diff->same.n == 0)
        return;
    struct od_section *section = od_doc_section(doc, "Failures");
    add_incident_list(doc, section, "new", diff->fresh.items, diff->fresh.n);
    add_incident_list(doc, section, "still present", diff->same.items, diff->same.n);
    add_incident_list(doc, section, "gone", diff->gone.items, diff->gone.n);
}

static const char *last_of(struct od_doc *doc, const struct od_run_series *series)
{
    const char *trend = series->trend ? series->trend : "unknown";
    const char *unit = od_name_unit(series->metric);
    if (unit)
        return od_arena_printf(doc->arena, "%.3g%s, %s", series->last, unit, trend);
    return od_arena_printf(
        doc->arena, "%s, %s",
        od_bytes_text_u64(doc->arena, series->last > 0 ? (uint64_t)series->last : 0), trend);
}

/* Returns a common scale for the bars of both runs. */
static struct od_spark_frame frame_of(const struct od_diff_series *one,
                                      const struct od_report_options *options)
{
    struct od_spark_frame frame = {HUGE_VAL, -HUGE_VAL, SPARK_CELLS, options->unicode};
    const struct od_run_series *both[] = {one->old, one->new};
    for (size_t i = 0; i < OD_COUNT_OF(both); i++) {
        if (!both[i] || !both[i]->known)
            continue;
        frame.lo = fmin(frame.lo, both[i]->min);
        frame.hi = fmax(frame.hi, both[i]->max);
    }
    return frame;
}

static const char *shown_series(struct od_doc *doc, const struct od_run_series *series,
                                const struct od_spark_frame *frame)
{
    if (!series || !series->known)
        return "none";
    double *values = OD_NEW_N(doc->arena, series->ncourse + 1, double);
    for (size_t i = 0; i < series->ncourse; i++)
        values[i] = series->course[i].value;
    const char *spark = od_spark(doc->arena, values, series->ncourse, frame);
    return od_arena_printf(doc->arena, "%s%s%s", spark, *spark ? " " : "", last_of(doc, series));
}

/* Names a series: "Host memory of the process, python, validation". */
static const char *name_of(struct od_doc *doc, const struct od_diff_series *one)
{
    const struct od_run_series *s = one->old ? one->old : one->new;
    const char *metric = od_name_metric(one->metric);
    const char *const parts[] = {one->device, s->process, s->name};
    const char *name = metric ? metric : one->metric;
    for (size_t i = 0; i < OD_COUNT_OF(parts); i++)
        if (parts[i])
            name = od_arena_printf(doc->arena, "%s, %s", name, parts[i]);
    return name;
}

static void add_series(struct od_doc *doc, const struct od_diff *diff,
                       const struct od_report_options *options)
{
    if (diff->series.n == 0)
        return;
    struct od_table *table =
        od_doc_table(od_doc_section(doc, "Over time: course, last value, trend"));
    od_doc_columns(table, "|old|new");
    for (size_t i = 0; i < diff->series.n && i < LIST_MAX; i++) {
        const struct od_diff_series *one = &diff->series.items[i];
        struct od_spark_frame frame = frame_of(one, options);
        od_doc_row_of(table, OD_CELLS(name_of(doc, one), shown_series(doc, one->old, &frame),
                                      shown_series(doc, one->new, &frame)));
    }
}

struct od_doc *od_diff_outline(const struct od_diff *diff, const struct od_report_options *options,
                               const struct od_pictures *pictures)
{
    struct od_doc *doc = od_doc_new();
    add_opening(doc, diff);
    add_peaks(doc, diff);
    add_phases(doc, diff);
    if (diff->sizes.n > 0)
        add_bytes(doc, "Sizes in use that changed most", diff->sizes.items, diff->sizes.n);
    add_settings(doc, diff);
    add_incidents(doc, diff);
    add_series(doc, diff, options);
    if (options->folds)
        od_outline_pictures(doc, pictures, NULL, 1);
    return doc;
}
