/*
 * Renders a document as Markdown for issues and chats (GitHub's dialect). Separate words of the log
 * are set as code; in running text all characters with a meaning in Markdown are escaped.
 */
#include "report/doc.h"
#include "report/page.h"
#include "report/report.h"

extern const struct od_format od_format_markdown;

enum { BYTES_MOST = 58000 };

/* Adds one line of text. Mentions, references, links, tags and marks in it are escaped. */
static void add_escaped(struct od_buf *to, struct od_view text)
{
    struct od_buf visible = {0};
    od_text_visible(text, &visible);
    for (size_t i = 0; i < visible.n; i++) {
        char c = visible.p[i];
        char next = i + 1 < visible.n ? visible.p[i + 1] : '\0';
        if (c == '<')
            od_buf_add_str(to, "&lt;");
        else if (c == '>')
            od_buf_add_str(to, "&gt;");
        else if (c == '&')
            od_buf_add_str(to, "&amp;");
        else if (c == '@' || (c == ':' && (next == '/' || next == ':')))
            od_buf_printf(to, "%c<!-- -->", c);
        else if (c == '#' && next >= '0' && next <= '9')
            od_buf_add_str(to, "#<!-- -->");
        else if (strchr("\\`*_[]#|~$", c))
            od_buf_printf(to, "\\%c", c);
        else
            od_buf_add_char(to, c);
    }
    od_buf_done(&visible);
}

static size_t longest_ticks(struct od_view text)
{
    size_t most = 0;
    size_t run = 0;
    for (size_t i = 0; i < text.n; i++) {
        run = text.p[i] == '`' ? run + 1 : 0;
        most = run > most ? run : most;
    }
    return most;
}

/* In a table, a bar ends the cell even inside code. */
static void add_code_words(struct od_buf *to, struct od_view text, bool in_table)
{
    struct od_buf visible = {0};
    od_text_visible(od_view_trim(text), &visible);
    struct od_view words = od_buf_view(&visible);
    size_t ticks = longest_ticks(words) + 1;
    if (words.n > 0) {
        od_buf_add_repeat(to, "`", ticks);
        od_buf_add_str(to, ticks > 1 ? " " : "");
        for (size_t i = 0; i < words.n; i++) {
            if (in_table && words.p[i] == '|')
                od_buf_add_char(to, '\\');
            od_buf_add_char(to, words.p[i]);
        }
        od_buf_add_str(to, ticks > 1 ? " " : "");
        od_buf_add_repeat(to, "`", ticks);
    }
    od_buf_done(&visible);
}

/* Adds emphasized text. Emphasis marks must touch the words. */
static void add_marked(struct od_buf *to, struct od_view text, const char *mark)
{
    struct od_view words = od_view_trim(text);
    size_t before = words.n > 0 ? (size_t)(words.p - text.p) : text.n;
    od_buf_add(to, od_view_head(text, before));
    if (words.n == 0)
        return;
    od_buf_add_str(to, mark);
    add_escaped(to, words);
    od_buf_add_str(to, mark);
    od_buf_add(to, od_view_from(text, before + words.n));
}

static void add_words(struct od_buf *to, enum od_tone tone, struct od_view text, bool in_table)
{
    switch (tone) {
    case OD_CODE:
        add_code_words(to, text, in_table);
        break;
    case OD_STRONG:
        add_marked(to, text, "**");
        break;
    case OD_PLAIN:
    case OD_DIM:
    case OD_GOOD:
    case OD_BAD:
    case OD_TONES:
        add_escaped(to, text);
        break;
    }
}

/* Adds neighbouring spans of one tone as one, because emphasis marks between them would be
 * visible. */
static void add_spans(struct od_buf *to, const struct od_text *text)
{
    const struct od_span *span = text->first;
    while (span) {
        struct od_buf words = {0};
        enum od_tone tone = span->tone;
        for (; span && span->tone == tone; span = span->next)
            od_buf_add(&words, span->text);
        if (tone == OD_CODE && words.n > 0 && (words.p[0] == ' ' || words.p[0] == '\t'))
            od_buf_add_char(to, ' ');
        add_words(to, tone, od_buf_view(&words), false);
        od_buf_done(&words);
    }
}

