#include "lib/pictures.h"

#include "host/gnuplot.h"
#include "report/figure_svg.h"

const char *od_picture_draw(const struct od_figure *figure, bool locked, struct od_arena *arena,
                            struct od_view *ret_svg)
{
    struct od_gnuplot_page page = {.terminal = OD_GNUPLOT_SVG,
                                   .width = OD_FIGURE_WIDTH,
                                   .height = figure->height,
                                   .scale = 1,
                                   .transparent = true,
                                   .locked = locked};
    struct od_buf drawn = {0}, svg = {0};
    const char *why = od_gnuplot_draw(&page, figure->data, figure->script, arena, &drawn);
    if (!why && od_figure_svg(figure, od_buf_view(&drawn), &svg))
        *ret_svg = od_arena_view(arena, od_buf_view(&svg));
    else if (!why)
        why = "what gnuplot printed is no picture";
    od_buf_done(&drawn);
    od_buf_done(&svg);
    return why;
}

const struct od_pictures *od_pictures_draw(const struct od_figures *figures, struct od_arena *arena)
{
    struct od_pictures *pictures = OD_NEW(arena, struct od_pictures);
    for (size_t i = 0; i < figures->n && !pictures->missing; i++) {
        struct od_picture picture = {.figure = &figures->list[i]};
        pictures->missing = od_picture_draw(picture.figure, false, arena, &picture.svg);
        if (!pictures->missing)
            pictures->list[pictures->n++] = picture;
    }
    return pictures;
}
