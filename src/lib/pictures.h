/*
 * The figures of a report drawn, for formats that show them inline (html). One place, because
 * neither the reports nor the machine know each other.
 */
#pragma once

#include "report/figure.h"

/* All of them, in arena; what cannot be drawn is left out and pictures->missing says why. After
 * the first that gnuplot cannot draw no other is tried: it would be as slow to fail. */
const struct od_pictures *od_pictures_draw(const struct od_figures *figures,
                                           struct od_arena *arena);

/*
 * Those of the list in one run of gnuplot; locked as in struct od_gnuplot_page. NULL, or why some
 * are missing: ret_svgs is empty for them, and they are the last ones.
 */
const char *od_pictures_draw_list(const struct od_figure *const *figures, size_t n, bool locked,
                                  struct od_arena *arena, struct od_view *ret_svgs);
