/*
 * Traces why a text is or is not a sentence about a failure.
 */
#include "readers/logs/sentence_parts.h"

#include <stdio.h>

static void add_classes(uint64_t classes, struct od_buf *to)
{
    const char *between = "=";
    for (unsigned i = 0; i < OD_WORD_END; i++) {
        if ((classes >> i & 1) == 0)
            continue;
        od_buf_printf(to, "%s%s", between, od_word_class_name((enum od_word_class)i));
        between = "|";
    }
}

/* "cannot allocate"=cannot|get  4.5 GiB=size; words that are not in the lexicon are left out. */
static void note_tokens(const struct od_tokens *t, const struct od_trace *trace)
{
    struct od_buf text = {0};
    char size[OD_BYTES_TEXT];
    for (size_t i = 0; i < t->n; i++) {
        const struct od_token *token = &t->list[i];
        if (!token->number && token->classes == 0)
            continue;
        od_buf_add_str(&text, text.n > 0 ? "  " : "");
        od_text_visible(od_token_text(t, token), &text);
        if (od_token_is_size(token))
            od_buf_printf(&text, "=size %s", od_bytes_print(token->size, size));
        else if (token->number)
            od_buf_add_str(&text, "=number");
        add_classes(token->classes, &text);
    }
    od_trace_note(trace, OD_TRACE_TOKENS, text.n > 0 ? od_buf_str(&text) : "none of the vocabulary",
                  NULL, NULL);
    od_buf_done(&text);
}

static void note_refusal(const struct od_tokens *t, const struct od_refusal *r,
                         const struct od_lexicon *lexicon, const struct od_trace *trace)
{
    struct od_sentence s;
    struct od_buf words = {0};
    char why[160];
    enum od_trace_reason reason = od_refusal_read(t, lexicon, r, &s);
    const char *text = od_trace_reason_text(reason);
    od_text_visible(od_view_part(t->text, t->list[r->from].at, t->list[r->upto - 1].end), &words);
    bool weighed = reason == OD_NOT_WEIGHT || (reason == OD_NOT_END && s.weight != 0);
    if (weighed)
        (void)snprintf(why, sizeof why, "%s%sweight %+.2f, needed above %+.2f", text ? text : "",
                       text ? ": " : "", s.weight / 100.0, OD_SENTENCE_LEAST / 100.0);
    od_trace_note(trace, OD_TRACE_SENTENCE, od_buf_str(&words), text ? "no" : "yes",
                  weighed ? why : text);
    if (weighed)
        (void)od_sentence_weight(t, r, &s, trace);
    od_buf_done(&words);
}

void od_sentence_explain(const struct od_lexicon *lexicon, struct od_view text,
                         const struct od_trace *trace)
{
    struct od_tokens tokens;
    struct od_refusal refusal;
    bool any = false;
    od_tokens_read(&tokens, lexicon, od_sentence_window(lexicon, text));
    note_tokens(&tokens, trace);
    for (size_t n = 0; od_refusal_next(&tokens, &n, &refusal); any = true)
        note_refusal(&tokens, &refusal, lexicon, trace);
    if (!any)
        od_trace_note(trace, OD_TRACE_SENTENCE, "-", "no", od_trace_reason_text(OD_NOT_REFUSAL));
}
