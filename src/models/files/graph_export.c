/*
 * A PyTorch graph as text, with the sizes of its tensors: print(torch.export.export(model, args)),
 * or print_readable() of a GraphModule. A line is an operation of the forward pass. Its name shows
 * which tensors autograd keeps (PyTorch's derivatives.yaml).
 */
#include "models/file_reader.h"
#include "models/files/graph_step.h"

#include "base/map.h"

#include <ctype.h>

enum { LINES_MAX = 1 << 20 };

/* Operations that replace their input. Products keep it only if the other factor is trained. */
static const char *const replaced[] = {"hardswish_", "silu_", "hardsigmoid_", "mish_", NULL};
static const char *const products[] = {"mul", "div", "mul_", "div_", NULL};

struct export
{
    const struct od_file *file;
    struct od_model model;
    struct od_graph_step step;
    /* maps a name to twice the number of its tensor, plus 1, plus another 1 if transposed */
    struct od_map names;
    OD_VEC(bool) graded; /* one for each tensor: it depends on trained parameters */
    bool overflow, whole;
};

static const char *bids(struct od_view head)
{
    struct od_view text = od_view_trim(head);
    return od_view_starts(text, OD_VIEW("ExportedProgram:")) ||
                   od_view_starts(text, OD_VIEW("class GraphModule(torch.nn.Module)"))
               ? "exported graph"
               : NULL;
}

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Bits of an element type such as "bf16". */
static unsigned bits_of(struct od_view word, bool *ret_floating)
{
    uint64_t bits;
    *ret_floating = od_view_eq_str(word, "f32");
    while (word.n > 0 && !isdigit((unsigned char)word.p[0]))
        word = od_view_from(word, 1);
    return od_num_parse_u64(word, &bits) && bits <= 128 ? (unsigned)bits : 0;
}

/* Reads a type with a shape: "f32[2, 64, 32, 32]". */
static bool measure(struct od_view text, struct od_graph_tensor *t)
{
    struct od_view word, one;
    uint64_t n, at = 0;
    if (!od_view_has(text, OD_VIEW("[")) || !od_view_cut(&text, '[', &word))
        return false;
    *t = (struct od_graph_tensor){.elements = 1, .met = true, .defined = true, .trainable = true};
    t->bits = bits_of(word, &t->floating);
    (void)od_view_cut(&text, ']', &word);
    for (; od_view_cut(&word, ',', &one); at++) {
        if (!od_num_parse_u64(od_view_trim(one), &n) || ckd_mul(&t->elements, t->elements, n))
            return false;
        t->first = at == 0 ? n : t->first;
        t->second = at == 1 ? n : t->second;
    }
    return t->bits > 0 && !ckd_mul(&t->bytes, t->elements, (uint64_t)(t->bits + 7) / 8);
}

static uint32_t add(struct export *e, struct od_graph_tensor t, bool graded)
{
    t.born = t.last = e->step.nops;
    od_vec_push(&e->step.tensors, t);
    od_vec_push(&e->graded, graded);
    return (uint32_t)e->step.tensors.n - 1;
}

static void name_it(struct export *e, struct od_view name, uint32_t tensor, bool turned)
{
    *od_map_at(&e->names, name) = 2 * ((uint64_t)tensor + 1) + turned;
}

/* Adds the model's own tensors and its inputs. */
static void take_given(struct export *e, struct od_view name, struct od_view type, bool buffer,
                       bool parameter)
{
    struct od_graph_tensor t;
    if (!measure(type, &t) || od_map_get(&e->names, name))
        return;
    t.parameter = parameter;
    t.buffer = buffer;
    if (!parameter && !buffer && e->step.batch == 0)
        e->step.batch = t.first;
    name_it(e, name, add(e, t, parameter && t.bits >= 16), false);
}

static void link(struct export *e, uint32_t tensor)
{
    e->step.tensors.items[tensor].last = e->step.nops;
    od_vec_push(&e->step.links, tensor);
    od_vec_push(&e->step.reads, 0);
}

/* Finds the tensors among the arguments. Returns their number. *ret_turned: first is transposed. */
static size_t take_inputs(struct export *e, struct od_view args, bool *ret_turned)
{
    size_t found = 0;
    for (size_t i = 0; i < args.n;) {
        size_t end = i;
        while (end < args.n && is_letter(args.p[end]))
            end++;
        const uint64_t *at = od_map_get(&e->names, (struct od_view){args.p + i, end - i});
        if (end > i && at) {
            *ret_turned = found == 0 ? *at % 2 : *ret_turned;
            link(e, (uint32_t)(*at / 2 - 1));
            found++;
        }
        i = end > i ? end : i + 1;
    }
    return found;
}

