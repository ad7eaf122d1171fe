/*
 * Words for memory running out. A line with one of them that no rule or reader uses has an unknown
 * wording, or is a person's prose.
 */
#pragma once

#include "facts/words.h"

/* Literals for the prefilter; the list ends with NULL. */
extern const char *const *const od_mention_literals;

/* Does the text have one of them as whole words (not OOM in ZOOM), without being a command? */
bool od_mentions_memory(struct od_view text);

/* Does the text have one of these words, a size with a unit, or the lexicon's word for memory? */
bool od_mentions_size(const struct od_lexicon *lexicon, struct od_view text);