static void add_headline(struct od_buf *to, const struct od_text *text)
{
    od_buf_add_str(to, "### ");
    for (const struct od_span *span = text->first; span; span = span->next)
        add_escaped(to, span->text);
    od_buf_add_str(to, "\n\n");
}

/* Adds a fenced block; the fence is longer than any in the text. */
static void add_fenced(struct od_buf *to, struct od_view text, const char *language)
{
    size_t ticks = longest_ticks(text) + 1;
    ticks = ticks < 3 ? 3 : ticks;
    od_buf_add_repeat(to, "`", ticks);
    od_buf_printf(to, "%s\n", language);
    od_buf_add(to, text);
    od_buf_add_char(to, '\n');
    od_buf_add_repeat(to, "`", ticks);
    od_buf_add_str(to, "\n\n");
}

static void add_quote(struct od_buf *to, const struct od_quote *quote)
{
    struct od_buf text = {0};
    od_text_visible(od_view_of(quote->file), &text);
    if (quote->at.line > 0)
        od_buf_printf(&text, ":%llu", (unsigned long long)quote->at.line);
    od_buf_add_str(&text, "\n| ");
    od_text_visible(od_view_trim(quote->text), &text);
    add_fenced(to, od_buf_view(&text), "text");
    od_buf_done(&text);
}

static void add_row(struct od_buf *to, const struct od_table *table, const struct od_row *row)
{
    for (size_t i = 0; i < table->ncolumns; i++) {
        const struct od_cell *cell = &row->cells[i];
        if (table->columns[i].kind == OD_COLUMN_BAR)
            continue;
        od_buf_add_str(to, "| ");
        add_words(to, row->total ? OD_STRONG : cell->tone, cell->text, true);
        od_buf_add_char(to, ' ');
    }
    od_buf_add_str(to, "|\n");
}

static void add_table(struct od_buf *to, const struct od_table *table)
{
    if (table->caption) {
        add_escaped(to, od_view_of(table->caption));
        od_buf_add_str(to, ":\n\n");
    }
    for (size_t i = 0; i < table->ncolumns; i++) {
        if (table->columns[i].kind == OD_COLUMN_BAR)
            continue;
        od_buf_add_str(to, "| ");
        add_escaped(to, od_view_of(table->columns[i].title));
        od_buf_add_char(to, ' ');
    }
    od_buf_add_str(to, "|\n");
    for (size_t i = 0; i < table->ncolumns; i++) {
        if (table->columns[i].kind != OD_COLUMN_BAR)
            od_buf_add_str(to, table->columns[i].kind == OD_COLUMN_RIGHT ? "| ---: " : "| --- ");
    }
    od_buf_add_str(to, "|\n");
    for (const struct od_row *row = table->first; row; row = row->next)
        add_row(to, table, row);
    od_buf_add_char(to, '\n');
}

/* Adds a picture as a terminal shows it. */
static void add_drawn(struct od_buf *to, const struct od_node *node)
{
    enum { COLUMNS = 80 };
    struct od_buf text = {0};
    struct od_page page = {.to = &text, .unicode = true, .columns = COLUMNS};
    if (node->kind == OD_NODE_BAR)
        od_text_bar(&page, node->bar);
    else
        od_text_plot(&page, node->plot);
    struct od_view drawn = od_buf_view(&text);
    drawn.n--; /* every line of a picture has its own line end */
    add_fenced(to, drawn, "text");
    od_buf_done(&text);
}

static void add_excerpt(struct od_buf *to, const struct od_excerpt *excerpt)
{
    struct od_buf text = {0};
    for (size_t i = 0; i < excerpt->n; i++) {
        const struct od_log_line *line = &excerpt->lines[i];
        const struct od_log_line *before = i > 0 ? line - 1 : NULL;
        bool head = !before || before->at.source != line->at.source;
        if (head) {
            od_buf_add_str(&text, i > 0 ? "\n" : "");
            od_text_visible(od_view_of(line->file), &text);
        } else if (before->at.line + 1 < line->at.line) {
            od_buf_add_str(&text, "\n   ...");
        }
        od_buf_printf(&text, "\n%c%6llu  ", line->cited ? '>' : ' ',
                      (unsigned long long)line->at.line);
        od_text_visible(line->text, &text);
    }
    if (text.n > 0)
        add_fenced(to, od_buf_view(&text), "text");
    od_buf_done(&text);
}