static void keep(struct export *e, size_t link_at)
{
    struct od_graph_tensor *t = &e->step.tensors.items[e->step.links.items[link_at]];
    t->kept = t->kept || (!t->parameter && !t->buffer);
}

static void keep_by_sort(struct export *e, const struct od_graph_op *op, bool product)
{
    size_t reads = op->outputs - op->inputs;
    bool makes = op->sort == OD_GRAPH_MAKES || op->sort == OD_GRAPH_FULL_MAKES;
    if (od_graph_passes(op->sort) || (product && reads != 2))
        return;
    for (size_t i = op->inputs; product && i < op->outputs; i++)
        if (e->graded.items[e->step.links.items[i == op->inputs ? i + 1 : i - 1]])
            keep(e, i);
    if (product)
        return;
    if (makes)
        keep(e, op->outputs);
    for (size_t i = op->inputs; !makes && i < op->outputs; i++)
        if (op->sort != OD_GRAPH_FIRST || i == op->inputs)
            keep(e, i);
}

/* Adds tensors that kernels keep in addition to inputs and outputs: indices, mean and deviation of
 * rows, masks. */
static void keep_extra(struct export *e, struct od_view op, const struct od_graph_op *now)
{
    const uint32_t *links = &e->step.links.items[now->inputs];
    const struct od_graph_tensor *out = &e->step.tensors.items[links[now->outputs - now->inputs]];
    struct od_graph_tensor t = {.kept = true, .met = true, .defined = true};
    bool reads = now->outputs - now->inputs > 1;
    uint64_t weight = reads ? e->step.tensors.items[links[1]].elements : 0;
    if (od_view_starts(op, OD_VIEW("max_pool")))
        e->overflow = e->overflow || ckd_mul(&t.bytes, out->elements, 8u);
    else if (od_view_has(op, OD_VIEW("dropout")))
        t.bytes = out->elements;
    else if (od_view_ends(op, OD_VIEW("layer_norm")) && weight > 0)
        e->overflow = e->overflow || ckd_mul(&t.bytes, out->elements / weight, 8u);
    else if (od_view_eq_any(op, replaced))
        t.bytes = out->bytes; /* as many bytes as the overwritten content */
    else
        return;
    (void)add(e, t, false);
}

static bool is_idle(struct od_view op, struct od_view args)
{
    static const char *const off[] = {", 0.0, ", ", False)", NULL};
    return od_view_starts(op, OD_VIEW("dropout")) && od_view_has_any(args, off);
}

static bool is_alias(struct od_view op, enum od_graph_sort sort, bool turned)
{
    bool place = op.n > 1 && op.p[op.n - 1] == '_';
    return place || sort == OD_GRAPH_VIEWS || sort == OD_GRAPH_TURNS ||
           (sort == OD_GRAPH_ORDERS && !turned);
}

static uint32_t output_of(struct export *e, struct od_view type, const struct od_graph_op *now,
                          bool alias, bool graded)
{
    struct od_graph_tensor t;
    bool any = now->outputs > now->inputs;
    if (any && (alias || type.n == 0))
        return e->step.links.items[now->inputs];
    if (!measure(type, &t))
        return UINT32_MAX;
    return add(e, t, graded && t.bits >= 16 && type.p[0] != 'i');
}

/* "conv2d.default(x, p_weight, None, [2, 2]);  x = None" */
static void take_op(struct export *e, struct od_view name, struct od_view type, struct od_view call)
{
    struct od_view op, args = call, rest;
    bool turned = false, graded = false;
    (void)od_view_cut(&args, '(', &rest);
    (void)od_view_cut(&rest, '.', &op);
    rest = args;
    (void)od_view_cut(&rest, ';', &args);
    if (is_idle(op, args))
        op = OD_VIEW("alias");
    e->step.nops++;
    struct od_graph_op now = {.sort = od_graph_sort_of(op), .inputs = e->step.links.n};
    (void)take_inputs(e, args, &turned);
    now.outputs = e->step.links.n;
    for (size_t i = now.inputs; i < now.outputs; i++)
        graded = graded || e->graded.items[e->step.links.items[i]];
    uint32_t out = output_of(e, type, &now, is_alias(op, now.sort, turned), graded);
    if (out == UINT32_MAX)
        return;
    link(e, out);
    now.end = e->step.links.n;
    od_vec_push(&e->step.ops, now);
    bool view = od_graph_passes(now.sort) && now.sort != OD_GRAPH_PASSES;
    name_it(e, name, out, now.sort == OD_GRAPH_TURNS || (turned && view));
    if (!graded)
        return;
    keep_by_sort(e, &now, od_view_eq_any(op, products));
    keep_extra(e, op, &now);
    if (od_view_starts(op, OD_VIEW("conv")) && now.outputs - now.inputs > 1)
        od_vec_push(&e->step.convs,
                    ((struct od_graph_conv){e->step.links.items[now.inputs + 1], out}));
}

