#include "attribute/placed.h"

#include "attribute/ops.h"

void od_placed_done(struct od_placed *placed)
{
    od_map_done(&placed->index);
    od_vec_done(&placed->items);
}

/* A word of a name, and what it is then for; the first that is found decides. */
struct od_word_role {
    const char *word;
    enum od_role role;
};

static enum od_role find_role(struct od_view name, const struct od_word_role *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (od_view_has(name, od_view_of(words[i].word)))
            return words[i].role;
    }
    return OD_ROLE_UNKNOWN;
}

/* "function (file.py:12)": functions of PyTorch and of programs in its manner. */
static enum od_role role_of_call(struct od_view name)
{
    static const struct od_word_role words[] = {
        {"_init_group", OD_ROLE_OPTIMIZER},   {"init_state", OD_ROLE_OPTIMIZER},
        {"(adam", OD_ROLE_OPTIMIZER},         {"(sgd", OD_ROLE_OPTIMIZER},
        {"(optimizer", OD_ROLE_OPTIMIZER},    {"load_state_dict", OD_ROLE_WEIGHTS},
        {"_apply (", OD_ROLE_WEIGHTS},        {"convert (", OD_ROLE_WEIGHTS},
        {"from_pretrained", OD_ROLE_WEIGHTS}, {"reset_parameters", OD_ROLE_WEIGHTS},
        {"build_model", OD_ROLE_WEIGHTS},     {"forward", OD_ROLE_ACTIVATION},
        {"pin_memory", OD_ROLE_INPUT},        {"to_device", OD_ROLE_INPUT},
        {"collate", OD_ROLE_INPUT},
    };
    return find_role(name, words, OD_COUNT_OF(words));
}

/* Operations of TensorFlow. */
static enum od_role role_of_op(struct od_view name)
{
    static const struct od_word_role words[] = {
        {"IteratorGetNext", OD_ROLE_INPUT}, {"Scratch", OD_ROLE_WORKSPACE},
        {"scratch", OD_ROLE_WORKSPACE},     {"orkspace", OD_ROLE_WORKSPACE},
        {"Autotun", OD_ROLE_WORKSPACE},     {"autotun", OD_ROLE_WORKSPACE},
    };
    enum od_role role = find_role(name, words, OD_COUNT_OF(words));
    if (role != OD_ROLE_UNKNOWN)
        return role;
    if (od_op_is_array(name))
        return OD_ROLE_UNKNOWN;
    if (od_op_is_setup(name))
        return OD_ROLE_FIXED;
    if (od_op_is_parameter(name))
        return OD_ROLE_GRADIENTS;
    return od_op_is_forward(name) || od_op_is_backward(name) ? OD_ROLE_ACTIVATION : OD_ROLE_UNKNOWN;
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
        bool torch = dump->family == OD_FAMILY_TORCH;
        enum od_role role = torch ? role_of_call(name) : role_of_op(name);
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
