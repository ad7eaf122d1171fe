#include "diagnose/finding.h"
#include "diagnose/growth.h"
#include "failure/remarks.h"

/*
 * Frameworks number what is made again in one session: training_3 is the fourth training function,
 * sequential_54 the fifty-fifth model. Layers are numbered too, but a single model has many of
 * them, so they count for less.
 */
struct suffix_rule {
    const char *word;
    uint64_t from; /* smallest number that tells */
    enum od_clue sign;
    unsigned rank; /* what tells more */
};

static const struct suffix_rule suffix_rules[] = {
    {"training", 1, OD_CLUE(GRAPH_GROWTH, training_again), 3},
    {"sequential", 8, OD_CLUE(GRAPH_GROWTH, many_models), 4},
    {"functional", 8, OD_CLUE(GRAPH_GROWTH, many_models), 4},
    {"model", 8, OD_CLUE(GRAPH_GROWTH, many_models), 4},
    {"adam", 8, OD_CLUE(GRAPH_GROWTH, many_models), 4},
    {"adamw", 8, OD_CLUE(GRAPH_GROWTH, many_models), 4},
    {"sgd", 8, OD_CLUE(GRAPH_GROWTH, many_models), 4},
    {"rmsprop", 8, OD_CLUE(GRAPH_GROWTH, many_models), 4},
    {"adam", 3, OD_CLUE(GRAPH_GROWTH, some_models), 2}, /* a pair of networks has two */
    {"adamw", 3, OD_CLUE(GRAPH_GROWTH, some_models), 2},
    {"sgd", 3, OD_CLUE(GRAPH_GROWTH, some_models), 2},
    {"rmsprop", 3, OD_CLUE(GRAPH_GROWTH, some_models), 2},
    {"sequential", 3, OD_CLUE(GRAPH_GROWTH, some_models), 2},
    {"functional", 3, OD_CLUE(GRAPH_GROWTH, some_models), 2},
    {"model", 4, OD_CLUE(GRAPH_GROWTH, some_models), 2},
    {"dense", 12, OD_CLUE(GRAPH_GROWTH, many_layers), 1},
    {"lstm", 8, OD_CLUE(GRAPH_GROWTH, many_layers), 1},
    {"embedding", 6, OD_CLUE(GRAPH_GROWTH, many_layers), 1},
};

static const struct suffix_rule *best_rule(struct od_view op, uint64_t *ret_number)
{
    const struct suffix_rule *best = NULL;
    OD_FOR_EACH_OF (const struct suffix_rule, rule, suffix_rules, OD_COUNT_OF(suffix_rules)) {
        uint64_t k = od_op_suffix(op, od_view_of(rule->word));
        if (k >= rule->from && (!best || rule->rank > best->rank)) {
            best = rule;
            *ret_number = k;
        }
    }
    return best;
}

/* "sequential_3" -> "sequential", 3; a name without a number is the first. */
static struct od_view stem_of(struct od_view name, uint64_t *ret_number)
{
    size_t end = name.n;
    while (end > 0 && name.p[end - 1] >= '0' && name.p[end - 1] <= '9')
        end--;
    struct od_view digits = od_view_from(name, end);
    *ret_number = 0;
    if (end < 2 || name.p[end - 1] != '_' || !od_num_take_u64(&digits, ret_number))
        return name;
    return od_view_head(name, end - 1);
}

/* The name that is numbered: that of the model, or of its first layer that has one. */
static struct od_view numbered_name(const struct od_model *model)
{
    if (model->name.n > 0)
        return model->name;
    for (size_t i = 0; i < model->layers.n; i++)
        if (model->layers.items[i].kind != OD_LAYER_INPUT)
            return model->layers.items[i].name;
    return (struct od_view){0};
}

/* Models that the log describes one after the other, each with a higher number than the one
 * before: how many more than one. */
static uint64_t count_rebuilt(const struct od_case *c, uint64_t *ret_highest)
{
    uint64_t rebuilt = 0;
    struct od_view last = {0};
    for (size_t i = 0; i < c->models.n; i++) {
        uint64_t number;
        struct od_view stem = stem_of(numbered_name(&c->models.items[i]), &number);
        bool higher = last.n > 0 && od_view_eq(stem, last) && number > *ret_highest;
        rebuilt += higher;
        if (higher || last.n == 0 || !od_view_eq(stem, last))
            *ret_highest = number;
        last = stem;
    }
    return rebuilt;
}