/* Reads 'name: "f32[2, 3]"' of a signature or of an assignment. Moves *text after it. */
static bool take_typed(struct od_view *text, struct od_view *ret_name, struct od_view *ret_type)
{
    size_t colon = od_view_find(*text, OD_VIEW(": \""), 0);
    if (colon >= text->n)
        return false;
    size_t start = colon;
    while (start > 0 && is_letter(text->p[start - 1]))
        start--;
    *ret_name = (struct od_view){text->p + start, colon - start};
    *text = od_view_from(*text, colon + 3);
    (void)od_view_cut(text, '"', ret_type);
    return ret_name->n > 0;
}

static bool is_running(struct od_view place)
{
    static const char *const words[] = {"running_mean", "running_var", "num_batches", NULL};
    return od_view_has_any(place, words);
}

static void take_line(struct export *e, struct od_view line)
{
    struct od_view name, type = {0}, rest = line;
    e->whole = e->whole || od_view_starts(line, OD_VIEW("return "));
    size_t call = od_view_find(line, OD_VIEW("= torch.ops.aten."), 0);
    if (call < line.n) {
        if (!take_typed(&rest, &name, &type)) /* the result is a list of tensors */
            (void)od_view_cut(&rest, ' ', &name);
        take_op(e, name, type, od_view_from(line, call + sizeof "= torch.ops.aten." - 1));
        return;
    }
    bool signature = od_view_starts(line, OD_VIEW("def forward("));
    while (take_typed(&rest, &name, &type)) {
        struct od_view after = rest;
        od_view_skip_blanks(&after);
        bool held = od_view_take(&after, OD_VIEW("= ")) && od_view_has(after, OD_VIEW("self."));
        bool parameter = held ? !is_running(after) : od_view_starts(name, OD_VIEW("p_"));
        bool buffer =
            held ? !parameter
                 : od_view_starts(name, OD_VIEW("b_")) || od_view_starts(name, OD_VIEW("c_"));
        struct od_view of = after;
        (void)od_view_cut(&of, '[', &after);
        const uint64_t *list = held || signature ? NULL : od_map_get(&e->names, after);
        if (list) /* the argument is one of a list */
            name_it(e, name, (uint32_t)(*list / 2 - 1), *list % 2);
        else
            take_given(e, name, type, buffer, parameter);
    }
}

static enum od_err read(const struct od_file *file)
{
    struct export e = {.file = file,
                       .model = {.format = OD_MODEL_GRAPH,
                                 .name = OD_VIEW("exported"),
                                 .framework = OD_VIEW("pytorch"),
                                 .at = {.source = file->source, .line = 1},
                                 .complete = true}};
    struct od_view rest = file->bytes, line;
    enum od_err err = OD_LOST;
    for (size_t n = 0; n < LINES_MAX && od_view_cut(&rest, '\n', &line); n++)
        take_line(&e, od_view_trim(line));
    e.step.backward = e.step.nops;
    if (e.overflow)
        od_file_say(file, OD_ERROR, NULL, "the sizes exceed 64 bits");
    else if (e.whole && e.step.ops.n > 0 && e.step.batch > 0)
        err = od_graph_emit(file, &e.model, &e.step, 1);
    else
        od_file_say(file, OD_ERROR, "print torch.export.export(model, (x,)) whole",
                    "the operations are cut off, or have no sizes");
    od_graph_step_done(&e.step);
    od_vec_done(&e.graded);
    od_map_done(&e.names);
    od_model_done(&e.model);
    return err;
}

const struct od_file_reader od_file_reader_graph_export = {
    .name = "graph_export", .bids = bids, .read = read};
