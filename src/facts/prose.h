/*
 * Sentences written by people, among the lines of a log.
 */
#pragma once

#include "base/base.h"

/* Is it a word that every sentence uses: "the", "with", "my"? */
bool od_is_small_word(struct od_view word);

/* Is it a line written by a person? A time, a level or an exception at its start means no. */
bool od_is_prose(struct od_view line);
