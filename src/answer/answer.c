#include "answer/answer.h"

#include "answer/options.h"
#include "answer/words.h"
#include "plan/largest_batch.h"

#include <math.h>

/* Input of the answer: the fit and the cause. */
struct input {
    const struct od_answer_question *q;
    struct od_fit_facts facts; /* the fit's facts with the values of the best hypothesis */
    enum od_cause cause;       /* OD_CAUSE_END: no cause was found */
    bool batch_matters;        /* the failure shows something about the batch */
    bool batch_is_cause;       /* the failure happened because the batch was too large */
};

/* A failure with one of these causes, or with no known cause, proves that its batch was too
 * large. */
static const uint64_t about_batch =
    OD_CAUSE_BIT(BATCH_TOO_LARGE) | OD_CAUSE_BIT(INPUT_TOO_LARGE) | OD_CAUSE_BIT(CAPPED) |
    OD_CAUSE_BIT(OTHER_TENANT) | OD_CAUSE_BIT(DRIVER_REFUSED) | OD_CAUSE_BIT(WORKSPACE) |
    OD_CAUSE_BIT(COMPILE_PLAN) | OD_CAUSE_BIT(EVALUATION_ACCUMULATES) |
    OD_CAUSE_BIT(MODEL_TOO_LARGE) | OD_CAUSE_BIT(END);

static struct input told_of(const struct od_answer_question *q)
{
    const struct od_diagnosis *diagnosis = q->diagnosis;
    struct input input = {.q = q, .facts = q->fit->facts, .cause = od_first_cause(diagnosis)};
    struct od_count batch = input.facts.batch;
    input.batch_matters = (about_batch >> input.cause & 1) != 0 && !input.facts.trained;
    input.batch_is_cause =
        !input.facts.trained &&
        (input.cause == OD_CAUSE_BATCH_TOO_LARGE || input.cause == OD_CAUSE_INPUT_TOO_LARGE ||
         input.cause == OD_CAUSE_EVALUATION_ACCUMULATES || input.cause == OD_CAUSE_END ||
         /* a plan is made for one batch, and a smaller batch has a smaller plan */
         (input.cause == OD_CAUSE_COMPILE_PLAN && batch.known && batch.n > 1));
    /* Memory that leaks or was loaded twice does not grow with the batch and is no part of the
     * need. */
    if (!input.batch_matters && input.cause != OD_CAUSE_DATASET_ON_DEVICE) {
        input.facts.fixed = (struct od_bytes){0};
        input.facts.fixed_basis = NULL;
    }
    return input;
}

/* The least memory that the batch needs: in use plus requested, at the failure or in the largest
 * dump of the same allocator after the batch was stated. Dumps are also printed for operations that
 * fail together, and for some that succeed later. */
static double seen_need(const struct od_fit_facts *facts)
{
    const struct od_case *c = facts->q->c;
    const struct od_failure *failure = facts->failure;
    double most = (double)failure->in_use.n + (double)failure->need.lo;
    for (size_t i = 0; failure->dump && i < c->allocators.n; i++) {
        const struct od_allocator *dump = c->allocators.items[i];
        if (!dump->in_use.known || !dump->need.known || !od_fit_same_run(facts, &dump->dump.at) ||
            !od_view_eq(dump->name, failure->dump->name) ||
            !od_view_eq(dump->device, failure->dump->device))
            continue;
        most = fmax(most, (double)dump->in_use.n + (double)dump->need.lo);
    }
    return most;
}

/* Part of the need grows with the batch. The ratio of need to room is therefore a lower bound of
 * the batch that fits, not an estimate. */
