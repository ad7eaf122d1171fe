/*
 * Writes a document as one HTML page that loads nothing and needs no script. Style and script are
 * constant (page.css, page.js), so that a server can name their digests; no element has a style of
 * its own.
 */
#include "report/html_parts.h"

#include "report/report.h"

extern const struct od_format od_format_html;

enum { BYTES_MOST = 450000 };

static const char page_css[] = {
#include "report/page_css.inc"
    0};
static const char page_js[] = {
#include "report/page_js.inc"
    0};

const char *od_html_style(void)
{
    return page_css;
}

const char *od_html_script(void)
{
    return page_js;
}

struct html {
    struct od_buf *to;
    const struct od_doc *doc;
    const char *label; /* title of the section, for elements without a caption */
};

static void add_spans(const struct html *h, const struct od_text *text)
{
    for (const struct od_span *span = text->first; span; span = span->next)
        od_html_words(h->to, h->doc, span);
}

static void add_element(const struct html *h, const char *tag, const struct od_text *text)
{
    od_buf_printf(h->to, "<%s>", tag);
    add_spans(h, text);
    od_buf_printf(h->to, "</%s>\n", tag);
}

/* The headline is one sentence; further sentences become a paragraph below it. */
static const struct od_span *end_of_headline(const struct od_text *text)
{
    const struct od_span *span = text->first;
    while (span && (span->text.n == 0 || span->text.p[span->text.n - 1] != '.'))
        span = span->next;
    return span ? span->next : NULL;
}

static void add_headline(const struct html *h, const struct od_text *text)
{
    const struct od_span *span = text->first, *end = end_of_headline(text);
    od_buf_printf(h->to, "<h1 class=\"%s\">",
                  h->doc->tone == OD_BAD    ? "bad"
                  : h->doc->tone == OD_GOOD ? "good"
                                            : "open");
    for (; span != end; span = span->next)
        od_html_words(h->to, h->doc, &(struct od_span){.text = span->text});
    od_buf_add_str(h->to, "</h1>\n");
    if (!end)
        return;
    od_buf_add_str(h->to, "<p class=\"lead\">");
    for (span = end; span; span = span->next)
        od_html_words(h->to, h->doc, span);
    od_buf_add_str(h->to, "</p>\n");
}

static void add_list(const struct html *h, const struct od_text *items)
{
    if (!items)
        return;
    od_buf_add_str(h->to, "<ul>\n");
    for (const struct od_text *item = items; item; item = item->next)
        add_element(h, "li", item);
    od_buf_add_str(h->to, "</ul>\n");
}

static void add_place(const struct html *h, const char *file, struct od_prov at)
{
    bool link = at.line > 0 && od_doc_has_line(h->doc, at);
    if (link) {
        od_buf_add_str(h->to, "<a href=\"#");
        od_html_line_id(h->to, at);
        od_buf_add_str(h->to, "\">");
    }
    od_markup_text(h->to, od_view_of(file));
    if (at.line > 0)
        od_buf_printf(h->to, ":%llu", (unsigned long long)at.line);
    od_buf_add_str(h->to, link ? "</a>" : "");
}

static void add_quote(const struct html *h, const struct od_quote *quote)
{
    od_buf_add_str(h->to, "<figure class=\"quote\">\n<blockquote><p dir=\"auto\">");
    od_markup_text(h->to, od_view_trim(quote->text));
    od_buf_add_str(h->to, "</p></blockquote>\n<figcaption>");
    add_place(h, quote->file, quote->at);
    od_buf_add_str(h->to, "</figcaption>\n</figure>\n");
}

static void add_code(const struct html *h, const char *code)
{
    od_buf_add_str(h->to, "<div class=\"code\"><pre tabindex=\"0\"><code>");
    struct od_view rest = od_view_of(code), line;
    for (bool first = true; od_view_cut(&rest, '\n', &line); first = false) {
        od_buf_add_str(h->to, first ? "" : "\n");
        od_markup_text(h->to, line);
    }
    od_buf_add_str(h->to, "</code></pre></div>\n");
}

