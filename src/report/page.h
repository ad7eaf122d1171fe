/*
 * A page of a terminal: lines of glyphs, never wider than the page. All text becomes glyphs by
 * od_glyphs_add, which makes control characters visible and replaces what an ASCII page cannot
 * show. So no escape code of a log reaches a terminal.
 */
#pragma once

#include "report/doc.h"

enum { OD_PAGE_LEAST = 24 };

struct od_page {
    struct od_buf *to;
    bool color;
    bool unicode;
    bool links;     /* the terminal shows hyperlinks (OSC 8) */
    size_t columns; /* at least OD_PAGE_LEAST */
    size_t wide;    /* at least this many columns for quotes and tables */
};

struct od_glyph {
    uint32_t code;
    uint8_t tone;
    uint8_t columns;     /* that it takes on a terminal: 1 or 2 */
    struct od_view link; /* the address that it leads to; empty = none. Owned by the document */
};

/* The owner calls od_vec_done. */
struct od_glyphs {
    struct od_glyph *items;
    size_t n;
    size_t room;
};

/* Appends text with visible control characters; a tab becomes one space. */
void od_glyphs_add(const struct od_page *page, struct od_glyphs *glyphs, enum od_tone tone,
                   struct od_view text);

/* Makes the glyphs from `start` on lead to that web page or file, on terminals with hyperlinks.
 * address: NULL = none. */
void od_glyphs_link(const struct od_page *page, struct od_glyphs *glyphs, size_t start,
                    const char *address);

/* A code point and its replacement on an ASCII page. */
struct od_stroke {
    struct od_view unicode;
    char ascii;
};

/* Appends a stroke several times. */
void od_glyphs_draw(const struct od_page *page, struct od_glyphs *glyphs, enum od_tone tone,
                    struct od_stroke stroke, size_t times);

void od_glyphs_blank(struct od_glyphs *glyphs, size_t times);

/* Columns of glyphs from start up to end. */
size_t od_glyphs_columns(const struct od_glyphs *glyphs, size_t start, size_t end);

/* A line found by wrapping: glyphs start up to end. */
struct od_wrap {
    size_t at; /* where the next line begins; 0 at first */
    size_t start, end;
};

/*
 * Finds the next line of at most that many columns, broken at blanks or, in a longer word,
 * anywhere. False if nothing is left; text without glyphs has no line.
 */
bool od_glyphs_wrap(const struct od_glyphs *glyphs, size_t columns, struct od_wrap *wrap);

/* Writes the glyphs as one line without trailing blanks, cut at the page's width. */
void od_page_line(const struct od_page *page, const struct od_glyphs *glyphs);

/* ---- the larger nodes of a document ---- */

/* Columns of indentation below a title. */
enum { OD_TEXT_INDENT = 2 };

/* title: in the table's heading row, or above it if it is too long; NULL = none. */
void od_text_table(const struct od_page *page, const struct od_table *table, const char *title);

/* The prefixes of wrapped lines: of the first line and of the others. */
struct od_text_setting {
    struct od_glyphs first, other;
};
void od_text_setting_done(struct od_text_setting *setting);

void od_text_copy(struct od_glyphs *to, const struct od_glyphs *from, size_t start, size_t end);

/* Breaks the glyphs into lines of the page. */
void od_text_lines(const struct od_page *page, const struct od_glyphs *glyphs,
                   const struct od_text_setting *setting);

/* Writes the title of a section on its own line. */
void od_text_title(const struct od_page *page, const char *title);

void od_text_bar(const struct od_page *page, const struct od_bar *bar);
void od_text_plot(const struct od_page *page, const struct od_plot *curve);
