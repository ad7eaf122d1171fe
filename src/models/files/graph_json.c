/*
 * oomdoctor.graph/1: a training step with one operation per line, as recorded by `oomdoctor
 * snippet`; doc/graph.md describes the format. A file has the same step for one or more batch
 * sizes, of which the first two are read.
 */
#include "models/file_reader.h"
#include "models/files/graph_step.h"
#include "models/json_load.h"

enum { STEPS = 2, TENSORS_MAX = 1 << 20, OPS_MAX = 1 << 20, BATCH_MAX = 1 << 20 };

static const char schema[] = "oomdoctor.graph/1";

static const char *bids(struct od_view head)
{
    struct od_view text = od_view_trim(head), first;
    if (!od_view_cut(&text, '\n', &first))
        first = text;
    return od_view_starts(first, OD_VIEW("{")) && od_view_has(first, OD_VIEW("\"schema\"")) &&
                   od_view_has(first, OD_VIEW("\"oomdoctor.graph/1\""))
               ? "recorded graph"
               : NULL;
}

struct graph {
    const struct od_file *file;
    struct od_model model;
    struct od_graph_step steps[STEPS];
    size_t nsteps;
    const char *fault;
};

static bool count_of(const json_t *value, uint64_t most, uint64_t *ret_n)
{
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return false;
    *ret_n = (uint64_t)json_integer_value(value);
    return *ret_n <= most;
}

/* The tensor with that number; NULL if none. Valid until the next call. */
static struct od_graph_tensor *tensor_at(struct od_graph_step *step, const json_t *number)
{
    uint64_t i;
    if (!count_of(number, TENSORS_MAX, &i))
        return NULL;
    while (step->tensors.n <= i)
        od_vec_push(&step->tensors, (struct od_graph_tensor){0});
    return &step->tensors.items[i];
}

static bool measure(const json_t *line, struct od_graph_tensor *t)
{
    const json_t *shape = json_object_get(line, "shape"), *bytes = json_object_get(line, "bytes");
    const char *dtype = json_string_value(json_object_get(line, "dtype"));
    uint64_t bits;
    t->floating = dtype && od_view_eq_str(od_view_of(dtype), "float32");
    t->bits = od_dtype_bits(od_dtype_parse(od_view_of(dtype ? dtype : "")));
    t->elements = 1;
    for (size_t i = 0; i < json_array_size(shape); i++) {
        uint64_t dim;
        if (!count_of(json_array_get(shape, i), INT64_MAX, &dim) ||
            ckd_mul(&t->elements, t->elements, dim))
            return false;
        t->first = i == 0 ? dim : t->first;
        t->second = i == 1 ? dim : t->second;
    }
    if (bytes)
        return count_of(bytes, INT64_MAX, &t->bytes);
    if (t->bits == 0 || ckd_mul(&bits, t->elements, (uint64_t)t->bits))
        return false;
    t->bytes = bits / 8 + (bits % 8 != 0);
    return true;
}

static void take_tensor(struct graph *g, struct od_graph_step *step, const json_t *line)
{
    struct od_graph_tensor *t = tensor_at(step, json_object_get(line, "tensor"));
    if (!t || t->defined || !json_is_array(json_object_get(line, "shape")) || !measure(line, t)) {
        g->fault = "a tensor without number, shape or size";
        return;
    }
    t->defined = true;
    t->kept = json_is_true(json_object_get(line, "kept"));
    t->gradient = json_is_true(json_object_get(line, "gradient"));
    t->output = json_is_true(json_object_get(line, "output"));
    t->parameter = json_is_string(json_object_get(line, "parameter"));
    t->buffer = !t->parameter && json_is_string(json_object_get(line, "buffer"));
    t->trainable = !json_is_false(json_object_get(line, "trainable"));
}

static void meet(struct graph *g, struct od_graph_step *step, const json_t *numbers,
                 const json_t *reads, bool made)
{
    uint64_t elements;
    for (size_t i = 0; i < json_array_size(numbers); i++) {
        struct od_graph_tensor *t = tensor_at(step, json_array_get(numbers, i));
        if (!t) {
            g->fault = "an operation with a number that is none of a tensor";
            return;
        }
        if (!t->met && made)
            t->born = step->nops;
        t->met = true;
        t->last = step->nops;
        od_vec_push(&step->links, (uint32_t)json_integer_value(json_array_get(numbers, i)));
        bool told = count_of(json_array_get(reads, i), INT64_MAX, &elements);
        od_vec_push(&step->reads, told ? elements : 0);
    }
}

static void note_conv(struct od_graph_step *step, const json_t *line)
{
    const char *op = json_string_value(json_object_get(line, "op"));
    uint64_t weight, out;
    if (op && od_view_has(od_view_of(op), OD_VIEW("convolution")) && step->backward == UINT32_MAX &&
        count_of(json_array_get(json_object_get(line, "inputs"), 1), TENSORS_MAX, &weight) &&
        count_of(json_array_get(json_object_get(line, "outputs"), 0), TENSORS_MAX, &out)) {
        const struct od_graph_conv conv = {(uint32_t)weight, (uint32_t)out};
        od_vec_push(&step->convs, conv);
    }
}

