/*
 * What gnuplot drew, made fit to stand inside a page: shapes and text only, rewritten from what is
 * known to be harmless. Nothing else passes: no script, style, link, reference, image or identifier
 * of theirs. Black becomes the colour of the page's text; there is no paper below it and no size,
 * so that it fills the width it is given. Groups are dissolved and like shapes joined, which makes
 * it a fraction of its length.
 */
#pragma once

#include "report/figure.h"

/* Appends an <svg> element with the figure's title and alternative text. False, and nothing is
 * appended, when drawn is no SVG or is nested deeper than gnuplot does. */
bool od_figure_svg(const struct od_figure *figure, struct od_view drawn, struct od_buf *to);