static void add_inner(const struct od_doc *doc, const struct od_section *inner,
                      const char *const marks[static 3], struct od_buf *to);

static void add_node(const struct od_doc *doc, const struct od_node *node, struct od_buf *to)
{
    static const char *const card[] = {"**", "**\n\n", ""};
    static const char *const folded[] = {"<details><summary>", "</summary>\n\n", "</details>\n\n"};
    switch (node->kind) {
    case OD_NODE_TEXT:
        add_spans(to, node->text);
        od_buf_add_str(to, "\n\n");
        break;
    case OD_NODE_LIST:
        for (const struct od_text *item = node->text; item; item = item->next) {
            od_buf_add_str(to, "- ");
            add_spans(to, item);
            od_buf_add_char(to, '\n');
        }
        od_buf_add_str(to, node->text ? "\n" : "");
        break;
    case OD_NODE_TABLE:
        add_table(to, node->table);
        break;
    case OD_NODE_BAR:
        if (!node->bar->small)
            add_drawn(to, node);
        break;
    case OD_NODE_PLOT:
        add_drawn(to, node);
        break;
    case OD_NODE_QUOTE:
        add_quote(to, &node->quote);
        break;
    case OD_NODE_CODE:
        add_fenced(to, od_view_of(node->code), "");
        break;
    case OD_NODE_CARD:
        add_inner(doc, node->details, card, to);
        break;
    case OD_NODE_DETAILS:
        add_inner(doc, node->details, folded, to);
        break;
    case OD_NODE_EXCERPT:
        add_excerpt(to, &doc->excerpt);
        break;
    case OD_NODE_FIGURE:
        break;
    }
}

static void add_summary(struct od_buf *to, const char *title)
{
    od_buf_add_str(to, "<details><summary>");
    add_escaped(to, od_view_of(title));
    od_buf_add_str(to, "</summary>\n\n");
}

/* Adds the contents of a card or of folded details, after the title. */
static void add_inner(const struct od_doc *doc, const struct od_section *inner,
                      const char *const marks[static 3], struct od_buf *to)
{
    od_buf_add_str(to, marks[0]);
    add_escaped(to, od_view_of(inner->title));
    od_buf_add_str(to, marks[1]);
    for (const struct od_node *node = inner->first; node; node = node->next)
        add_node(doc, node, to);
    od_buf_add_str(to, marks[2]);
}

static void add_section(const struct od_doc *doc, const struct od_section *section,
                        struct od_buf *to)
{
    if (section->title && section->folded) {
        add_summary(to, section->title);
    } else if (section->title) {
        od_buf_add_str(to, "#### ");
        add_escaped(to, od_view_of(section->title));
        od_buf_add_str(to, "\n\n");
    }
    for (const struct od_node *node = section->first; node; node = node->next) {
        if (section == doc->first && node == section->first && node->kind == OD_NODE_TEXT)
            add_headline(to, node->text);
        else
            add_node(doc, node, to);
    }
    if (section->title && section->folded)
        od_buf_add_str(to, "</details>\n\n");
}

static void render(const struct od_doc *doc, const struct od_report_options *options,
                   struct od_buf *to)
{
    (void)options;
    for (const struct od_section *section = doc->first; section; section = section->next)
        add_section(doc, section, to);
    while (to->n > 0 && to->p[to->n - 1] == '\n')
        to->n--;
    od_buf_add_char(to, '\n');
}

static bool fits(const struct od_report_options *options, struct od_view rendered)
{
    (void)options;
    return rendered.n <= BYTES_MOST;
}

const struct od_format od_format_markdown = {
    .name = "markdown", .document = render, .fits = fits, .folds = true};
