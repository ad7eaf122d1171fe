#include "base/suggest.h"
#include "rules/loader.h"

/* Is the text an id, words separated by dots: "tf.oom.tensor"? */
static bool is_id(const char *text)
{
    static const char word[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    size_t first = strspn(text, word);
    if (first == 0 || text[0] < 'a' || text[first] != '.')
        return false;
    size_t n = strlen(text);
    return text[n - 1] != '.' && !strstr(text, "..") &&
           strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_.-") == n;
}

static void check_id(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    (void)to;
    if (is_id(node->text))
        (void)od_loader_take_id(loader, node, "R0115");
    else
        od_loader_error(loader, node, "R0114", "lower-case words with dots, as in tf.oom.tensor",
                        "'%s' is not an id of a rule", node->text);
}

static void load_means(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct od_rule *rule = to;
    if (!od_loader_is(loader, node, OD_YAML_TEXT))
        return;
    rule->means = od_event_kind_find(od_view_of(node->text));
    /* a dump needs a reader, because it has many lines */
    if (rule->means != OD_EV_NONE && rule->means != OD_EV_DUMP)
        return;
    rule->means = OD_EV_NONE;
    const char *names[OD_EV_END] = {NULL};
    for (unsigned i = OD_EV_NONE + 1; i < OD_EV_END; i++)
        names[i] = i == OD_EV_DUMP ? NULL : od_event_kind_name((enum od_event_kind)i);
    od_loader_error(loader, node, "R0112",
                    od_suggest_help(node->text, names, OD_EV_END, loader->arena),
                    "'%s' is not a kind of event that a rule can give", node->text);
}

static void check_literals(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    const struct od_rule *rule = to;
    for (const struct od_yaml_node *child = node->first; child; child = child->next)
        if (child->kind == OD_YAML_TEXT)
            od_loader_check_literal(loader, child, child->text, rule->slow);
}

/* Rejects digits, because a rule must give the same result for lines that differ only in digits. */
static void check_unless(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    (void)to;
    for (const struct od_yaml_node *child = node->first; child; child = child->next)
        if (child->kind == OD_YAML_TEXT && strpbrk(child->text, "0123456789"))
            od_loader_error(loader, child, "R0116", "words without digits", "'%s' has a digit",
                            child->text);
}

static void load_set(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct od_rule *rule = to;
    rule->set = od_loader_fields(loader, node, &rule->nset);
}

/* Checks that a word that makes a number a size is a unit that could follow the number. */
static void check_bare(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct od_rule *rule = to;
    struct od_bytes one;
    static const char *const counted[] = {"pages", "order", "words", NULL};
    if (!od_view_eq_any(od_view_of(node->text), counted) &&
        !od_bytes_parse_unit(OD_VIEW("1"), od_view_of(node->text), rule->unit_base, &one))
        od_loader_error(loader, node, "R0113", "a unit such as MiB", "'%s' is not a unit of sizes",
                        node->text);
}

static void load_match(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    ((struct od_rule *)to)->pattern = od_loader_pattern(loader, node, to);
}

static void load_gate(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    ((struct od_rule *)to)->gate = od_loader_pattern(loader, node, to);
}

static void load_begins(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    ((struct od_rule *)to)->begins = od_loader_pattern(loader, node, to);
    (void)od_loader_take_id(loader, node, "R0124"); /* two rules must not begin blocks alike */
}

static void load_rows(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    ((struct od_rule *)to)->rows = od_loader_pattern(loader, node, to);
}

static void check_samples(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    (void)to;
    if (node->n == 0)
        od_loader_error(loader, node, "R0119", NULL, "a rule needs a sample");
}

static void check_rule(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    const struct od_rule *rule = to;
    const struct od_yaml_node *literals = od_yaml_get(node, "literals");
    if (!rule->slow && (!literals || (literals->kind == OD_YAML_LIST && literals->n == 0)))
        od_loader_error(loader, literals ? literals : node, "R0117",
                        "literals: [words that each such line holds]",
                        "a rule needs a literal, or slow: true");
    if (!rule->begins != !rule->rows || ((rule->last || rule->squeezed) && !rule->begins))
        od_loader_error(loader, node, "R0123", "begins: and rows:",
                        "a block needs a pattern of its first line and one of its further lines");
}

static const char *const units[] = {
    [OD_UNIT_BINARY] = "binary", [OD_UNIT_DECIMAL] = "decimal", NULL};

#define RULE(...) OD_KEY(struct od_rule, __VA_ARGS__)
#define RULE_ROWS(...) OD_KEYS(struct od_rule, __VA_ARGS__)
/* Keys in order of dependence: fields of the kind, values in units, literals. */
static const struct od_loader_key rule_keys[] = {
    RULE(NULL, OD_MAY, OD_AT, at),
    RULE("id", OD_MUST, OD_LINE, id, .check = check_id),
    RULE("means", OD_MUST, OD_WORD, means, .read = load_means),
    RULE("unit", OD_MAY, OD_WORD, unit_base, .words = units),
    RULE("bare", OD_MAY, OD_LINE, bare, .check = check_bare),
    RULE("numbered", OD_MAY, OD_TRUTH, numbered),
    RULE("slow", OD_MAY, OD_TRUTH, slow),
    RULE("fallback", OD_MAY, OD_TRUTH, fallback),
    RULE("printed", OD_MAY, OD_TRUTH, printed),
    RULE("outright", OD_MAY, OD_TRUTH, outright),
    RULE("people", OD_MAY, OD_TRUTH, people),
    RULE("said", OD_MAY, OD_TRUTH, said),
    RULE_ROWS("literals", OD_MAY, OD_TEXTS, literals, .check = check_literals),
    RULE_ROWS("unless", OD_MAY, OD_TEXTS, unless, .check = check_unless),
    RULE_ROWS("beside", OD_MAY, OD_TEXTS, beside, .check = check_unless),
    RULE("gate", OD_MAY, OD_LINE, gate, .read = load_gate),
    RULE("match", OD_MUST, OD_LINE, pattern, .read = load_match),
    RULE("each", OD_MAY, OD_TRUTH, each),
    RULE("begins", OD_MAY, OD_LINE, begins, .read = load_begins),
    RULE("rows", OD_MAY, OD_LINE, rows, .read = load_rows),
    RULE("last", OD_MAY, OD_TRUTH, last),
    RULE("squeezed", OD_MAY, OD_TRUTH, squeezed),
    RULE("also", OD_MAY, OD_TRUTH, also),
    RULE_ROWS("set", OD_MAY, OD_ROWS, set, .read = load_set, .rows = &od_rule_text_map),
    RULE_ROWS("samples", OD_MUST, OD_ROWS, samples, .check = check_samples, .rows = &od_sample_map),
    RULE_ROWS("near_misses", OD_MAY, OD_ROWS, near_misses, .read = od_loader_near_misses,
              .rows = &od_sample_map),
    RULE("note", OD_MAY, OD_LINE, note),
};
const struct od_loader_map od_rule_map =
    OD_MAP("a rule", struct od_rule, rule_keys, .check = check_rule, .owns = true);
