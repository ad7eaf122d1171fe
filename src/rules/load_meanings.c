/*
 * Loads the meanings of texts, rules/words/<subject>s.yaml, and checks the samples.
 */
#include "rules/loader.h"
#include "rules/words.h"

enum { MEANINGS_MOST = 64, GLOB_LEAST = 2 };

struct file {
    enum od_subject subject;
    struct od_meanings *meanings;
};

/* Number of the meaning's bit. Reports an unknown meaning and returns MEANINGS_MOST. */
static unsigned meaning_of(struct od_loader *loader, const struct od_yaml_node *node,
                           const struct file *file)
{
    const char *const *words = od_subject_meanings(file->subject);
    size_t i = od_loader_word(loader, node, words);
    return words[i] ? (unsigned)i : MEANINGS_MOST;
}

static uint64_t set_of(struct od_loader *loader, const struct od_yaml_node *node,
                       const struct file *file)
{
    uint64_t set = 0;
    if (!od_loader_is(loader, node, OD_YAML_LIST))
        return 0;
    for (const struct od_yaml_node *child = node->first; child; child = child->next) {
        unsigned meaning = meaning_of(loader, child, file);
        set |= meaning < MEANINGS_MOST ? UINT64_C(1) << meaning : 0;
    }
    return set;
}

static void row_means(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    ((struct od_meaning_row *)to)->meaning = meaning_of(loader, node, loader->of);
}

static void row_with(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    ((struct od_meaning_row *)to)->with = set_of(loader, node, loader->of);
}

static void row_except(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    ((struct od_meaning_row *)to)->except = set_of(loader, node, loader->of);
}

static void check_glob(struct od_loader *loader, const struct od_yaml_node *node,
                       const struct od_meanings *meanings)
{
    struct od_view part = od_view_of(node->text);
    od_view_take(&part, OD_VIEW("*"));
    part.n -= part.n > 0 && part.p[part.n - 1] == '*';
    if (strcmp(node->text, "*") == 0) /* matches any text */
        return;
    bool short_ = part.n < GLOB_LEAST && strlen(node->text) != 1; /* "1" is a whole text */
    if (short_ || od_view_find_char(part, '*', 0) != OD_VIEW_NONE)
        od_loader_error(loader, node, "R0501", "two letters or more, '*' at the ends alone",
                        "'%s' is not a glob", node->text);
    for (size_t i = 0; meanings->fold && i < part.n; i++)
        if (part.p[i] >= 'A' && part.p[i] <= 'Z') {
            od_loader_error(loader, node, "R0501", "small letters", "'%s' cannot be found",
                            node->text);
            return;
        }
}

/* Loads the globs of a key, which names the part of a text to compare. */
static void load_globs(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    static const char *const fields[] = {[OD_MF_TEXT] = "text",
                                         [OD_MF_LAST] = "last",
                                         [OD_MF_NAME] = "name",
                                         [OD_MF_BARE] = "bare",
                                         NULL};
    struct od_meaning_row *row = to;
    row->field = (enum od_meaning_field)od_loader_word(loader, node->key, fields);
    const char *const *texts = od_loader_texts(loader, node, &row->nglobs);
    struct od_meaning_glob *globs =
        OD_NEW_N(loader->arena, row->nglobs + 1, struct od_meaning_glob);
    for (size_t i = 0; i < row->nglobs; i++)
        globs[i] = od_meaning_glob_of(texts[i]);
    row->globs = row->nglobs > 0 ? globs : NULL;
    for (const struct od_yaml_node *child = node->first; row->globs && child; child = child->next)
        if (child->kind == OD_YAML_TEXT)
            check_glob(loader, child, ((const struct file *)loader->of)->meanings);
}

static void check_row(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    const struct od_meaning_row *row = to;
    if (!row->globs && row->with == 0)
        od_loader_error(loader, node, "R0110", "text, last, name, bare or with",
                        "a row of no words");
}

#define GLOB(form, member) OD_KEY(struct od_meaning_glob, NULL, OD_MAY, form, member)
static const struct od_loader_key glob_keys[] = {
    GLOB(OD_LINE, text), GLOB(OD_AT, n),         GLOB(OD_AT, pair),
    GLOB(OD_AT, last),   GLOB(OD_TRUTH, before), GLOB(OD_TRUTH, after),
};
static const struct od_loader_map glob_map = OD_MAP("a glob", struct od_meaning_glob, glob_keys);

#define ROW(...) OD_KEY(struct od_meaning_row, __VA_ARGS__)
#define GLOBS(key)                      \
    {                                   \
        .name = key, .read = load_globs \
    }
