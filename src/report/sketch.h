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

struct od_sketch {
    struct od_figures *figures;
    struct od_arena *arena;
    struct od_buf data, script;
    unsigned blocks; /* data blocks written so far */
    unsigned unit;   /* unit of its axes, an exponent as of od_bytes_unit_for */
};

/* Starts a script with our style and a unit for sizes up to this many bytes. */
struct od_sketch od_sketch_start(struct od_figures *figures, struct od_arena *arena,
                                 uint64_t largest);

/* Finishes the script and adds the figure, with these words, unless the list is full. */
void od_sketch_finish(struct od_sketch *sketch, const struct od_figure *words);

/* Starts a data block after a comment that names its columns. Returns its index. */
unsigned od_sketch_block(struct od_sketch *sketch, const char *columns);

void od_sketch_row(struct od_sketch *sketch, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Appends a part of figures.gp to the script; set its variables first. */
void od_sketch_run(struct od_sketch *sketch, const char *part);

/* Appends a line to the script. */
void od_sketch_say(struct od_sketch *sketch, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Words for a single-quoted string of the script; in the sketch's arena. */
const char *od_sketch_quoted(const struct od_sketch *sketch, const char *words);

/* Bytes in the sketch's unit. */
double od_sketch_in_unit(const struct od_sketch *sketch, double bytes);

/* Width of a line of text as a share of the drawing's width. */
double od_sketch_text_width(const char *text);

/* Sets the y axis from 0 to this many bytes (or other numbers if the unit is 0), with few tics. */
void od_sketch_y_axis(struct od_sketch *sketch, double top, const char *label);

/* A step that gives few tics from 0 to `most`. */
double od_sketch_step(double most);

/* Draws a line across the panel at this many bytes. tag: "" or a number and a space, which the next
 * panel uses to replace the line. */
void od_sketch_level(struct od_sketch *sketch, const char *tag, double bytes);
/* Draws the limit as a line like od_sketch_level, with a label. */
void od_sketch_limit(struct od_sketch *sketch, const char *tag, double bytes);

/* Places a label next to the stretch [from, to] of an axis of length `whole`, on the side with more
 * room. */
struct od_beside {
    double from, to, whole, y;
    const char *text;
};
void od_sketch_beside(struct od_sketch *sketch, const struct od_beside *beside);

/* "GPU 0"; "" for other names, which may contain untrusted text. */
const char *od_figure_device(struct od_view device, struct od_arena *arena);
