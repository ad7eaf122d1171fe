/*
 * A printed PyTorch module, print(model):
 *
 *   Net(
 *     (conv): Conv2d(3, 8, kernel_size=(3, 3), stride=(1, 1))
 *     (blocks): ModuleList(
 *       (0-3): 4 x Block(
 *         (fc): Linear(in_features=8, out_features=8, bias=True)
 *       )
 *     )
 *   )
 *
 * pytorch_model_summary prints the same with ", 590,592 params" after each module. The first line
 * has no distinctive word except the usual endings of class names; a tree that starts with its
 * first child is read without the name of the model.
 */
#include "models/files/hf_family.h"
#include "models/model_builder.h"
#include "models/printed/model_text.h"
#include "models/printed/module_args.h"

enum { DEPTH_MAX = 256, NAME_MAX_BYTES = 200, GLANCE = 400 };

struct holder {
    size_t indent;
    uint32_t layer; /* UINT32_MAX = the root, of which only children were read */
};

struct tree {
    OD_VEC(struct holder) open; /* modules from the root down to the current one */
    bool closed;                /* the root's closing bracket was read */
    size_t depth_base;          /* 1 if the root itself has a row */
    struct od_count counted;    /* number printed after the root's closing bracket */
    bool doubtful;              /* the totals below the tree differ from `counted` */
};

#include "models/printed/module_tree_words.inc"

enum shape { OTHER_LINE, CHILD, CLOSING, ROOT };

struct parsed {
    enum shape shape;
    size_t indent;
    struct od_view name, type, args;
    uint64_t repeat;
    bool opens;    /* the module's children follow */
    bool unclosed; /* the line neither opens nor closes a bracket: it is truncated */
    struct od_count params;
};

static size_t indent_of(struct od_view text)
{
    return od_past_any(text, 0, " \t");
}

static struct od_view without_tail(struct od_view text)
{
    return od_view_head(text, od_back_any(text, text.n, " \r\t"));
}

/* Reads ", 590,592 params". */
static bool take_params(struct od_view *text, struct od_count *ret_params)
{
    struct od_view v = *text;
    uint64_t value;
    if (v.n == 0)
        return true;
    size_t end = od_view_find(v, OD_VIEW(" params"), 0);
    if (!od_view_take(&v, OD_VIEW(", ")) || end == OD_VIEW_NONE || end < 2 ||
        !od_num_parse_u64(od_view_head(v, end - 2), &value))
        return false;
    *ret_params = od_count_of(value);
    *text = od_view_from(*text, end + 7);
    return true;
}

/* Parses a module from its type on: "Linear(in_features=8, ...)", "Sequential(", "4 x Block(". */
static bool parse_module(struct od_view text, struct parsed *parsed)
{
    struct od_view rest = text;
    size_t n = 0;
    if (od_num_take_u64(&rest, &parsed->repeat) && od_view_take(&rest, OD_VIEW(" x ")))
        text = rest;
    else
        parsed->repeat = 0;
    while (od_is_word(od_view_at(text, n)) || od_view_at(text, n) == '.')
        n++;
    if (n == 0 || n > NAME_MAX_BYTES || n == text.n || text.p[n] != '(')
        return false;
    parsed->type = od_view_head(text, n);
    text = od_view_from(text, n);
    size_t length = od_module_args_length(text);
    parsed->opens = text.n == 1;
    if (parsed->opens)
        return true;
    parsed->unclosed = length == OD_VIEW_NONE;
    if (parsed->unclosed)
        return true;
    parsed->args = od_view_from(od_view_head(text, length - 1), 1);
    rest = od_view_from(text, length);
    return take_params(&rest, &parsed->params) && rest.n == 0;
}

/* Parses a child: "(0-11): 12 x BertLayer(", "(query): Linear(...)", "(act): GELU()". */
static bool parse_child(struct od_view text, struct parsed *parsed)
{
    size_t close = od_view_find(od_view_head(text, NAME_MAX_BYTES), OD_VIEW("): "), 0);
    if (text.n < 4 || text.p[0] != '(' || close == OD_VIEW_NONE || close == 1)
        return false;
    parsed->name = od_view_from(od_view_head(text, close), 1);
    for (size_t i = 0; i < parsed->name.n; i++) {
        if (parsed->name.p[i] == ' ' || parsed->name.p[i] == '(')
            return false;
    }
    parsed->shape = CHILD;
    return parse_module(od_view_from(text, close + 3), parsed);
}

