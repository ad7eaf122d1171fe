/* Figures that were drawn. */
#include "report/outline_parts.h"

#include "report/figure.h"

enum { PICTURE_BYTES_MOST = 220000 };

void od_outline_pictures(struct od_outline *outline)
{
    const struct od_pictures *pictures = outline->report->pictures;
    if (!outline->folds || !pictures || pictures->n == 0)
        return;
    struct od_section *section = od_doc_section(outline->doc, "Figures");
    size_t left = (size_t)PICTURE_BYTES_MOST * outline->rows / OD_OUTLINE_FOLDED;
    size_t out = 0;
    for (size_t i = 0; i < pictures->n; i++) {
        const struct od_picture *picture = &pictures->list[i];
        if (picture->svg.n == 0)
            continue;
        if (picture->svg.n > left) {
            out++;
            continue;
        }
        left -= picture->svg.n;
        od_doc_figure(outline->doc, section, picture);
    }
    if (out > 0)
        od_doc_say(outline->doc, od_doc_text(outline->doc, section), OD_DIM,
                   "%zu more would make this page too large: --plots DIR writes them.", out);
}
