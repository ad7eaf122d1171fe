/*
 * The figures of a report. A figure is a title, an alternative text, columns of numbers and a
 * gnuplot script that draws them. host/gnuplot.h draws it later from these data alone, possibly in
 * another process.
 *
 * Neither data nor script contain text of the log: labels are numbers, shapes, and our own words.
 * So the drawing process never handles untrusted text.
 */
#pragma once

#include "base/base.h"

struct od_report;
struct od_series;

enum { OD_FIGURES_MAX = 24, OD_FIGURE_WIDTH = 600 };

struct od_figure {
    const char *name;  /* "memory_map", "bins", "timeline_2": the file name without its extension */
    const char *title; /* our own words */
    const char *alt;   /* a description for readers who cannot see it */
    unsigned height;   /* height of the drawing, which is OD_FIGURE_WIDTH wide; text is 15 high */
    const struct od_series *series; /* the series of a timeline; NULL for other figures */
    struct od_view data;            /* a table for gnuplot, blocks by empty lines; sizes in bytes */
    struct od_view script; /* reads the file named by the variable `data`; sets no terminal */
};

struct od_figures {
    struct od_figure list[OD_FIGURES_MAX];
    size_t n;
    unsigned timelines; /* number of timelines among the figures */
};

/* A drawn figure as SVG for embedding in a page; empty if drawing failed. */
struct od_picture {
    const struct od_figure *figure;
    struct od_view svg;
};

struct od_pictures {
    struct od_picture list[OD_FIGURES_MAX];
    size_t n;
    const char *missing; /* why there are none: gnuplot is not installed, ...; NULL */
};

/* The figures of a report, the most informative first; in arena. */
const struct od_figures *od_figures_of(const struct od_report *report, struct od_arena *arena);
