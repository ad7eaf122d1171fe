/* Loading of advice. The slots of its texts are checked here, so that none is unknown later. */
#include "base/num.h"
#include "base/suggest.h"
#include "rules/advice.h"
#include "rules/loader.h"
#include "rules/software.h"
#include "rules/value.h"

#include <string.h>

enum { CODE_COLUMNS = 74, WORDS_MAX = 96, NUMBERS_MAX = 32 };

/* A text ends without the line break of its block scalar. */
static const char *without_end(struct od_loader *loader, const char *text)
{
    return od_arena_str(loader->arena, od_view_trim(od_view_of(text)));
}

static void load_text(struct od_loader *loader, const struct od_yaml_node *node, const char **to)
{
    if (od_loader_is(loader, node, OD_YAML_TEXT))
        *to = node->text;
}

static void load_block(struct od_loader *loader, const struct od_yaml_node *node, const char **to)
{
    if (od_loader_is_block(loader, node))
        *to = without_end(loader, node->text);
}

/* Digits and dots: 2.3, 1.10. */
static void load_version(struct od_loader *loader, const struct od_yaml_node *node, const char **to)
{
    if (!od_loader_is(loader, node, OD_YAML_TEXT))
        return;
    size_t n = strspn(node->text, "0123456789.");
    bool good = node->text[n] == '\0' && node->text[0] != '.' && node->text[n - 1] != '.' &&
                !strstr(node->text, "..");
    if (!good)
        od_loader_error(loader, node, "R0304", "numbers and dots, as in '2.3'",
                        "'%s' is not a version", node->text);
    *to = node->text;
}

static void load_framework(struct od_loader *loader, const struct od_yaml_node *node,
                           const char **to)
{
    static const char *const own[] = {"any",         "keras",  "program", "service", "htcondor",
                                      "ultralytics", "tgi",    "nvidia",  "amd",     "r",
                                      "julia",       "matlab", "lmkd"};
    const char *words[WORDS_MAX];
    size_t n;
    const char *const *producers = od_value_words(OD_F_PRODUCER, &n);
    size_t count = 0;
    while (count < OD_COUNT_OF(own)) {
        words[count] = own[count];
        count++;
    }
    for (size_t i = 0; i < n && count < WORDS_MAX; i++)
        words[count++] = producers[i];
    if (od_loader_word(loader, node, words, count) < count)
        *to = node->text;
}

/* Code is pasted: it must neither be wrapped nor cut where it is shown. */
static void load_code(struct od_loader *loader, const struct od_yaml_node *node, const char **to)
{
    if (!od_loader_is_block(loader, node))
        return;
    size_t n = strlen(node->text);
    while (n > 0 && node->text[n - 1] == '\n')
        n--;
    struct od_view code = {.p = node->text, .n = n}, line;
    *to = od_arena_str(loader->arena, code);
    while (od_view_cut(&code, '\n', &line)) {
        if (line.n > CODE_COLUMNS || od_view_find_char(line, '\t', 0) != OD_VIEW_NONE)
            od_loader_error(loader, node, "R0305", "break it",
                            "a line of code is wider than %d, "
                            "or has a tab: %.*s",
                            CODE_COLUMNS, (int)line.n, line.p);
    }
}

/* --- unless: {setting: text, or a list of texts} --- */

static size_t count_settings(const struct od_yaml_node *node)
{
    size_t n = 0;
    for (const struct od_yaml_node *child = node->first; child; child = child->next)
        n += child->kind == OD_YAML_LIST ? child->n : 1;
    return n;
}

static void load_unless(struct od_loader *loader, const struct od_yaml_node *node,
                        struct od_advice_how *how)
{
    if (!od_loader_is(loader, node, OD_YAML_MAP))
        return;
    struct od_advice_setting *settings =
        OD_NEW_N(loader->arena, count_settings(node) + 1, struct od_advice_setting);
    how->unless = settings;
    for (const struct od_yaml_node *child = node->first; child; child = child->next) {
        const struct od_yaml_node *value = child->kind == OD_YAML_LIST ? child->first : child;
        for (; value; value = child->kind == OD_YAML_LIST ? value->next : NULL) {
            if (od_loader_is(loader, value, OD_YAML_TEXT))
                settings[how->nunless++] =
                    (struct od_advice_setting){child->key->text, value->text};
        }
    }
}

