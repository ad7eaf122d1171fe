#include "rules/load.h"

#include "rules/loader.h"
#include "rules/value.h"

static bool is_word(const char *text)
{
    return text[0] >= 'a' && text[0] <= 'z' &&
           text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_-")] == '\0';
}

static void check_name(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    (void)to;
    if (!is_word(node->text))
        od_loader_error(loader, node, "R0114", "a lower-case word such as tensorflow",
                        "'%s' is not a name for a pack", node->text);
}

static void check_producer(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    (void)to;
    (void)od_loader_word(loader, node, od_value_words(OD_F_PRODUCER));
}

static void take_words(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    (void)to;
    if (od_loader_is(loader, node, OD_YAML_MAP))
        loader->words = node;
}

#define PACK(...) OD_KEY(struct od_pack, __VA_ARGS__)
static const struct od_loader_key pack_keys[] = {
    OD_KEY_SCHEMA,
    PACK("pack", OD_MUST, OD_LINE, name, .check = check_name),
    PACK("producer", OD_MUST, OD_LINE, producer, .check = check_producer),
    PACK(NULL, OD_MAY, OD_LINE, file),
    {.name = "words", .read = take_words},
    OD_KEYS(struct od_pack, "rules", OD_MUST, OD_ROWS, rules, .rows = &od_rule_map),
};
const struct od_loader_map od_pack_map = OD_MAP("a pack", struct od_pack, pack_keys);

enum od_err od_pack_load(struct od_view yaml, const char *name, struct od_arena *arena,
                         struct od_diags *diags, const struct od_pack **ret_pack)
{
    struct od_pack *pack = OD_NEW(arena, struct od_pack);
    pack->file = od_arena_str(arena, od_view_of(name));
    const struct od_loading loading = {name, arena, diags, &od_pack_map, pack};
    enum od_err err = od_loader_read(&loading, yaml);
    if (err == OD_OK)
        *ret_pack = pack;
    return err;
}
