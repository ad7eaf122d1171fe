/* The larger nodes of a document on a page of text. */
#ifndef OD_REPORT_TEXT_PARTS_H
#define OD_REPORT_TEXT_PARTS_H

#include "report/doc.h"
#include "report/page.h"

/* Columns by which everything below a title is set in. */
enum { OD_TEXT_INDENT = 2 };

void od_text_table(const struct od_page *page, const struct od_table *table);
void od_text_strip(const struct od_page *page, const struct od_strip *strip);

#endif