static void add_log_line(const struct html *h, const struct od_log_line *line)
{
    od_buf_printf(h->to, "<li%s id=\"", line->cited ? " class=\"cited\"" : "");
    od_html_line_id(h->to, line->at);
    od_buf_printf(h->to, "\"><span class=\"n\">%llu</span> <code dir=\"auto\">",
                  (unsigned long long)line->at.line);
    od_markup_text(h->to, line->text);
    od_buf_add_str(h->to, "</code></li>\n");
}

/* Lists the excerpt by file; an item of the list marks a gap. */
static void add_excerpt(const struct html *h)
{
    const struct od_excerpt *excerpt = &h->doc->excerpt;
    for (size_t i = 0; i < excerpt->n; i++) {
        const struct od_log_line *line = &excerpt->lines[i];
        const struct od_log_line *before = i > 0 ? line - 1 : NULL;
        if (!before || before->at.source != line->at.source) {
            od_buf_add_str(h->to, before ? "</ol>\n<h3>" : "<h3>");
            od_markup_text(h->to, od_view_of(line->file));
            od_buf_add_str(h->to, "</h3>\n<ol class=\"log\">\n");
        } else if (before->at.line + 1 < line->at.line) {
            od_buf_add_str(h->to, "<li class=\"gap\">⋮</li>\n");
        }
        add_log_line(h, line);
    }
    od_buf_add_str(h->to, excerpt->n > 0 ? "</ol>\n" : "");
}

static void add_nodes(const struct html *h, const struct od_section *section);

/* Writes the contents of a card or of folded details, after the title. */
static void add_inner(const struct html *h, const struct od_section *inner, const char *open,
                      const char *titled, const char *close)
{
    struct html inside = {.to = h->to, .doc = h->doc, .label = inner->title};
    od_buf_add_str(h->to, open);
    od_markup_text(h->to, od_view_of(inner->title));
    od_buf_add_str(h->to, titled);
    add_nodes(&inside, inner);
    od_buf_add_str(h->to, close);
}

static void add_node(const struct html *h, const struct od_node *node)
{
    switch (node->kind) {
    case OD_NODE_TEXT:
        add_element(h, "p", node->text);
        break;
    case OD_NODE_LIST:
        add_list(h, node->text);
        break;
    case OD_NODE_TABLE:
        od_html_table(h->to, h->doc, node->table, h->label);
        break;
    case OD_NODE_BAR:
        od_html_bar(h->to, node->bar);
        break;
    case OD_NODE_PLOT:
        od_html_plot(h->to, node->plot);
        break;
    case OD_NODE_QUOTE:
        add_quote(h, &node->quote);
        break;
    case OD_NODE_CODE:
        add_code(h, node->code);
        break;
    case OD_NODE_FIGURE:
        od_html_figure(h->to, node->picture);
        break;
    case OD_NODE_CARD:
        add_inner(h, node->details, "<article class=\"card\"><h3>", "</h3>\n", "</article>\n");
        break;
    case OD_NODE_DETAILS:
        add_inner(h, node->details, "<details><summary>", "</summary>\n", "</details>\n");
        break;
    case OD_NODE_EXCERPT:
        add_excerpt(h);
        break;
    }
}

static void add_nodes(const struct html *h, const struct od_section *section)
{
    bool cards = false;
    for (const struct od_node *node = section->first; node; node = node->next) {
        if (cards != (node->kind == OD_NODE_CARD))
            od_buf_add_str(h->to, cards ? "</div>\n" : "<div class=\"cards\">\n");
        cards = node->kind == OD_NODE_CARD;
        if (section == h->doc->first && node == section->first && node->kind == OD_NODE_TEXT)
            add_headline(h, node->text);
        else
            add_node(h, node);
    }
    od_buf_add_str(h->to, cards ? "</div>\n" : "");
}