static uint64_t below_by_ratio(const struct od_fit_facts *facts, uint64_t tried)
{
    static const double slack = 1.02;
    const struct od_failure *failure = facts->failure;
    if (!failure->in_use.known || !failure->need.known || facts->moved || facts->limit == 0)
        return tried;
    /* 0 if the fixed part is unknown, which makes the bound larger */
    double fixed = facts->fixed.known ? (double)facts->fixed.lo : 0,
           room = (double)facts->limit - fixed;
    double needed = seen_need(facts) - fixed;
    if (needed <= room || room <= 0)
        return tried;
    double most = (double)tried * room / needed * slack + 1;
    return most < (double)tried ? (uint64_t)most : tried;
}

/* Sets the bounds of the largest batch that the log proves, independent of the estimate. */
static void take_bounds(const struct input *input, struct od_belief *fit)
{
    const struct od_fit_facts *facts = &input->facts;
    bool larger = facts->moved && facts->limit > facts->limit_then;
    bool smaller = facts->moved && !larger;
    uint64_t tried = facts->batch.known ? facts->batch.n : 0;
    /* the stated batch may be the one of the training if an evaluation fails */
    bool other = facts->evaluates && !facts->failure->names_evaluation && facts->failed == 0;
    bool had_room = facts->failure->account.had_room; /* any batch would have failed */
    if (input->batch_matters && !larger && !other && !had_room) {
        bool shown = facts->batch_certainty != OD_POSSIBLE || !facts->batch.known ||
                     facts->failure->incident->tensor.shape.n >= 3;
        fit->below = shown ? tried : 0;
        if (facts->failed > 0 && (tried == 0 || facts->failed < tried))
            fit->below = facts->failed;
        else if (facts->batch_certainty != OD_POSSIBLE)
            fit->below = below_by_ratio(facts, tried);
    }
    if (!smaller && facts->worked > 0 && (fit->below == 0 || facts->worked < fit->below))
        fit->worked = facts->worked;
}

/* The safe batch fits with a probability of 0.98 and leaves 5 % free. It is rounded to a size that
 * suits the hardware if that costs at most a quarter. */
static uint64_t safe_batch(const struct od_belief *fit, const struct od_hypothesis *found)
{
    static const double most_lost = 0.25;
    uint64_t sure = od_belief_batch(fit, 0.98);
    uint64_t middle = od_belief_batch(fit, 0.5);
    uint64_t clear = middle - middle / 20 - (middle % 20 != 0 && middle > 4);
    uint64_t batch = sure < clear ? sure : clear;
    if (found->safe_known && found->safe < batch)
        batch = found->safe;
    uint64_t round = od_batch_multiple_of_8(batch);
    if ((double)round >= (1 - most_lost) * (double)batch)
        batch = round;
    else if (batch >= 4)
        batch -= batch % 2;
    return batch > fit->worked ? batch : fit->worked;
}

static void take_numbers(const struct od_fit_facts *facts, const struct od_hypothesis *found,
                         const struct od_belief *fit, struct od_answer *answer)
{
    answer->largest = od_count_of(od_belief_batch(fit, 0.5));
    answer->lo = od_count_of(od_belief_batch(fit, 0.95));
    answer->hi = od_count_of(od_belief_batch(fit, 0.05));
    if (fit->worked > 0)
        answer->lo = od_count_of(fit->worked); /* proved by the log, independent of the estimate */
    uint64_t batch = safe_batch(fit, found);
    if (facts->batch.known && batch > facts->batch.n)
        batch = facts->batch.n;
    if (batch == 0)
        return;
    answer->recommended = od_count_of(batch);
    answer->recommended_fits = od_belief_probability(fit, (double)batch);
    if (facts->batch.known && batch < facts->batch.n)
        answer->accumulation = od_count_of(facts->batch.n / batch + (facts->batch.n % batch != 0));
}

