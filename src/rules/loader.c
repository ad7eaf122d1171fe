#include "rules/loader.h"

#include "base/suggest.h"

enum { MOST_TEXT = 16384 };

void od_loader_error(struct od_loader *loader, const struct od_yaml_node *at, const char *code,
                     const char *help, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    struct od_yaml_problem problem = {
        .code = code, .at = at->start, .width = at->end - at->start, .help = help};
    problem.message = od_arena_vprintf(loader->arena, format, args);
    va_end(args);
    od_yaml_report(&loader->source, &problem);
}

void od_loader_check_subject(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    static const char *const words[] = {"It", "Its", "There", "That", "Call it", "They"};
    (void)to;
    for (size_t i = 0; i < OD_COUNT_OF(words); i++) {
        size_t n = strlen(words[i]);
        if (strncmp(node->text, words[i], n) == 0 && !od_is_letter(node->text[n]))
            od_loader_error(loader, node, "R0121", "name the program, setting or call",
                            "'%s' at the beginning of a text says nothing to who reads only it",
                            words[i]);
    }
}

void od_loader_size(struct od_loader *loader, const struct od_yaml_node *node, uint64_t *ret_bytes)
{
    struct od_bytes size = {0};
    if (!od_loader_is(loader, node, OD_YAML_TEXT))
        return;
    if (!od_bytes_parse(od_view_of(node->text), OD_UNIT_BINARY, &size))
        od_loader_error(loader, node, "R0113", "16 MiB", "'%s' is not a size", node->text);
    *ret_bytes = size.n;
}

void od_loader_check_literal(struct od_loader *loader, const struct od_yaml_node *node,
                             const char *text, bool may_be_short)
{
    enum { SHORTEST = 4 };
    size_t n = strlen(text);
    if (n < SHORTEST && !may_be_short)
        od_loader_error(loader, node, "R0116", "a longer literal, or slow: true",
                        "literal '%s' is shorter than 4 bytes", text);
    else if (strspn(text, "0123456789") == n)
        od_loader_error(loader, node, "R0116", "with a word before or after",
                        "literal '%s' has digits alone, which many lines have", text);
}

bool od_loader_is(struct od_loader *loader, const struct od_yaml_node *node, enum od_yaml_kind kind)
{
    static const char *const names[] = {"a text", "a list", "a mapping"};
    const char *of = node->key ? node->key->text : "this";
    if (node->kind != kind) {
        od_loader_error(loader, node, "R0108", NULL, "%s must be %s, not %s", of, names[kind],
                        names[node->kind]);
        return false;
    }
    if (kind != OD_YAML_TEXT)
        return true;
    size_t n = strlen(node->text);
    if (n == 0 || n > MOST_TEXT || strchr(node->text, '\n')) {
        const char *why = n == 0 ? "empty" : n > MOST_TEXT ? "this long" : "more than one line";
        od_loader_error(loader, node, "R0106", NULL, "%s cannot be %s", of, why);
        return false;
    }
    return true;
}

/* Is the node a text of one or more lines, neither empty nor huge? */
static bool is_block(struct od_loader *loader, const struct od_yaml_node *node)
{
    const char *of = node->key ? node->key->text : "this";
    if (node->kind != OD_YAML_TEXT) {
        od_loader_error(loader, node, "R0108", NULL, "%s must be a text", of);
        return false;
    }
    size_t n = strlen(node->text);
    if (n > 0 && n <= MOST_TEXT)
        return true;
    od_loader_error(loader, node, "R0106", NULL, "%s cannot be %s", of,
                    n == 0 ? "empty" : "this long");
    return false;
}

const char **od_loader_texts(struct od_loader *loader, const struct od_yaml_node *node,
                             size_t *ret_n)
{
    if (!od_loader_is(loader, node, OD_YAML_LIST))
        return NULL;
    const char **texts = OD_NEW_N(loader->arena, node->n + 1, const char *);
    size_t n = 0;
    for (const struct od_yaml_node *child = node->first; child; child = child->next)
        if (od_loader_is(loader, child, OD_YAML_TEXT))
            texts[n++] = child->text;
    if (ret_n)
        *ret_n = n;
    return texts;
}

