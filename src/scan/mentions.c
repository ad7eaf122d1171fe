#include "scan/mentions.h"

#include "facts/segment.h"
#include "readers/logs/sentence_tokens.h"

#include "scan/memory_lists.inc"

const char *const *const od_mention_literals = memory_literals;

/* Is the literal a whole word? "annot allocate" may have letters before it. */
static bool stands_alone(struct od_view text, size_t at, struct od_view literal)
{
    size_t end = at + literal.n;
    bool whole = literal.p[0] == 'O' || literal.p[0] == 'K';
    bool behind = end >= text.n || !od_is_word(text.p[end]) || literal.n > 8;
    return behind && (!whole || at == 0 || !od_is_word(text.p[at - 1]) || literal.n > 8);
}

/* Does the text only have the hint that TensorFlow prints with every failure? */
static bool is_hint(struct od_view text)
{
    return od_view_has(text, OD_VIEW("report_tensor_allocations_upon_oom"));
}

bool od_mentions_memory(struct od_view text)
{
    if (is_hint(text) || od_segment_of(text) == OD_SEGMENT_COMMAND)
        return false;
    for (const char *const *name = od_mention_literals; *name; name++) {
        struct od_view literal = od_view_of(*name);
        size_t at = 0;
        while ((at = od_view_find(text, literal, at)) != OD_VIEW_NONE) {
            if (stands_alone(text, at, literal))
                return true;
            at++;
        }
    }
    return false;
}

bool od_mentions_size(const struct od_lexicon *lexicon, struct od_view text)
{
    const uint64_t memory = OD_WORD_BIT(OD_WORD_MEMORY) | OD_WORD_BIT(OD_WORD_REFUSAL) |
                            OD_WORD_BIT(OD_WORD_SHM) | OD_WORD_BIT(OD_WORD_PINNED) |
                            OD_WORD_BIT(OD_WORD_UNIFIED) | OD_WORD_BIT(OD_WORD_CACHE);
    struct od_tokens tokens;
    bool found = od_mentions_memory(text);
    if (!lexicon || found)
        return found;
    od_tokens_read(&tokens, lexicon, text);
    for (size_t i = 0; i < tokens.n && !found; i++)
        found = od_token_is_size(&tokens.list[i]) || (tokens.list[i].classes & memory) != 0;
    return found;
}
