/* Redacts a document before it is shared: every text passes through the redactor. */
#include "report/doc.h"

#include "redact/redact.h"

static struct od_view redacted(struct od_doc *doc, struct od_redactor *redactor,
                               struct od_view text)
{
    struct od_buf to = {0};
    od_redact(redactor, text, &to);
    struct od_view same = od_buf_view(&to);
    struct od_view kept = od_view_eq(same, text) ? text : od_arena_view(doc->arena, same);
    od_buf_done(&to);
    return kept;
}

static const char *redacted_str(struct od_doc *doc, struct od_redactor *redactor, const char *text)
{
    if (!text)
        return NULL;
    struct od_view view = od_view_of(text);
    struct od_view kept = redacted(doc, redactor, view);
    return kept.p == view.p ? text : kept.p;
}

/* Redacts the parts of one text together, because a word of one part can explain the next. */
static void redact_parts(struct od_doc *doc, struct od_redactor *redactor, struct od_view *parts,
                         size_t n, struct od_view between)
{
    struct od_buf *to = od_arena_alloc(doc->arena, n, sizeof *to);
    od_redact_parts(redactor, parts, n, between, to);
    for (size_t i = 0; i < n; i++) {
        struct od_view same = od_buf_view(&to[i]);
        if (!od_view_eq(same, parts[i]))
            parts[i] = od_arena_view(doc->arena, same);
        od_buf_done(&to[i]);
    }
}

/* Redacts the spans of a text together, because one line may be shown in several spans. */
static void redact_spans(struct od_doc *doc, struct od_redactor *redactor, struct od_text *text)
{
    size_t n = 0;
    for (struct od_span *span = text->first; span; span = span->next)
        n++;
    struct od_view *parts = OD_NEW_N(doc->arena, n, struct od_view);
    size_t i = 0;
    for (struct od_span *span = text->first; span; span = span->next)
        parts[i++] = span->text;
    redact_parts(doc, redactor, parts, n, (struct od_view){0});
    i = 0;
    for (struct od_span *span = text->first; span; span = span->next)
        span->text = parts[i++];
}

static void redact_text(struct od_doc *doc, struct od_redactor *redactor, struct od_text *text)
{
    for (; text; text = text->next)
        redact_spans(doc, redactor, text);
}

static void redact_table(struct od_doc *doc, struct od_redactor *redactor, struct od_table *table)
{
    table->caption = redacted_str(doc, redactor, table->caption);
    for (struct od_row *row = table->first; row; row = row->next) {
        struct od_view *parts = OD_NEW_N(doc->arena, table->ncolumns, struct od_view);
        for (size_t i = 0; i < table->ncolumns; i++)
            parts[i] = row->cells[i].text;
        redact_parts(doc, redactor, parts, table->ncolumns, OD_VIEW("\t"));
        for (size_t i = 0; i < table->ncolumns; i++)
            row->cells[i].text = parts[i];
    }
}

static void redact_section(struct od_doc *doc, struct od_redactor *redactor,
                           struct od_section *section);

static void redact_bar(struct od_doc *doc, struct od_redactor *redactor, struct od_bar *bar)
{
    bar->title = redacted_str(doc, redactor, bar->title);
    for (struct od_bar_part *part = bar->first; part; part = part->next)
        part->label = redacted(doc, redactor, part->label);
}

static void redact_node(struct od_doc *doc, struct od_redactor *redactor, struct od_node *node)
{
    redact_text(doc, redactor, node->text);
    if (node->table)
        redact_table(doc, redactor, node->table);
    if (node->kind == OD_NODE_QUOTE) {
        node->quote.file = redacted_str(doc, redactor, node->quote.file);
        node->quote.text = redacted(doc, redactor, node->quote.text);
    }
    if (node->bar)
        redact_bar(doc, redactor, node->bar);
    if (node->details)
        redact_section(doc, redactor, node->details);
}

static void redact_section(struct od_doc *doc, struct od_redactor *redactor,
                           struct od_section *section)
{
    section->title = redacted_str(doc, redactor, section->title);
    for (struct od_node *node = section->first; node; node = node->next)
        redact_node(doc, redactor, node);
}

void od_doc_redact(struct od_doc *doc, struct od_redactor *redactor)
{
    for (struct od_section *section = doc->first; section; section = section->next)
        redact_section(doc, redactor, section);
    if (doc->facts)
        redact_text(doc, redactor, doc->facts->text);
    OD_FOR_EACH_OF (struct od_log_line, line, doc->excerpt.lines, doc->excerpt.n) {
        line->file = redacted_str(doc, redactor, line->file);
        line->text = redacted(doc, redactor, line->text);
    }
}

void od_doc_say_redacted(struct od_doc *doc, const struct od_redactor *redactor)
{
    struct od_buf words = {0};
    od_redacted_words(redactor, &words);
    od_say_as(od_doc_text(od_doc_section(doc, NULL)), OD_DIM, "Replaced to share this: %s.",
              od_buf_str(&words));
    od_buf_done(&words);
}
