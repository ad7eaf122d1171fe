/*
 * Words that say that memory ran out. A line that holds one and that neither a rule nor a
 * reader took is worth a look: a wording we do not know yet, or somebody's prose.
 */
#pragma once

#include "facts/words.h"

/* What the prefilter looks for; NULL-terminated. */
extern const char *const od_mention_literals[];

/* Is one of them in the text as words of their own (not OOM in ZOOM), and the text no command? */
bool od_mentions_memory(struct od_view text);

/* Does it hold such a word, a size with its unit, or a word of the lexicon that is about memory? */
bool od_mentions_size(const struct od_lexicon *lexicon, struct od_view text);
