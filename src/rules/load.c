#include "rules/load.h"

#include "base/mem.h"
#include "base/num.h"
#include "rules/loader.h"
#include "rules/value.h"

#include <string.h>

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

static bool is_word(const char *text)
{
    return text[0] >= 'a' && text[0] <= 'z' &&
           text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_-")] == '\0';
}

static void load_name(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct od_pack *pack = to;
    if (!od_loader_is(loader, node, OD_YAML_TEXT))
        return;
    if (!is_word(node->text))
        od_loader_error(loader, node, "R0114", "a lower-case word such as tensorflow",
                        "'%s' is not a name for a pack", node->text);
    pack->name = node->text;
}

static void load_producer(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct od_pack *pack = to;
    size_t n;
    const char *const *words = od_value_words(OD_F_PRODUCER, &n);
    if (od_loader_word(loader, node, words, n) < n)
        pack->producer = node->text;
}

static void load_rules(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct od_pack *pack = to;
    if (!od_loader_is(loader, node, OD_YAML_LIST))
        return;
    struct od_rule *rules = OD_NEW_N(loader->arena, node->n + 1, struct od_rule);
    pack->rules = rules;
    for (const struct od_yaml_node *child = node->first; child; child = child->next)
        od_loader_rule(loader, child, &rules[pack->nrules++]);
}

static const struct od_loader_key pack_keys[] = {
    {"schema", true, od_loader_schema},
    {"pack", true, load_name},
    {"producer", true, load_producer},
    {"rules", true, load_rules},
};

static const struct od_loader_map pack_map = {"a pack", pack_keys, OD_COUNT_OF(pack_keys)};

/* A newer schema may mean anything by its keys: nothing else is worth saying then. */
static bool is_newer(struct od_loader *loader, const struct od_yaml_node *root)
{
    const struct od_yaml_node *schema =
        root->kind == OD_YAML_MAP ? od_yaml_get(root, "schema") : NULL;
    uint64_t number;
    if (!schema || schema->kind != OD_YAML_TEXT ||
        !od_num_parse_u64(od_view_of(schema->text), &number) || number <= 1)
        return false;
    od_loader_schema(loader, schema, NULL);
    return true;
}

const struct od_yaml_node *od_loader_root(struct od_loader *loader)
{
    const struct od_yaml_node *root;
    if (od_yaml_read(&loader->source, loader->arena, &root) != OD_OK || is_newer(loader, root))
        return NULL;
    return root;
}

static const struct od_pack *load(struct od_loader *loader)
{
    const struct od_yaml_node *root = od_loader_root(loader);
    if (!root)
        return NULL;
    struct od_pack *pack = OD_NEW(loader->arena, struct od_pack);
    pack->file = od_arena_str(loader->arena, od_view_of(loader->source.name));
    od_loader_map(loader, root, &pack_map, pack);
    return loader->source.errors == 0 ? pack : NULL;
}

void od_loader_add_sorted(const struct od_diags *found, struct od_diags *to)
{
    size_t n = od_diags_count(found);
    const struct od_diag **sorted = od_mem_alloc(n, sizeof *sorted);
    for (size_t i = 0; i < n; i++) {
        const struct od_diag *diag = od_diags_at(found, i);
        size_t at = i;
        for (; at > 0 && diag->line > 0 && sorted[at - 1]->line > diag->line; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = diag;
    }
    for (size_t i = 0; i < n; i++)
        od_diags_add(to, sorted[i]);
    od_mem_free(sorted);
}

enum od_err od_pack_load(struct od_view yaml, const char *name, struct od_arena *arena,
                         struct od_diags *diags, const struct od_pack **ret_pack)
{
    struct od_diags *found = od_diags_new();
    struct od_loader loader = {.source = {.text = yaml, .name = name, .diags = found},
                               .arena = arena};
    const struct od_pack *pack = load(&loader);
    od_map_done(&loader.ids);
    od_loader_add_sorted(found, diags);
    od_diags_free(found);
    if (!pack)
        return OD_ERULE;
    *ret_pack = pack;
    return OD_OK;
}
