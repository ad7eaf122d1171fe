/* Words on a page of HTML. */
#include "report/html_parts.h"

void od_html_line_id(struct od_buf *to, struct od_prov at)
{
    od_buf_printf(to, "L%u-%" PRIu64, at.source + 1, at.line);
}

/* Right-to-left letters: they would reverse the text around them. */
static bool turns(struct od_view text)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {
        {0x590, 0x8FF}, {0xFB1D, 0xFDFF}, {0xFE70, 0xFEFF}, {0x10800, 0x10FFF}, {0x1E800, 0x1EFFF}};
    while (text.n > 0) {
        uint32_t code;
        text = od_view_from(text, od_text_decode(text, &code));
        for (size_t i = 0; i < OD_COUNT_OF(ranges); i++) {
            if (code >= ranges[i].first && code <= ranges[i].last)
                return true;
        }
    }
    return false;
}

static void add_isolated(struct od_buf *to, struct od_view text)
{
    bool isolate = turns(text);
    od_buf_add_str(to, isolate ? "<bdi>" : "");
    od_markup_text(to, text);
    od_buf_add_str(to, isolate ? "</bdi>" : "");
}

static const struct {
    const char *open, *close;
} tones[OD_TONES] = {
    [OD_PLAIN] = {"", ""},
    [OD_STRONG] = {"<strong>", "</strong>"},
    [OD_CODE] = {"<code>", "</code>"},
    [OD_DIM] = {"<span class=\"dim\">", "</span>"},
    [OD_GOOD] = {"<span class=\"good\">", "</span>"},
    [OD_BAD] = {"<span class=\"bad\">", "</span>"},
};

void od_html_words(struct od_buf *to, const struct od_doc *doc, const struct od_span *span)
{
    if (span->text.n == 0)
        return;
    bool link = span->at.line > 0 && od_doc_has_line(doc, span->at);
    if (link) {
        od_buf_add_str(to, "<a href=\"#");
        od_html_line_id(to, span->at);
        od_buf_add_str(to, "\">");
        add_isolated(to, span->text);
        od_buf_add_str(to, "</a>");
        return;
    }
    od_buf_add_str(to, tones[span->tone].open);
    add_isolated(to, span->text);
    od_buf_add_str(to, tones[span->tone].close);
}
