/* The section on what fits: the batch, and its calculation. */
#include "answer/options.h"
#include "report/outline_parts.h"
#include "report/plan.h"
#include "report/words.h"

#include <math.h>

static unsigned long long of(struct od_count count)
{
    return count.n;
}

static void say_tried(struct od_outline *outline, struct od_text *text,
                      const struct od_answer *answer)
{
    if (answer->worked_said) {
        od_say(text, " %llu works, according to the log.", of(answer->worked));
        od_outline_said_at(outline, text, answer->worked_said, 1);
    } else if (answer->worked.known) {
        od_say(text, " %llu trained in this log.", of(answer->worked));
    }
    if (answer->below.known)
        od_say(text, " %llu %s%s.", of(answer->below),
               answer->batch.known && answer->below.n < answer->batch.n ? "cannot fit" : "failed",
               answer->devices.known ? " on each device" : "");
    if (answer->below_said)
        od_outline_said_at(outline, text, answer->below_said, 1);
}

/* Names the changes that fit only together. */
static void say_together(struct od_outline *outline, struct od_text *text,
                         const struct od_answer *answer)
{
    const struct od_plan_option *option = od_answer_together(answer);
    if (!option)
        return;
    od_say(text, " These changes together fit: ");
    od_say_as(text, OD_STRONG, "%s", od_words_option(&answer->options[0], option, outline->arena));
    od_say(text, " (%s, %s likely).", od_bytes_text_u64(outline->arena, option->peak.n),
           od_words_chance(outline->arena, option->fits));
}

static void say_largest(struct od_outline *outline, struct od_text *text,
                        const struct od_answer *answer)
{
    if (answer->largest.n == 0 && answer->hi.n == 0) {
        od_say_as(text, OD_STRONG, "No batch fits: ");
        od_say(text, "%s.", answer->basis);
        say_together(outline, text, answer);
        return;
    }
    if (answer->largest.n == 0)
        od_say_as(text, OD_STRONG, "Not even batch size 1 fits as configured");
    else
        od_say_as(text, OD_STRONG, "The largest batch size that fits is about %llu",
                  of(answer->largest));
    od_say(text, " (%llu to %llu, 90 %%)%s.", of(answer->lo), of(answer->hi),
           answer->batch_is_cause    ? ""
           : answer->capped          ? " within the limit that is set"
           : answer->in_what_is_left ? " in the memory that is left"
                                     : ", once nothing else uses the device");
    say_tried(outline, text, answer);
    if (answer->largest.n == 0)
        say_together(outline, text, answer);
}

static bool is_held_by_others(const struct od_diagnosis *diagnosis)
{
    enum od_cause cause = od_first_cause(diagnosis);
    bool likely =
        diagnosis->findings.n > 0 && diagnosis->findings.items[0].certainty != OD_POSSIBLE;
    return likely && (cause == OD_CAUSE_OTHER_TENANT || cause == OD_CAUSE_DRIVER_REFUSED);
}

static void say_bounds(struct od_outline *outline, struct od_text *text,
                       const struct od_answer *answer)
{
    if (answer->worked.known && answer->below.known)
        od_say_as(text, OD_STRONG, "The largest batch size that fits is between %llu and %llu.",
                  of(answer->lo), of(answer->hi));
    else if (answer->below.known && answer->below.n == 1)
        od_say_as(text, OD_STRONG, "Not even batch size 1 fits as configured.");
    else if (answer->below.known && answer->capped)
        od_say_as(text, OD_STRONG, "Batch size %llu does not fit within the limit that is set.",
                  of(answer->below));
    else if (answer->below.known && !answer->batch_is_cause)
        od_say_as(text, OD_STRONG, "%satch size %llu does not fit in what is left.",
                  is_held_by_others(outline->diagnosis)
                      ? "Free the memory that others hold first: b"
                      : "B",
                  of(answer->below));
    else if (answer->below.known && answer->below.n == 2)
        od_say_as(text, OD_STRONG, "Batch size 1 at most; the log does not show whether it fits.");
    else if (answer->below.known)
        od_say_as(text, OD_STRONG, "Less than %llu; the log does not show how much less.",
                  of(answer->below));
    else if (!answer->worked.known)
        od_say_as(text, OD_STRONG, "The log does not show it.");
    else if (answer->batch_is_cause)
        od_say_as(text, OD_STRONG, "At least %llu.", of(answer->worked));
    if (answer->worked.known)
        say_tried(outline, text, answer);
}

