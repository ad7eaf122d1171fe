/*
 * Whether a person's sentence or a title reports that memory ran out.
 */
#include "readers/logs/sentence_parts.h"

#include "readers/logs/sentence_report_lists.inc"

/* "How do I avoid it?" only asks; "it ran out of memory, any ideas?" reports and asks. */
static bool asks(struct od_view sentence)
{
    return od_view_starts_any(od_view_trim(sentence), words);
}

/* Is out of memory only the topic: "Out of memory handling", "out of memory errors"? */
static bool is_topic(const struct od_tokens *t, const struct od_refusal *r)
{
    struct od_view rest = od_view_trim(od_view_from(t->text, t->list[r->upto - 1].end));
    return od_view_starts_any(rest, topics);
}

static bool reports(const struct od_tokens *t, const struct od_refusal *r, bool title)
{
    const uint64_t memory = OD_WORD_BIT(OD_WORD_MEMORY) | OD_WORD_BIT(OD_WORD_REFUSAL);
    const uint64_t against = OD_WORD_BIT(OD_WORD_IF) | OD_WORD_BIT(OD_WORD_ADVICE) |
                             OD_WORD_BIT(OD_WORD_WITHOUT) | OD_WORD_BIT(OD_WORD_REMEMBER) |
                             OD_WORD_BIT(OD_WORD_NONE);
    size_t from = od_sentence_from(t, r->from);
    if (r->vague || !od_tokens_have(t, r->from, r->upto, memory) ||
        od_tokens_have(t, from, r->from, against) || asks(od_token_on(t, from)) || is_topic(t, r))
        return false;
    return title || od_tokens_have(t, from, r->from, OD_WORD_BIT(OD_WORD_PEOPLE));
}

bool od_sentence_reports(const struct od_lexicon *lexicon, struct od_view text, bool title)
{
    struct od_tokens tokens;
    struct od_refusal refusal;
    od_tokens_read(&tokens, lexicon, od_sentence_window(lexicon, text));
    for (size_t n = 0; od_refusal_next(&tokens, &n, &refusal);)
        if (reports(&tokens, &refusal, title))
            return true;
    return false;
}
