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
 * The unit of bare numbers of memory, told by the whole of it: a machine that trains has some GiB
 * and less than some TiB, a device at most some hundred GiB. NULL: more than one would do.
 */
const char *od_measure_unit_of_whole(double whole, bool device);

/* What a bare number counts, as far as its words tell: pages come by 4 KiB, a heap counts bytes,
 * the largest so far is what getrusage gave, in KiB. */
enum od_measure_kind { OD_MEASURED, OD_MEASURED_PAGES, OD_MEASURED_HEAP, OD_MEASURED_PEAK };

/*
 * The unit that such a bare number of what is in use most probably has: programs that are measured
 * take some hundred MiB to some hundred GiB, and nobody prints GiB without a fraction or as more
 * than that. NULL: none would do.
 */
const char *od_measure_unit_of_part(double part, enum od_measure_kind what);
