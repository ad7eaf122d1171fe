/* The larger nodes of a document on a page of text. */
#ifndef OD_REPORT_TEXT_PARTS_H
#define OD_REPORT_TEXT_PARTS_H

#include "report/doc.h"
#include "report/page.h"

/* Columns by which everything below a title is set in. */
enum { OD_TEXT_INDENT = 2 };

/* title: in its head, or above it where it is too long for that; NULL = none. */
void od_text_table(const struct od_page *page, const struct od_table *table, const char *title);
/* A line of its own for the title of a section. */
void od_text_title(const struct od_page *page, const char *title);

void od_text_strip(const struct od_page *page, const struct od_strip *strip);

#endif
