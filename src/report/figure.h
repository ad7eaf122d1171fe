/*
 * Figures: what a report shows as a picture. Each is a title, an alternative text, columns of
 * numbers and a gnuplot script that draws them. Pure: drawing is done elsewhere (host/gnuplot.h),
 * maybe in another process, from this alone.
 *
 * Neither data nor script hold text of the log: labels are numbers, shapes, and words of ours. So
 * whoever draws never meets a stranger's text.
 */
#pragma once

#include "base/base.h"

struct od_report;

enum { OD_FIGURES_MAX = 24, OD_FIGURE_WIDTH = 600 };

struct od_figure {
    const char *name;      /* "memory_map", "bins", "timeline_2": a file's name without its end */
    const char *title;     /* words of ours */
    const char *alt;       /* what can be seen in it, for those who cannot see it */
    unsigned height;       /* of a drawing OD_FIGURE_WIDTH wide, in which text is 15 high */
    struct od_view data;   /* a table for gnuplot, blocks by empty lines; sizes in bytes */
    struct od_view script; /* reads the file named by the variable `data`; sets no terminal */
};

struct od_figures {
    struct od_figure list[OD_FIGURES_MAX];
    size_t n;
    unsigned timelines; /* of them */
};

/* A figure that was drawn, as SVG to stand inside a page; empty where drawing failed. */
struct od_picture {
    const struct od_figure *figure;
    struct od_view svg;
};

struct od_pictures {
    struct od_picture list[OD_FIGURES_MAX];
    size_t n;
    const char *missing; /* why there are none: gnuplot is not installed, ...; NULL */
};

/* The figures of a report, most telling first; in arena. */
const struct od_figures *od_figures_of(const struct od_report *report, struct od_arena *arena);
