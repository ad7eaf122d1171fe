#include "base/suggest.h"
#include "rules/loader.h"
#include "rules/value.h"
#include "rules/words.h"

enum { WORD_BYTES = 48 };

static size_t count_texts(const struct od_yaml_node *node)
{
    size_t n = 0;
    for (const struct od_yaml_node *child = node->first; child; child = child->next)
        n += child->n;
    return n;
}

static void check_literals(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    const struct od_lexicon *lexicon = to;
    for (size_t i = 0; i < lexicon->nliterals; i++)
        od_loader_check_literal(loader, node, lexicon->literals[i], false);
}

static enum od_word_class class_of(struct od_loader *loader, const struct od_yaml_node *node)
{
    enum od_word_class class = od_word_class_find(od_view_of(node->key->text));
    if (class < OD_WORD_END)
        return class;
    const char *names[OD_WORD_END];
    for (unsigned i = 0; i < OD_WORD_END; i++)
        names[i] = od_word_class_name((enum od_word_class)i);
    od_loader_error(loader, node->key, "R0401",
                    od_suggest_help(node->key->text, names, OD_WORD_END, loader->arena),
                    "'%s' is not a class of words", node->key->text);
    return class;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(((const struct od_word *)a)->text, ((const struct od_word *)b)->text);
}

/* Merges equal words of two classes into one word with both classes. */
static void merge(struct od_lexicon *lexicon, struct od_word *words)
{
    if (lexicon->nwords > 1)
        qsort(words, lexicon->nwords, sizeof *words, by_text);
    size_t n = 0;
    for (size_t i = 0; i < lexicon->nwords; i++) {
        if (n > 0 && strcmp(words[n - 1].text, words[i].text) == 0)
            words[n - 1].classes |= words[i].classes;
        else
            words[n++] = words[i];
    }
    lexicon->nwords = n;
    lexicon->words = words;
}

static bool is_small(const char *text)
{
    for (const char *p = text; *p; p++) {
        if (*p >= 'A' && *p <= 'Z')
            return false;
    }
    return strlen(text) <= WORD_BYTES;
}

static void load_class(struct od_loader *loader, const struct od_yaml_node *list,
                       struct od_lexicon *lexicon, struct od_word *words)
{
    enum od_word_class class = class_of(loader, list);
    if (class == OD_WORD_END || !od_loader_is(loader, list, OD_YAML_LIST))
        return;
    for (const struct od_yaml_node *child = list->first; child; child = child->next) {
        if (!od_loader_is(loader, child, OD_YAML_TEXT))
            continue;
        if (!is_small(child->text))
            od_loader_error(loader, child, "R0402", "small letters, 48 bytes at most",
                            "'%s' is not a word of the lexicon", child->text);
        words[lexicon->nwords++] = (struct od_word){child->text, OD_WORD_BIT(class)};
    }
}

static void load_classes(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct od_lexicon *lexicon = to;
    if (!od_loader_is(loader, node, OD_YAML_MAP))
        return;
    struct od_word *words = OD_NEW_N(loader->arena, count_texts(node) + 1, struct od_word);
    for (const struct od_yaml_node *list = node->first; list; list = list->next)
        load_class(loader, list, lexicon, words);
    merge(lexicon, words);
}

static void load_marks(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct od_lexicon *lexicon = to;
    if (!od_loader_is(loader, node, OD_YAML_MAP))
        return;
    struct od_producer_mark *marks =
        OD_NEW_N(loader->arena, count_texts(node) + 1, struct od_producer_mark);
    for (const struct od_yaml_node *list = node->first; list; list = list->next) {
        size_t ntexts = 0;
        const char **texts = od_loader_texts(loader, list, &ntexts);
        (void)od_loader_word(loader, list->key, od_value_words(OD_F_PRODUCER));
        for (size_t i = 0; i < ntexts; i++)
            marks[lexicon->nmarks++] = (struct od_producer_mark){texts[i], list->key->text};
    }
    lexicon->marks = marks;
}

static void sample_kind(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct od_sentence_sample *sample = to;
    if (!od_loader_is(loader, node, OD_YAML_TEXT))
        return;
    sample->kind = od_event_kind_find(od_view_of(node->text));
    if (!od_event_kind_is_trouble(sample->kind))
        od_loader_error(loader, node, "R0112", NULL, "'%s' is not a kind of failure", node->text);
}

