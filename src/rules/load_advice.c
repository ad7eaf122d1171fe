/*
 * Loads advice. Checks the slots of its texts, so that later no slot is unknown.
 */
#include "base/suggest.h"
#include "rules/advice.h"
#include "rules/loader.h"
#include "rules/software.h"
#include "rules/start_value.h"

enum { CODE_COLUMNS = 74 };

/* Code must fit the page without wrapping or cutting, because it is copied from there. */
static void check_code(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct od_view code = od_view_of(node->text), line;
    (void)to;
    while (od_view_cut(&code, '\n', &line)) {
        if (line.n > CODE_COLUMNS || od_view_find_char(line, '\t', 0) != OD_VIEW_NONE)
            od_loader_error(loader, node, "R0305", "break it",
                            "a line of code is wider than %d, "
                            "or has a tab: %.*s",
                            CODE_COLUMNS, (int)line.n, line.p);
    }
}

#define HOW(...) OD_KEY(struct od_advice_how, __VA_ARGS__)
static const struct od_loader_key how_keys[] = {
    HOW("framework", OD_MUST, OD_LINE, framework, .check = od_loader_check_program),
    HOW("when", OD_MAY, OD_WHEN, when, .read = od_when_load),
    HOW("text", OD_MUST, OD_BLOCK, text, .check = od_loader_check_subject),
    HOW("code", OD_MAY, OD_BLOCK, code, .check = check_code),
    HOW("source", OD_MAY, OD_LINE, source),
    HOW(NULL, OD_MAY, OD_TRUTH, trains),
};

/* Code needs a language, a task and, if it calls a library, the releases of the library. */
static void check_how(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    static const char *const of_training[] = {
        ".backward(", ".fit(",    "optimizer.", "optimizer=",        "train_step",
        "optim.",     "loss_fn(", "loss = ",    "TrainingArguments", NULL};
    struct od_advice_how *how = to;
    const struct od_yaml_node *framework = od_yaml_get(node, "framework");
    if (!how->code || !framework)
        return;
    how->trains = od_view_has_any(od_view_of(how->code), of_training);
    if (strcmp(how->framework, "any") == 0)
        od_loader_error(loader, framework, "R0315",
                        "framework: shell or python, or lines that its own condition is about",
                        "code without its language");
    if (!od_when_test_of(&how->when, OD_FACT_VERSION, NULL))
        od_loader_check_release(loader, framework, to);
}

static const struct od_loader_map how_map =
    OD_MAP("a way", struct od_advice_how, how_keys, .check = check_how);

static void check_remedy_id(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    (void)to;
    if (node->text[strspn(node->text, "abcdefghijklmnopqrstuvwxyz0123456789_")] != '\0')
        od_loader_error(loader, node, "R0306", "lower-case words, as in mixed_precision",
                        "'%s' is not an id of a remedy", node->text);
    (void)od_loader_take_id(loader, node, "R0307");
}

static void check_cause(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    const char *names[OD_CAUSE_END];
    (void)to;
    for (unsigned i = 0; i < OD_CAUSE_END; i++)
        names[i] = od_cause_name((enum od_cause)i);
    if (od_cause_named(node->text) == OD_CAUSE_END && strcmp(node->text, OD_ADVICE_OF_KNOBS) != 0)
        od_loader_error(loader, node, "R0301",
                        od_suggest_help(node->text, names, OD_CAUSE_END, loader->arena),
                        "'%s' is not a cause", node->text);
}

static void check_remedy(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct od_advice_remedy *remedy = to;
    OD_FOR_EACH_OF (const struct od_advice_how, how, remedy->how, remedy->nhow)
        if (how->trains && (!remedy->same || remedy->when.text) &&
            !od_when_test_of(&remedy->when, OD_FACT_WORK, NULL) &&
            !od_when_test_of(&how->when, OD_FACT_WORK, NULL))
            od_loader_error(loader, node, "R0316", "when: trains",
                            "code of a training for any run: %.*s", 40, how->code);
    /* without a text, the cost is that of the changed setting */
    remedy->cost = remedy->same || remedy->cost ? remedy->cost : "";
    if (!remedy->same && (!remedy->title || !remedy->source))
        od_loader_error(loader, node, "R0308", "title and source, or same", "a remedy needs words");
    if (!remedy->same && remedy->nhow == 0 && !remedy->knobs)
        od_loader_error(loader, node, "R0308", "how, or knobs", "a remedy needs a way");
    if (!remedy->gives != !remedy->why)
        od_loader_error(loader, node, "R0308", "gives, and why", "a precision needs its reason");
}

