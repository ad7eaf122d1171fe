#include "diagnose/diagnose.h"

#include "diagnose/finding.h"
#include "diagnose/rows.h"

#include <math.h>

/*
 * Computes probabilities: adds the weights of the signs of each finding. The probabilities of all
 * findings and of "the log does not show the cause" sum to 1.
 */

/* Log odds of a finding without signs: it is then more probable that the log does not show the
 * cause. */
static const double prior = -1;
static const double odds[] = {[OD_STRENGTH_PROOF] = 5,
                              [OD_STRENGTH_STRONG] = 3.2,
                              [OD_STRENGTH_SOME] = 1.8,
                              [OD_STRENGTH_WEAK] = 0.6,
                              [OD_STRENGTH_AGAINST] = -2.4};

static double weight_of(const struct od_finding *finding)
{
    double sum = prior;
    for (size_t i = 0; i < finding->nsigns; i++)
        sum += odds[finding->signs[i].strength];
    return sum;
}

static bool trained_before(const struct od_diagnosis_context *context)
{
    enum { SEVERAL = 3 };
    return context->failure->progress >= SEVERAL;
}

/* Is something known to fill the memory? Then the limit is not the cause. */
static bool is_filled(const struct od_diagnosis_context *context)
{
    static const double seen = 1; /* log odds of a strong sign */
    OD_FOR_EACH (const struct od_finding, finding, context->diagnosis->findings)
        if (od_finding_asserts(finding, OD_ASSERTS_TAKES) && weight_of(finding) >= seen)
            return true;
    return false;
}

/* That steps fit below a limit does not prove that the run needs more. If something else fills the
 * memory, the limit is probably not the cause. */
static void doubt_limits(struct od_diagnosis_context *context)
{
    bool filled = is_filled(context);
    OD_FOR_EACH (struct od_finding, finding, context->diagnosis->findings) {
        if (!od_finding_asserts(finding, OD_ASSERTS_LIMITS))
            continue;
        if (filled)
            od_finding_sign(finding, "filled", OD_STRENGTH_AGAINST);
        if (filled || trained_before(context))
            finding->proven = false;
    }
}

/* Does the cause describe how the run ended? Then the outcome decides it, not the signs. */
static bool is_outcome(const struct od_finding *finding, enum od_outcome outcome)
{
    return (finding->cause == OD_CAUSE_SURVIVED && outcome == OD_OUTCOME_SURVIVED) ||
           (finding->cause == OD_CAUSE_NOT_MEMORY && outcome == OD_OUTCOME_OTHER_FAILURE);
}

static double score_of(const struct od_finding *finding, enum od_outcome outcome)
{
    return weight_of(finding) +
           (finding->proven || is_outcome(finding, outcome) ? odds[OD_STRENGTH_PROOF] : 0);
}

/* Was memory full shortly before a kill that no line explains? */
static bool saw_full(const struct od_finding *finding)
{
    bool seen = false;
    for (size_t i = 0; i < finding->nsigns; i++)
        seen = seen || strcmp(finding->signs[i].name, "machine_full") == 0;
    return seen;
}

/* Does the text contain the exact message of a known error? */
static bool quotes_error(const struct od_failure *failure)
{
    const struct od_enforcer *by = failure->account.enforcer;
    return failure->run.reported && by && by->words;
}

/* Sets certainty and probability of all findings, and the probability that none is right. */
static void decide(struct od_diagnosis *diagnosis)
{
    bool failed = diagnosis->failure->run.outcome == OD_OUTCOME_MEMORY_FAILURE;
    double sum = 1; /* "not in the log" has a score of 0 */
    OD_FOR_EACH (struct od_finding, finding, diagnosis->findings) {
        finding->probability = exp(score_of(finding, diagnosis->failure->run.outcome));
        sum += finding->probability;
    }
    diagnosis->unexplained = 1 / sum;
    OD_FOR_EACH (struct od_finding, finding, diagnosis->findings) {
        bool about_outcome =
            finding->cause == OD_CAUSE_SURVIVED || finding->cause == OD_CAUSE_NOT_MEMORY;
        finding->probability /= sum;
        finding->certainty = finding->proven                          ? OD_CERTAIN
                             : finding->probability >= OD_CAUSE_NAMED ? OD_LIKELY
                                                                      : OD_POSSIBLE;
        if (failed || about_outcome || saw_full(finding))
            continue;
        finding->certainty = OD_POSSIBLE; /* it is not known whether memory failed at all */
        if (!quotes_error(diagnosis->failure))
            finding->probability /= 2;
    }
}

/* The most probable first; equal ones in the order of the JSON format. */
static int finding_cmp(const void *a, const void *b)
{
    const struct od_finding *x = a;
    const struct od_finding *y = b;
    if (x->probability > y->probability)
        return -1;
    if (x->probability < y->probability)
        return 1;
    return (int)x->cause - (int)y->cause;
}

const struct od_diagnosis *od_diagnose(const struct od_fit *fit)
{
    struct od_arena *arena = od_arena_new();
    struct od_diagnosis *diagnosis = OD_NEW(arena, struct od_diagnosis);
    diagnosis->arena = arena;
    const struct od_failure *failure = fit->question.failure;
    diagnosis->failure = failure;
    diagnosis->product = fit->facts.product;
    struct od_diagnosis_context context = {.c = fit->question.c,
                                           .attribution = fit->question.attribution,
                                           .failure = failure->open ? failure : NULL,
                                           .fit = fit,
                                           .diagnosis = diagnosis,
                                           .arena = arena};
    od_rows_look(&context, od_shipped_causes);
    if (context.failure)
        doubt_limits(&context);
    decide(diagnosis);
    if (diagnosis->findings.n > 1)
        qsort(diagnosis->findings.items, diagnosis->findings.n, sizeof *diagnosis->findings.items,
              finding_cmp);
    return diagnosis;
}

const struct od_diagnosis *od_diagnose_unread(void)
{
    struct od_arena *arena = od_arena_new();
    struct od_diagnosis *diagnosis = OD_NEW(arena, struct od_diagnosis);
    diagnosis->arena = arena;
    diagnosis->failure = od_failure_unread();
    diagnosis->profile = diagnosis->failure->profile;
    return diagnosis;
}

enum od_cause od_first_cause(const struct od_diagnosis *diagnosis)
{
    return diagnosis->findings.n > 0 ? diagnosis->findings.items[0].cause : OD_CAUSE_END;
}

bool od_diagnosis_names_cause(const struct od_diagnosis *diagnosis)
{
    return diagnosis->findings.n > 0 &&
           (diagnosis->findings.items[0].certainty == OD_CERTAIN ||
            diagnosis->findings.items[0].probability >= OD_CAUSE_NAMED);
}

void od_diagnosis_free(const struct od_diagnosis *diagnosis)
{
    if (!diagnosis)
        return;
    struct od_diagnosis owned = *diagnosis;
    od_vec_done(&owned.findings);
    od_arena_free(owned.arena);
}
