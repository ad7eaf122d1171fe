/*
 * Parts of a rule that name fields: constants, samples, groups of the pattern.
 */
#include "base/suggest.h"
#include "rules/loader.h"
#include "rules/regex.h"
#include "rules/value.h"

static bool kind_has(const struct od_rule *rule, enum od_field field)
{
    /* accepts every field if the rule's kind is invalid, which was already reported */
    return rule->means == OD_EV_NONE || od_event_kind_has(rule->means, field);
}

struct name {
    const char *name;
    size_t at;        /* offset in the source */
    const char *what; /* kind of name for messages: "capture", "constant" */
};

/* Finds a field. Reports a name that is none of the rule's kind, and returns OD_F_NONE. */
static enum od_field field_of(struct od_loader *loader, const struct name *name,
                              const struct od_rule *rule)
{
    enum od_field field = od_field_find(od_view_of(name->name));
    if (field != OD_F_NONE && kind_has(rule, field))
        return field;
    const char *names[OD_F_END] = {NULL};
    for (unsigned i = OD_F_NONE + 1; i < OD_F_END; i++)
        names[i] = kind_has(rule, (enum od_field)i) ? od_field_name((enum od_field)i) : NULL;
    const char *kind = od_event_kind_name(rule->means);
    struct od_yaml_problem problem = {.code = "R0107", .at = name->at, .width = strlen(name->name)};
    problem.help = od_suggest_help(name->name, names, OD_F_END, loader->arena);
    problem.message = od_arena_printf(loader->arena, "%s '%s' is not a field of %s", name->what,
                                      name->name, kind ? kind : "any event");
    od_yaml_report(&loader->source, &problem);
    return OD_F_NONE;
}

static void check_value(struct od_loader *loader, const struct od_yaml_node *node,
                        enum od_field field, const struct od_rule *rule)
{
    struct od_shape room;
    struct od_value_text text = {.field = field,
                                 .room = &room,
                                 .text = od_view_of(node->text),
                                 .bare = od_view_of(rule->bare),
                                 .base = rule->unit_base};
    struct od_field_value value;
    if (od_value_parse(&text, &value))
        return;
    const char *const *words = od_value_words(field);
    size_t n = words ? od_loader_count(words) : 0;
    od_loader_error(loader, node, "R0113", od_suggest_help(node->text, words, n, loader->arena),
                    "%s '%s' is not %s", od_field_name(field), node->text,
                    od_value_type_name(field));
}

const struct od_rule_text *od_loader_fields(struct od_loader *loader,
                                            const struct od_yaml_node *node, size_t *ret_n)
{
    const struct od_rule *rule = loader->of;
    if (!od_loader_is(loader, node, OD_YAML_MAP))
        return NULL;
    struct od_rule_text *texts = OD_NEW_N(loader->arena, node->n + 1, struct od_rule_text);
    size_t i = 0;
    for (const struct od_yaml_node *child = node->first; child; child = child->next, i++) {
        struct name name = {child->key->text, child->key->start, "value"};
        enum od_field field = field_of(loader, &name, rule);
        if (!od_loader_is(loader, child, OD_YAML_TEXT) || field == OD_F_NONE)
            continue;
        texts[i] = (struct od_rule_text){.field = field, .text = child->text};
        check_value(loader, child, field, rule);
    }
    *ret_n = node->n;
    return texts;
}

static void load_gives(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct od_sample *sample = to;
    sample->gives = od_loader_fields(loader, node, &sample->ngives);
}

static void load_lines(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    if (node->kind == OD_YAML_TEXT && node->text[0] != '\0')
        ((struct od_sample *)to)->line = node->text;
    else
        od_loader_error(loader, node, "R0108", NULL, "lines must be a text");
}

static void check_sample(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct od_sample *sample = to;
    if (sample->line)
        return;
    sample->line = "";
    od_loader_error(loader, node, "R0110", NULL, "a sample needs a line, or lines of a block");
}

static const struct od_loader_key rule_text_keys[] = {
    OD_KEY(struct od_rule_text, NULL, OD_MAY, OD_WORD, field),
    OD_KEY(struct od_rule_text, NULL, OD_MAY, OD_LINE, text),
};
const struct od_loader_map od_rule_text_map =
    OD_MAP("a field", struct od_rule_text, rule_text_keys);

static const struct od_loader_key sample_keys[] = {
    OD_KEY(struct od_sample, NULL, OD_MAY, OD_AT, at),
    OD_KEY(struct od_sample, "line", OD_MAY, OD_LINE, line),
    {.name = "lines", .read = load_lines},
    OD_KEYS(struct od_sample, "gives", OD_MAY, OD_ROWS, gives, .read = load_gives,
            .rows = &od_rule_text_map),
};
const struct od_loader_map od_sample_map =
    OD_MAP("a sample", struct od_sample, sample_keys, .check = check_sample);