/* Outputs that progress names, each with a higher number than the one before: how many more. */
static uint64_t count_renamed(const struct od_case *c, uint64_t *ret_highest)
{
    uint64_t renamed = 0, highest = 0;
    struct od_view last = {0};
    for (size_t i = 0; i < c->settings.n; i++) {
        uint64_t number;
        if (c->settings.items[i].id != OD_SETTING_OUTPUT_NAME)
            continue;
        struct od_view stem = stem_of(c->settings.items[i].value, &number);
        bool higher = od_view_eq(stem, last) && number > highest;
        renamed += higher;
        last = stem;
        highest = number;
    }
    *ret_highest = highest > *ret_highest ? highest : *ret_highest;
    return renamed;
}

/* Names that gain numbers, steps that slow down, memory that grows: each is a sign, and together
 * they leave little else. */
static bool say_signs(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    enum { REBUILT = 2 };
    struct od_growth growth = {0};
    uint64_t number = 0, rebuilt = count_rebuilt(context->c, &number);
    uint64_t outputs = count_renamed(context->c, &number);
    rebuilt = outputs > rebuilt ? outputs : rebuilt;
    bool host = !od_failure_is_device(failure);
    bool grew = od_growth_of(context->c, failure->incident, host, &growth);
    double slower = od_growth_of_steps(context->c);
    bool renamed = rebuilt >= REBUILT;
    if (!renamed && !(slower > 0 && grew))
        return false;
    enum od_clue sign = renamed && (slower > 0 || grew) ? OD_CLUE(GRAPH_GROWTH, renamed_and_more)
                        : renamed                       ? OD_CLUE(GRAPH_GROWTH, renamed)
                                                        : OD_CLUE(GRAPH_GROWTH, slower_and_growing);
    struct od_finding *finding = od_finding_add(context, sign);
    const char *names =
        renamed ? od_arena_printf(
                      context->arena,
                      "%llu models were built in sequence, and their names count up to _%llu",
                      (unsigned long long)rebuilt + 1, (unsigned long long)number)
                : "The graph seems to grow";
    const char *slowing =
        slower > 0
            ? od_arena_printf(context->arena, "; steps take %.1f times as long at the end", slower)
            : "";
    od_finding_say(context, finding, "%s%s%s%s: earlier graphs are still in memory.", names,
                   slowing, grew ? "; memory grew " : "",
                   grew ? od_growth_words(context, &growth) : "");
    if (grew)
        od_finding_growth(finding, &growth);
    od_finding_failure(finding, failure);
    if (renamed)
        od_finding_count(finding, "suffix_count", od_count_of(number));
    return true;
}

/* The author writes that models are built one after the other in one process. */
static void say_told(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    const struct od_evidence *told = od_remark_find(context->c, failure->incident, "models_again");
    if (!told || od_failure_exceeds_limit(failure))
        return;
    struct od_finding *finding = od_finding_add(context, OD_CLUE(GRAPH_GROWTH, told));
    finding->summary = "Models are built one after the other in one process, as the text says: "
                       "earlier ones seem to be still in memory.";
    od_finding_evidence(finding, told);
    od_finding_failure(finding, failure);
}

static void look(struct od_diagnosis_context *context)
{
    const struct od_failure *failure = context->failure;
    uint64_t number = 0;
    if (!failure || failure->verdict == OD_VERDICT_DEVICE_REFUSED ||
        context->diagnosis->failure->run.outcome == OD_OUTCOME_SURVIVED)
        return;
    const struct suffix_rule *rule = best_rule(failure->op, &number);
    if (say_signs(context, failure))
        return;
    if (!rule) {
        say_told(context, failure);
        return;
    }
    struct od_finding *finding = od_finding_add(context, rule->sign);
    od_finding_say(context, finding,
                   "The operation that failed belongs to \"%s_%llu\": the framework numbers "
                   "repeated names within a session, so earlier ones seem to be still in memory.",
                   rule->word, (unsigned long long)number);
    od_finding_failure(finding, failure);
    od_finding_count(finding, "suffix_count", od_count_of(number));
}

const struct od_diagnoser od_diagnoser_graph_growth = {"graph_growth", look};
