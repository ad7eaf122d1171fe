/*
 * Parses printed times into seconds, for differences between two times of the same form. The
 * origin is 1970 if the time has a date with a four-digit year, else midnight. Time zones are
 * ignored, because one program prints both times.
 */
#pragma once

#include "base/base.h"

/* Number of days since 1970-01-01 in the Gregorian calendar. */
int64_t od_days_of(int64_t year, int64_t month, int64_t day);

/*
 * Parses "2024/05/02 10:11:05.100", "2024-05-02T10:11:05,100Z", "20240502 10:11:05", "10:11:05",
 * and seconds or milliseconds since 1970. False if the whole text is not one of these.
 */
bool od_daytime_parse(struct od_view text, double *ret_seconds);

/* Parses a complete date and time at the start of the text: "2024-05-02 10:11:05", or "May 2
 * 10:11:05" without a year, which is taken as 1970. */
bool od_daytime_stamp(struct od_view text, bool *ret_has_year, double *ret_seconds);

/*
 * Parses the time at the start of a line: "[2024-05-02 10:11:05,100] ...", "10:11:05 | ...",
 * "[05/02 10:11:05] ...", "I0502 10:11:05.1 ...", "May  2 10:11:05 ...", "time=2024-05-02T10:11:05
 * ...", {"timestamp": "2024-05-02T10:11:05" ...}. False if there is none; *ret_seconds is then
 * unchanged.
 */
bool od_daytime_head(struct od_view line, double *ret_seconds);

/* od_daytime_head in two steps. od_daytime_place returns the position of the time, which is equal
 * for lines that differ only in digits; OD_VIEW_NONE if the line begins without a time. */
size_t od_daytime_place(struct od_view line);
bool od_daytime_at(struct od_view line, size_t place, double *ret_seconds);