static void say_recommended(struct od_text *text, const struct od_answer *answer)
{
    if (!answer->recommended.known || !answer->batch_is_cause)
        return;
    bool as_it_is = answer->batch.known && answer->recommended.n == answer->batch.n;
    od_say(text, as_it_is ? " Safe as configured: " : " Safe: ");
    od_say_as(text, OD_STRONG, "%llu", of(answer->recommended));
    bool even = answer->batch.known && answer->accumulation.n > 0 &&
                answer->batch.n % answer->accumulation.n == 0;
    if (answer->accumulation.known)
        od_say(text, ", or %llu gradient accumulation steps that keep %sthe global batch size",
               of(answer->accumulation), even ? "" : "about ");
    od_say(text, ".");
}

static double probability_of(const struct od_answer *answer, uint64_t batch)
{
    if (answer->below.known && batch >= answer->below.n)
        return 0;
    if (batch == answer->recommended.n && answer->recommended.known)
        return answer->recommended_fits;
    return 0.5;
}

/* Rounds to hundredths of the unit, so that the shown numbers add up. */
static long long hundredths(double bytes, unsigned unit)
{
    return llround(bytes * 100 / pow(1024, unit));
}

static void add_row(struct od_outline *outline, struct od_table *table, const char *what,
                    uint64_t batch, unsigned unit)
{
    const struct od_answer *answer = outline->report->answer;
    double samples = (double)batch * (double)answer->per_sample.n;
    long long fixed = hundredths((double)answer->fixed.n, unit);
    long long all = hundredths((double)answer->fixed.n + samples, unit);
    double fits = probability_of(answer, batch);
    struct od_row *row = od_doc_row_of(
        table,
        OD_CELLS(what, od_words_count(outline->arena, batch),
                 od_words_hundredths(outline->arena, fixed, answer->fixed.n > 0),
                 od_words_hundredths(outline->arena, all > fixed ? all - fixed : 0, batch > 0),
                 od_words_hundredths(outline->arena, all > fixed ? all : fixed, true),
                 fits <= 0 ? "no" : od_words_chance(outline->arena, fits)));
    row->cells[5].tone = fits <= 0 ? OD_BAD : fits >= 0.9 ? OD_GOOD : OD_PLAIN;
}

static void add_table(struct od_outline *outline, struct od_section *section)
{
    const struct od_answer *answer = outline->report->answer;
    unsigned unit = od_bytes_unit_for(answer->limit.n);
    if (unit == 0)
        return;
    const char *name = od_bytes_unit_name(unit);
    struct od_table *table = od_doc_table(section);
    od_doc_columns(table, "|>batch|>fixed, %s|>samples|>together|>fits", name);
    if (answer->batch.known && answer->below.known && answer->batch.n >= answer->below.n)
        add_row(outline, table, "tried", answer->batch.n, unit);
    add_row(outline, table, "largest", answer->largest.n, unit);
    if (answer->recommended.known && answer->recommended.n != answer->largest.n)
        add_row(outline, table, "safe", answer->recommended.n, unit);
    struct od_text *text = od_doc_text(section);
    od_say_as(text, OD_DIM, "The limit is %s; each sample takes about %s.",
              od_bytes_text(outline->arena, answer->limit),
              od_bytes_text_u64(outline->arena, answer->per_sample.n));
    if (outline->all && answer->memory_basis)
        od_say_as(text, OD_DIM, " Fixed: %s.", answer->memory_basis);
}

