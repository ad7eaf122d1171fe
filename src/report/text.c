/* A document as text for a terminal or a file. */
#include "report/report.h"

#include "report/page.h"

#include <stdio.h>

extern const struct od_format od_format_text;

enum {
    COLUMNS_DEFAULT = 80,
    COLUMNS_MOST = 1000,
    TEXT_COLUMNS = 80, /* columns of sentences, also on a wider page */
    CARD_INDENT = 3,   /* columns before the text after "1. " */
    CODE_LEAST = 6     /* columns before code outside of cards */
};

static void add_spans(const struct od_page *page, struct od_glyphs *glyphs,
                      const struct od_text *text)
{
    for (const struct od_span *span = text->first; span; span = span->next) {
        size_t start = glyphs->n;
        od_glyphs_add(page, glyphs, span->tone, span->text);
        od_glyphs_link(page, glyphs, start, span->address);
    }
}

static void put_text(const struct od_page *page, const struct od_text *text, size_t indent,
                     const char *mark)
{
    struct od_glyphs glyphs = {0};
    struct od_text_setting setting = {0};
    od_glyphs_blank(&setting.first, indent);
    od_glyphs_add(page, &setting.first, OD_DIM, od_view_of(mark));
    od_glyphs_blank(&setting.other, od_glyphs_columns(&setting.first, 0, setting.first.n));
    add_spans(page, &glyphs, text);
    od_text_lines(page, &glyphs, &setting);
    od_vec_done(&glyphs);
    od_text_setting_done(&setting);
}

/* Puts the title and the text on one line; further lines are indented like other text. */
static void put_titled(const struct od_page *page, const char *title, const struct od_text *text)
{
    struct od_glyphs glyphs = {0};
    struct od_text_setting setting = {0};
    od_glyphs_add(page, &setting.first, OD_STRONG, od_view_of(title));
    od_glyphs_add(page, &setting.first, OD_STRONG, OD_VIEW(": "));
    od_glyphs_blank(&setting.other, OD_TEXT_INDENT);
    od_text_copy(&glyphs, &setting.first, 0, setting.first.n);
    setting.first.n = 0;
    add_spans(page, &glyphs, text);
    od_text_lines(page, &glyphs, &setting);
    od_vec_done(&glyphs);
    od_text_setting_done(&setting);
}

/* Puts the place on its own line, and the words after a vertical bar. */
static void put_quote(const struct od_page *narrow, const struct od_quote *quote)
{
    struct od_page wide = *narrow;
    const struct od_page *page = &wide;
    wide.columns = narrow->wide;
    struct od_glyphs glyphs = {0};
    struct od_text_setting setting = {0};
    char line[24] = "";
    if (quote->at.line > 0)
        (void)snprintf(line, sizeof line, ":%llu", (unsigned long long)quote->at.line);
    od_glyphs_blank(&setting.first, OD_TEXT_INDENT);
    od_glyphs_blank(&setting.other, OD_TEXT_INDENT);
    od_glyphs_add(page, &glyphs, OD_CODE, od_view_of(quote->file));
    od_glyphs_add(page, &glyphs, OD_CODE, od_view_of(line));
    od_glyphs_link(page, &glyphs, 0, quote->address);
    od_text_lines(page, &glyphs, &setting);

    glyphs.n = 0;
    od_glyphs_draw(page, &setting.first, OD_DIM, (struct od_stroke){OD_VIEW("│"), '|'}, 1);
    od_glyphs_blank(&setting.first, 1);
    od_text_copy(&setting.other, &setting.first, OD_TEXT_INDENT, setting.first.n);
    od_glyphs_add(page, &glyphs, OD_PLAIN, od_view_trim(quote->text));
    od_text_lines(page, &glyphs, &setting);
    od_vec_done(&glyphs);
    od_text_setting_done(&setting);
}

/* Code of the advice fits 80 columns. On a narrower page its lines are continued with more
 * indentation, because half a command is useless. */
static void put_code(const struct od_page *page, const char *code, size_t outer)
{
    size_t indent = outer + OD_TEXT_INDENT > CODE_LEAST ? outer + OD_TEXT_INDENT : CODE_LEAST;
    struct od_view rest = od_view_of(code), line;
    struct od_text_setting setting = {0};
    od_glyphs_blank(&setting.first, indent);
    od_glyphs_blank(&setting.other, indent + OD_TEXT_INDENT);
    while (od_view_cut(&rest, '\n', &line)) {
        struct od_glyphs glyphs = {0};
        bool goes_on = od_text_columns(line) + indent > page->columns;
        od_glyphs_add(page, &glyphs, OD_CODE, goes_on ? od_view_trim(line) : line);
        if (glyphs.n > 0)
            od_text_lines(page, &glyphs, &setting);
        else
            od_page_line(page, &glyphs);
        od_vec_done(&glyphs);
    }
    od_text_setting_done(&setting);
}

static void put_card(const struct od_page *page, const struct od_section *card, size_t indent);

