/*
 * A scan as text: every event it gives with its place, fields and line, its counts, and the series
 * that the events become.
 * Two scans that tell the same are written the same.
 */
#ifndef OD_TESTS_SHAPES_WRITTEN_H
#define OD_TESTS_SHAPES_WRITTEN_H

#include "base/buf.h"
#include "base/diag.h"
#include "input/input.h"
#include "rules/ruleset.h"
#include "scan/scan.h"

struct od_written_scan {
    struct od_ruleset *rules;
    struct od_candidates *candidates; /* NULL: made for this scan */
    struct od_diags *diags;
    const struct od_input_limits *limits; /* NULL: the usual ones */
    size_t block_bytes;
    bool no_shapes;
};

void od_write_scan(const struct od_written_scan *asked, struct od_view log, struct od_buf *ret);

#endif
