#include "estimate/graph.h"

uint32_t od_graph_op(struct od_graph *graph, uint32_t layer, enum od_graph_pass pass,
                     const uint32_t *inputs, size_t ninputs)
{
    struct od_graph_op op = {.layer = layer,
                             .pass = pass,
                             .first_in = (uint32_t)graph->inputs.n,
                             .first_out = (uint32_t)graph->tensors.n};
    for (size_t i = 0; i < ninputs; i++)
        if (inputs[i] != OD_NO_GRAPH_TENSOR)
            od_vec_push(&graph->inputs, inputs[i]);
    op.nin = (uint32_t)graph->inputs.n - op.first_in;
    od_vec_push(&graph->ops, op);
    return (uint32_t)(graph->ops.n - 1);
}

uint32_t od_graph_output(struct od_graph *graph, struct od_linear size)
{
    od_vec_push(&graph->tensors, size);
    graph->ops.items[graph->ops.n - 1].nout++;
    return (uint32_t)(graph->tensors.n - 1);
}

void od_graph_done(struct od_graph *graph)
{
    od_vec_done(&graph->ops);
    od_vec_done(&graph->tensors);
    od_vec_done(&graph->inputs);
    od_vec_done(&graph->held);
}

uint64_t od_linear_at(struct od_linear line, uint64_t batch)
{
    uint64_t bytes;
    if (ckd_mul(&bytes, line.each, batch) || ckd_add(&bytes, bytes, line.fixed))
        return UINT64_MAX;
    return bytes;
}
