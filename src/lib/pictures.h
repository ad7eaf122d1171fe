/*
 * Draws the figures of a report for formats that embed them (html). A separate file, because
 * src/report and src/host do not depend on each other.
 */
#pragma once

#include "report/figure.h"

/* Draws all figures, in arena. pictures->missing explains missing ones. After the first failure
 * gnuplot is not started again, because it would fail as slowly. */
const struct od_pictures *od_pictures_draw(const struct od_figures *figures,
                                           struct od_arena *arena);

/* Draws a list of figures in one run of gnuplot; locked as in struct od_gnuplot_page. Returns NULL,
 * or an error: the ret_svgs of missing figures are empty. */
const char *od_pictures_draw_list(const struct od_figure *const *figures, size_t n, bool locked,
                                  struct od_arena *arena, struct od_view *ret_svgs);
