/*
 * What a logger prints in front of what it was told: time, level, place, process, in any order and
 * in anybody's punctuation ("2024-01-01 12:00:00 ERROR foo.py:12] ", "ERROR:root:", "E0101 12:00:00
 * 42 a.cc:3] ", "time=... level=error msg=\""). Digits are all alike to it: lines that differ in
 * digits alone have heads of the same length.
 */
#pragma once

#include "base/base.h"

/*
 * The text from the name of the innermost exception on that stands behind such a head, or behind
 * names of exceptions: "RuntimeError: ...". The whole text where there is no head. Empty where the
 * head says that it is no error: INFO, WARNING, level=debug. Part of text.
 */
struct od_view od_log_said(struct od_view text);

/* What stands behind the place of a line of C++: "E0101 12:00:00 42 a.cc:3] ". Part of text, all of
 * it where there is no such place near its start. */
struct od_view od_log_behind_place(struct od_view text);

/* Does the text begin with a date or a time of day: "2026-01-02 ...", "08:07:56", "12/31"? */
bool od_log_begins_with_time(struct od_view text);
