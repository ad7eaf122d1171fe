/*
 * gnuplot as a function: a table and a script -> the bytes of a picture. It runs without a shell,
 * its own settings files or our environment, with limits on time, memory and output; table and
 * script reach it without a file on any disk.
 *
 * Scripts are ours and hold no text of a log; gnuplot can run programs, and what it prints is
 * checked for being a picture, not for being a harmless one.
 */
#pragma once

#include "base/base.h"

enum od_gnuplot_terminal { OD_GNUPLOT_SVG, OD_GNUPLOT_PNG, OD_GNUPLOT_PDF };

/*
 * Lengths are units of the drawing: text is 15 high. scale makes pixels of them; a PDF has 96 units
 * to the inch.
 */
struct od_gnuplot_page {
    enum od_gnuplot_terminal terminal;
    unsigned width, height;
    double scale;
    bool transparent;  /* SVG: no paper below the drawing */
    bool locked;       /* run locked, for untrusted scripts (host/lock.h) */
    const char *title; /* title above the figure; one line, no quotes; NULL = none. With a title,
                          the variable `titled` is defined in the script */
};

/* The commands that set up the terminal for such a page. */
void od_gnuplot_head(const struct od_gnuplot_page *page, struct od_buf *to);

/*
 * Draws; the script finds the name of the table in the variable `data`. NULL, and the picture in
 * *ret_picture (the caller calls od_buf_done); else why there is none, in words that live in arena.
 */
const char *od_gnuplot_draw(const struct od_gnuplot_page *page, struct od_view data,
                            struct od_view script, struct od_arena *arena,
                            struct od_buf *ret_picture);

/* One of several drawings on pages that differ in nothing but their height. */
struct od_gnuplot_drawing {
    unsigned height;
    struct od_view data, script;
};

/*
 * SVGs, one after the other, in a single run: to start gnuplot takes longer than to draw. NULL, or
 * why not all of them are there: those before the first that could not be drawn are. The caller
 * calls od_buf_done.
 */
const char *od_gnuplot_draw_all(const struct od_gnuplot_page *page,
                                const struct od_gnuplot_drawing *drawings, size_t n,
                                struct od_arena *arena, struct od_buf *ret_pictures);
