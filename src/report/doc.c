#include "report/doc.h"

#include <assert.h>

struct od_doc *od_doc_new(void)
{
    struct od_arena *arena = od_arena_new();
    struct od_doc *doc = OD_NEW(arena, struct od_doc);
    doc->arena = arena;
    return doc;
}

void od_doc_free(struct od_doc *doc)
{
    if (doc)
        od_arena_free(doc->arena);
}

/* Appends item to a list with the members first, last and next. */
#define APPEND(list, item)               \
    do {                                 \
        if ((list)->last)                \
            (list)->last->next = (item); \
        else                             \
            (list)->first = (item);      \
        (list)->last = (item);           \
    } while (0)

static struct od_text *new_text(struct od_arena *arena)
{
    struct od_text *text = OD_NEW(arena, struct od_text);
    text->arena = arena;
    return text;
}

static struct od_section *new_section(struct od_arena *arena, const char *title)
{
    struct od_section *section = OD_NEW(arena, struct od_section);
    section->arena = arena;
    section->title = title;
    return section;
}

struct od_section *od_doc_section(struct od_doc *doc, const char *title)
{
    struct od_section *section = new_section(doc->arena, title);
    APPEND(doc, section);
    return section;
}

static struct od_node *add_node(struct od_section *section, enum od_node_kind kind)
{
    struct od_node *node = OD_NEW(section->arena, struct od_node);
    node->arena = section->arena;
    node->kind = kind;
    APPEND(section, node);
    return node;
}

struct od_text *od_doc_text(struct od_section *section)
{
    struct od_node *node = add_node(section, OD_NODE_TEXT);
    node->text = node->text_last = new_text(section->arena);
    return node->text;
}

void od_doc_paragraphs(struct od_section *section, const char *text, size_t most)
{
    struct od_view rest = od_view_of(text), line;
    struct od_text *to = NULL;
    while (od_view_cut(&rest, '\n', &line)) {
        line = od_view_trim(line);
        if (line.n == 0) {
            most--;
            to = NULL;
        } else if (most == 0) {
            return;
        } else if (to) {
            od_say(to, " ");
            od_doc_add(to, OD_PLAIN, line);
        } else {
            to = od_doc_text(section);
            od_doc_add(to, OD_PLAIN, line);
        }
    }
}

struct od_node *od_doc_list(struct od_section *section)
{
    return add_node(section, OD_NODE_LIST);
}

struct od_table *od_doc_table(struct od_section *section)
{
    struct od_node *node = add_node(section, OD_NODE_TABLE);
    node->table = OD_NEW(section->arena, struct od_table);
    node->table->arena = section->arena;
    return node->table;
}

struct od_bar *od_doc_bar(struct od_section *section)
{
    struct od_node *node = add_node(section, OD_NODE_BAR);
    node->bar = OD_NEW(section->arena, struct od_bar);
    node->bar->arena = section->arena;
    return node->bar;
}

struct od_plot *od_doc_plot(struct od_section *section)
{
    struct od_node *node = add_node(section, OD_NODE_PLOT);
    node->plot = OD_NEW(section->arena, struct od_plot);
    return node->plot;
}

void od_doc_bar_part(struct od_bar *bar, const struct od_bar_part *part)
{
    struct od_bar_part *copy = OD_NEW(bar->arena, struct od_bar_part);
    *copy = *part;
    copy->next = NULL;
    for (const struct od_bar_part *before = bar->first; before && !copy->again;
         before = before->next) {
        copy->again = before->fill == part->fill && od_view_eq(before->label, part->label);
        if (before->fill == part->fill)
            copy->shade = copy->again ? before->shade : (before->shade + 1) % OD_SHADES;
    }
    APPEND(bar, copy);
}

void od_doc_code(struct od_section *section, const char *code)
{
    add_node(section, OD_NODE_CODE)->code = od_arena_str(section->arena, od_view_of(code));
}

void od_doc_quote(struct od_section *section, const struct od_quote *quote)
{
    add_node(section, OD_NODE_QUOTE)->quote = *quote;
}

void od_doc_figure(struct od_section *section, const struct od_picture *picture)
{
    add_node(section, OD_NODE_FIGURE)->picture = picture;
}

void od_doc_excerpt(struct od_section *section)
{
    (void)add_node(section, OD_NODE_EXCERPT);
}

