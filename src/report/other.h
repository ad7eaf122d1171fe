/*
 * Other results than a report and a plan: a comparison of two runs, a fleet. The caller provides
 * the document and the JSON; rendering, figures and redaction are shared.
 */
#pragma once

#include "report/doc.h"
#include "report/figure.h"
#include "report/json_write.h"
#include "report/report.h"

struct od_other {
    /* The caller calls od_doc_free. pictures: NULL = figures are not wanted. */
    struct od_doc *(*outline)(void *self, const struct od_report_options *options,
                              const struct od_pictures *pictures);
    /* Writes into an empty writer. */
    void (*json)(void *self, struct od_json *json);
    const struct od_figures *(*figures)(void *self, struct od_arena *arena);
    void *self;
    const struct od_pictures *pictures; /* pictures for the outline */
};

/* Writes the result in a format for people, as JSON, or in the command's own format; false if the
 * latter failed and said why. */
bool od_format_other(const struct od_format *format, const struct od_other *other,
                     const struct od_report_options *options, struct od_buf *to);