/* Answers with proven bounds only: an interval, and the batch that trained, if one did. */
static void take_proof(const struct input *input, const struct od_belief *fit,
                       struct od_answer *answer)
{
    const struct od_fit_facts *facts = &input->facts;
    bool others = !input->batch_is_cause && input->cause != OD_CAUSE_MODEL_TOO_LARGE;
    if (fit->below > 0) {
        answer->lo = od_count_of(fit->worked);
        answer->hi = od_count_of(fit->below - 1);
    }
    if (fit->below == 1 && !others)
        answer->largest = od_count_of(0);
    if (fit->worked == 0)
        return;
    uint64_t batch = fit->worked;
    answer->recommended = od_count_of(batch);
    answer->recommended_fits = 1.0;
    if (facts->batch.known && batch < facts->batch.n)
        answer->accumulation = od_count_of(facts->batch.n / batch + (facts->batch.n % batch != 0));
}

static bool nothing_fits(const struct od_fit_facts *facts, struct od_bytes fixed)
{
    return fixed.known && facts->limit > 0 && fixed.lo >= facts->limit;
}

/* Text of a row of answers.yaml about the answer itself. */
static const char *say(const struct od_fit_facts *facts, const struct od_answer *answer,
                       const char *text, struct od_bytes least)
{
    static const struct od_answer_line no_line;
    const struct od_priced said = {
        .facts = facts, .line = &no_line, .answer = answer, .text = text, .room = least};
    return od_answer_words(&said, &(struct od_answer_action){.fits = -1});
}

static void take_memory(const struct od_fit_facts *facts, const struct od_hypothesis *found,
                        struct od_answer_line *line, struct od_answer *answer)
{
    struct od_bytes fixed = found->fixed.known ? found->fixed : facts->fixed;
    answer->fixed = fixed;
    answer->memory_basis = found->fixed.known ? found->memory_basis : facts->fixed_basis;
    if (facts->limit > 0)
        answer->limit = od_bytes_exact(facts->limit);
    /* The fixed part is the limit minus the samples that fit, so it includes the losses of the
     * allocator. */
    double middle = od_belief_batch(&line->fit, 0.5) > 0 ? (double)answer->largest.n + 0.5 : 0;
    if (!fixed.known || facts->limit <= fixed.n || line->fit.n == 0 || middle <= 0)
        return;
    line->known = true;
    line->fixed = (double)fixed.n;
    line->limit = (double)facts->limit;
    /* the answer's number of samples fits, and one more does not */
    double room = line->limit - line->fixed, least = room / (middle + 0.5);
    line->sample =
        found->sample > 0 ? fmin(fmax(found->sample, least), room / (middle - 0.5)) : room / middle;
    double less = line->sample * line->fit.parts[0].upper * 1.645;
    double more = line->sample * line->fit.parts[0].lower * 1.645;
    answer->per_sample = (struct od_bytes){
        .n = (uint64_t)line->sample,
        .lo = line->sample > less ? (uint64_t)(line->sample - less) : 0,
        .hi = (uint64_t)(line->sample + more),
        .known = true,
    };
}

/* --- which facts would narrow the answer --- */

static bool is_wide(const struct od_fit_facts *facts, const struct od_answer *answer)
{
    bool wide = !answer->largest.known || !answer->lo.known ||
                (double)(answer->hi.n - answer->lo.n) > 0.2 * (double)answer->largest.n;
    return !facts->batch.known || (wide && !nothing_fits(facts, answer->fixed));
}

/* --- the whole answer --- */

/* Raises an estimate below the memory that the failed step needed to that memory, with the
 * difference as its error. An estimate below half of it is for another model and is not used. */
