#include "estimate/adapters.h"

#include "facts/module_count.h"

enum { TARGETS = 16 };

/* Name of the module that contains an adapter: the nearest enclosing row above it. */
static struct od_view holder_of(const struct od_model *model, size_t row)
{
    const struct od_layer *rows = model->layers.items;
    for (size_t i = row; i > 0; i--)
        if (rows[i - 1].depth < rows[row].depth)
            return rows[i - 1].name;
    return (struct od_view){0};
}

static void add_target(struct od_workload *w, const char **targets, struct od_view name,
                       struct od_arena *arena)
{
    for (size_t i = 0; i < w->nlora_targets; i++)
        if (od_view_eq_str(name, targets[i]))
            return;
    if (name.n > 0 && w->nlora_targets < TARGETS)
        targets[w->nlora_targets++] = od_arena_printf(arena, "%.*s", (int)name.n, name.p);
}

/* Rank of an adapter from "(lora_A): ModuleDict((default): Linear(.., out_features=16))", or the
 * same without the dictionary. */
static uint64_t rank_of(const struct od_model *model, size_t row)
{
    const struct od_layer *rows = model->layers.items;
    if (rows[row].out_features.known)
        return rows[row].out_features.n;
    bool holds = od_module_holds(model, row);
    return holds && rows[row + 1].out_features.known ? rows[row + 1].out_features.n : 0;
}

bool od_adapters_take(const struct od_model *model, struct od_arena *arena, struct od_workload *w)
{
    const char **targets = NULL;
    unsigned bits = 0;
    for (size_t i = 0; i < model->layers.n; i++) {
        const struct od_layer *layer = &model->layers.items[i];
        if (od_view_ends(layer->type, OD_VIEW("Linear4bit")))
            bits = 4;
        else if (od_view_ends(layer->type, OD_VIEW("Linear8bitLt")))
            bits = 8;
        uint64_t rank = od_view_eq_str(layer->name, "lora_A") ? rank_of(model, i) : 0;
        if (rank == 0)
            continue;
        if (!targets)
            targets = OD_NEW_N(arena, TARGETS, const char *);
        w->lora_rank = rank > w->lora_rank ? rank : w->lora_rank;
        add_target(w, targets, holder_of(model, i), arena);
    }
    if (!targets)
        return false;
    w->lora_targets = targets;
    w->quantize_bits = bits;
    return true;
}
