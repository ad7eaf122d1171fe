/*
 * What readers of measurements share: events of kind `sample`, and sizes in the unit of a table.
 */
#pragma once

#include "facts/event.h"
#include "facts/line.h"

/* A `sample` event for that line; reader is the reader's name. space: "device" or "host"; NULL =
 * not stated. */
void od_measure_begin(struct od_event *ret_event, const char *reader, const struct od_line *line,
                      const char *space);

/* What a bare number counts according to its words: pages of 4 KiB, bytes of a heap, or the peak
 * from getrusage in KiB. */
enum od_measure_kind { OD_MEASURED, OD_MEASURED_PAGES, OD_MEASURED_HEAP, OD_MEASURED_PEAK };

/* The most probable unit of a bare number of memory in use: measured programs take some hundred MiB
 * to some hundred GiB, and GiB are printed with a fraction and are at most some hundred. NULL if no
 * unit is plausible. */
const char *od_measure_unit_of_part(double part, enum od_measure_kind what);