static const struct od_hypothesis *
obey_log(const struct input *input, const struct od_hypothesis *found, struct od_belief *fit)
{
    static const double another = 2;
    const struct od_fit_facts *facts = &input->facts;
    const struct od_failure *failure = facts->failure;
    double batch = facts->batch.known ? (double)facts->batch.n : 0, fixed = (double)found->fixed.n;
    double step = fixed + found->sample * batch, need = seen_need(facts);
    if (!input->batch_is_cause || !failure->in_use.known || !failure->need.known || batch <= 0 ||
        !found->fixed.known || found->sample <= 0 || step >= need)
        return found;
    struct od_hypothesis *raised = OD_NEW(facts->arena, struct od_hypothesis);
    if (step * another < need) {
        *fit = (struct od_belief){0};
        *raised = (struct od_hypothesis){
            .off = -1,
            .missing_fact = od_arena_printf(
                facts->arena,
                "the model that ran (by the estimate a step of %s with %llu samples takes %s, and "
                "%s was in use and requested)",
                facts->network ? facts->network : "this model", (unsigned long long)facts->batch.n,
                od_bytes_text_u64(facts->arena, (uint64_t)step),
                od_bytes_text_u64(facts->arena, (uint64_t)need))};
        return raised;
    }
    double ratio = (need - fixed) / (step - fixed);
    *raised = *found;
    raised->sample *= ratio;
    raised->workload = NULL; /* options are not computed for a raised estimate */
    raised->basis = od_arena_printf(
        facts->arena, "%s, raised to the memory that was in use and requested", found->basis);
    *fit = od_belief_scaled(fit, 1 / ratio, log(ratio) / 2);
    return raised;
}

/* Replaces batch size and workload by those of the best hypothesis. */
static void take_best(struct od_fit_facts *facts, const struct od_hypothesis *best)
{
    if (best->batch.known) {
        facts->batch = best->batch;
        facts->batch_certainty = OD_LIKELY;
    }
    facts->supposed = best->workload;
}

static void take_batch(const struct input *input, const struct od_belief *fit,
                       struct od_answer *answer)
{
    const struct od_fit_facts *facts = &input->facts;
    answer->batch = facts->batch;
    answer->batch_certainty = facts->batch_certainty;
    answer->overruled = facts->overruled;
    answer->accumulated =
        od_failure_setting(facts->q->c, OD_SETTING_ACCUMULATION, &facts->failure->incident->at);
    if (facts->shares > 1)
        answer->devices = od_count_of(facts->shares);
    answer->batch_is_cause = input->batch_is_cause;
    answer->capped = input->cause == OD_CAUSE_CAPPED;
    answer->in_what_is_left = input->batch_matters && !input->batch_is_cause;
    if (fit->below > 0)
        answer->below = od_count_of(fit->below);
    if (fit->below > 0 && fit->below == facts->failed)
        answer->below_said = facts->failed_said;
    if (fit->worked > 0) {
        answer->worked = od_count_of(fit->worked);
        answer->worked_said = facts->worked_said;
    }
}

/* Would a smaller batch help although the batch is not the cause of the failure? */
static bool helps_too(const struct od_fit_facts *facts, const struct od_answer *answer)
{
    const struct od_failure *failure = facts->failure;
    return answer->in_what_is_left && answer->below.known && !answer->largest.known &&
           !failure->account.had_room && !failure->batch_independent &&
           !od_tries_batch_did_not_help(failure);
}

/* The batch to try next: the recommended one, otherwise half of one that failed. Unknown if neither
 * is known, or if a smaller batch would not help. */
static struct od_count batch_to_try(const struct od_fit_facts *facts,
                                    const struct od_answer *answer)
{
    struct od_count failed = answer->below.known ? answer->below : answer->batch;
    if (answer->recommended.known)
        return answer->recommended;
    if (!answer->batch_is_cause && !helps_too(facts, answer))
        return (struct od_count){0};
    return failed.known && failed.n > 1 ? od_count_of(failed.n / 2) : (struct od_count){0};
}

/* Causes that fill memory independent of the batch. */
static const uint64_t batch_independent =
    OD_CAUSE_BIT(DEVICE_LEAK) | OD_CAUSE_BIT(HOST_LEAK) | OD_CAUSE_BIT(GRAPH_GROWTH) |
    OD_CAUSE_BIT(MODEL_RELOAD) | OD_CAUSE_BIT(DATASET_ON_DEVICE) |
    OD_CAUSE_BIT(DATASET_IN_HOST_MEMORY) | OD_CAUSE_BIT(ACCIDENTAL_SHAPE);

