/* The larger nodes of a document on a page of text. */
#pragma once

#include "report/doc.h"
#include "report/page.h"

/* Columns by which everything below a title is set in. */
enum { OD_TEXT_INDENT = 2 };

/* title: in its head, or above it where it is too long for that; NULL = none. */
void od_text_table(const struct od_page *page, const struct od_table *table, const char *title);

/* The prefixes of a run of lines: of the first line and of the others. */
struct od_text_setting {
    struct od_glyphs first, other;
};
void od_text_setting_done(struct od_text_setting *setting);

/* Adds the glyphs from start to end. */
void od_text_copy(struct od_glyphs *to, const struct od_glyphs *from, size_t start, size_t end);

/* Breaks the glyphs into lines of the page. */
void od_text_lines(const struct od_page *page, const struct od_glyphs *glyphs,
                   const struct od_text_setting *setting);

/* A line of its own for the title of a section. */
void od_text_title(const struct od_page *page, const char *title);

void od_text_bar(const struct od_page *page, const struct od_bar *bar);
void od_text_plot(const struct od_page *page, const struct od_plot *curve);
