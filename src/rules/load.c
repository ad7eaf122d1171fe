#include "rules/load.h"

#include "base/num.h"
#include "rules/loader.h"
#include "rules/value.h"

#include <string.h>

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

static struct od_loading pack_of(const char *name, struct od_arena *arena, struct od_diags *diags)
{
    struct od_pack *pack = OD_NEW(arena, struct od_pack);
    pack->file = od_arena_str(arena, od_view_of(name));
    return (struct od_loading){name, arena, diags, &pack_map, pack};
}

enum od_err od_pack_load(struct od_view yaml, const char *name, struct od_arena *arena,
                         struct od_diags *diags, const struct od_pack **ret_pack)
{
    struct od_loading loading = pack_of(name, arena, diags);
    enum od_err err = od_loader_read(&loading, yaml);
    if (err == OD_OK)
        *ret_pack = loading.to;
    return err;
}

enum od_err od_pack_load_file(const char *root, const char *name, struct od_arena *arena,
                              struct od_diags *diags, const struct od_pack **ret_pack)
{
    struct od_loading loading = pack_of(name, arena, diags);
    enum od_err err = od_loader_read_file(&loading, root);
    if (err == OD_OK)
        *ret_pack = loading.to;
    return err;
}