static void take_op(struct graph *g, struct od_graph_step *step, const json_t *line)
{
    if (step->nops == OPS_MAX) {
        g->fault = "more operations than are read";
        return;
    }
    step->nops++;
    const char *name = json_string_value(json_object_get(line, "op"));
    struct od_graph_op op = {.sort = od_graph_sort_of(od_view_of(name ? name : "")),
                             .inputs = step->links.n};
    meet(g, step, json_object_get(line, "inputs"), json_object_get(line, "reads"), false);
    op.outputs = step->links.n;
    meet(g, step, json_object_get(line, "outputs"), NULL, true);
    op.end = step->links.n;
    od_vec_push(&step->ops, op);
    note_conv(step, line);
}

static void take_phase(struct od_graph_step *step, const char *phase)
{
    if (od_view_eq_str(od_view_of(phase), "backward"))
        step->backward = step->nops;
    else if (od_view_eq_str(od_view_of(phase), "end"))
        step->ended = step->backward != UINT32_MAX;
}

static void begin_step(struct graph *g, const json_t *line)
{
    const char *name = json_string_value(json_object_get(line, "name"));
    const char *framework = json_string_value(json_object_get(line, "framework"));
    uint64_t batch;
    if (!count_of(json_object_get(line, "batch"), BATCH_MAX, &batch) || batch == 0) {
        g->fault = "a step without its batch";
        return;
    }
    if (g->nsteps < STEPS)
        g->steps[g->nsteps] = (struct od_graph_step){.batch = batch, .backward = UINT32_MAX};
    g->nsteps++;
    if (g->nsteps > 1)
        return;
    if (name)
        g->model.name = od_arena_view(g->file->arena, od_view_of(name));
    if (framework)
        g->model.framework = od_arena_view(g->file->arena, od_view_of(framework));
}

static void take_line(struct graph *g, const json_t *line)
{
    const char *said = json_string_value(json_object_get(line, "schema"));
    const char *phase = json_string_value(json_object_get(line, "phase"));
    if (said && od_view_eq_str(od_view_of(said), schema)) {
        begin_step(g, line);
        return;
    }
    if (g->nsteps == 0 || g->nsteps > STEPS)
        return;
    struct od_graph_step *step = &g->steps[g->nsteps - 1];
    if (json_object_get(line, "tensor"))
        take_tensor(g, step, line);
    else if (json_object_get(line, "op"))
        take_op(g, step, line);
    else if (phase)
        take_phase(step, phase);
}

static void read_lines(struct graph *g)
{
    struct od_view rest = g->file->bytes, text;
    for (uint64_t n = 1; rest.n > 0 && !g->fault; n++) {
        if (!od_view_cut(&rest, '\n', &text)) {
            text = rest;
            rest.n = 0;
        }
        if (od_view_trim(text).n == 0)
            continue;
        json_error_t error;
        struct od_foreign held;
        json_t *line = od_json_load(text, 0, &error, &held);
        if (json_is_object(line))
            take_line(g, line);
        else
            g->fault = "no JSON object";
        od_foreign_release(&held);
        if (g->fault)
            od_file_say(g->file, OD_ERROR, NULL, "line %" PRIu64 ": %s", n, g->fault);
    }
}

static bool is_whole(struct graph *g)
{
    if (g->fault)
        return false;
    if (g->nsteps == 0)
        g->fault = "no step is recorded";
    for (size_t i = 0; i < g->nsteps && i < STEPS; i++) {
        const struct od_graph_step *step = &g->steps[i];
        if (step->backward == UINT32_MAX)
            g->fault = "the forward pass is not recorded to its end";
        for (size_t j = 0; j < step->tensors.n && !g->fault; j++)
            if (step->tensors.items[j].met && !step->tensors.items[j].defined)
                g->fault = "tensors without a line of their own: the file is cut";
    }
    if (g->fault)
        od_file_say(g->file, OD_ERROR, "record it again: oomdoctor snippet", "%s", g->fault);
    return !g->fault;
}

static enum od_err read(const struct od_file *file)
{
    struct graph g = {.file = file,
                      .model = {.format = OD_MODEL_GRAPH,
                                .at = {.source = file->source, .line = 1},
                                .complete = true}};
    read_lines(&g);
    enum od_err err = is_whole(&g) ? od_graph_emit(file, &g.model, g.steps, g.nsteps) : OD_LOST;
    for (size_t i = 0; i < STEPS; i++)
        od_graph_step_done(&g.steps[i]);
    od_model_done(&g.model);
    return err;
}

const struct od_file_reader od_file_reader_graph_json = {
    .name = "graph_json", .bids = bids, .read = read};
