#include "attribute/placed.h"

#include "facts/meaning.h"

void od_placed_done(struct od_placed *placed)
{
    od_map_done(&placed->index);
    od_vec_done(&placed->items);
}

/* The role of a name, given by its first part that has a meaning. */
static enum od_role role_of(struct od_view name, bool torch)
{
    static const struct {
        bool torch;
        enum od_op_meaning meaning;
        enum od_role role;
    } roles[] = {
        {true, OD_OP_CALL_OPTIMIZER, OD_ROLE_OPTIMIZER},
        {true, OD_OP_CALL_WEIGHTS, OD_ROLE_WEIGHTS},
        {true, OD_OP_CALL_FORWARD, OD_ROLE_ACTIVATION},
        {true, OD_OP_CALL_INPUT, OD_ROLE_INPUT},
        {false, OD_OP_INPUT, OD_ROLE_INPUT},
        {false, OD_OP_WORKSPACE, OD_ROLE_WORKSPACE},
        {false, OD_OP_ARRAY, OD_ROLE_UNKNOWN},
        {false, OD_OP_SETUP, OD_ROLE_FIXED},
        {false, OD_OP_PARAMETER, OD_ROLE_GRADIENTS},
        {false, OD_OP_FORWARD, OD_ROLE_ACTIVATION},
        {false, OD_OP_BACKWARD, OD_ROLE_ACTIVATION},
    };
    uint64_t means = od_op_means(name);
    for (size_t i = 0; i < OD_COUNT_OF(roles); i++)
        if (roles[i].torch == torch && od_means(means, roles[i].meaning))
            return roles[i].role;
    return OD_ROLE_UNKNOWN;
}

static struct od_view name_of(const struct od_dump *dump, const struct od_chunk *chunk)
{
    if (chunk->details == 0 || chunk->details > dump->details.n)
        return (struct od_view){0};
    return dump->details.items[chunk->details - 1].op;
}

const struct od_named *od_placed_of(struct od_placed *placed, const struct od_dump *dump,
                                    const struct od_chunk *chunk, struct od_arena *arena)
{
    struct od_view name = name_of(dump, chunk);
    if (name.n == 0)
        return NULL;
    uint64_t *at = od_map_at(&placed->index, name);
    if (*at == 0) {
        enum od_role role = role_of(name, dump->family == OD_FAMILY_TORCH);
        struct od_named *named = NULL;
        if (role != OD_ROLE_UNKNOWN) {
            named = OD_NEW(arena, struct od_named);
            *named = (struct od_named){.label = name, .layer = OD_NO_LAYER, .role = role};
        }
        od_vec_push(&placed->items, named);
        *at = placed->items.n;
    }
    return placed->items.items[*at - 1];
}