size_t od_loader_count(const char *const *words)
{
    size_t n = 0;
    while (words[n])
        n++;
    return n;
}

size_t od_loader_word(struct od_loader *loader, const struct od_yaml_node *node,
                      const char *const *words)
{
    size_t n = od_loader_count(words);
    if (!od_loader_is(loader, node, OD_YAML_TEXT))
        return n;
    for (size_t i = 0; i < n; i++) {
        if (strcmp(node->text, words[i]) == 0)
            return i;
    }
    od_loader_error(loader, node, "R0113", od_suggest_help(node->text, words, n, loader->arena),
                    "'%s' is not a value of %s", node->text, node->key ? node->key->text : "this");
    return n;
}

bool od_loader_take_id(struct od_loader *loader, const struct od_yaml_node *node, const char *code)
{
    uint64_t *line = od_map_at(&loader->ids, od_view_of(node->text));
    if (*line == 0) {
        *line = node->line;
        return true;
    }
    od_loader_error(loader, node, code, NULL, "'%s' is taken in line %llu", node->text,
                    (unsigned long long)*line);
    return false;
}

/* Stores the names in a node for od_advice_check_names. after: the error message after the name. */
static void refer(struct od_loader *loader, const struct od_yaml_node *node, const char *code,
                  const char *after)
{
    for (const struct od_yaml_node *child = node->first; child; child = child->next)
        refer(loader, child, code, after);
    if (node->kind == OD_YAML_TEXT && node->text[0] != '{')
        od_yaml_report(&loader->source,
                       &(struct od_yaml_problem){
                           .code = code,
                           .at = node->start,
                           .width = node->end - node->start,
                           .message = od_arena_printf(loader->arena, "'%s' %s", node->text, after),
                           .help = node->text,
                           .open = true});
}

void od_loader_check_kinds(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    (void)to;
    refer(loader, node, "R0312", "is no kind of memory");
}

void od_loader_check_remedy(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    (void)to;
    refer(loader, node, "R0313", "is no remedy");
}

void od_loader_check_program(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    (void)to;
    if (node->kind != OD_YAML_TEXT || strcmp(node->text, "any") != 0)
        refer(loader, node, "R0314", "is no program and no group of programs");
}

void od_loader_check_release(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    (void)to;
    refer(loader, node, "R0317", "has releases, and no condition says for which this code is");
}

static void report_unknown_keys(struct od_loader *loader, const struct od_yaml_node *node,
                                const struct od_loader_map *map)
{
    const char *names[OD_YAML_MAX_KEYS];
    size_t n = 0;
    for (size_t i = 0; i < map->nkeys; i++)
        if (map->keys[i].name)
            names[n++] = map->keys[i].name;
    for (const struct od_yaml_node *child = node->first; child; child = child->next) {
        size_t i = 0;
        while (i < n && strcmp(child->key->text, names[i]) != 0)
            i++;
        if (i < n)
            continue;
        const char *help = od_suggest_help(child->key->text, names, n, loader->arena);
        od_loader_error(loader, child->key, "R0109", help, "'%s' is not a key of %s",
                        child->key->text, map->what);
    }
}

/* Removes the line end of a block scalar. */
static const char *without_end(struct od_loader *loader, const char *text)
{
    size_t n = text ? strlen(text) : 0;
    while (n > 0 && strchr("\n ", text[n - 1]))
        n--;
    return od_arena_str(loader->arena, (struct od_view){text, n});
}

static void put_text(void *to, const char *text)
{
    *(const char **)to = text;
}

static bool read_texts(struct od_loader *loader, const struct od_yaml_node *node,
                       const struct od_loader_key *key, void *to, size_t *ret_n)
{
    const char **texts = od_loader_texts(loader, node, ret_n);
    *(const char *const **)to = texts;
    for (const struct od_yaml_node *child = node->first; key->words && texts && child;
         child = child->next)
        (void)od_loader_word(loader, child, key->words);
    return texts != NULL;
}

