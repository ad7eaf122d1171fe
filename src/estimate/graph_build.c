#include "estimate/graph_parts.h"

#include "estimate/states.h"
#include "facts/dump.h"

/* Adds small permanent tensors: counters, metrics, constants of the program. */
static void hold_scalars(struct od_build *b)
{
    enum { SCALARS = 12, A_LAYER = 1 };
    size_t n = SCALARS + A_LAYER * b->walk.steps.n;
    for (size_t i = 0; i < n; i++)
        od_vec_push(&b->graph->held, ((struct od_linear){.fixed = OD_BFC_UNIT}));
}

static bool has_map(const struct od_walk *walk)
{
    for (size_t i = 0; i < walk->model->layers.n; i++)
        if (walk->model->layers.items[i].output.n > 3)
            return true;
    return false;
}

/* Does the model print no activation, because activations are functions or arguments of layers? */
static bool hides_relu(const struct od_model *model)
{
    for (size_t i = 0; i < model->layers.n; i++) {
        enum od_layer_kind kind = model->layers.items[i].kind;
        if (kind >= OD_LAYER_RELU && kind <= OD_LAYER_ACTIVATION && kind != OD_LAYER_SOFTMAX)
            return false;
    }
    return true;
}

bool od_graph_of(const struct od_workload *workload, const struct od_step_habits *habits,
                 uint64_t slots, struct od_arena *arena, struct od_graph *ret_graph)
{
    struct od_build b = {.workload = workload,
                         .habits = habits,
                         .graph = ret_graph,
                         .next_batch = OD_NO_GRAPH_TENSOR};
    *ret_graph = (struct od_graph){0};
    od_walk_init(&b.walk, workload->model, arena);
    size_t n = b.walk.tensors.n + 1;
    b.value = OD_NEW_N(arena, n, uint32_t);
    b.read_by = OD_NEW_N(arena, n, uint64_t);
    b.map = OD_NEW_N(arena, n, bool);
    b.slots = workload->inference ? 0 : slots;
    b.width = od_precision_compute_bytes(workload->precision);
    b.mixed = b.width == 2 && od_precision_weight_bytes(workload->precision) == 4;
    b.torch = workload->framework == OD_FW_PYTORCH;
    b.channels_first = !b.torch && !workload->on_cpu && b.width == 4 && has_map(&b.walk);
    b.functional_relu = hides_relu(workload->model);
    od_build_forward(&b);
    if (!b.unknown) {
        hold_scalars(&b);
        if (!workload->inference)
            od_build_backward(&b);
        if (b.next_batch != OD_NO_GRAPH_TENSOR)
            od_graph_op(ret_graph, UINT32_MAX, OD_GRAPH_UPDATE, &b.next_batch, 1);
    }
    bool known = !b.unknown && !ret_graph->overflow;
    od_walk_done(&b.walk);
    od_vec_done(&b.trains);
    od_vec_done(&b.tape);
    od_vec_done(&b.tape_inputs);
    od_vec_done(&b.gradients);
    od_vec_done(&b.held);
    return known;
}
