#include "lib/tools.h"

#include "input/packed.h"
#include "lib/packs.h"
#include "rules/software.h"
#include "rules/words.h"

struct od_tools {
    struct od_packs *packs;
    struct od_ruleset *rules;
    struct od_candidates *candidates;
    struct od_line_shapes *shapes; /* NULL = shapes are not kept */
};

struct od_tools *od_tools_new(const struct od_session_options *options, struct od_diags *diags)
{
    const struct od_session_options none = {0};
    if (!options)
        options = &none;
    struct od_packs *packs = od_packs_new(options->rule_files, options->nrule_files, diags);
    if (!packs)
        return NULL;
    struct od_tools *tools = od_mem_alloc(1, sizeof *tools);
    tools->packs = packs;
    tools->rules = od_ruleset_new(od_packs_list(packs), od_packs_count(packs));
    od_ruleset_set_lexicon(tools->rules, &od_shipped_lexicon);
    if (options->no_jit)
        od_ruleset_no_jit(tools->rules);
    tools->candidates = od_candidates_new(tools->rules, od_shipped_signs,
                                          options->nrule_files == 0 ? &od_shipped_literals : NULL);
    return tools;
}

void od_tools_prepare_for_packed(void)
{
    (void)od_packed_prepare();
}

void od_tools_free(struct od_tools *tools)
{
    if (!tools)
        return;
    od_line_shapes_free(tools->shapes);
    od_candidates_free(tools->candidates);
    od_ruleset_free(tools->rules);
    od_packs_free(tools->packs);
    od_mem_free(tools);
}

void od_tools_keep_shapes(struct od_tools *tools)
{
    if (!tools->shapes)
        tools->shapes = od_line_shapes_new();
}

struct od_line_shapes *od_tools_shapes(const struct od_tools *tools)
{
    return tools->shapes;
}

struct od_ruleset *od_tools_rules(const struct od_tools *tools)
{
    return tools->rules;
}

struct od_candidates *od_tools_candidates(const struct od_tools *tools)
{
    return tools->candidates;
}
