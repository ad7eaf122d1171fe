/*
 * --plots DIR: writes every figure as a picture, with its data and a script that draws it again.
 */
#pragma once

#include "cli/command.h"
#include "host/gnuplot.h"
#include "report/figure.h"

struct od_plots {
    const char *folder; /* NULL: no figures are written */
    enum od_gnuplot_terminal terminal;
};

#define OD_PLOT_OPTIONS                                                              \
    {"plots", 0, "DIR", "Write figures with their data and gnuplot scripts to DIR"}, \
    {                                                                                \
        "plot-format", 0, "FORMAT", "svg (default), png or pdf: of the figures"      \
    }

/* Takes one of these options; false for others. *ret_status is OD_EXIT_OK or OD_EXIT_USAGE (an
 * error was printed to stderr). */
bool od_plots_take(struct od_plots *plots, const struct od_args *args, int option, int *ret_status);

/* Creates the folder if necessary. False, with a message on stderr, if something cannot be written.
 * A missing or failing gnuplot is reported but is no failure, because data and scripts are
 * written. */
bool od_plots_write(const struct od_plots *plots, const struct od_figures *figures);
