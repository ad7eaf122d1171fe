/*
 * gnuplot as a function: makes a picture from a table and a script. It runs without a shell,
 * settings files or our environment, with limits on time, memory and output; table and script are
 * passed without a file on any disk.
 *
 * Scripts are ours and contain no text of a log, because gnuplot can run programs. Its output is
 * only checked for being a picture, not for being harmless.
 */
#pragma once

#include "base/base.h"

enum od_gnuplot_terminal { OD_GNUPLOT_SVG, OD_GNUPLOT_PNG, OD_GNUPLOT_PDF };

/* Lengths are in drawing units: text is 15 high. scale converts them to pixels; a PDF has 96 units
 * per inch. */
struct od_gnuplot_page {
    enum od_gnuplot_terminal terminal;
    unsigned width, height;
    double scale;
    bool transparent;  /* SVG: no paper below the drawing */
    bool locked;       /* run locked, for untrusted scripts (host/lock.h) */
    const char *title; /* title above the figure; one line, no quotes; NULL = none. With a title,
                          the variable `titled` is defined in the script */
};

/* Appends the commands that set up the terminal for the page. */
void od_gnuplot_head(const struct od_gnuplot_page *page, struct od_buf *to);

/* Draws; the variable `data` of the script is the name of the table. NULL with the picture in
 * *ret_picture (the caller calls od_buf_done); otherwise the error, allocated in arena. */
const char *od_gnuplot_draw(const struct od_gnuplot_page *page, struct od_view data,
                            struct od_view script, struct od_arena *arena,
                            struct od_buf *ret_picture);

/* One of several drawings on pages that only differ in their height. */
struct od_gnuplot_drawing {
    unsigned height;
    struct od_view data, script;
};

/* Draws several SVGs in a single run, because gnuplot takes longer to start than to draw. NULL, or
 * why some are missing; the ones before the first failed one are there. The caller calls
 * od_buf_done. */
const char *od_gnuplot_draw_all(const struct od_gnuplot_page *page,
                                const struct od_gnuplot_drawing *drawings, size_t n,
                                struct od_arena *arena, struct od_buf *ret_pictures);
