/*
 * Rows of nvidia-smi without a heading, "0, 4096 MiB, 16384 MiB": the first number is the device,
 * or counts the rows of a loop of somebody's own. Devices come again, a count runs on; which of the
 * two it is, the first rows do not tell. They are kept until one does.
 */
#pragma once

#include "facts/line.h"

/* Rows kept: as many as a machine has devices, and the one that tells. */
enum {
    OD_CSV_SWEEP_DEVICES = 16,
    OD_CSV_SWEEP_MAX = OD_CSV_SWEEP_DEVICES + 1,
    OD_CSV_SWEEP_TEXT = 160
};

enum od_csv_first { OD_CSV_UNTOLD, OD_CSV_DEVICE, OD_CSV_COUNT };

struct od_csv_sweep {
    enum od_csv_first first;
    uint64_t last; /* the first number of the latest row */
    size_t n;      /* rows kept */
    struct od_line lines[OD_CSV_SWEEP_MAX];
    char texts[OD_CSV_SWEEP_MAX][OD_CSV_SWEEP_TEXT];
};

/* Keeps a row, with a copy of its text; there must be room. */
void od_csv_sweep_keep(struct od_csv_sweep *sweep, const struct od_line *line);

/* One more row, which begins with that number. It is kept, with a copy of its text, up to the one
 * that tells; the caller empties what is kept then (n = 0). */
enum od_csv_first od_csv_sweep_add(struct od_csv_sweep *sweep, const struct od_line *line,
                                   uint64_t number);

/* What they are when no more come. */
enum od_csv_first od_csv_sweep_guess(const struct od_csv_sweep *sweep);