/* --- how --- */

#define FIELD(name, type, field, load)                                                    \
    static void name(struct od_loader *loader, const struct od_yaml_node *node, void *to) \
    {                                                                                     \
        struct type *into = to;                                                           \
        load(loader, node, &into->field);                                                 \
    }

FIELD(how_framework, od_advice_how, framework, load_framework)
FIELD(how_since, od_advice_how, since, load_version)
FIELD(how_before, od_advice_how, before, load_version)
FIELD(how_text, od_advice_how, text, load_block)
FIELD(how_code, od_advice_how, code, load_code)

static void how_unless(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    load_unless(loader, node, to);
}

static const struct od_loader_key how_keys[] = {
    {"framework", true, how_framework}, {"since", false, how_since}, {"before", false, how_before},
    {"unless", false, how_unless},      {"text", true, how_text},    {"code", false, how_code},
};

static const struct od_loader_map how_map = {"a way", how_keys, OD_COUNT_OF(how_keys)};

/* --- a remedy --- */

FIELD(remedy_title, od_advice_remedy, title, load_text)
FIELD(remedy_named, od_advice_remedy, named, load_text)
FIELD(remedy_cost, od_advice_remedy, cost, load_text)
FIELD(remedy_inference_cost, od_advice_remedy, inference_cost, load_text)
FIELD(remedy_when, od_advice_remedy, when, load_text)
FIELD(remedy_same, od_advice_remedy, same, load_text)
FIELD(remedy_source, od_advice_remedy, source, load_text)
FIELD(remedy_figures, od_advice_remedy, figures, load_block)

static void remedy_id(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct od_advice_remedy *remedy = to;
    if (!od_loader_is(loader, node, OD_YAML_TEXT))
        return;
    remedy->id = node->text;
    if (node->text[strspn(node->text, "abcdefghijklmnopqrstuvwxyz0123456789_")] != '\0')
        od_loader_error(loader, node, "R0306", "lower-case words, as in mixed_precision",
                        "'%s' is not an id of a remedy", node->text);
    uint64_t *line = od_map_at(&loader->ids, od_view_of(node->text));
    if (*line != 0)
        od_loader_error(loader, node, "R0307", NULL,
                        "the id '%s' is taken by the remedy in line %llu", node->text,
                        (unsigned long long)*line);
    *line = node->line;
}

static void remedy_how(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct od_advice_remedy *remedy = to;
    if (!od_loader_is(loader, node, OD_YAML_LIST))
        return;
    struct od_advice_how *how = OD_NEW_N(loader->arena, node->n + 1, struct od_advice_how);
    remedy->how = how;
    for (const struct od_yaml_node *child = node->first; child; child = child->next)
        od_loader_map(loader, child, &how_map, &how[remedy->nhow++]);
}

/* Words of one of the vocabularies. */
static void load_words(struct od_loader *loader, const struct od_yaml_node *node,
                       const char *const *words, const char *const **to)
{
    size_t n = 0, known = 0;
    if (!od_loader_is(loader, node, OD_YAML_LIST))
        return;
    while (words[known])
        known++;
    const char **list = OD_NEW_N(loader->arena, node->n + 1, const char *);
    for (const struct od_yaml_node *child = node->first; child; child = child->next)
        if (od_loader_word(loader, child, words, known) < known)
            list[n++] = child->text;
    *to = list;
}

static void remedy_knobs(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct od_advice_remedy *remedy = to;
    load_words(loader, node, od_knob_words, &remedy->knobs);
}

