/*
 * What readers of measurements share: events of kind `sample`, and sizes in the unit of a table.
 */
#pragma once

#include "facts/event.h"
#include "facts/line.h"

/* An event of kind `sample` about that line; reader is the name it goes under. space: "device" or
 * "host"; NULL = not said. */
void od_measure_begin(struct od_event *ret_event, const char *reader, const struct od_line *line,
                      const char *space);

/* n of 1024 * 1024; unknown where that is too many. */
struct od_bytes od_measure_mebibytes(uint64_t n);

/*
 * The unit of bare numbers, derived from the total memory: a machine that trains has between some
 * GiB and some TiB, a device at most some hundred GiB. NULL if several units are plausible.
 */
const char *od_measure_unit_of_whole(double whole, bool device);

/* What a bare number counts, as far as its words tell: pages come by 4 KiB, a heap counts bytes,
 * the largest so far is what getrusage gave, in KiB. */
enum od_measure_kind { OD_MEASURED, OD_MEASURED_PAGES, OD_MEASURED_HEAP, OD_MEASURED_PEAK };

/*
 * The most probable unit of a bare number of memory in use: measured programs take some hundred MiB
 * to some hundred GiB, and GiB are printed with a fraction and at most some hundred. NULL if no
 * unit is plausible.
 */
const char *od_measure_unit_of_part(double part, enum od_measure_kind what);