struct od_section *od_doc_card(struct od_section *section, const char *title)
{
    struct od_node *node = add_node(section, OD_NODE_CARD);
    node->details = new_section(section->arena, title);
    return node->details;
}

struct od_text *od_doc_fact(struct od_doc *doc)
{
    if (!doc->facts) {
        doc->facts = OD_NEW(doc->arena, struct od_node);
        doc->facts->arena = doc->arena;
        doc->facts->kind = OD_NODE_LIST;
    }
    return od_doc_item(doc->facts);
}

struct od_section *od_doc_details(struct od_section *section, const char *title)
{
    struct od_node *node = add_node(section, OD_NODE_DETAILS);
    node->details = new_section(section->arena, title);
    return node->details;
}

struct od_text *od_doc_item(struct od_node *list)
{
    assert(list->kind == OD_NODE_LIST);
    struct od_text *item = new_text(list->arena);
    if (list->text_last)
        list->text_last->next = item;
    else
        list->text = item;
    return list->text_last = item;
}

void od_doc_add(struct od_text *text, enum od_tone tone, struct od_view words)
{
    struct od_span *span = OD_NEW(text->arena, struct od_span);
    span->tone = tone;
    span->text = words;
    APPEND(text, span);
}

void od_say_as(struct od_text *text, enum od_tone tone, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *words = od_arena_vprintf(text->arena, format, args);
    va_end(args);
    od_doc_add(text, tone, od_view_of(words));
}

void od_say(struct od_text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *words = od_arena_vprintf(text->arena, format, args);
    va_end(args);
    od_doc_add(text, OD_PLAIN, od_view_of(words));
}

void od_doc_refer(struct od_text *text, struct od_prov at, const char *words)
{
    od_doc_add(text, OD_CODE, od_view_of(words));
    text->last->at = at;
}

void od_doc_columns(struct od_table *table, const char *titles, ...)
{
    va_list args;
    va_start(args, titles);
    const char *rest = od_arena_vprintf(table->arena, titles, args), *end;
    va_end(args);
    do {
        assert(table->ncolumns < OD_COLUMNS_MAX && !table->first);
        struct od_column *column = &table->columns[table->ncolumns++];
        end = rest + strcspn(rest, "|");
        column->kind = *rest == '>'   ? OD_COLUMN_RIGHT
                       : *rest == '#' ? OD_COLUMN_BAR
                                      : OD_COLUMN_LEFT;
        rest += column->kind != OD_COLUMN_LEFT;
        column->title = od_arena_str(table->arena, (struct od_view){rest, (size_t)(end - rest)});
        rest = end + 1;
    } while (*end);
}

struct od_row *od_doc_row(struct od_table *table)
{
    struct od_row *row = OD_NEW(table->arena, struct od_row);
    row->cells = OD_NEW_N(table->arena, table->ncolumns, struct od_cell);
    APPEND(table, row);
    return row;
}

struct od_row *od_doc_row_of(struct od_table *table, size_t n, const char *const *texts)
{
    struct od_row *row = od_doc_row(table);
    for (size_t i = 0; i < n && i < table->ncolumns; i++)
        row->cells[i].text = od_view_of(texts[i]);
    return row;
}

static bool is_blank(const struct od_table *table, size_t column)
{
    if (table->columns[column].kind == OD_COLUMN_BAR)
        return false;
    for (const struct od_row *row = table->first; row; row = row->next)
        if (row->cells[column].text.n > 0)
            return false;
    return true;
}

void od_doc_drop_blank_columns(struct od_table *table)
{
    size_t kept = 0;
    for (size_t i = 0; i < table->ncolumns; i++) {
        if (is_blank(table, i))
            continue;
        for (struct od_row *row = table->first; row; row = row->next)
            row->cells[kept] = row->cells[i];
        table->columns[kept++] = table->columns[i];
    }
    table->ncolumns = kept;
}

int od_log_line_order(struct od_prov a, struct od_prov b)
{
    if (a.source != b.source)
        return a.source < b.source ? -1 : 1;
    return a.line < b.line ? -1 : a.line > b.line;
}

bool od_doc_has_line(const struct od_doc *doc, struct od_prov at)
{
    size_t from = 0;
    size_t to = doc->excerpt.n;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        int order = od_log_line_order(at, doc->excerpt.lines[middle].at);
        if (order == 0)
            return true;
        if (order < 0)
            to = middle;
        else
            from = middle + 1;
    }
    return false;
}
