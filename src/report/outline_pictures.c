/* Figures that were drawn. */
#include "report/figure.h"
#include "report/outline.h"

enum { PICTURE_BYTES_MOST = 260000 };

void od_outline_pictures(struct od_doc *doc, const struct od_pictures *pictures,
                         const struct od_series *drawn, double part)
{
    if (!pictures || (pictures->n == 0 && !pictures->missing))
        return;
    struct od_section *section = NULL;
    double left = PICTURE_BYTES_MOST * part;
    size_t out = 0;
    OD_FOR_EACH_OF (const struct od_picture, picture, pictures->list, pictures->n) {
        double bytes = (double)picture->svg.n;
        if (drawn && picture->figure->series == drawn)
            continue;
        section = section ? section : od_doc_section(doc, "Figures");
        if (bytes > 0 && bytes <= left)
            od_doc_figure(section, picture);
        else
            out += bytes > 0;
        left -= bytes <= left ? bytes : 0;
    }
    if (out > 0)
        od_say_as(od_doc_text(section), OD_DIM,
                  "%zu more figures would make this page too large; --plots DIR writes them.", out);
    if (pictures->missing && !section)
        section = od_doc_section(doc, "Figures");
    if (pictures->missing)
        od_say_as(od_doc_text(section), OD_DIM, "No %sfigures: %s. The tables show the same data.",
                  pictures->n > 0 ? "more " : "", pictures->missing);
}
