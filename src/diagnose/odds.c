#include "diagnose/odds.h"

#include "diagnose/finding.h"

#include <math.h>

/* Log odds. A finding starts at prior: without signs, it is more probable that the log does not
 * show the cause. */
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

/* A limit is not the cause if something is known to fill the memory. */
static bool is_filled(const struct od_diagnosis_context *context)
{
    static const double seen = 1; /* log odds of a strong sign */
    OD_FOR_EACH (const struct od_finding, finding, context->diagnosis->findings)
        if (od_finding_asserts(finding, OD_ASSERTS_TAKES) && weight_of(finding) >= seen)
            return true;
    return false;
}

/* Steps that fit below a limit are no proof that the run needs more than it. */
static void doubt_limits(struct od_diagnosis_context *context, bool filled)
{
    OD_FOR_EACH (struct od_finding, finding, context->diagnosis->findings) {
        if (!od_finding_asserts(finding, OD_ASSERTS_LIMITS))
            continue;
        if (filled)
            od_finding_sign(finding, "filled", OD_STRENGTH_AGAINST);
        if (filled || trained_before(context))
            finding->proven = false;
    }
}

void od_odds_doubt_limits(struct od_diagnosis_context *context)
{
    if (context->failure)
        doubt_limits(context, is_filled(context));
}

/* Is the cause about how the run went? The run's course decides that, not signs. */
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

/* No line says why the process was killed, but memory was full shortly before. */
static bool saw_full(const struct od_finding *finding)
{
    bool seen = false;
    for (size_t i = 0; i < finding->nsigns; i++)
        seen = seen || strcmp(finding->signs[i].name, "machine_full") == 0;
    return seen;
}

void od_odds_decide(struct od_diagnosis *diagnosis)
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
        finding->certainty = OD_POSSIBLE; /* it is not decided whether memory failed at all */
        finding->probability /= 2;
    }
}

bool od_diagnosis_names_cause(const struct od_diagnosis *diagnosis)
{
    return diagnosis->findings.n > 0 &&
           (diagnosis->findings.items[0].certainty == OD_CERTAIN ||
            diagnosis->findings.items[0].probability >= OD_CAUSE_NAMED);
}