static void remedy_only(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    const char *words[OD_SORT_END + 2] = {"own"};
    struct od_advice_remedy *remedy = to;
    for (size_t i = 0; i < OD_SORT_END; i++)
        words[i + 1] = od_sort_words[i];
    load_words(loader, node, words, &remedy->only);
}

static void remedy_more(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    static const char *const ways[] = {"less", "more"};
    struct od_advice_remedy *remedy = to;
    remedy->more = od_loader_word(loader, node, ways, OD_COUNT_OF(ways)) == 1;
}

static void remedy_space(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    static const char *const spaces[] = {"device", "host"};
    struct od_advice_remedy *remedy = to;
    if (od_loader_word(loader, node, spaces, OD_COUNT_OF(spaces)) < OD_COUNT_OF(spaces))
        remedy->space = node->text;
}

static void remedy_phase(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    static const char *const phases[] = {"training", "validation", "inference"};
    struct od_advice_remedy *remedy = to;
    if (od_loader_word(loader, node, phases, OD_COUNT_OF(phases)) < OD_COUNT_OF(phases))
        remedy->phase = node->text;
}

static const struct od_loader_key remedy_keys[] = {
    {"id", true, remedy_id},
    {"same", false, remedy_same},
    {"title", false, remedy_title},
    {"named", false, remedy_named},
    {"cost", false, remedy_cost},
    {"figures", false, remedy_figures},
    {"knobs", false, remedy_knobs},
    {"turn", false, remedy_more},
    {"only", false, remedy_only},
    {"space", false, remedy_space},
    {"how", false, remedy_how},
    {"source", false, remedy_source},
    {"when", false, remedy_when},
    {"phase", false, remedy_phase},
    {"inference_cost", false, remedy_inference_cost},
};

static const struct od_loader_map remedy_map = {"a remedy", remedy_keys, OD_COUNT_OF(remedy_keys)};

/* --- what does not help --- */

FIELD(vain_title, od_advice_vain, title, load_text)
FIELD(vain_why, od_advice_vain, why, load_block)
FIELD(vain_framework, od_advice_vain, framework, load_framework)

static const struct od_loader_key vain_keys[] = {
    {"title", true, vain_title},
    {"framework", true, vain_framework},
    {"why", true, vain_why},
};

static const struct od_loader_map vain_map = {"what does not help", vain_keys,
                                              OD_COUNT_OF(vain_keys)};

/* --- the file --- */

FIELD(advice_title, od_advice, title, load_text)
FIELD(advice_explain, od_advice, explain, load_block)
FIELD(advice_sure, od_advice, sure, load_block)

static void advice_cause(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct od_advice *advice = to;
    if (!od_loader_is(loader, node, OD_YAML_TEXT))
        return;
    const char *names[OD_CAUSE_END];
    for (unsigned i = 0; i < OD_CAUSE_END; i++)
        names[i] = od_cause_name((enum od_cause)i);
    enum od_cause cause = od_cause_named(node->text);
    if (cause < OD_CAUSE_END)
        advice->cause = od_cause_name(cause);
    else if (strcmp(node->text, OD_ADVICE_OF_KNOBS) == 0)
        advice->cause = OD_ADVICE_OF_KNOBS;
    else
        od_loader_error(loader, node, "R0301",
                        od_suggest_help(node->text, names, OD_CAUSE_END, loader->arena),
                        "'%s' is not a cause", node->text);
}

static void check_slot(struct od_loader *loader, const struct od_yaml_node *node,
                       struct od_view slot, const char *cause)
{
    enum od_cause known = od_cause_named(cause);
    if (known == OD_CAUSE_END || od_advice_has_number(known, slot))
        return;
    const char *names[NUMBERS_MAX] = {NULL};
    size_t n = 0;
    for (const char *const *name = od_advice_numbers; *name; name++)
        names[n++] = *name;
    for (const char *const *name = od_cause_numbers(known); *name && n < NUMBERS_MAX; name++)
        names[n++] = *name;
    const char *word = od_arena_str(loader->arena, slot);
    od_loader_error(loader, node, "R0302", od_suggest_help(word, names, n, loader->arena),
                    "{%s} is not a number that a finding of %s may carry", word, cause);
}

