/*
 * The prefix that a logger prints before a message: time, level, place, process, in any order and
 * punctuation ("2024-01-01 12:00:00 ERROR foo.py:12] ", "ERROR:root:", "E0101 12:00:00 42 a.cc:3]
 * ", "time=... level=error msg=\""). The length of the prefix does not depend on the values of
 * digits: lines that differ only in digits have prefixes of the same length.
 */
#pragma once

#include "base/base.h"

/*
 * Returns the part of text that begins with the name of the innermost exception after the log
 * prefix or after other exception names: "RuntimeError: ...". Returns all of text if it has no log
 * prefix, and an empty view if the level of the prefix is below error: INFO, WARNING, level=debug.
 */
struct od_view od_log_message(struct od_view text);

/* Returns the part of text after the C++ source location: "E0101 12:00:00 42 a.cc:3] ", or all
 * of text if none is near its start. */
struct od_view od_log_after_place(struct od_view text);

/* Does the text begin with a date or a time of day: "2026-01-02 ...", "08:07:56", "12/31"? */
bool od_log_begins_with_time(struct od_view text);
