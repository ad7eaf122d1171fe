#include "diagnose/scene.h"

#include "base/num.h"

/*
 * Frameworks number what is made again in one session: training_3 is the fourth training function,
 * sequential_54 the fifty-fifth model. Layers are numbered too, but a single model has many of
 * them, so they count for less.
 */
struct suffix_rule {
    const char *word;
    uint64_t from; /* smallest number that tells */
    double probability;
};

static const struct suffix_rule suffix_rules[] = {
    {"training", 1, 0.65},  {"sequential", 8, 0.85}, {"functional", 8, 0.85}, {"model", 8, 0.8},
    {"sequential", 3, 0.6}, {"functional", 3, 0.6},  {"model", 4, 0.55},      {"dense", 12, 0.3},
    {"lstm", 8, 0.3},       {"embedding", 6, 0.3},
};

static const struct suffix_rule *best_rule(struct od_view op, uint64_t *ret_number)
{
    const struct suffix_rule *best = NULL;
    for (size_t i = 0; i < OD_COUNT_OF(suffix_rules); i++) {
        const struct suffix_rule *rule = &suffix_rules[i];
        uint64_t k = od_op_suffix(op, od_view_of(rule->word));
        if (k >= rule->from && (!best || rule->probability > best->probability)) {
            best = rule;
            *ret_number = k;
        }
    }
    return best;
}

static void look(struct od_diagnosis_context *context)
{
    struct od_scene scene;
    uint64_t number = 0;
    if (!od_scene_of(context, &scene) || scene.verdict == OD_VERDICT_DEVICE_REFUSED ||
        context->diagnosis->outcome == OD_OUTCOME_SURVIVED)
        return;
    const struct suffix_rule *rule = best_rule(scene.op, &number);
    if (!rule)
        return;
    struct od_finding *finding =
        od_finding_add(context, OD_CAUSE_GRAPH_GROWTH,
                       rule->probability >= 0.5 ? OD_LIKELY : OD_POSSIBLE, rule->probability);
    od_finding_say(context, finding,
                   "The operation that failed belongs to \"%s_%llu\": the framework numbers what "
                   "is made again in one session, so earlier ones seem to be alive still.",
                   rule->word, (unsigned long long)number);
    od_finding_scene(finding, &scene);
    od_finding_count(finding, "suffix_count", od_count_of(number));
}

const struct od_diagnoser od_diagnoser_graph_growth = {"graph_growth", look};
