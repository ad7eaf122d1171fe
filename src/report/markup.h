/* Untrusted text in HTML and XML. */
#ifndef OD_REPORT_MARKUP_H
#define OD_REPORT_MARKUP_H

#include "base/buf.h"
#include "base/view.h"

/* Text fit to stand between tags and inside quoted attributes; control characters, which XML has
 * not even escaped, are visible. */
void od_markup_text(struct od_buf *to, struct od_view text);

#endif
