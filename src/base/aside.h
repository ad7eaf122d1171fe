/*
 * Lines that name trouble and are not it: questions, warnings, advice, conditions, what somebody
 * remembers of a log of his, statements of a program. Words alone cannot tell; this errs on the
 * side of silence, so it is for wordings that nobody owns, not for those that a program prints.
 */
#pragma once

#include "base/base.h"

/* at: where the words of the trouble begin. */
bool od_is_aside(struct od_view text, size_t at);

/* The same, where a mild level need not count: who warns of a refusal and says what he does instead
 * tells of one. */
bool od_is_supposition(struct od_view text, size_t at, bool levels_count);

/* Does a program log an error that it caught, whatever the line's level: does its message begin
 * with the word, with a colon before the trouble? */
bool od_is_caught(struct od_view text, size_t at);

/* Is a word from at up to end, info or warning, the level of what is said? In small letters between
 * blanks it is another word: "the job info". */
bool od_is_level(struct od_view text, size_t at, size_t end);
