/* Parts of an HTML page. Text that is not our own is written with od_markup_text. */
#pragma once

#include "report/doc.h"
#include "report/figure.h"

/* Words of a span or cell with their tone; a link if the document's excerpt contains the line. */
void od_html_words(struct od_buf *to, const struct od_doc *doc, const struct od_span *span);

/* The id of an excerpt line's element: "L1-123". */
void od_html_line_id(struct od_buf *to, struct od_prov at);

/* label: the caption if the table has none. */
void od_html_table(struct od_buf *to, const struct od_doc *doc, const struct od_table *table,
                   const char *label);

void od_html_bar(struct od_buf *to, const struct od_bar *bar);
void od_html_plot(struct od_buf *to, const struct od_plot *curve);

void od_html_figure(struct od_buf *to, const struct od_picture *picture);

/*
 * The parts of an HTML page, for programs that build pages around a report: the exact bytes of the
 * style and the script (a Content-Security-Policy names their digests), and the contents of <main>.
 */

const char *od_html_style(void);
const char *od_html_script(void);

/* Appends the <title> element: the document's headline. */
void od_html_title(const struct od_doc *doc, struct od_buf *to);

/* Appends the document's sections. */
void od_html_body(const struct od_doc *doc, struct od_buf *to);
