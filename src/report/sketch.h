/*
 * A figure while it is written down: a table and a gnuplot script that draws it, in one style.
 *
 * Scripts are gnuplot 5.2 or newer. Text black is that of the page; any other colour is a fixed
 * one. Colors are those of the bar on the same page (page.css).
 */
#pragma once

#include "report/figure.h"

#define OD_INK "#111111"     /* text on a light colour */
#define OD_ALARM "#C8381F"   /* what was asked for, what failed, the limit */
#define OD_SPARE "#C02C8A5A" /* free: faint on light and dark */

struct od_sketch {
    struct od_figures *figures;
    struct od_arena *arena;
    struct od_buf data, script;
    unsigned blocks; /* data blocks written so far */
    unsigned unit;   /* prefix that its axes are in, as od_bytes_unit_for */
};

/* Begins with our style and unit for sizes up to so many bytes. */
struct od_sketch od_sketch_start(struct od_figures *figures, struct od_arena *arena,
                                 uint64_t largest);

/* Ends it: into the figures under these words, unless they are full. */
void od_sketch_finish(struct od_sketch *sketch, const struct od_figure *words);

/* A new block of data under a comment that names its columns; its index. */
unsigned od_sketch_block(struct od_sketch *sketch, const char *columns);

void od_sketch_row(struct od_sketch *sketch, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds a part of figures.gp to the script; its variables are set before it. */
void od_sketch_run(struct od_sketch *sketch, const char *part);

/* A line of the script. */
void od_sketch_say(struct od_sketch *sketch, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Words within a script's single quotes, in the sketch's arena. */
const char *od_sketch_quoted(const struct od_sketch *sketch, const char *words);

/* Bytes in the sketch's unit. */
double od_sketch_in_unit(const struct od_sketch *sketch, double bytes);

/* What a line of text takes, as part of the drawing's width. */
double od_sketch_text_width(const char *text);

/* The axis y from 0 up to so many bytes (or whatever else, where the unit is 0), few tics. */
void od_sketch_y_axis(struct od_sketch *sketch, double top, const char *label);

/* A step for few tics from 0 up to so much. */
double od_sketch_step(double most);

/* A line across the panel at so many bytes; tag: "", or its number and
 * a space, by which the next panel's takes its place. */
void od_sketch_level(struct od_sketch *sketch, const char *tag, double bytes);
/* The same, named as the limit. */
void od_sketch_limit(struct od_sketch *sketch, const char *tag, double bytes);

/* A label beside the stretch [from, to] of an axis that is [0, whole] long, where it fits best. */
struct od_beside {
    double from, to, whole, y;
    const char *text;
};
void od_sketch_beside(struct od_sketch *sketch, const struct od_beside *beside);

/* "GPU 0"; "" for other names, which may contain untrusted text. */
const char *od_figure_device(struct od_view device, struct od_arena *arena);
