#include "base/yaml.h"

#include <yaml.h>

enum { MAX_ERRORS = 40, MAX_SNIPPET = 400 };

/* A position in the source: libyaml counts characters, we count bytes. */
struct cursor {
    size_t chars;
    size_t bytes;
    unsigned line;
};

struct frame {
    struct od_yaml_node *node;
    struct od_yaml_node *last;
    struct od_yaml_node *key; /* a key whose value has not been read yet */
};

struct reader {
    struct od_yaml_source *source;
    struct od_arena *arena;
    yaml_parser_t parser;
    struct cursor cursor;
    struct frame frames[OD_YAML_MAX_DEPTH];
    size_t depth;
    struct od_yaml_node *root;
    bool ended;
};

static size_t utf8_width(unsigned char lead)
{
    return lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/* Advances to a mark of libyaml. Marks ascend, except for errors, which restart. */
static struct cursor cursor_to(struct cursor cursor, struct od_view text, size_t chars)
{
    if (chars < cursor.chars)
        cursor = (struct cursor){.line = 1};
    while (cursor.chars < chars && cursor.bytes < text.n) {
        cursor.line += text.p[cursor.bytes] == '\n';
        cursor.bytes += utf8_width((unsigned char)text.p[cursor.bytes]);
        cursor.chars++;
    }
    if (cursor.bytes > text.n)
        cursor.bytes = text.n;
    return cursor;
}

static struct od_view line_around(struct od_view text, size_t at, uint64_t *ret_line,
                                  size_t *ret_start)
{
    size_t start = 0;
    uint64_t line = 1;
    for (size_t i = 0; i < at; i++) {
        if (text.p[i] == '\n') {
            start = i + 1;
            line++;
        }
    }
    size_t end = od_view_find_char(text, '\n', start);
    struct od_view found = od_view_from(text, start);
    if (end != OD_VIEW_NONE)
        found.n = end - start;
    if (found.n > 0 && found.p[found.n - 1] == '\r')
        found.n--;
    *ret_line = line;
    *ret_start = start;
    return found;
}

void od_yaml_report(struct od_yaml_source *source, const struct od_yaml_problem *problem)
{
    source->errors += !problem->open;
    if (source->errors > MAX_ERRORS)
        return;
    size_t at = problem->at < source->text.n ? problem->at : source->text.n;
    struct od_diag diag = {.severity = problem->open ? OD_OPEN : OD_ERROR,
                           .code = problem->code,
                           .file = source->name};
    size_t start;
    struct od_view line = line_around(source->text, at, &diag.line, &start);
    diag.column = at - start + 1;
    size_t room = at - start < line.n ? line.n - (at - start) : 0;
    diag.width = problem->width < room ? problem->width : room;
    diag.message = problem->message;
    diag.help = problem->help;
    struct od_arena *scratch = od_arena_new();
    if (line.n <= MAX_SNIPPET)
        diag.snippet = od_arena_str(scratch, line);
    od_diags_add(source->diags, &diag);
    if (source->errors == MAX_ERRORS && !problem->open)
        od_diags_say(source->diags, OD_NOTE, "%s: further errors are not shown", source->name);
    od_arena_free(scratch);
}

static bool fail(struct reader *reader, size_t at, const char *code, const char *message)
{
    od_yaml_report(reader->source,
                   &(struct od_yaml_problem){.code = code, .at = at, .message = message});
    return false;
}

static bool fail_syntax(struct reader *reader)
{
    const yaml_parser_t *parser = &reader->parser;
    size_t at = parser->problem_offset;
    if (parser->error != YAML_READER_ERROR)
        at = cursor_to(reader->cursor, reader->source->text, parser->problem_mark.index).bytes;
    const char *problem = parser->problem ? parser->problem : "it cannot be read";
    const char *context = parser->context ? parser->context : "";
    const char *message =
        od_arena_printf(reader->arena, "not YAML: %s%s%s", context, *context ? ": " : "", problem);
    return fail(reader, at, "R0101", message);
}

static bool add_key(struct reader *reader, struct frame *frame, struct od_yaml_node *key)
{
    if (key->kind != OD_YAML_TEXT)
        return fail(reader, key->start, "R0108", "a key must be a text");
    if (frame->node->n == OD_YAML_MAX_KEYS)
        return fail(reader, key->start, "R0105", "too many keys in one mapping");
    if (od_yaml_get(frame->node, key->text)) {
        const char *message = od_arena_printf(reader->arena, "key '%s' is here twice", key->text);
        return fail(reader, key->start, "R0104", message);
    }
    frame->key = key;
    return true;
}

/* Appends a new node to the innermost list or mapping, or makes it the root. */
static bool place(struct reader *reader, struct od_yaml_node *node)
{
    if (reader->depth == 0) {
        reader->root = node;
        return true;
    }
    struct frame *frame = &reader->frames[reader->depth - 1];
    if (frame->node->kind == OD_YAML_MAP && !frame->key)
        return add_key(reader, frame, node);
    node->key = frame->key;
    frame->key = NULL;
    if (frame->last)
        frame->last->next = node;
    else
        frame->node->first = node;
    frame->last = node;
    frame->node->n++;
    return true;
}

static struct od_yaml_node *node_of(struct reader *reader, const yaml_event_t *event,
                                    enum od_yaml_kind kind)
{
    struct od_view text = reader->source->text;
    struct od_yaml_node *node = OD_NEW(reader->arena, struct od_yaml_node);
    reader->cursor = cursor_to(reader->cursor, text, event->start_mark.index);
    node->kind = kind;
    node->start = reader->cursor.bytes;
    node->line = reader->cursor.line;
    node->end = kind == OD_YAML_TEXT ? cursor_to(reader->cursor, text, event->end_mark.index).bytes
                                     : node->start;
    return node;
}

static bool begin(struct reader *reader, const yaml_event_t *event, enum od_yaml_kind kind)
{
    struct od_yaml_node *node = node_of(reader, event, kind);
    const yaml_char_t *anchor =
        kind == OD_YAML_LIST ? event->data.sequence_start.anchor : event->data.mapping_start.anchor;
    const yaml_char_t *tag =
        kind == OD_YAML_LIST ? event->data.sequence_start.tag : event->data.mapping_start.tag;
    if (anchor || tag)
        return fail(reader, node->start, "R0103", "anchors and tags are not used here");
    if (reader->depth == OD_YAML_MAX_DEPTH)
        return fail(reader, node->start, "R0105", "nested too deeply");
    if (!place(reader, node))
        return false;
    reader->frames[reader->depth++] = (struct frame){.node = node};
    return true;
}

static bool scalar(struct reader *reader, const yaml_event_t *event)
{
    struct od_yaml_node *node = node_of(reader, event, OD_YAML_TEXT);
    if (event->data.scalar.anchor || event->data.scalar.tag)
        return fail(reader, node->start, "R0103", "anchors and tags are not used here");
    const char *value = (const char *)event->data.scalar.value;
    struct od_view text = {.p = value, .n = event->data.scalar.length};
    if (od_view_find_char(text, '\0', 0) != OD_VIEW_NONE)
        return fail(reader, node->start, "R0106", "a text cannot hold a NUL byte");
    node->text = od_arena_str(reader->arena, text);
    return place(reader, node);
}

static bool handle(struct reader *reader, const yaml_event_t *event)
{
    size_t at = cursor_to(reader->cursor, reader->source->text, event->start_mark.index).bytes;
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        return scalar(reader, event);
    case YAML_SEQUENCE_START_EVENT:
        return begin(reader, event, OD_YAML_LIST);
    case YAML_MAPPING_START_EVENT:
        return begin(reader, event, OD_YAML_MAP);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        reader->depth--;
        return true;
    case YAML_ALIAS_EVENT:
        return fail(reader, at, "R0103", "aliases are not used here");
    case YAML_DOCUMENT_START_EVENT:
        if (reader->root)
            return fail(reader, at, "R0102", "this is one document; a second one begins here");
        return true;
    case YAML_STREAM_END_EVENT:
        reader->ended = true;
        return true;
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_DOCUMENT_END_EVENT:
        return true;
    }
    return true;
}