static void sample_gives(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct od_sentence_sample *sample = to;
    if (!od_loader_is(loader, node, OD_YAML_MAP))
        return;
    struct od_sentence_fact *facts = OD_NEW_N(loader->arena, node->n + 1, struct od_sentence_fact);
    sample->facts = facts;
    for (const struct od_yaml_node *child = node->first; child; child = child->next) {
        enum od_field field = od_field_find(od_view_of(child->key->text));
        if (!od_loader_is(loader, child, OD_YAML_TEXT))
            continue;
        if (!od_event_kind_has(sample->kind, field))
            od_loader_error(loader, child->key, "R0107", NULL, "'%s' is not a field of %s",
                            child->key->text, od_event_kind_name(sample->kind));
        facts[sample->nfacts++] = (struct od_sentence_fact){field, child->text};
    }
}

#define SAMPLE(...) OD_KEY(struct od_sentence_sample, __VA_ARGS__)
/* Keys in order of dependence: the kind determines the fields. */
static const struct od_loader_key sample_keys[] = {
    SAMPLE(NULL, OD_MAY, OD_AT, at),
    SAMPLE("line", OD_MUST, OD_BLOCK, line),
    SAMPLE("kind", OD_MUST, OD_WORD, kind, .read = sample_kind),
    SAMPLE("gives", OD_MAY, OD_NOTHING, facts, .read = sample_gives),
};
static const struct od_loader_map sample_map =
    OD_MAP("a sample", struct od_sentence_sample, sample_keys);

/* Enlarges the array of samples and near misses. */
static struct od_sentence_sample *more_samples(struct od_loader *loader, struct od_lexicon *lexicon,
                                               size_t n)
{
    struct od_sentence_sample *all =
        OD_NEW_N(loader->arena, lexicon->nsamples + n + 1, struct od_sentence_sample);
    if (lexicon->nsamples > 0)
        memcpy(all, lexicon->samples, lexicon->nsamples * sizeof *all);
    lexicon->samples = all;
    return all;
}

static void load_samples(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct od_lexicon *lexicon = to;
    if (!od_loader_is(loader, node, OD_YAML_LIST))
        return;
    struct od_sentence_sample *all = more_samples(loader, lexicon, node->n);
    for (const struct od_yaml_node *child = node->first; child; child = child->next)
        od_loader_map(loader, child, &sample_map, &all[lexicon->nsamples++]);
}

static void load_near_misses(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct od_lexicon *lexicon = to;
    if (!od_loader_is(loader, node, OD_YAML_LIST))
        return;
    struct od_sentence_sample *all = more_samples(loader, lexicon, node->n);
    for (const struct od_yaml_node *child = node->first; child; child = child->next) {
        if (child->kind == OD_YAML_TEXT || od_loader_is(loader, child, OD_YAML_TEXT))
            all[lexicon->nsamples++] =
                (struct od_sentence_sample){.line = child->text, .at = child->line};
    }
}

#define PAIR(type, form, member) OD_KEY(struct type, NULL, OD_MAY, form, member)
static const struct od_loader_key word_keys[] = {PAIR(od_word, OD_LINE, text),
                                                 PAIR(od_word, OD_BITS, classes)};
static const struct od_loader_map word_map = OD_MAP("a word", struct od_word, word_keys);
static const struct od_loader_key mark_keys[] = {PAIR(od_producer_mark, OD_LINE, text),
                                                 PAIR(od_producer_mark, OD_LINE, producer)};
static const struct od_loader_map mark_map = OD_MAP("a mark", struct od_producer_mark, mark_keys);

/* Samples are only checked by the build and omitted from the program. */
#define LEXICON(...) OD_KEYS(struct od_lexicon, __VA_ARGS__)
static const struct od_loader_key lexicon_keys[] = {
    OD_KEY_SCHEMA,
    OD_KEY(struct od_lexicon, NULL, OD_MAY, OD_LINE, file),
    {.name = "words", .required = true},
    LEXICON("literals", OD_MUST, OD_TEXTS, literals, .check = check_literals),
    LEXICON("classes", OD_MUST, OD_ROWS, words, .read = load_classes, .rows = &word_map),
    LEXICON("producers", OD_MAY, OD_ROWS, marks, .read = load_marks, .rows = &mark_map),
    {.name = "samples", .required = true, .read = load_samples},
    {.name = "near_misses", .required = true, .read = load_near_misses},
};
const struct od_loader_map od_lexicon_map = OD_MAP("a lexicon", struct od_lexicon, lexicon_keys);

enum od_err od_words_load_file(const char *root, const char *name, struct od_arena *arena,
                               struct od_diags *diags, const struct od_lexicon **ret_lexicon)
{
    struct od_lexicon *lexicon = OD_NEW(arena, struct od_lexicon);
    lexicon->file = od_arena_str(arena, od_view_of(name));
    *ret_lexicon = lexicon;
    return od_loader_read_file(&(struct od_loading){name, arena, diags, &od_lexicon_map, lexicon},
                               root);
}
