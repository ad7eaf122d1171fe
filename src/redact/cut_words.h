/*
 * Of a text that was cut, the words near the cut. Half a secret has no form by which it could be
 * known, nor has a whole one after words that were cut, so that what is shared leaves them out.
 */
#pragma once

#include "base/base.h"

/*
 * The text without the words that touch a cut, a "…" or "..." at its end, and without the `end`
 * bytes after it. Short texts were not cut. What has to be made is put into `to`.
 */
struct od_view od_without_cut_words(struct od_view text, size_t end, struct od_buf *to);
