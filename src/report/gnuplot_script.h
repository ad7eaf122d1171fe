/*
 * Builds a figure: a data table and a gnuplot script in our style.
 *
 * Scripts need gnuplot 5.2 or newer. Black text takes the page's text color; other colors are
 * fixed. Colors are those of the bar on the same page (page.css).
 */
#pragma once

#include "report/figure.h"

#define OD_INK "#111111"     /* text on a light colour */
#define OD_ALARM "#C8381F"   /* the request, the failure, the limit */
#define OD_SPARE "#C02C8A5A" /* free memory: faint on light and dark backgrounds */

struct od_gnuplot_script {
    struct od_figures *figures;
    struct od_arena *arena;
    struct od_buf data, script;
    unsigned blocks; /* data blocks written so far */
    unsigned unit;   /* unit of its axes, an exponent as of od_bytes_unit_for */
};

/* Starts a script with our style and a unit for sizes up to this many bytes. */
struct od_gnuplot_script od_gnuplot_start(struct od_figures *figures, struct od_arena *arena,
                                          uint64_t largest);

/* Finishes the script and adds the figure, with these words, unless the list is full. */
void od_gnuplot_finish(struct od_gnuplot_script *plot, const struct od_figure *words);

/* Starts a data block after a comment that names its columns. Returns its index. */
unsigned od_gnuplot_block(struct od_gnuplot_script *plot, const char *columns);

void od_gnuplot_row(struct od_gnuplot_script *plot, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Appends a part of figures.gp to the script; set its variables first. */
void od_gnuplot_run(struct od_gnuplot_script *plot, const char *part);

/* Appends a line to the script. */
void od_gnuplot_say(struct od_gnuplot_script *plot, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Words for a single-quoted string of the script; in the plot's arena. */
const char *od_gnuplot_quoted(const struct od_gnuplot_script *plot, const char *words);

double od_gnuplot_in_unit(const struct od_gnuplot_script *plot, double bytes);

/* Width of a line of text as a share of the drawing's width. */
double od_gnuplot_text_width(const char *text);

/* Sets the y axis from 0 to this many bytes (or other numbers if the unit is 0), with few tics. */
void od_gnuplot_y_axis(struct od_gnuplot_script *plot, double top, const char *label);

/* A step that gives few tics from 0 to `most`. */
double od_gnuplot_step(double most);

/* Draws a line across the panel at this many bytes. tag: "" or a number and a space, which the next
 * panel uses to replace the line. */
void od_gnuplot_level(struct od_gnuplot_script *plot, const char *tag, double bytes);
/* Draws the limit as a line like od_gnuplot_level, with a label. */
void od_gnuplot_limit(struct od_gnuplot_script *plot, const char *tag, double bytes);

/* Places a label next to the stretch [from, to] of an axis of length `whole`, on the side with more
 * room. */
struct od_side_label {
    double from, to, whole, y;
    const char *text;
};
void od_gnuplot_side_label(struct od_gnuplot_script *plot, const struct od_side_label *label);

/* "GPU 0"; "" for other names, which may contain untrusted text. */
const char *od_figure_device(struct od_view device, struct od_arena *arena);
