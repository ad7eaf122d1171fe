/* A document made fit to be shared: every text of it goes through the redactor. */
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

static void redact_text(struct od_doc *doc, struct od_redactor *redactor, struct od_text *text)
{
    for (; text; text = text->next) {
        for (struct od_span *span = text->first; span; span = span->next)
            span->text = redacted(doc, redactor, span->text);
    }
}

static void redact_table(struct od_doc *doc, struct od_redactor *redactor, struct od_table *table)
{
    table->caption = redacted_str(doc, redactor, table->caption);
    for (struct od_row *row = table->first; row; row = row->next) {
        for (size_t i = 0; i < table->ncolumns; i++)
            row->cells[i].text = redacted(doc, redactor, row->cells[i].text);
    }
}

static void redact_section(struct od_doc *doc, struct od_redactor *redactor,
                           struct od_section *section);

static void redact_node(struct od_doc *doc, struct od_redactor *redactor, struct od_node *node)
{
    redact_text(doc, redactor, node->text);
    if (node->table)
        redact_table(doc, redactor, node->table);
    if (node->kind == OD_NODE_QUOTE) {
        node->quote.file = redacted_str(doc, redactor, node->quote.file);
        node->quote.text = redacted(doc, redactor, node->quote.text);
    }
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
    for (size_t i = 0; i < doc->excerpt.n; i++) {
        struct od_log_line *line = &doc->excerpt.lines[i];
        line->file = redacted_str(doc, redactor, line->file);
        line->text = redacted(doc, redactor, line->text);
    }
}

void od_doc_say_redacted(struct od_doc *doc, const struct od_redactor *redactor)
{
    struct od_buf words = {0};
    od_redacted_words(redactor, &words);
    od_doc_say(doc, od_doc_text(doc, od_doc_section(doc, NULL)), OD_DIM,
               "Replaced to share this: %s.", od_buf_str(&words));
    od_buf_done(&words);
}