/* Adds the sum, the method and the missing fact. A page folds these, because the remedies are more
 * important. */
static void add_grounds(struct od_outline *outline, struct od_section *section)
{
    const struct od_answer *answer = outline->report->answer;
    bool sums = answer->fixed.known && answer->per_sample.known && answer->limit.known &&
                answer->largest.n > 0;
    bool method = outline->all && answer->basis && answer->largest.n > 0;
    bool better = answer->missing_fact && (answer->largest.n > 0 || answer->recommended.known);
    if (outline->folds && (sums || method || better))
        section = od_doc_details(section, sums || method ? "How this was estimated"
                                                         : "How to get a better estimate");
    if (sums)
        add_table(outline, section);
    if (method)
        od_say_as(od_doc_text(section), OD_DIM, "Method: %s.", answer->basis);
    if (better)
        od_say_as(od_doc_text(section), OD_DIM, "For a better estimate: %s.", answer->missing_fact);
}

/* What the user can add for an estimate. NULL if none of our options describes what the program
 * runs: it has no batch. */
static const char *addable(const struct od_outline *outline)
{
    const struct od_answer *answer = outline->report->answer;
    const struct od_software *driver = outline->diagnosis->failure->stack.driver;
    bool batch = answer->batch.known || !driver || od_software_knob(driver, "batch");
    return batch ? answer->missing_fact : NULL;
}

/* Can the report say something about batch sizes? A failed batch is a bound only if the batch is a
 * likely cause, or if a batch size is known to work or to be the smallest. */
static bool tells(const struct od_outline *outline, const struct od_answer *answer)
{
    bool named = od_diagnosis_names_cause(outline->diagnosis);
    const struct od_assertion too_many = {.relation = OD_ASSERTS_TOO_MANY};
    bool bounded = answer->below.known && (answer->below.n == 1 || outline->all || named);
    return answer->largest.known || answer->worked.known || answer->stays.known ||
           (bounded && od_assertion_holds(outline->diagnosis->profile, &too_many)) ||
           (named && answer->batch_is_cause && addable(outline));
}

void od_outline_answer(struct od_outline *outline)
{
    const struct od_answer *answer = outline->report->answer;
    if (!answer || !tells(outline, answer))
        return;
    struct od_section *section = od_doc_section(outline->doc, "What fits");
    struct od_text *text = od_doc_text(section);
    if (answer->overruled.known && answer->batch.known)
        od_say(text,
               "The log states batch size %llu, but the tensor that failed has %llu samples. ",
               of(answer->overruled), of(answer->batch));
    bool left = !answer->largest.known && !answer->worked.known && answer->below.known &&
                answer->below.n > 1 && !answer->batch_is_cause;
    left |= (answer->largest.known && (answer->hi.n == 0 || answer->largest.n < answer->batch.n)) ||
            (answer->below.known && answer->below.n == 1);
    if (answer->stays.known)
        od_say_as(text, OD_STRONG,
                  outline->diagnosis->failure->evaluates
                      ? "Training can keep batch size %llu: it is not the cause."
                      : "Batch size %llu can stay: it is not the cause.",
                  of(answer->stays));
    else if (!answer->batch_is_cause && answer->batch.known && !left)
        od_say(text, "Batch size %llu is not what fills the device.%s", of(answer->batch),
               answer->largest.known || answer->below.known ? " " : "");
    if (answer->stays.known)
        return;
    if (answer->largest.known)
        say_largest(outline, text, answer);
    else
        say_bounds(outline, text, answer);
    say_recommended(text, answer);
    if (addable(outline) && answer->batch_is_cause && !answer->largest.known &&
        !answer->recommended.known)
        od_say(text, " To estimate it, add %s.", addable(outline));
    add_grounds(outline, section);
}
