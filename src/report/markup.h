/* Untrusted text in HTML and XML. */
#pragma once

#include "base/base.h"

/* Text fit to stand between tags and inside quoted attributes; control characters, which XML has
 * not even escaped, are visible. */
void od_markup_text(struct od_buf *to, struct od_view text);
