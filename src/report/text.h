/* Any document as text for a terminal or a file. */
#pragma once

#include "report/doc.h"
#include "report/report.h"

/* Appends the document, wrapped to the options' columns. */
void od_text_render(const struct od_doc *doc, const struct od_report_options *options,
                    struct od_buf *to);
