/*
 * Words for memory running out. A line with such a word that neither a rule nor a reader used
 * deserves attention: it is an unknown wording, or prose of a person.
 */
#pragma once

#include "facts/words.h"

/* The literals for the prefilter; NULL-terminated. */
extern const char *const *const od_mention_literals;

/* Does the text contain one of them as whole words (not OOM in ZOOM), and is it not a command? */
bool od_mentions_memory(struct od_view text);

/* Does the text contain such a word, a size with its unit, or a word of the lexicon about memory?
 */
bool od_mentions_size(const struct od_lexicon *lexicon, struct od_view text);
