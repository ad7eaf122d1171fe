#include "lib/pictures.h"

#include "host/gnuplot.h"

static const char no_picture[] = "the output of gnuplot is not a picture";

/* Removes the next complete SVG from the output. */
static bool take_svg(struct od_view *printed, struct od_view *ret_svg)
{
    const struct od_view start = OD_VIEW("<?xml"), close = OD_VIEW("</svg>");
    size_t at = od_view_find(*printed, start, 0);
    size_t end = at == OD_VIEW_NONE ? at : od_view_find(*printed, close, at);
    if (end == OD_VIEW_NONE)
        return false;
    *ret_svg = od_view_head(od_view_from(*printed, at), end + close.n - at);
    *printed = od_view_from(*printed, end + close.n);
    return true;
}

const char *od_pictures_draw_list(const struct od_figure *const *figures, size_t n, bool locked,
                                  struct od_arena *arena, struct od_view *ret_svgs)
{
    const struct od_gnuplot_page page = {.terminal = OD_GNUPLOT_SVG,
                                         .width = OD_FIGURE_WIDTH,
                                         .scale = 1,
                                         .transparent = true,
                                         .locked = locked};
    struct od_gnuplot_drawing drawings[OD_FIGURES_MAX];
    struct od_buf printed = {0};
    for (size_t i = 0; i < n; i++) {
        ret_svgs[i] = (struct od_view){0};
        drawings[i] = (struct od_gnuplot_drawing){
            .height = figures[i]->height, .data = figures[i]->data, .script = figures[i]->script};
    }
    if (n == 0)
        return NULL;
    const char *why = od_gnuplot_draw_all(&page, drawings, n, arena, &printed);
    struct od_view rest = od_buf_view(&printed), drawn;
    for (size_t i = 0; i < n; i++) {
        if (!take_svg(&rest, &drawn)) {
            why = why ? why : no_picture;
            break;
        }
        ret_svgs[i] = od_arena_view(arena, drawn);
    }
    od_buf_done(&printed);
    return why;
}

const struct od_pictures *od_pictures_draw(const struct od_figures *figures, struct od_arena *arena)
{
    struct od_pictures *pictures = OD_NEW(arena, struct od_pictures);
    const struct od_figure *list[OD_FIGURES_MAX];
    struct od_view svgs[OD_FIGURES_MAX];
    for (size_t i = 0; i < figures->n; i++)
        list[i] = &figures->list[i];
    pictures->missing = od_pictures_draw_list(list, figures->n, false, arena, svgs);
    for (size_t i = 0; i < figures->n && svgs[i].n > 0; i++)
        pictures->list[pictures->n++] = (struct od_picture){.figure = list[i], .svg = svgs[i]};
    return pictures;
}
