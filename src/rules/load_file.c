#include "rules/load.h"
#include "rules/loader.h"

#include <errno.h>
#include <stdio.h>

static void close_file(void *file)
{
    (void)fclose(file);
}

/* Reads one byte more than a pack may have, so that the loader can report that it is too long. */
static bool read_all(const char *path, struct od_buf *to)
{
    enum { PIECE = 65536 };
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    struct od_foreign held;
    od_foreign_hold(&held, file, close_file);
    errno = 0;
    size_t n = 1;
    while (n > 0 && to->n <= OD_YAML_MAX_BYTES) {
        n = fread(od_buf_reserve(to, PIECE), 1, PIECE, file);
        to->n += n;
    }
    bool good = !ferror(file);
    int reason = errno;
    od_foreign_release(&held);
    errno = reason;
    return good;
}

/* Is the schema newer? Then only this is reported, because all keys may have changed. */
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

/* Adds errors in the order of the file. They were found in the order in which keys are needed. */
static void add_sorted(const struct od_diags *found, struct od_diags *to)
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

enum od_err od_loader_read(const struct od_loading *loading, struct od_view yaml)
{
    struct od_diags *found = od_diags_new();
    struct od_loader loader = {.source = {.text = yaml, .name = loading->name, .diags = found},
                               .arena = loading->arena};
    const struct od_yaml_node *root;
    bool ok = od_yaml_read(&loader.source, loader.arena, &root) == OD_OK &&
              !is_newer(&loader, root) && od_loader_map(&loader, root, loading->map, loading->to) &&
              loader.source.errors == 0;
    od_map_done(&loader.ids);
    add_sorted(found, loading->diags);
    od_diags_free(found);
    return ok ? OD_OK : OD_ERULE;
}

enum od_err od_rule_text(const char *root, const char *name, struct od_arena *arena,
                         struct od_diags *diags, struct od_view *ret_yaml)
{
    struct od_buf path = {0}, text = {0};
    od_buf_printf(&path, "%s%s%s", root ? root : "", root ? "/" : "", name);
    bool good = read_all(od_buf_str(&path), &text);
    if (good)
        *ret_yaml = od_arena_view(arena, od_buf_view(&text));
    else
        od_diags_say(diags, OD_ERROR, "%s: cannot be read: %s", od_buf_str(&path), strerror(errno));
    od_buf_done(&path);
    od_buf_done(&text);
    return good ? OD_OK : OD_EINPUT;
}

enum od_err od_loader_read_file(const struct od_loading *loading, const char *root)
{
    struct od_view yaml;
    enum od_err err = od_rule_text(root, loading->name, loading->arena, loading->diags, &yaml);
    return err == OD_OK ? od_loader_read(loading, yaml) : err;
}
