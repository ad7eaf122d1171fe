#include "rules/loader.h"

#include "base/num.h"
#include "base/suggest.h"

#include <stdarg.h>
#include <string.h>

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

bool od_loader_is_block(struct od_loader *loader, const struct od_yaml_node *node)
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

size_t od_loader_word(struct od_loader *loader, const struct od_yaml_node *node,
                      const char *const *words, size_t n)
{
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

static void report_unknown_keys(struct od_loader *loader, const struct od_yaml_node *node,
                                const struct od_loader_map *map)
{
    const char *names[OD_YAML_MAX_KEYS];
    for (size_t i = 0; i < map->nkeys; i++)
        names[i] = map->keys[i].name;
    for (const struct od_yaml_node *child = node->first; child; child = child->next) {
        size_t i = 0;
        while (i < map->nkeys && strcmp(child->key->text, names[i]) != 0)
            i++;
        if (i < map->nkeys)
            continue;
        const char *help = od_suggest_help(child->key->text, names, map->nkeys, loader->arena);
        od_loader_error(loader, child->key, "R0109", help, "'%s' is not a key of %s",
                        child->key->text, map->what);
    }
}

bool od_loader_map(struct od_loader *loader, const struct od_yaml_node *node,
                   const struct od_loader_map *map, void *to)
{
    if (!od_loader_is(loader, node, OD_YAML_MAP))
        return false;
    report_unknown_keys(loader, node, map);
    for (size_t i = 0; i < map->nkeys; i++) {
        const struct od_loader_key *key = &map->keys[i];
        const struct od_yaml_node *value = od_yaml_get(node, key->name);
        if (value)
            key->load(loader, value, to);
        else if (key->required)
            od_loader_error(loader, node, "R0110", NULL, "%s lacks the key '%s'", map->what,
                            key->name);
    }
    return true;
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
