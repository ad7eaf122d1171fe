/*
 * Where the results of a command go: one run, many outputs (--format, -o FORMAT:FILE). A file is
 * written beside its name and renamed, so that no half of it is left when writing fails.
 */
#ifndef OD_CLI_OUTPUTS_H
#define OD_CLI_OUTPUTS_H

#include "report/report.h"

#include <stdbool.h>
#include <stddef.h>

enum { OD_OUTPUTS_MAX = 32 };

struct od_output {
    const struct od_format *format;
    const char *file; /* NULL = standard output */
};

struct od_outputs {
    struct od_output list[OD_OUTPUTS_MAX];
    size_t n;
};

/* "json" (to standard output); false when there is no such format or one is there already. */
bool od_outputs_add_format(struct od_outputs *outputs, const char *name);

/* "json:report.json"; "json:-" is standard output. */
bool od_outputs_add_file(struct od_outputs *outputs, const char *spec);

/* Does one of them show the figures drawn (report->pictures)? */
bool od_outputs_show_pictures(const struct od_outputs *outputs);

/* Renders and writes all; false, with a message on stderr, when one could not be written. */
bool od_outputs_write(const struct od_outputs *outputs, const struct od_report *report,
                      const struct od_report_options *options);

/* Writes a file as a report is written; false, with a message on stderr, when it cannot. */
bool od_outputs_write_file(const char *file, struct od_view text);

#endif