static const struct od_loader_key row_keys[] = {
    ROW("means", OD_MUST, OD_WORD, meaning, .read = row_means),
    ROW(NULL, OD_MAY, OD_WORD, field),
    ROW("with", OD_MAY, OD_BITS, with, .read = row_with),
    ROW("except", OD_MAY, OD_BITS, except, .read = row_except),
    OD_KEYS(struct od_meaning_row, NULL, OD_MAY, OD_ROWS, globs, .rows = &glob_map),
    GLOBS("text"),
    GLOBS("last"),
    GLOBS("name"),
    GLOBS("bare"),
};
static const struct od_loader_map row_map =
    OD_MAP("a row", struct od_meaning_row, row_keys, .check = check_row);

#define MEANINGS(...) OD_KEY(struct od_meanings, NULL, OD_MAY, __VA_ARGS__)
static const struct od_loader_key meanings_keys[] = {
    MEANINGS(OD_TRUTH, fold),
    MEANINGS(OD_TRUTH, path),
    MEANINGS(OD_ROWS, rows, .count = offsetof(struct od_meanings, nrows), .rows = &row_map),
};
const struct od_loader_map od_meanings_map = OD_MAP("meanings", struct od_meanings, meanings_keys);

static void load_subject(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct file *file = to;
    if (od_loader_is(loader, node, OD_YAML_TEXT))
        file->subject = od_subject_find(od_view_of(node->text));
    if (file->subject == OD_SUBJECT_END) {
        od_loader_error(loader, node, "R0502", NULL, "'%s' is not a subject", node->text);
        return;
    }
    file->meanings += file->subject;
    file->meanings->path = file->subject == OD_SUBJECT_FRAME;
    file->meanings->fold = file->subject >= OD_SUBJECT_LABEL;
}

static void load_rows(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    const struct file *file = to;
    if (file->subject != OD_SUBJECT_END)
        file->meanings->rows = od_loader_rows(loader, node, &row_map, &file->meanings->nrows);
}

/* Checks a sample: "{text: ..., name: ..., means: [...]}". */
static void prove(struct od_loader *loader, const struct od_yaml_node *node,
                  const struct file *file)
{
    const struct od_yaml_node *text = od_yaml_get(node, "text"), *name = od_yaml_get(node, "name");
    const struct od_yaml_node *means = od_yaml_get(node, "means");
    if (!text || !means) {
        od_loader_error(loader, node, "R0110", NULL, "a sample has a text and what it means");
        return;
    }
    uint64_t found = od_meanings_read(file->meanings, od_view_of(text->text),
                                      od_view_of(name ? name->text : NULL));
    uint64_t wanted = set_of(loader, means, file);
    const char *const *words = od_subject_meanings(file->subject);
    for (size_t i = 0; words[i]; i++)
        if ((found ^ wanted) >> i & 1)
            od_loader_error(loader, means, "R0503", NULL, "it %s '%s'",
                            found >> i & 1 ? "means also" : "does not mean", words[i]);
}

/* Checks samples; every meaning needs one. */
static void load_samples(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    const struct file *file = to;
    uint64_t proved = 0;
    if (loader->source.errors > 0 || !od_loader_is(loader, node, OD_YAML_LIST))
        return;
    for (const struct od_yaml_node *child = node->first; child; child = child->next) {
        if (!od_loader_is(loader, child, OD_YAML_MAP))
            return;
        const struct od_yaml_node *means = od_yaml_get(child, "means");
        prove(loader, child, file);
        proved |= means ? set_of(loader, means, file) : 0;
    }
    const char *const *words = od_subject_meanings(file->subject);
    for (size_t i = 0; words[i]; i++)
        if (!(proved >> i & 1))
            od_loader_error(loader, node, "R0504", NULL, "no sample means '%s'", words[i]);
}

static const struct od_loader_key file_keys[] = {
    OD_KEY_SCHEMA,
    {.name = "meanings", .required = true, .read = load_subject},
    {.name = "rows", .required = true, .read = load_rows},
    {.name = "samples", .required = true, .read = load_samples},
};

static const struct od_loader_map file_map =
    OD_MAP("meanings", struct file, file_keys, .owns = true);

enum od_err od_meanings_load_file(const char *root, const char *name, struct od_arena *arena,
                                  struct od_diags *diags, struct od_meanings *meanings)
{
    struct file file = {.subject = OD_SUBJECT_END, .meanings = meanings};
    return od_loader_read_file(&(struct od_loading){name, arena, diags, &file_map, &file}, root);
}
