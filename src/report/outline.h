/*
 * The outline: a report -> a document. What the reader sees, in order: the answer, where it was
 * said, the numbers, the address space, why, what to do, what else was said, how far to trust it,
 * what to type next. One screen, unless options->verbose asks for all of it.
 */
#pragma once

#include "report/doc.h"
#include "report/report.h"

/* The caller frees with od_doc_free; the report must outlive the document. */
struct od_doc *od_outline(const struct od_report *report, const struct od_report_options *options);

/* The pictures, as many as that part of what a page may take holds, but for that of a series which
 * the page draws itself (NULL = none); and why there are none where some were asked for. */
void od_outline_pictures(struct od_doc *doc, const struct od_pictures *pictures,
                         const struct od_series *drawn, double part);

/* The allocator whose numbers the report shows; NULL = none. */
const struct od_allocator *od_outline_allocator(const struct od_report *report);
