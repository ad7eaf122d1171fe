/*
 * Draws a picture from a table and a script with gnuplot. gnuplot runs without a shell, settings
 * files or our environment, with limits on time, memory and output. Table and script are passed
 * without a file on any disk.
 *
 * Scripts are our own and contain no text of a log, because gnuplot can run programs. Its output is
 * checked to be a picture, not to be harmless.
 */
#pragma once

#include "base/base.h"

enum od_gnuplot_terminal { OD_GNUPLOT_SVG, OD_GNUPLOT_PNG, OD_GNUPLOT_PDF };

/* Lengths are in drawing units; text is 15 units high. scale converts them to pixels; a PDF has 96
 * units per inch. */
struct od_gnuplot_page {
    enum od_gnuplot_terminal terminal;
    unsigned width, height;
    double scale;
    bool transparent; /* SVG without a background */
    bool locked;      /* run locked, for untrusted scripts (host/lock.h) */
    /* title above the figure: one line, no quotes; NULL = none. It defines the variable `titled`
     * in the script */
    const char *title;
};

/* Appends the commands that set up the terminal for the page. */
void od_gnuplot_head(const struct od_gnuplot_page *page, struct od_buf *to);

/* Draws a picture. The variable `data` of the script is the name of the table. Returns NULL and the
 * picture in *ret_picture (the caller calls od_buf_done), otherwise the error, in arena. */
const char *od_gnuplot_draw(const struct od_gnuplot_page *page, struct od_view data,
                            struct od_view script, struct od_arena *arena,
                            struct od_buf *ret_picture);

/* One of several drawings whose pages differ only in height. */
struct od_gnuplot_drawing {
    unsigned height;
    struct od_view data, script;
};

/* Draws several SVGs in a single run, because gnuplot takes longer to start than to draw.
 * Returns NULL, or an error: drawings before the first failed one are valid. The caller calls
 * od_buf_done. */
const char *od_gnuplot_draw_all(const struct od_gnuplot_page *page,
                                const struct od_gnuplot_drawing *drawings, size_t n,
                                struct od_arena *arena, struct od_buf *ret_pictures);
