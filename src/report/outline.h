/*
 * The outline: makes a document from a report. In order: the answer, its place in the log, the
 * numbers, the address space, why, what to do, other statements of the log, how far to trust it,
 * the next command. One screen, unless options->verbose asks for all of it.
 */
#pragma once

#include "report/doc.h"
#include "report/report.h"

/* The caller calls od_doc_free; the report must outlive the document. */
struct od_doc *od_outline(const struct od_report *report, const struct od_report_options *options);

/* Adds the pictures, as many as fit the part of a page's size that is reserved for them, without
 * the one of a series that the page draws itself (NULL = none). If pictures were wanted and none
 * exist, adds the reason. */
void od_outline_pictures(struct od_doc *doc, const struct od_pictures *pictures,
                         const struct od_series *drawn, double part);

/* The allocator whose numbers the report shows; NULL = none. */
const struct od_allocator *od_outline_allocator(const struct od_report *report);
