/*
 * Rows of nvidia-smi without a heading: "0, NVIDIA A100, 4096 MiB, 40960 MiB", up to three sizes
 * between other columns. How the sizes change shows which is which; rows are stored until that is
 * clear.
 */
#pragma once

#include "readers/measures/table.h"

/* Stored rows: as many as a machine has devices, and one more that decides. */
enum { OD_SMI_DEVICES = 16, OD_SMI_ROWS_MAX = OD_SMI_DEVICES + 1, OD_SMI_TEXT = 160 };

struct od_smi_rows {
    size_t n; /* number of stored rows */
    struct od_line lines[OD_SMI_ROWS_MAX];
    char texts[OD_SMI_ROWS_MAX][OD_SMI_TEXT];
};

/* Is the line a row without a heading, as described above? */
bool od_smi_row_is(struct od_view text);

/* Stores a row with a copy of its text; false if it is another line. *ret_told: no more rows are
 * needed, and the caller sets n to 0. */
bool od_smi_rows_keep(struct od_smi_rows *rows, const struct od_line *line, bool *ret_told);

/* Opens their table and guesses unknown columns; false if there are no rows. */
bool od_smi_rows_open(const struct od_smi_rows *rows, struct od_table *table);
