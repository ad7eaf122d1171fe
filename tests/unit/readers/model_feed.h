/*
 * Gives text to a reader of model descriptions and writes down the models it emits, one line a
 * model and one a layer:
 *
 *     keras net @1+9 complete p=1234 t=1200 n=34
 *     conv2d:Conv2D conv [?,8,8,4] p=40 <0
 *
 * Depth is shown by leading dots. What is unknown is left out.
 */
#ifndef OD_TESTS_UNIT_READERS_MODEL_FEED_H
#define OD_TESTS_UNIT_READERS_MODEL_FEED_H

#include "base/buf.h"
#include "readers/reader.h"

#include <check.h>

/* Only lines that scan would offer are given. The caller calls od_buf_done. Lines that begin with
 * "@2 " are of another lane, without those three bytes. */
struct od_buf model_feed(const struct od_reader *reader, struct od_view text);

/*
 * Cuts text after each of its lines and before each of them, and feeds what is left: NULL when
 * every layer then emitted is one of the whole text's, but for cut names and shapes, and no cut
 * text but one that has only lost lines behind its totals says it is complete. Else what is wrong.
 */
const char *model_feed_cuts(const struct od_reader *reader, struct od_view text);

/* The suite of a reader of models: two loops over the same rows, whole and cut. */
Suite *model_feed_suite(const char *name, const TTest *whole, const TTest *cut, int rows);

#endif