static void put_node(const struct od_page *page, const struct od_node *node, size_t indent)
{
    switch (node->kind) {
    case OD_NODE_TEXT:
        put_text(page, node->text, indent, "");
        break;
    case OD_NODE_LIST:
        for (const struct od_text *item = node->text; item; item = item->next)
            put_text(page, item, indent, page->unicode ? "• " : "- ");
        break;
    case OD_NODE_TABLE:
        od_text_table(page, node->table, NULL);
        break;
    case OD_NODE_BAR:
        if (!node->bar->small)
            od_text_bar(page, node->bar);
        break;
    case OD_NODE_PLOT:
        od_text_plot(page, node->plot);
        break;
    case OD_NODE_QUOTE:
        put_quote(page, &node->quote);
        break;
    case OD_NODE_CODE:
        put_code(page, node->code, indent);
        break;
    case OD_NODE_CARD:
        put_card(page, node->details, indent);
        break;
    case OD_NODE_DETAILS: /* only for pages that fold */
    case OD_NODE_FIGURE:
    case OD_NODE_EXCERPT:
        break;
    }
}

static void put_card(const struct od_page *page, const struct od_section *card, size_t indent)
{
    struct od_glyphs title = {0};
    struct od_text_setting setting = {0};
    od_glyphs_blank(&setting.first, indent);
    od_glyphs_blank(&setting.other, indent);
    od_glyphs_add(page, &title, OD_STRONG, od_view_of(card->title));
    od_glyphs_link(page, &title, 0, card->source);
    od_text_lines(page, &title, &setting);
    od_vec_done(&title);
    od_text_setting_done(&setting);
    for (const struct od_node *node = card->first; node; node = node->next)
        put_node(page, node, indent + CARD_INDENT);
}

static void put_section(const struct od_page *page, const struct od_section *section)
{
    size_t indent = section->title || section->indented ? OD_TEXT_INDENT : 0;
    const struct od_node *node = section->first;
    bool joins = section->title && node;
    if (joins && node->kind == OD_NODE_TEXT) {
        put_titled(page, section->title, node->text);
        node = node->next;
    } else if (joins && node->kind == OD_NODE_TABLE) {
        od_text_table(page, node->table, section->title);
        node = node->next;
    } else if (section->title) {
        od_text_title(page, section->title);
    }
    for (; node; node = node->next)
        put_node(page, node, indent);
}

static size_t page_columns(unsigned columns)
{
    if (columns == 0)
        return COLUMNS_DEFAULT;
    if (columns < OD_PAGE_LEAST)
        return OD_PAGE_LEAST;
    return columns > COLUMNS_MOST ? COLUMNS_MOST : columns;
}

/* Is the section shown? All are, except those with this rank or a higher one. */
static bool is_shown(const struct od_section *section, unsigned rank)
{
    return !section->part || section->rank < rank;
}

/* "Not on this screen: memory, other findings (-v shows all)." */
static void put_left_out(const struct od_page *page, const struct od_doc *doc, unsigned rank)
{
    struct od_glyphs glyphs = {0};
    struct od_text_setting plain = {0};
    const char *last = NULL;
    for (const struct od_section *s = doc->first; s; s = s->next) {
        if (is_shown(s, rank) || s->part == last)
            continue;
        od_glyphs_add(page, &glyphs, OD_DIM,
                      last ? OD_VIEW(", ") : OD_VIEW("Not on this screen: "));
        od_glyphs_add(page, &glyphs, OD_DIM, od_view_of(s->part));
        last = s->part;
    }
    if (last)
        od_glyphs_add(page, &glyphs, OD_DIM, OD_VIEW(" (-v shows all)."));
    od_text_lines(page, &glyphs, &plain);
    od_vec_done(&glyphs);
    od_text_setting_done(&plain);
}

static void put_sections(const struct od_page *page, const struct od_doc *doc, unsigned rank)
{
    for (const struct od_section *section = doc->first; section; section = section->next) {
        if (!is_shown(section, rank))
            continue;
        if (section != doc->first && !section->indented)
            od_buf_add_char(page->to, '\n');
        put_section(page, section);
    }
    put_left_out(page, doc, rank);
}

/* A terminal that is too low shows as many parts as fit, the most important first. Files, pipes and
 * --verbose get the whole report. */
void od_text_render(const struct od_doc *doc, const struct od_report_options *options,
                    struct od_buf *to)
{
    unsigned rank = 1;
    size_t start = to->n;
    struct od_page page = {.to = to,
                           .color = options->color,
                           .unicode = options->unicode,
                           .links = options->links,
                           .wide = page_columns(options->columns)};
    page.columns = page.wide < TEXT_COLUMNS ? page.wide : TEXT_COLUMNS;
    for (const struct od_section *section = doc->first; section; section = section->next)
        rank = section->part && section->rank >= rank ? section->rank + 1 : rank;
    for (;; rank--) {
        to->n = start;
        put_sections(&page, doc, rank);
        size_t lines = od_view_count(od_view_from(od_buf_view(to), start), '\n');
        if (options->verbose || options->rows == 0 || lines <= options->rows || rank <= 1)
            return;
    }
}

const struct od_format od_format_text = {.name = "text", .document = od_text_render};
