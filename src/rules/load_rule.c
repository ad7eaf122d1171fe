#include "base/num.h"
#include "base/suggest.h"
#include "rules/loader.h"

#include <string.h>

enum { SHORTEST_LITERAL = 4 };

/* A word, a dot, more words: tf.oom.tensor. */
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

static void load_id(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct od_rule *rule = to;
    if (!od_loader_is(loader, node, OD_YAML_TEXT))
        return;
    rule->id = node->text;
    if (!is_id(node->text)) {
        od_loader_error(loader, node, "R0114", "lower-case words with dots, as in tf.oom.tensor",
                        "'%s' is not an id of a rule", node->text);
        return;
    }
    uint64_t *line = od_map_at(&loader->ids, od_view_of(node->text));
    if (*line != 0)
        od_loader_error(loader, node, "R0115", NULL,
                        "the id '%s' is taken by the rule in line %llu", node->text,
                        (unsigned long long)*line);
    else
        *line = node->line;
}

static void load_means(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct od_rule *rule = to;
    if (!od_loader_is(loader, node, OD_YAML_TEXT))
        return;
    rule->means = od_event_kind_find(od_view_of(node->text));
    /* A dump is many lines with state: a reader's work. */
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

static void load_literals(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct od_rule *rule = to;
    if (!od_loader_is(loader, node, OD_YAML_LIST))
        return;
    const char **literals = OD_NEW_N(loader->arena, node->n + 1, const char *);
    for (const struct od_yaml_node *child = node->first; child; child = child->next) {
        if (!od_loader_is(loader, child, OD_YAML_TEXT))
            continue;
        if (strlen(child->text) < SHORTEST_LITERAL && !rule->slow)
            od_loader_error(loader, child, "R0116", "a longer literal, or slow: true",
                            "literal '%s' is shorter than 4 bytes", child->text);
        literals[rule->nliterals++] = child->text;
    }
    rule->literals = literals;
}

/* No digits: what a rule makes of a line must not depend on them. */
static void load_unless(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct od_rule *rule = to;
    if (!od_loader_is(loader, node, OD_YAML_LIST))
        return;
    const char **texts = OD_NEW_N(loader->arena, node->n + 1, const char *);
    for (const struct od_yaml_node *child = node->first; child; child = child->next) {
        if (!od_loader_is(loader, child, OD_YAML_TEXT))
            continue;
        if (strpbrk(child->text, "0123456789") || child->text[0] == '\0')
            od_loader_error(loader, child, "R0116", "words without digits",
                            "'%s' has a digit, or is empty", child->text);
        texts[rule->nunless++] = child->text;
    }
    rule->unless = texts;
}

static void load_match(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct od_rule *rule = to;
    if (!od_loader_is(loader, node, OD_YAML_TEXT))
        return;
    rule->pattern = node->text;
    od_loader_pattern(loader, node, rule);
}

static void load_set(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct od_rule *rule = to;
    struct od_rule_text *texts = NULL;
    od_loader_fields(loader, node, rule, &texts);
    rule->set = texts;
    rule->nset = texts ? node->n : 0;
}

static void load_unit(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    static const char *const words[] = {[OD_UNIT_BINARY] = "binary", [OD_UNIT_DECIMAL] = "decimal"};
    struct od_rule *rule = to;
    size_t word = od_loader_word(loader, node, words, OD_COUNT_OF(words));
    rule->unit_base = word == OD_UNIT_DECIMAL ? OD_UNIT_DECIMAL : OD_UNIT_BINARY;
}

/* A word that makes a number a size, and that its number could have behind it. */
static void load_bare(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct od_rule *rule = to;
    struct od_bytes one;
    if (!od_loader_is(loader, node, OD_YAML_TEXT))
        return;
    rule->bare = node->text;
    if (!od_bytes_parse_unit(OD_VIEW("1"), od_view_of(node->text), rule->unit_base, &one) ||
        node->text[0] == '\0')
        od_loader_error(loader, node, "R0113", "a unit such as MiB", "'%s' is not a unit of sizes",
                        node->text);
}

static bool load_yes(struct od_loader *loader, const struct od_yaml_node *node)
{
    static const char *const words[] = {"false", "true"};
    return od_loader_word(loader, node, words, OD_COUNT_OF(words)) == 1;
}

static void load_slow(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    ((struct od_rule *)to)->slow = load_yes(loader, node);
}

static void load_numbered(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    ((struct od_rule *)to)->numbered = load_yes(loader, node);
}

static void load_outright(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    ((struct od_rule *)to)->outright = load_yes(loader, node);
}

static void load_fallback(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    ((struct od_rule *)to)->fallback = load_yes(loader, node);
}

static void load_said(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    ((struct od_rule *)to)->said = load_yes(loader, node);
}

static void load_note(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct od_rule *rule = to;
    if (od_loader_is(loader, node, OD_YAML_TEXT))
        rule->note = node->text;
}

static void load_samples(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    od_loader_samples(loader, node, to);
}

static void load_near_misses(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    od_loader_near_misses(loader, node, to);
}

/* In order of need: the kind decides on fields, units on values, slow on literals. */
static const struct od_loader_key rule_keys[] = {
    {"id", true, load_id},
    {"means", true, load_means},
    {"unit", false, load_unit},
    {"bare", false, load_bare},
    {"numbered", false, load_numbered},
    {"slow", false, load_slow},
    {"fallback", false, load_fallback},
    {"outright", false, load_outright},
    {"said", false, load_said},
    {"literals", false, load_literals},
    {"unless", false, load_unless},
    {"match", true, load_match},
    {"set", false, load_set},
    {"samples", true, load_samples},
    {"near_misses", false, load_near_misses},
    {"note", false, load_note},
};

static const struct od_loader_map rule_map = {"a rule", rule_keys, OD_COUNT_OF(rule_keys)};

void od_loader_rule(struct od_loader *loader, const struct od_yaml_node *node, struct od_rule *rule)
{
    rule->at = node->line;
    if (!od_loader_map(loader, node, &rule_map, rule))
        return;
    const struct od_yaml_node *literals = od_yaml_get(node, "literals");
    if (!rule->slow && (!literals || (literals->kind == OD_YAML_LIST && literals->n == 0)))
        od_loader_error(loader, literals ? literals : node, "R0117",
                        "literals: [words that each such line holds]",
                        "a rule needs a literal, or slow: true");
}
