/*
 * Finds the first and the last time printed in a source, for the duration of a run. Only complete
 * dates with a time count: "2026-01-02 10:11:12", "2026/01/02T10:11:12", "Jan  2
 * 10:11:12" (no year). Examines a few lines at both ends of a block. Ignores time zones,
 * because one program prints both times.
 */
#pragma once

#include "base/base.h"

struct od_time {
    bool known;
    bool has_year;
    int64_t seconds; /* since 1970 (without a year: since January 1st) */
};

struct od_clock {
    struct od_time first, last;
};

/* Finds the time in the first 200 or the last 120 bytes of a line. */
struct od_time od_time_find(struct od_view line);

/* Examines the next block of a source. */
void od_clock_block(struct od_clock *clock, struct od_view block);

/* Seconds between the two times; negative if not known or if the clock went backwards. */
int64_t od_clock_span(const struct od_clock *clock);

enum { OD_TIME_TEXT = 24 };

/* Prints "2026-01-02T10:11:12", "01-02T10:11:12" or, if not known, "". Returns buf. */
const char *od_time_print(struct od_time time, char buf[static OD_TIME_TEXT]);