/* The rows of a tensor may be those of a whole data set, not of a batch. No batch is smaller than
 * 1. */
static struct od_count batch_that_stays(const struct od_diagnosis *diagnosis,
                                        const struct od_answer *answer)
{
    const struct od_shape_hint *hint = &diagnosis->failure->hint;
    bool rows = answer->batch_certainty == OD_POSSIBLE || hint->dataset_like || hint->constant;
    struct od_count stated = diagnosis->failure->batch;
    if (!stated.known && !rows)
        stated = answer->batch;
    bool one = stated.known && stated.n == 1;
    bool numbers = answer->largest.known || answer->recommended.known || answer->below.known;
    bool independent = od_diagnosis_names_cause(diagnosis) &&
                       (batch_independent >> od_first_cause(diagnosis) & 1) != 0;
    bool same = answer->batch.known && stated.known && answer->batch.n == stated.n;
    bool trained = od_first_cause(diagnosis) == OD_CAUSE_EVALUATION_ACCUMULATES &&
                   diagnosis->failure->evaluates && diagnosis->failure->progress > 0;
    bool shown = independent || trained || one;
    return same && shown && !numbers && !answer->batch_is_cause ? stated : (struct od_count){0};
}

static void fill(struct input *input, struct od_answer *answer)
{
    struct od_fit_facts *facts = &input->facts;
    const struct od_hypothesis none_found = {.off = -1}, *found = NULL;
    struct od_answer_line *line = OD_NEW(facts->arena, struct od_answer_line);
    line->diagnosis = input->q->diagnosis;
    if (!nothing_fits(facts, facts->fixed))
        line->fit = od_fit_belief(input->q->fit, input->batch_matters, &found);
    if (!found)
        found = &none_found;
    found = obey_log(input, found, &line->fit);
    take_best(facts, found);
    bool none = nothing_fits(facts, found->fixed.known ? found->fixed : facts->fixed);
    /* if a leak filled the device after this batch had run, an estimate below this batch is
     * wrong */
    bool ran = input->cause == OD_CAUSE_DEVICE_LEAK && facts->failure->progress > 0 &&
               facts->batch.known && line->fit.n > 0 &&
               od_belief_batch(&line->fit, 0.5) < facts->batch.n;
    bool numbers = !none && !ran && line->fit.n > 0;
    if (!numbers)
        line->fit.n = 0;
    take_bounds(input, &line->fit);
    take_batch(input, &line->fit, answer);
    if (none) {
        uint64_t least = found->fixed.known ? found->fixed.lo : facts->fixed.lo;
        answer->largest = answer->lo = answer->hi = od_count_of(0);
        answer->basis = say(facts, answer, "nothing_fits", od_bytes_exact(least));
    } else if (numbers) {
        take_numbers(facts, found, &line->fit, answer);
        answer->basis =
            answer->largest.n > 0 ? found->basis
            : facts->batch.n == 1
                ? "batch size 1 failed"
                : od_arena_printf(facts->arena, "one sample takes more than the limit, by %s",
                                  found->basis);
    } else {
        take_proof(input, &line->fit, answer);
        answer->basis = say(facts, answer, "bounds", (struct od_bytes){0});
    }
    answer->to_try = batch_to_try(facts, answer);
    answer->stays = batch_that_stays(input->q->diagnosis, answer);
    take_memory(facts, found, line, answer);
    answer->facts = facts;
    answer->line = line;
    od_answer_add_options(facts, line, answer);
    if (od_tries_batch_did_not_help(facts->failure))
        return;
    answer->missing_fact = found->missing_fact && !none ? found->missing_fact
                           : is_wide(facts, answer)
                               ? say(facts, answer, "narrow", (struct od_bytes){0})
                               : NULL;
}

/* Answers from reports of people: the run ended for another reason, but an allocator refused a
 * request (or people report one), and people state which batch works and which does not. These are
 * bounds; nothing else is known. */
