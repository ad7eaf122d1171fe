/*
 * Gives text to any reader and writes down the events it emits, one a line:
 *     alloc_failed@3 producer=pytorch requested=2097152 ...
 * (kind, first line, fields in the order they were set). Sizes are the nearest integer.
 */
#ifndef OD_TESTS_UNIT_READERS_EVENTS_H
#define OD_TESTS_UNIT_READERS_EVENTS_H

#include "base/buf.h"
#include "readers/reader.h"

/* Lines of text are of lane 1; a line "@2 ..." is of lane 2, without those three bytes; one that
 * ends with a CR is overprinted. The caller calls od_buf_done. */
struct od_buf events_read(const struct od_reader *reader, struct od_view text);

#endif
