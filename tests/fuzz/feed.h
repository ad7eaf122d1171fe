/*
 * Bytes to a reader: line by line, where one that begins with a digit and ';' is of that lane; or
 * as a whole file.
 */
#ifndef OD_TESTS_FUZZ_FEED_H
#define OD_TESTS_FUZZ_FEED_H

#include "base/err.h"
#include "base/view.h"
#include "models/file_reader.h"
#include "readers/reader.h"

/* Everything a reader gives goes into a case, which is built to its end. */
void od_fuzz_feed(const struct od_reader *reader, struct od_view bytes);

enum od_err od_fuzz_feed_file(const struct od_file_reader *reader, struct od_view bytes);

#endif