static void check_slots(struct od_loader *loader, const struct od_yaml_node *node,
                        const char *cause)
{
    struct od_view text = od_view_of(node->text);
    size_t at = 0;
    while ((at = od_view_find_char(text, '{', at)) != OD_VIEW_NONE) {
        size_t end = od_view_find_char(text, '}', at);
        if (end == OD_VIEW_NONE) {
            od_loader_error(loader, node, "R0303", NULL, "a '{' without its '}'");
            return;
        }
        check_slot(loader, node, od_view_head(od_view_from(text, at + 1), end - at - 1), cause);
        at = end;
    }
}

static void advice_remedies(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct od_advice *advice = to;
    if (!od_loader_is(loader, node, OD_YAML_LIST))
        return;
    if (node->n == 0)
        od_loader_error(loader, node, "R0308", NULL, "advice needs a remedy");
    struct od_advice_remedy *remedies =
        OD_NEW_N(loader->arena, node->n + 1, struct od_advice_remedy);
    advice->remedies = remedies;
    for (const struct od_yaml_node *child = node->first; child; child = child->next) {
        if (!od_loader_map(loader, child, &remedy_map, &remedies[advice->nremedies++]))
            continue;
        const struct od_advice_remedy *remedy = &remedies[advice->nremedies - 1];
        if (!remedy->same && (!remedy->title || !remedy->cost || !remedy->source))
            od_loader_error(loader, child, "R0308", "title, cost and source, or same",
                            "a remedy needs words");
        if (!remedy->same && remedy->nhow == 0 && !remedy->knobs)
            od_loader_error(loader, child, "R0308", "how, or knobs", "a remedy needs a way");
        const struct od_yaml_node *figures = od_yaml_get(child, "figures");
        if (figures && figures->kind == OD_YAML_TEXT)
            check_slots(loader, figures, advice->cause);
    }
}

static void advice_vain(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct od_advice *advice = to;
    if (!od_loader_is(loader, node, OD_YAML_LIST))
        return;
    struct od_advice_vain *vain = OD_NEW_N(loader->arena, node->n + 1, struct od_advice_vain);
    advice->vain = vain;
    for (const struct od_yaml_node *child = node->first; child; child = child->next)
        od_loader_map(loader, child, &vain_map, &vain[advice->nvain++]);
}

/* In order of need: the cause decides on slots. */
static const struct od_loader_key advice_keys[] = {
    {"schema", true, od_loader_schema},    {"advice", true, advice_cause},
    {"title", true, advice_title},         {"explain", true, advice_explain},
    {"sure", true, advice_sure},           {"remedies", true, advice_remedies},
    {"does_not_help", false, advice_vain},
};

static const struct od_loader_map advice_map = {"advice", advice_keys, OD_COUNT_OF(advice_keys)};

static struct od_loading advice_of(const char *name, struct od_arena *arena, struct od_diags *diags)
{
    struct od_advice *advice = OD_NEW(arena, struct od_advice);
    advice->file = od_arena_str(arena, od_view_of(name));
    return (struct od_loading){name, arena, diags, &advice_map, advice};
}

enum od_err od_advice_load(struct od_view yaml, const char *name, struct od_arena *arena,
                           struct od_diags *diags, const struct od_advice **ret_advice)
{
    struct od_loading loading = advice_of(name, arena, diags);
    enum od_err err = od_loader_read(&loading, yaml);
    if (err == OD_OK)
        *ret_advice = loading.to;
    return err;
}

enum od_err od_advice_load_file(const char *root, const char *name, struct od_arena *arena,
                                struct od_diags *diags, const struct od_advice **ret_advice)
{
    struct od_loading loading = advice_of(name, arena, diags);
    enum od_err err = od_loader_read_file(&loading, root);
    if (err == OD_OK)
        *ret_advice = loading.to;
    return err;
}
