/*
 * The parts of an HTML page, for programs that build pages around a report: the exact bytes of the
 * style and the script (a Content-Security-Policy names their digests), and the contents of <main>.
 */
#pragma once

#include "report/doc.h"

const char *od_html_style(void);
const char *od_html_script(void);

/* Appends the <title> element: the document's headline. */
void od_html_title(const struct od_doc *doc, struct od_buf *to);

/* Appends the document's sections. */
void od_html_body(const struct od_doc *doc, struct od_buf *to);
