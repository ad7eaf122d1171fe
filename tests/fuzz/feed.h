/*
 * Bytes, line by line, to a reader. A line that begins with a digit and ';' is of that lane.
 */
#ifndef OD_TESTS_FUZZ_FEED_H
#define OD_TESTS_FUZZ_FEED_H

#include "base/view.h"
#include "readers/reader.h"

/* Everything a reader gives goes into a case, which is built to its end. */
void od_fuzz_feed(const struct od_reader *reader, struct od_view bytes);

#endif
