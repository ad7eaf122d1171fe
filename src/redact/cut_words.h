/*
 * Removes the words next to a cut, because half a secret has no recognizable form, and a whole one
 * may follow marking words that were cut off.
 */
#pragma once

#include "base/base.h"

/*
 * Returns the text without the words that touch a cut (a "…" or "..." at its end) and without the
 * `end` bytes after it. Short texts are never cut. `to` is the buffer for a changed text.
 */
struct od_view od_without_cut_words(struct od_view text, size_t end, struct od_buf *to);
