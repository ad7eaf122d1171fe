/*
 * --plots DIR: every figure as a picture, with its data and a script that draws it again.
 */
#pragma once

#include "cli/command.h"
#include "host/gnuplot.h"
#include "report/figure.h"

struct od_plots {
    const char *folder; /* NULL: none are wanted */
    enum od_gnuplot_terminal terminal;
};

#define OD_PLOT_OPTIONS                                                              \
    {"plots", 0, "DIR", "Write figures with their data and gnuplot scripts to DIR"}, \
    {                                                                                \
        "plot-format", 0, "FORMAT", "svg (default), png or pdf: of the figures"      \
    }

/* Takes one of these options; false when it is none of them. *ret_status is OD_EXIT_OK or
 * OD_EXIT_USAGE (already said on stderr). */
bool od_plots_take(struct od_plots *plots, const struct od_args *args, int option, int *ret_status);

/* Makes the folder where it is missing. False, with a message on stderr, when something cannot be
 * written; that gnuplot is missing or fails is said, and no failure: data and scripts are there. */
bool od_plots_write(const struct od_plots *plots, const struct od_figures *figures);