/* An excerpt is the target of links, so it is never folded. */
static bool is_folded(const struct od_section *section)
{
    return section->folded && section->first && section->first->kind != OD_NODE_EXCERPT;
}

static void add_section(const struct html *h, const struct od_section *section)
{
    struct html inside = {.to = h->to, .doc = h->doc, .label = "Figures"};
    bool folded = is_folded(section);
    const char *tag = section == h->doc->first ? "header" : "section";
    if (section->title)
        inside.label = section->title;
    od_buf_printf(h->to, "<%s%s>\n", tag, folded ? " class=\"folded\"" : "");
    od_buf_add_str(h->to, folded ? "<details><summary>" : "");
    if (section->title) {
        od_buf_add_str(h->to,
                       folded ? "<span class=\"h2\" role=\"heading\" aria-level=\"2\">" : "<h2>");
        od_markup_text(h->to, od_view_of(section->title));
        od_buf_add_str(h->to, folded ? "</span>" : "</h2>\n");
    }
    od_buf_add_str(h->to, folded ? "</summary>\n" : "");
    add_nodes(&inside, section);
    od_buf_add_str(h->to, folded ? "</details>\n" : "");
    od_buf_printf(h->to, "</%s>\n", tag);
}

void od_html_title(const struct od_doc *doc, struct od_buf *to)
{
    const struct od_section *opening = doc->first;
    od_buf_add_str(to, "<title>");
    if (opening && opening->first && opening->first->text) {
        const struct od_text *text = opening->first->text;
        const struct od_span *end = end_of_headline(text);
        for (const struct od_span *span = text->first; span != end; span = span->next)
            od_markup_text(to, span->text);
        od_buf_add_str(to, " - ");
    }
    od_buf_add_str(to, "oomdoctor</title>\n");
}

static void add_facts(const struct html *h)
{
    if (!h->doc->facts)
        return;
    od_buf_add_str(h->to, "<ul class=\"facts\">\n");
    for (const struct od_text *fact = h->doc->facts->text; fact; fact = fact->next)
        add_element(h, "li", fact);
    od_buf_add_str(h->to, "</ul>\n");
}

void od_html_body(const struct od_doc *doc, struct od_buf *to)
{
    struct html h = {.to = to, .doc = doc, .label = ""};
    const struct od_section *section = doc->first;
    add_facts(&h);
    if (section && section->next && section->next->picture) {
        od_buf_add_str(to, "<div class=\"hero\">\n");
        add_section(&h, section);
        section = section->next;
        add_section(&h, section);
        od_buf_add_str(to, "</div>\n");
        section = section->next;
    }
    for (; section; section = section->next)
        if (section->first)
            add_section(&h, section);
}

static void render(const struct od_doc *doc, const struct od_report_options *options,
                   struct od_buf *to)
{
    (void)options;
    od_buf_add_str(to, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                       "<meta name=\"color-scheme\" content=\"light dark\">\n");
    od_html_title(doc, to);
    od_buf_add_str(to, "<style>");
    od_buf_add_str(to, page_css);
    od_buf_add_str(to, "</style>\n</head>\n<body>\n"
                       "<a class=\"skip\" href=\"#report\">Skip to the report</a>\n"
                       "<header class=\"name\">oomdoctor</header>\n<main id=\"report\">\n");
    od_html_body(doc, to);
    od_buf_add_str(to, "</main>\n<script>");
    od_buf_add_str(to, page_js);
    od_buf_add_str(to, "</script>\n</body>\n</html>\n");
}

static bool fits(const struct od_report_options *options, struct od_view rendered)
{
    (void)options;
    return rendered.n <= BYTES_MOST;
}

const struct od_format od_format_html = {
    .name = "html", .document = render, .fits = fits, .folds = true};
