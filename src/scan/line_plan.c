#include "scan/line_plan.h"

#include "scan/line_shapes.h"
#include "scan/readers.h"

static size_t count_rules(const struct od_candidates *c, bool fallback)
{
    size_t n = 0;
    for (size_t rule = 0; od_candidates_next_rule(c, fallback, &rule); rule++)
        n++;
    return n;
}

static struct od_step *add_steps(struct od_step *step, const struct od_candidates *c, bool fallback)
{
    for (size_t rule = 0; od_candidates_next_rule(c, fallback, &rule); rule++)
        (step++)->rule = rule;
    return step;
}

struct od_line_plan *od_line_plan_new(struct od_arena *arena, const struct od_candidates *c)
{
    struct od_line_plan *plan = OD_NEW(arena, struct od_line_plan);
    const struct od_line_set *set = od_candidates_set(c);
    plan->readers = set->readers;
    plan->mentions = set->mentions;
    plan->has_failure_word = set->has_failure_word;
    plan->nmain = count_rules(c, false);
    plan->nsteps = plan->nmain + count_rules(c, true);
    plan->steps = OD_NEW_N(arena, plan->nsteps + 1, struct od_step);
    (void)add_steps(add_steps(plan->steps, c, false), c, true);
    plan->nsigns = set->signs.n;
    plan->signs = OD_NEW_N(arena, plan->nsigns + 1, struct od_sign_place);
    for (size_t i = 0; i < plan->nsigns; i++)
        plan->signs[i].sign = set->signs.list[i];
    plan->nguards = set->guards.n;
    if (plan->nguards > 0)
        plan->guards = memcpy(OD_NEW_N(arena, plan->nguards, struct od_guard), set->guards.list,
                              plan->nguards * sizeof(struct od_guard));
    return plan;
}

void od_line_plan_keep(struct od_line_plan *plan, struct od_view text,
                       struct od_line_shapes *shapes, uint64_t log)
{
    plan->kept = true;
    plan->silent = od_line_plan_silent_readers(plan->readers, text);
    plan->memory = (struct od_shape_memory){.arena = od_line_shapes_arena(shapes), .log = log};
}

bool od_line_plan_ask(const struct od_line_plan *plan, struct od_step *step,
                      struct od_ruleset *rules, const struct od_line *line)
{
    bool unheard = od_ruleset_rule(rules, step->rule)->people && line->segment == OD_SEGMENT_OUTPUT;
    step->unheard = unheard;
    if (plan->kept && !step->asked && !unheard)
        step->made = od_ruleset_learn(rules, step->rule, line, plan->memory.arena);
    step->asked = true;
    return !unheard && (!step->made || step->made->matched);
}

enum od_segment od_line_plan_segment(struct od_line_plan *plan, const struct od_line *line)
{
    enum od_segment own = plan->segmented ? plan->segment : od_segment_by_form(line->text);
    plan->segmented = plan->kept;
    plan->segment = own;
    return line->segment == OD_SEGMENT_TITLE && !od_segment_is_code(own) ? line->segment : own;
}

/* Is the event a failure and the line source code? Source code reports no failure. */
static bool is_code(struct od_ruleset *rules, size_t rule, enum od_segment segment)
{
    return od_event_kind_is_trouble(od_ruleset_rule(rules, rule)->means) &&
           od_segment_is_code(segment);
}

size_t od_line_plan_block(struct od_line_plan *plan, struct od_ruleset *rules,
                          const struct od_line *line, size_t *ret_at)
{
    for (size_t i = 0; i < plan->nsteps; i++) {
        size_t rule = plan->steps[i].rule;
        if (od_ruleset_rule(rules, rule)->begins &&
            od_line_plan_ask(plan, &plan->steps[i], rules, line) &&
            od_ruleset_begins(rules, rule, line->text, ret_at))
            return is_code(rules, rule, line->segment) ? 0 : rule + 1;
    }
    return 0;
}

bool od_line_plan_holds(const struct od_line_plan *plan, struct od_view text)
{
    for (size_t i = 0; i < plan->nguards; i++)
        if (!od_guard_holds(&plan->guards[i], text))
            return false;
    return true;
}

static bool is_count(const struct od_step *step)
{
    enum od_event_kind kind = step->made ? step->made->event.kind : OD_EV_NONE;
    return kind == OD_EV_PROGRESS || kind == OD_EV_SAMPLE;
}

/* Removes signs that the text does not have as whole words. */
static void drop_signs(struct od_line_plan *plan)
{
    size_t n = 0;
    for (size_t i = 0; i < plan->nsigns; i++)
        if (!plan->signs[i].known || plan->signs[i].stands)
            plan->signs[n++] = plan->signs[i];
    plan->nsigns = n;
}

void od_line_plan_complete(struct od_line_plan *plan)
{
    size_t n = 0, nmain = 0;
    bool counts = true;
    for (size_t i = 0; i < plan->nsteps; i++)
        if (!plan->steps[i].asked)
            return;
    for (size_t i = 0; i < plan->nsteps; i++) {
        struct od_step step = plan->steps[i];
        if (step.unheard || (step.made && !step.made->matched))
            continue;
        counts = counts && is_count(&step);
        nmain += i < plan->nmain;
        plan->steps[n++] = step;
    }
    plan->nsteps = n;
    plan->nmain = nmain;
    drop_signs(plan);
    plan->complete = true;
    bool others = plan->readers || plan->has_failure_word;
    plan->unwanted = !others && plan->nsigns == 0 && !plan->mentions && n == 0;
    plan->only_measurements = !others && counts;
}

uint64_t od_line_plan_readers(const struct od_line_plan *plan, enum od_segment segment)
{
    uint64_t readers = plan->readers;
    if (!readers || segment != OD_SEGMENT_COMMAND)
        return readers;
    for (size_t i = 0; od_readers[i]; i++)
        if (!od_readers[i]->commands)
            readers &= ~(UINT64_C(1) << i);
    return readers;
}

uint64_t od_line_plan_silent_readers(uint64_t readers, struct od_view text)
{
    uint64_t silent = 0;
    for (; readers; readers &= readers - 1) {
        size_t i = (size_t)__builtin_ctzll(readers);
        if (od_readers[i]->silent && od_readers[i]->silent(text))
            silent |= UINT64_C(1) << i;
    }
    return silent;
}
