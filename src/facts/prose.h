/* A person's sentences among the lines of a log. */
#pragma once

#include "base/base.h"

/* One of the words that sentences are made of: "the", "with", "my". */
bool od_is_small_word(struct od_view word);

/* Does a person write that line? A time, a level or an exception at its head says no. */
bool od_is_prose(struct od_view line);

/* The sentence that the byte is in. */
struct od_view od_sentence_at(struct od_view text, size_t at);
