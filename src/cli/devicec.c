/*
 * devicec: proves the catalogue of devices and writes it as a C table when the project is built.
 *   devicec -o FILE CATALOGUE
 * Not installed.
 */
#include "base/arena.h"
#include "base/diag.h"
#include "base/num.h"
#include "base/vec.h"
#include "base/yaml.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct device {
    const struct od_yaml_node *names;
    const char *title, *source;
    uint64_t memory, usable; /* MiB */
};

struct catalogue {
    struct od_yaml_source source;
    struct od_arena *arena;
    const struct od_yaml_node *sources;
    OD_VEC(struct device) devices;
};

static void complain(struct catalogue *c, const struct od_yaml_node *at, const char *message)
{
    const struct od_yaml_problem problem = {
        .code = "D0001", .at = at->start, .width = 1, .message = message};
    od_yaml_report(&c->source, &problem);
}

static bool read_mib(struct catalogue *c, const struct od_yaml_node *row, const char *key,
                     uint64_t *ret_mib)
{
    const struct od_yaml_node *node = od_yaml_get(row, key);
    if (!node)
        return false;
    if (node->kind != OD_YAML_TEXT || !od_num_parse_u64(od_view_of(node->text), ret_mib) ||
        *ret_mib == 0 || *ret_mib > UINT64_C(1) << 24)
        complain(c, node, "not a number of MiB");
    return true;
}

static const char *read_text(struct catalogue *c, const struct od_yaml_node *row, const char *key)
{
    const struct od_yaml_node *node = od_yaml_get(row, key);
    if (node && node->kind == OD_YAML_TEXT && *node->text)
        return node->text;
    complain(c, row, "a device needs title, names, memory and source");
    return "";
}

static void read_device(struct catalogue *c, const struct od_yaml_node *row)
{
    struct device d = {.title = read_text(c, row, "title")};
    const char *source = read_text(c, row, "source");
    const struct od_yaml_node *said = od_yaml_get(c->sources, source);
    d.names = od_yaml_get(row, "names");
    if (!d.names || d.names->kind != OD_YAML_LIST || d.names->n == 0)
        complain(c, row, "a device needs a list of names");
    if (!said || said->kind != OD_YAML_TEXT)
        complain(c, row, "its source is not among the sources");
    else
        d.source = said->text;
    if (!read_mib(c, row, "memory", &d.memory))
        complain(c, row, "a device needs its memory");
    if (!read_mib(c, row, "usable", &d.usable))
        d.usable = d.memory * 975 / 1000;
    if (d.usable > d.memory)
        complain(c, row, "more is usable than there is");
    od_vec_push(&c->devices, d);
}

static void read_catalogue(struct catalogue *c, const struct od_yaml_node *root)
{
    const struct od_yaml_node *devices =
        root->kind == OD_YAML_MAP ? od_yaml_get(root, "devices") : NULL;
    c->sources = root->kind == OD_YAML_MAP ? od_yaml_get(root, "sources") : NULL;
    if (!devices || devices->kind != OD_YAML_LIST || !c->sources ||
        c->sources->kind != OD_YAML_MAP) {
        complain(c, root, "not a catalogue: sources and devices are missing");
        return;
    }
    for (const struct od_yaml_node *row = devices->first; row; row = row->next) {
        if (row->kind == OD_YAML_MAP)
            read_device(c, row);
        else
            complain(c, row, "not a device");
    }
}

/* By usable memory, then by title, so that the table is the same on every machine. */
static int compare(const void *left, const void *right)
{
    const struct device *a = left, *b = right;
    if (a->usable != b->usable)
        return a->usable < b->usable ? -1 : 1;
    return strcmp(a->title, b->title);
}

static void add_quoted(struct od_buf *to, const char *text)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            od_buf_add_char(to, '\\');
        od_buf_add_char(to, *text);
    }
}

static void emit_device(const struct device *d, struct od_buf *to)
{
    od_buf_printf(to, "{.name = \"");
    add_quoted(to, d->names->first->text);
    od_buf_printf(to, "\", .title = \"");
    add_quoted(to, d->title);
    od_buf_printf(to, "\", .names = \"");
    for (const struct od_yaml_node *name = d->names->first; name; name = name->next) {
        add_quoted(to, name->text);
        od_buf_add_str(to, name->next ? " " : "");
    }
    od_buf_printf(to,
                  "\", .bytes = UINT64_C(%" PRIu64 "), .usable_bytes = UINT64_C(%" PRIu64
                  "), .source = \"",
                  d->memory << 20, d->usable << 20);
    add_quoted(to, d->source);
    od_buf_printf(to, "\"},\n");
}

static bool read_file(const char *name, struct od_buf *to)
{
    FILE *file = fopen(name, "rb");
    if (!file)
        return false;
    for (size_t n = 1; n > 0 && to->n <= OD_YAML_MAX_BYTES;) {
        char *room = od_buf_reserve(to, 4096);
        n = fread(room, 1, 4096, file);
        to->n += n;
    }
    bool good = !ferror(file);
    return fclose(file) == 0 && good;
}

static bool write_table(const struct catalogue *c, const char *name)
{
    struct od_buf text = {0};
    for (size_t i = 0; i < c->devices.n; i++)
        emit_device(&c->devices.items[i], &text);
    FILE *file = fopen(name, "wb");
    bool good = file && fwrite(text.p, 1, text.n, file) == text.n;
    good = file && fclose(file) == 0 && good;
    if (!good)
        perror(name);
    od_buf_done(&text);
    return good;
}

static void print_diags(const struct od_diags *diags)
{
    struct od_buf buf = {0};
    for (size_t i = 0; i < od_diags_count(diags); i++)
        od_diag_print(od_diags_at(diags, i), &buf);
    fputs(od_buf_str(&buf), stderr);
    od_buf_done(&buf);
}

static bool work(struct catalogue *c, const char *output)
{
    const struct od_yaml_node *root;
    if (od_yaml_read(&c->source, c->arena, &root) != OD_OK)
        return false;
    read_catalogue(c, root);
    if (c->source.errors > 0)
        return false;
    qsort(c->devices.items, c->devices.n, sizeof *c->devices.items, compare);
    return c->devices.n > 0 && write_table(c, output);
}

int main(int argc, char **argv)
{
    struct od_buf text = {0};
    if (argc != 4 || strcmp(argv[1], "-o") != 0) {
        fputs("usage: devicec -o FILE CATALOGUE\n", stderr);
        return 2;
    }
    if (!read_file(argv[3], &text)) {
        perror(argv[3]);
        od_buf_done(&text);
        return 3;
    }
    struct catalogue c = {
        .source = {.text = od_buf_view(&text), .name = argv[3], .diags = od_diags_new()},
        .arena = od_arena_new()};
    bool good = work(&c, argv[2]);
    print_diags(c.source.diags);
    od_vec_done(&c.devices);
    od_diags_free(c.source.diags);
    od_arena_free(c.arena);
    od_buf_done(&text);
    return good ? 0 : 3;
}