static const char *const precisions[] = {"amp_bf16",        "bf16_true",         "float32",
                                         "quantized_cache", "quantized_weights", NULL};
static const char *const turns[] = {"less", "more", NULL}, *const places[] = {"any", "in sight",
                                                                              NULL};

#define REMEDY(...) OD_KEY(struct od_advice_remedy, __VA_ARGS__)
static const struct od_loader_key remedy_keys[] = {
    REMEDY("id", OD_MUST, OD_LINE, id, .check = check_remedy_id),
    REMEDY("same", OD_MAY, OD_LINE, same),
    REMEDY("title", OD_MAY, OD_LINE, title, .check = od_loader_check_subject),
    REMEDY("named", OD_MAY, OD_LINE, named),
    REMEDY("cost", OD_MAY, OD_LINE, cost),
    REMEDY("figures", OD_MAY, OD_BLOCK, figures, .check = od_loader_check_sentence),
    REMEDY("knobs", OD_MAY, OD_TEXTS, knobs, .words = od_knob_words),
    REMEDY("turn", OD_MAY, OD_TRUTH, more, .words = turns),
    REMEDY("helps", OD_MAY, OD_WHEN, helps, .read = od_when_load),
    REMEDY("place", OD_MAY, OD_TRUTH, in_sight, .words = places),
    REMEDY("relieves", OD_MAY, OD_TEXTS, relieves, .check = od_loader_check_kinds),
    REMEDY("needs", OD_MAY, OD_WHEN, needs, .read = od_when_load),
    REMEDY("gives", OD_MAY, OD_NAME, gives, .words = precisions),
    REMEDY("why", OD_MAY, OD_LINE, why, .check = od_loader_check_subject),
    REMEDY("about", OD_MAY, OD_TEXTS, about, .words = od_subject_words),
    OD_KEYS(struct od_advice_remedy, "how", OD_MAY, OD_ROWS, how, .rows = &how_map),
    REMEDY("source", OD_MAY, OD_LINE, source),
    REMEDY("when", OD_MAY, OD_WHEN, when, .read = od_when_load),
    REMEDY("happened", OD_MAY, OD_LINE, happened),
    REMEDY("inference_cost", OD_MAY, OD_LINE, inference_cost),
};
static const struct od_loader_map remedy_map =
    OD_MAP("a remedy", struct od_advice_remedy, remedy_keys, .check = check_remedy);

static void check_start(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    (void)to;
    if (!od_start_is_valid(od_view_of(node->text)))
        od_loader_error(loader, node, "R0408", "limit x 0.75 or machine x 0.75",
                        "'%s' is no formula", node->text);
}

static void read_least(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    od_loader_size(loader, node, &((struct od_advice_kind *)to)->least);
}

#define KIND(...) OD_KEY(struct od_advice_kind, __VA_ARGS__)
static const struct od_loader_key kind_keys[] = {
    KIND("kind", OD_MUST, OD_LINE, name),
    KIND("title", OD_MAY, OD_LINE, title),
    KIND("doc", OD_MUST, OD_LINE, doc),
    KIND("when", OD_MUST, OD_WHEN, when, .read = od_when_load),
    KIND("knobs", OD_MAY, OD_TEXTS, knobs, .words = od_knob_words),
    KIND("start", OD_MAY, OD_LINE, start, .check = check_start),
    KIND("shown", OD_MAY, OD_TRUTH, shown),
    KIND("least", OD_MAY, OD_BITS, least, .read = read_least),
};
static const struct od_loader_map kind_map =
    OD_MAP("a kind of memory", struct od_advice_kind, kind_keys);

#define CIRCUMSTANCE(...) OD_KEY(struct od_circumstance, __VA_ARGS__)
static const struct od_loader_key circumstance_keys[] = {
    CIRCUMSTANCE("subject", OD_MUST, OD_LINE, subject),
    CIRCUMSTANCE("when", OD_MUST, OD_WHEN, when, .read = od_when_load),
    CIRCUMSTANCE("say", OD_MUST, OD_BLOCK, say, .check = od_loader_check_sentence),
};
static const struct od_loader_map circumstance_map =
    OD_MAP("a circumstance", struct od_circumstance, circumstance_keys);

static void read_points(struct od_loader *loader, const struct od_yaml_node *node,
                        uint64_t *ret_points)
{
    if (od_loader_is(loader, node, OD_YAML_TEXT) &&
        !od_num_parse_u64(od_view_of(node->text), ret_points))
        od_loader_error(loader, node, "R0113", "points: 20", "'%s' is not a number of points",
                        node->text);
}