static bool parse_closing(struct od_view text, struct parsed *parsed)
{
    if (!od_view_take(&text, OD_VIEW(")")) || !take_params(&text, &parsed->params) || text.n > 0)
        return false;
    parsed->shape = CLOSING;
    return true;
}

/* Parses a line that ends with "Name(": the root, possibly after other words. */
static bool parse_root(struct od_view text, struct parsed *parsed)
{
    if (!od_view_ends(text, OD_VIEW("(")) || text.n > GLANCE)
        return false;
    size_t start = text.n - 1;
    start = od_back(text, start, od_is_word);
    parsed->type = od_view_head(od_view_from(text, start), text.n - 1 - start);
    bool alone = start == 0 || text.p[start - 1] == ' ' || text.p[start - 1] == '\t' ||
                 text.p[start - 1] == '=' || text.p[start - 1] == ':' || text.p[start - 1] == ']' ||
                 text.p[start - 1] == '|';
    char first = parsed->type.n > 0 ? parsed->type.p[0] : '0';
    parsed->shape = ROOT;
    parsed->opens = true;
    if (start != 0)
        parsed->indent = 0;
    return alone && (first >= 'A' && first <= 'Z');
}

static struct parsed parse(struct od_view text)
{
    struct parsed parsed = {.indent = indent_of(text)};
    struct od_view body = without_tail(od_view_from(text, parsed.indent));
    if (body.n == 0)
        return parsed;
    bool known = body.p[0] == '('   ? parse_child(body, &parsed)
                 : body.p[0] == ')' ? parse_closing(body, &parsed)
                                    : parse_root(body, &parsed);
    if (!known)
        parsed = (struct parsed){.indent = parsed.indent};
    return parsed;
}

static void add_layer(struct od_model_builder *b, const struct parsed *parsed)
{
    struct tree *own = b->own;
    struct od_layer layer = od_layer_blank();
    layer.name = parsed->name;
    layer.type = parsed->type;
    layer.kind = od_model_torch_kind(parsed->type);
    layer.repeat = parsed->repeat;
    layer.parameters = parsed->params;
    layer.depth = (uint32_t)(own->open.n > 0 ? own->open.n - 1 + own->depth_base : 0);
    od_module_args_read(parsed->args, &layer);
    if (parsed->unclosed)
        od_model_unreadable(b);
    uint32_t index = (uint32_t)b->model.layers.n;
    if (!od_model_add(b, &layer))
        index = UINT32_MAX;
    if (parsed->opens && own->open.n < DEPTH_MAX) {
        struct holder holder = {.indent = parsed->indent, .layer = index};
        od_vec_push(&own->open, holder);
    }
}

/* Does the line have one of the literals of this reader? Only these lines are always given to it.
 */
static bool holds_root_word(struct od_view text)
{
    for (size_t i = 0; literals[i + 1]; i++) {
        if (od_view_has(text, od_view_of(literals[i])))
            return true;
    }
    return false;
}

static bool begins(struct od_model_builder *b, struct od_view text)
{
    struct tree *own = b->own;
    struct parsed parsed = parse(text);
    if (parsed.shape == ROOT && holds_root_word(text)) {
        own->depth_base = 1;
        b->headed = true;
        b->model.name = od_model_text(b, parsed.type);
        parsed.name = (struct od_view){0};
        add_layer(b, &parsed);
        return true;
    }
    if (parsed.shape != CHILD || parsed.unclosed || parsed.indent < 2)
        return false;
    struct holder root = {.indent = parsed.indent - 2, .layer = UINT32_MAX};
    od_vec_push(&own->open, root);
    add_layer(b, &parsed);
    return true;
}

/* Closes the modules that are not above a line with that indentation. */
static void leave_to(struct tree *own, size_t indent)
{
    while (own->open.n > 1 && own->open.items[own->open.n - 1].indent >= indent)
        own->open.n--;
}

static enum od_model_line close_holder(struct od_model_builder *b, const struct parsed *parsed)
{
    struct tree *own = b->own;
    leave_to(own, parsed->indent + 1);
    struct holder holder = own->open.items[own->open.n - 1];
    if (holder.indent != parsed->indent)
        return OD_MODEL_FOREIGN;
    if (parsed->params.known && holder.layer < b->model.layers.n)
        b->model.layers.items[holder.layer].parameters = parsed->params;
    if (own->open.n == 1) {
        own->closed = true;
        b->has_totals = true;
        if (parsed->params.known)
            b->model.parameters = own->counted = parsed->params;
    } else {
        own->open.n--;
    }
    return OD_MODEL_TAKEN;
}