/* Reads a value in the form of its key. Reports a value of another form and returns false. */
static bool read_form(struct od_loader *loader, const struct od_yaml_node *node,
                      const struct od_loader_key *key, void *to, size_t *ret_n)
{
    static const char *const truth[] = {"false", "true", NULL};
    const char *const *words = key->words ? key->words : truth;
    switch (key->form) {
    case OD_LINE:
        put_text(to, node->text);
        return od_loader_is(loader, node, OD_YAML_TEXT);
    case OD_BLOCK:
        put_text(to, without_end(loader, node->text));
        return is_block(loader, node);
    case OD_NAME:
        put_text(to, node->text);
        return od_loader_word(loader, node, words) < od_loader_count(words);
    case OD_WORD:
        *(unsigned *)to = (unsigned)(od_loader_word(loader, node, words) % od_loader_count(words));
        return true;
    case OD_TRUTH:
        *(bool *)to = od_loader_word(loader, node, words) == 1;
        return true;
    case OD_TEXTS:
        return read_texts(loader, node, key, to, ret_n);
    case OD_ROWS:
        *(void **)to = od_loader_rows(loader, node, key->rows, ret_n);
        return *(void **)to != NULL;
    case OD_NOTHING:
    case OD_WHEN:
    case OD_AT:
    case OD_BITS:
    default:
        return od_loader_is(loader, node, OD_YAML_TEXT);
    }
}

static void read_key(struct od_loader *loader, const struct od_yaml_node *node,
                     const struct od_loader_key *key, void *to)
{
    size_t uncounted, *n = key->count > 0 ? (size_t *)((char *)to + key->count) : &uncounted;
    if (key->read)
        key->read(loader, node, key->form == OD_WHEN ? (char *)to + key->at : to);
    else if (read_form(loader, node, key, (char *)to + key->at, n) && key->check)
        key->check(loader, node, to);
}

bool od_loader_map(struct od_loader *loader, const struct od_yaml_node *node,
                   const struct od_loader_map *map, void *to)
{
    if (!od_loader_is(loader, node, OD_YAML_MAP))
        return false;
    void *of = loader->of;
    loader->of = map->owns ? to : of;
    report_unknown_keys(loader, node, map);
    OD_FOR_EACH_OF (const struct od_loader_key, key, map->keys, map->nkeys) {
        const struct od_yaml_node *value = key->name ? od_yaml_get(node, key->name) : NULL;
        if (value)
            read_key(loader, value, key, to);
        else if (key->form == OD_AT)
            *(unsigned *)((char *)to + key->at) = node->line;
        else if (key->required)
            od_loader_error(loader, node, "R0110", NULL, "%s lacks the key '%s'", map->what,
                            key->name);
    }
    if (map->check)
        map->check(loader, node, to);
    loader->of = of;
    return true;
}

void *od_loader_rows(struct od_loader *loader, const struct od_yaml_node *node,
                     const struct od_loader_map *map, size_t *ret_n)
{
    if (!od_loader_is(loader, node, OD_YAML_LIST))
        return NULL;
    char *rows = od_arena_alloc(loader->arena, node->n + 1, map->size);
    *ret_n = 0;
    for (const struct od_yaml_node *child = node->first; child; child = child->next)
        (void)od_loader_map(loader, child, map, rows + (*ret_n)++ * map->size);
    return rows;
}

void od_loader_schema(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    (void)to;
    if (!od_loader_is(loader, node, OD_YAML_TEXT))
        return;
    uint64_t schema;
    if (!od_num_parse_u64(od_view_of(node->text), &schema) || schema == 0)
        od_loader_error(loader, node, "R0113", "schema: 1", "'%s' is not a schema number",
                        node->text);
    else if (schema > 1)
        od_loader_error(loader, node, "R0111",
                        "use a newer oomdoctor, or write the pack as schema 1",
                        "schema %s is newer than this program, which reads schema 1", node->text);
}
