/*
 * The first and the last time that the lines of a source print, so that a report can say how long a
 * run took. Only whole dates with a time count: "2026-01-02 10:11:12", "2026/01/02T10:11:12",
 * "Jan  2 10:11:12" (no year). A few lines at both ends of a block are looked at; zones are
 * ignored, as the same program prints both ends.
 */
#pragma once

#include "base/base.h"

struct od_time {
    bool known;
    bool has_year;
    int64_t seconds; /* since 1970 (without a year: since the first of January) */
};

struct od_clock {
    struct od_time first, last;
};

/* The time that a line prints, in its first 200 or its last 120 bytes. */
struct od_time od_time_find(struct od_view line);

/* The next block of a source. */
void od_clock_block(struct od_clock *clock, struct od_view block);

/* Seconds between them; negative when not known, or when the clock went backwards. */
int64_t od_clock_span(const struct od_clock *clock);

enum { OD_TIME_TEXT = 24 };

/* "2026-01-02T10:11:12", "01-02T10:11:12"; "" when not known. Returns buf. */
const char *od_time_print(struct od_time time, char buf[static OD_TIME_TEXT]);