/* Corrects a tree that was read from its middle: the supposed root was one of several modules, and
 * this line is a sibling or the end of their parent. The parent becomes the root. */
static void raise_root(struct od_model_builder *b, size_t indent)
{
    struct tree *own = b->own;
    struct od_model *model = &b->model;
    for (size_t i = 0; i < model->layers.n; i++)
        model->layers.items[i].depth++;
    own->open.n = 0;
    struct holder root = {.indent = indent, .layer = UINT32_MAX};
    od_vec_push(&own->open, root);
    own->closed = b->has_totals = false;
    own->counted = model->parameters = (struct od_count){0};
}

static bool is_inner_root(const struct tree *own, const struct parsed *parsed)
{
    size_t root = own->open.items[0].indent;
    if (own->depth_base > 0 || root < 2)
        return false;
    return (parsed->shape == CHILD && parsed->indent == root) ||
           (parsed->shape == CLOSING && parsed->indent + 2 == root);
}

/* Reads the ruler and totals of pytorch_model_summary below the tree. The totals are sums over
 * calls: a module that is called twice counts twice, and a weight outside of modules does not
 * count. The root's own count is better, so totals that differ from it are ignored. */
static enum od_model_line line_after(struct od_model_builder *b, struct od_view text)
{
    struct od_model *model = &b->model;
    struct tree *own = b->own;
    if (od_model_is_rule(text))
        return OD_MODEL_TAKEN;
    if (!od_model_take_total(b, text))
        return OD_MODEL_ENDS;
    if (own->counted.known && model->parameters.n != own->counted.n)
        own->doubtful = true;
    if (own->counted.known)
        model->parameters = own->counted;
    if (own->doubtful)
        model->trainable = model->non_trainable = (struct od_count){0};
    return OD_MODEL_TAKEN;
}

/* Reads the line of arguments that a module with children prints before them. */
static bool read_extra(struct od_model_builder *b, struct od_view text)
{
    struct tree *own = b->own;
    struct od_model *model = &b->model;
    struct holder holder = own->open.items[own->open.n - 1];
    if (holder.layer == UINT32_MAX || holder.layer + 1 != model->layers.n ||
        indent_of(text) != holder.indent + 2)
        return false;
    struct od_layer *layer = &model->layers.items[holder.layer];
    if (layer->kind == OD_LAYER_OTHER || layer->kind == OD_LAYER_CONTAINER)
        return false;
    od_module_args_read(od_view_trim(text), layer);
    return true;
}

static enum od_model_line line(struct od_model_builder *b, struct od_view text)
{
    struct tree *own = b->own;
    struct parsed parsed = parse(text);
    if (own->closed && is_inner_root(own, &parsed))
        raise_root(b, parsed.shape == CHILD ? parsed.indent - 2 : parsed.indent);
    if (own->closed)
        return line_after(b, text);
    size_t root = own->open.items[0].indent;
    if (parsed.shape == ROOT && parsed.indent <= root)
        return OD_MODEL_ENDS;
    if (parsed.shape == CLOSING && parsed.indent >= root)
        return close_holder(b, &parsed);
    if (parsed.shape == OTHER_LINE && read_extra(b, text))
        return OD_MODEL_TAKEN;
    if (parsed.shape != CHILD || parsed.indent <= root)
        return OD_MODEL_FOREIGN;
    leave_to(own, parsed.indent);
    add_layer(b, &parsed);
    return OD_MODEL_TAKEN;
}

/* Drops a root without children, and one with a single child without a name. */
static void finish(struct od_model_builder *b)
{
    struct od_model *model = &b->model;
    struct tree *own = b->own;
    if (model->layers.n < 2 + own->depth_base)
        model->layers.n = 0;
    od_model_mark_containers(model);
    /* the tree shows the modules of attention, but not how it is computed */
    const struct od_hf_family *family = od_hf_family_of_class(model->name);
    if (family)
        model->transformer.traits =
            family->traits & OD_TR_EAGER && family->fused == 0 ? OD_TR_EAGER : OD_TR_FUSED;
}

static void release(void *own)
{
    struct tree *tree = own;
    od_vec_done(&tree->open);
}

static const struct od_model_dialect dialect = {
    .name = "module_tree",
    .format = OD_MODEL_MODULE_TREE,
    .framework = "pytorch",
    .own_size = sizeof(struct tree),
    .begins = begins,
    .line = line,
    .finish = finish,
    .release = release,
};

const struct od_reader od_reader_module_tree = {
    .name = "module_tree",
    .literals = literals,
    OD_MODEL_READER(dialect),
};
