/*
 * The parts of a page of HTML for who builds pages around a report: the style and the script that
 * stand between their tags, byte for byte (so that a Content-Security-Policy can name their
 * digests), and what stands inside <main>.
 */
#pragma once

#include "report/doc.h"

const char *od_html_style(void);
const char *od_html_script(void);

/* Appends the <title> element: the document's headline. */
void od_html_title(const struct od_doc *doc, struct od_buf *to);

/* Appends the document's sections. */
void od_html_body(const struct od_doc *doc, struct od_buf *to);