void od_loader_near_misses(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct od_rule *rule = to;
    if (!od_loader_is(loader, node, OD_YAML_LIST))
        return;
    struct od_sample *lines = OD_NEW_N(loader->arena, node->n + 1, struct od_sample);
    for (const struct od_yaml_node *child = node->first; child; child = child->next) {
        if (rule->begins ? child->kind == OD_YAML_TEXT : od_loader_is(loader, child, OD_YAML_TEXT))
            lines[rule->nnear_misses++] =
                (struct od_sample){.line = child->text, .at = child->line};
    }
    rule->near_misses = lines;
}

/* Offset of a group's name in the source. */
static size_t group_at(const struct od_loader *loader, const struct od_yaml_node *node,
                       const char *name)
{
    size_t n = strlen(name);
    for (const char *p = strstr(node->text, name); p; p = strstr(p + 1, name)) {
        bool opens = p > node->text && (p[-1] == '<' || p[-1] == '\'');
        if (opens && (p[n] == '>' || p[n] == '\''))
            return od_yaml_text_at(&loader->source, node, (size_t)(p - node->text));
    }
    return node->start;
}

static bool has_group(const struct od_regex *regex, const char *name, size_t n)
{
    for (size_t i = 0; i < od_regex_names(regex); i++) {
        const char *other = od_regex_name(regex, i).name;
        if (strlen(other) == n && memcmp(name, other, n) == 0)
            return true;
    }
    return false;
}

static void check_unit_group(struct od_loader *loader, const struct name *name,
                             const struct od_regex *regex, const struct od_rule *rule)
{
    size_t n = strlen(name->name) - strlen("_unit");
    struct name of = *name;
    of.name = od_arena_str(loader->arena, (struct od_view){name->name, n});
    enum od_field field = field_of(loader, &of, rule);
    if (field == OD_F_NONE)
        return;
    const char *message = NULL;
    if (!od_value_has_unit(field))
        message = od_arena_printf(loader->arena, "'%s' has no unit", of.name);
    else if (!has_group(regex, name->name, n))
        message = od_arena_printf(loader->arena, "unit group '%s' without a group '%s'", name->name,
                                  of.name);
    if (message)
        od_yaml_report(&loader->source, &(struct od_yaml_problem){.code = "R0120",
                                                                  .at = name->at,
                                                                  .width = strlen(name->name),
                                                                  .message = message});
}

static void check_groups(struct od_loader *loader, const struct od_yaml_node *node,
                         const struct od_regex *regex, const struct od_rule *rule)
{
    for (size_t i = 0; i < od_regex_names(regex); i++) {
        struct name name = {.name = od_regex_name(regex, i).name, .what = "capture"};
        if (i > 0 && strcmp(name.name, od_regex_name(regex, i - 1).name) == 0)
            continue;
        name.at = group_at(loader, node, name.name);
        size_t beside = od_view_find(od_view_of(name.name), OD_VIEW("_beside"), 0);
        if (beside != OD_VIEW_NONE)
            name.name = od_arena_str(loader->arena, (struct od_view){name.name, beside});
        if (od_view_ends(od_view_of(name.name), OD_VIEW("_unit")))
            check_unit_group(loader, &name, regex, rule);
        else
            field_of(loader, &name, rule);
    }
}

/* Copies a pattern and replaces names of the pack's words by their patterns. */
static void add_expanded(struct od_loader *loader, const struct od_yaml_node *at, const char *text,
                         unsigned depth, struct od_buf *to)
{
    enum { DEPTH_MOST = 6 };
    static const char opens[] = "(?&";
    for (const char *next; (next = strstr(text, opens)); text = next) {
        od_buf_add(to, (struct od_view){text, (size_t)(next - text)});
        next += strlen(opens);
        size_t n = strcspn(next, ")");
        const char *name = od_arena_str(loader->arena, (struct od_view){next, n});
        next += n + (next[n] == ')');
        const struct od_yaml_node *word = loader->words ? od_yaml_get(loader->words, name) : NULL;
        if (!word || word->kind != OD_YAML_TEXT || depth == DEPTH_MOST) {
            od_loader_error(loader, at, "R0122", "words: of the pack", "'%s' is not a word", name);
            continue;
        }
        od_buf_add_str(to, "(?:");
        add_expanded(loader, at, word->text, depth + 1, to);
        od_buf_add_char(to, ')');
    }
    od_buf_add_str(to, text);
}

const char *od_loader_pattern(struct od_loader *loader, const struct od_yaml_node *node,
                              const struct od_rule *rule)
{
    struct od_regex_error error;
    struct od_buf whole = {0};
    if (!od_loader_is(loader, node, OD_YAML_TEXT))
        return NULL;
    add_expanded(loader, node, node->text, 0, &whole);
    const char *pattern = od_arena_str(loader->arena, od_buf_view(&whole));
    od_buf_done(&whole);
    struct od_regex *regex =
        od_regex_new(pattern, &(struct od_regex_options){.no_jit = true}, &error);
    if (!regex) {
        struct od_yaml_problem problem = {.code = "R0118", .width = 1};
        problem.at = od_yaml_text_at(&loader->source, node, error.offset);
        problem.message = od_arena_printf(loader->arena, "not a pattern: %s", error.message);
        od_yaml_report(&loader->source, &problem);
        return pattern;
    }
    check_groups(loader, node, regex, rule);
    od_regex_free(regex);
    return pattern;
}