static const struct od_answer *answer_by_words(const struct od_answer_question *question,
                                               struct od_arena *arena)
{
    const struct od_case *c = question->fit->question.c;
    struct input input = {.q = question,
                          .facts = {.q = &question->fit->question,
                                    .arena = arena,
                                    .failure = question->diagnosis->failure,
                                    .shares = 1},
                          .cause = OD_CAUSE_END};
    const struct od_fit_facts *facts = &input.facts;
    bool refused = c->claim && c->claim->kind == OD_INC_DEVICE_ALLOC_FAILED;
    for (size_t i = 0; i < c->incidents.n; i++)
        refused = refused || c->incidents.items[i].kind == OD_INC_DEVICE_ALLOC_FAILED;
    od_fit_remarks(&input.facts);
    if (!refused || facts->worked == 0 || facts->failed == 0)
        return NULL;
    struct od_answer *answer = OD_NEW(arena, struct od_answer);
    struct od_belief fit = {.worked = facts->worked, .below = facts->failed};
    take_proof(&input, &fit, answer);
    answer->worked = od_count_of(facts->worked);
    answer->worked_said = facts->worked_said;
    answer->below = od_count_of(facts->failed);
    answer->below_said = facts->failed_said;
    answer->to_try = answer->recommended;
    answer->basis = say(facts, answer, "bounds", (struct od_bytes){0});
    return answer;
}

const struct od_answer *od_answer_batch_stays(const struct od_diagnosis *diagnosis,
                                              struct od_arena *arena)
{
    struct od_answer answer = {.recommended_fits = -1, .batch = diagnosis->failure->batch};
    answer.batch_certainty = OD_LIKELY;
    answer.stays = batch_that_stays(diagnosis, &answer);
    struct od_answer *kept = answer.stays.known ? OD_NEW(arena, struct od_answer) : NULL;
    if (kept)
        *kept = answer;
    return kept;
}

const struct od_answer *od_answer_of(const struct od_answer_question *question,
                                     struct od_arena *arena)
{
    enum od_outcome outcome = question->diagnosis->failure->run.outcome;
    if (outcome == OD_OUTCOME_OTHER_FAILURE || outcome == OD_OUTCOME_UNKNOWN)
        return answer_by_words(question, arena);
    const struct od_failure *failure = question->diagnosis->failure;
    /* an evaluation has its own batch size */
    bool evaluates = question->fit->facts.trained &&
                     od_first_cause(question->diagnosis) == OD_CAUSE_EVALUATION_ACCUMULATES;
    bool computes = od_failure_is_device(failure) && !failure->of_network;
    if (question->diagnosis->findings.n == 0 || !question->fit->known || evaluates ||
        (computes && !question->fit->facts.batch.known)) /* no batch whose fit could be computed */
        return NULL;
    struct input *input = OD_NEW(arena, struct input);
    *input = told_of(question);
    struct od_answer *answer = OD_NEW(arena, struct od_answer);
    answer->recommended_fits = -1;
    fill(input, answer);
    return answer;
}

struct od_how_values od_answer_values(const struct od_answer *answer,
                                      const struct od_finding *finding)
{
    struct od_how_values values = {.finding = finding};
    if (!answer)
        return values;
    uint64_t steps, before = answer->accumulated.known ? answer->accumulated.n : 1;
    values.batch = answer->to_try;
    if (!values.batch.known || values.batch.n == 0 || !answer->batch.known)
        return values;
    steps = answer->batch.n / values.batch.n + (answer->batch.n % values.batch.n != 0);
    /* the number of samples of an update stays the same with these steps, and no step is larger
     * than necessary */
    if (steps > 1)
        values.part = od_count_of(answer->batch.n / steps + (answer->batch.n % steps != 0));
    if (steps > 0 && !ckd_mul(&steps, steps, before))
        values.accumulation = od_count_of(steps);
    return values;
}
