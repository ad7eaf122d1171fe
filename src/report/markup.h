/* Untrusted text in HTML and XML. */
#pragma once

#include "base/base.h"

/* Escapes text for element contents and quoted attributes. Control characters, which XML cannot
 * represent, become visible. */
void od_markup_text(struct od_buf *to, struct od_view text);
