/*
 * Draws the figures of a report for formats that embed them (html). It is separate because
 * src/report and src/host do not depend on each other.
 */
#pragma once

#include "report/figure.h"

/* Draws all of them, in arena. Missing ones are explained in pictures->missing. After the first
 * that gnuplot cannot draw no other is tried, because it would fail as slowly. */
const struct od_pictures *od_pictures_draw(const struct od_figures *figures,
                                           struct od_arena *arena);

/* Draws a list in one run of gnuplot; locked as in struct od_gnuplot_page. NULL, or why the last
 * ones are missing: their ret_svgs are empty. */
const char *od_pictures_draw_list(const struct od_figure *const *figures, size_t n, bool locked,
                                  struct od_arena *arena, struct od_view *ret_svgs);
