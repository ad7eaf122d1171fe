#include "scan/line_plan.h"

static const struct od_rule_match no_match;

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

/* A copy that lives as long as the arena; NULL of nothing. */
static const void *kept(struct od_arena *arena, const void *items, size_t n, size_t size)
{
    if (n == 0)
        return NULL;
    return memcpy(od_arena_alloc(arena, n, size), items, n * size);
}

struct od_line_plan *od_line_plan_new(struct od_arena *arena, const struct od_candidates *c)
{
    struct od_line_plan *plan = OD_NEW(arena, struct od_line_plan);
    const struct od_line_signs *signs = od_candidates_signs(c);
    const struct od_guards *guards = od_candidates_guards(c);
    plan->readers = od_candidates_readers(c);
    plan->smells = od_candidates_smells(c);
    plan->speaks = od_candidates_speaks(c);
    plan->nmain = count_rules(c, false);
    plan->nsteps = plan->nmain + count_rules(c, true);
    plan->steps = OD_NEW_N(arena, plan->nsteps + 1, struct od_step);
    (void)add_steps(add_steps(plan->steps, c, false), c, true);
    plan->nsigns = signs->n;
    plan->signs = OD_NEW_N(arena, signs->n + 1, const struct od_sign *);
    for (size_t i = 0; i < signs->n; i++)
        plan->signs[i] = signs->list[i];
    plan->nguards = guards->n;
    plan->guards = kept(arena, guards->list, guards->n, sizeof *guards->list);
    return plan;
}

bool od_line_plan_holds(const struct od_line_plan *plan, struct od_view text)
{
    for (size_t i = 0; i < plan->nguards; i++)
        if (!od_guard_holds(&plan->guards[i], text))
            return false;
    return true;
}

void od_step_note(struct od_step *step, const struct od_rule_match *made, struct od_arena *arena)
{
    if (!made->matched) {
        step->made = &no_match;
        return;
    }
    size_t spans = made->nparts * sizeof *made->parts;
    step->made = kept(arena, made, 1, offsetof(struct od_rule_match, parts) + spans);
}

bool od_line_plan_is_over(const struct od_line_plan *plan)
{
    if (plan->readers || plan->nsigns > 0 || plan->smells || plan->speaks)
        return false;
    for (size_t i = 0; i < plan->nsteps; i++)
        if (!plan->steps[i].made || plan->steps[i].made->matched)
            return false;
    return true;
}
