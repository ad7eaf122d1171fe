/*
 * Lines that mention a failure without reporting one: questions, warnings, advice, conditions,
 * recollections of a person, source code. Words alone cannot decide, so when in doubt a line counts
 * as hypothetical. Use this for generic wordings, not for messages of a known program.
 */
#pragma once

#include "base/base.h"

/* Does the line only mention the failure? `at` is the offset of its words. */
bool od_is_hypothetical(struct od_view text, size_t at);

/* Like od_is_hypothetical, but log levels such as WARNING and INFO make a line hypothetical only if
 * levels_count is set. A warning that reports a refused allocation and names the fallback reports a
 * real refusal. */
bool od_is_supposition(struct od_view text, size_t at, bool levels_count);

/* Does the line log an error that the program caught, at any log level? Its message begins with a
 * word such as "Error" or "Failed", and a colon precedes offset at. */
bool od_is_logged_error(struct od_view text, size_t at);

/* Is the word at [at, end), for example "info" or "warning", a log level? In lower case between
 * blanks it is an ordinary word, as in "the job info". */
bool od_is_log_level(struct od_view text, size_t at, size_t end);