static void read_worth(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    read_points(loader, node, &((struct od_advice_order *)to)->worth);
}

static void read_costs(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    read_points(loader, node, &((struct od_advice_order *)to)->costs);
}

#define ORDER(...) OD_KEY(struct od_advice_order, __VA_ARGS__)
static const struct od_loader_key order_keys[] = {
    ORDER("order", OD_MUST, OD_LINE, name),
    ORDER("doc", OD_MUST, OD_LINE, doc),
    ORDER("when", OD_MUST, OD_WHEN, when, .read = od_when_load),
    ORDER("worth", OD_MAY, OD_BITS, worth, .read = read_worth),
    ORDER("costs", OD_MAY, OD_BITS, costs, .read = read_costs),
};
static const struct od_loader_map order_map =
    OD_MAP("a row of the order", struct od_advice_order, order_keys);

#define USELESS(...) OD_KEY(struct od_useless_remedy, __VA_ARGS__)
static const struct od_loader_key useless_keys[] = {
    USELESS("title", OD_MUST, OD_LINE, title),
    USELESS("framework", OD_MUST, OD_LINE, framework, .check = od_loader_check_program),
    USELESS("why", OD_MUST, OD_BLOCK, why, .check = od_loader_check_subject),
};
static const struct od_loader_map useless_map =
    OD_MAP("what does not help", struct od_useless_remedy, useless_keys);

static void check_remedies(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    (void)to;
    if (node->n == 0)
        od_loader_error(loader, node, "R0308", NULL, "advice needs a remedy");
}

#define ADVICE(...) OD_KEY(struct od_advice, __VA_ARGS__)
/* Keys in order of dependence: the cause determines the slots. */
static const struct od_loader_key advice_keys[] = {
    OD_KEY_SCHEMA,
    ADVICE("advice", OD_MUST, OD_LINE, cause, .check = check_cause),
    ADVICE("title", OD_MUST, OD_LINE, title),
    ADVICE("page", OD_MAY, OD_LINE, page),
    ADVICE("explain", OD_MUST, OD_BLOCK, explain),
    ADVICE("sure", OD_MUST, OD_BLOCK, sure),
    ADVICE("helps", OD_MAY, OD_WHEN, helps, .read = od_when_load),
    ADVICE(NULL, OD_MAY, OD_LINE, file),
    OD_KEYS(struct od_advice, "on", OD_MAY, OD_ROWS, on, .rows = &kind_map),
    OD_KEYS(struct od_advice, "never", OD_MAY, OD_ROWS, never, .rows = &kind_map),
    OD_KEYS(struct od_advice, "named", OD_MAY, OD_ROWS, named, .rows = &kind_map),
    OD_KEYS(struct od_advice, "groups", OD_MAY, OD_ROWS, groups, .rows = &kind_map),
    OD_KEYS(struct od_advice, "kinds", OD_MAY, OD_ROWS, kinds, .rows = &kind_map),
    OD_KEYS(struct od_advice, "objects", OD_MAY, OD_ROWS, objects, .rows = &kind_map),
    OD_KEYS(struct od_advice, "order", OD_MAY, OD_ROWS, order, .rows = &order_map),
    OD_KEYS(struct od_advice, "limits", OD_MAY, OD_ROWS, limits, .rows = &kind_map),
    OD_KEYS(struct od_advice, "circumstances", OD_MAY, OD_ROWS, circumstances,
            .rows = &circumstance_map),
    OD_KEYS(struct od_advice, "remedies", OD_MUST, OD_ROWS, remedies, .check = check_remedies,
            .rows = &remedy_map),
    OD_KEYS(struct od_advice, "does_not_help", OD_MAY, OD_ROWS, useless, .rows = &useless_map),
};
const struct od_loader_map od_advice_map =
    OD_MAP("advice", struct od_advice, advice_keys, .owns = true);

enum od_err od_advice_load(struct od_view yaml, const char *name, struct od_arena *arena,
                           struct od_diags *diags, const struct od_advice **ret_advice)
{
    struct od_advice *advice = OD_NEW(arena, struct od_advice);
    advice->file = od_arena_str(arena, od_view_of(name));
    const struct od_loading loading = {name, arena, diags, &od_advice_map, advice};
    enum od_err err = od_loader_read(&loading, yaml);
    if (err == OD_OK)
        *ret_advice = advice;
    return err;
}