static void release_event(void *event)
{
    yaml_event_delete(event);
}

static void release_parser(void *parser)
{
    yaml_parser_delete(parser);
}

static bool read_events(struct reader *reader)
{
    while (!reader->ended) {
        yaml_event_t event;
        struct od_foreign held;
        if (!yaml_parser_parse(&reader->parser, &event))
            return fail_syntax(reader);
        od_foreign_hold(&held, &event, release_event);
        bool good = handle(reader, &event);
        od_foreign_release(&held);
        if (!good)
            return false;
    }
    if (!reader->root)
        return fail(reader, 0, "R0102", "the document is empty");
    return true;
}

enum od_err od_yaml_read(struct od_yaml_source *source, struct od_arena *arena,
                         const struct od_yaml_node **ret_root)
{
    struct reader reader = {.source = source, .arena = arena, .cursor = {.line = 1}};
    if (source->text.n > OD_YAML_MAX_BYTES) {
        fail(&reader, 0, "R0105", "the file is too large");
        return OD_ERULE;
    }
    if (!yaml_parser_initialize(&reader.parser))
        od_mem_die();
    struct od_foreign held;
    od_foreign_hold(&held, &reader.parser, release_parser);
    yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&reader.parser, (const unsigned char *)source->text.p,
                                 source->text.n);
    bool good = read_events(&reader);
    od_foreign_release(&held);
    if (!good)
        return OD_ERULE;
    *ret_root = reader.root;
    return OD_OK;
}

const struct od_yaml_node *od_yaml_get(const struct od_yaml_node *map, const char *key)
{
    for (const struct od_yaml_node *child = map->first; child; child = child->next) {
        if (strcmp(child->key->text, key) == 0)
            return child;
    }
    return NULL;
}

size_t od_yaml_text_at(const struct od_yaml_source *source, const struct od_yaml_node *node,
                       size_t offset)
{
    const char *raw = source->text.p + node->start;
    size_t raw_n = node->end - node->start;
    bool quoted = raw_n > 0 && raw[0] == '\'';
    size_t i = quoted ? 1 : 0;
    for (size_t at = 0; node->text[at] != '\0'; at++, i++) {
        if (i >= raw_n || raw[i] != node->text[at])
            return node->start;
        if (at == offset)
            return node->start + i;
        if (quoted && raw[i] == '\'')
            i++;
    }
    return node->start + i;
}
