/*
 * Sentences that a program broke between words, in a frame or with an indentation:
 *
 *     | The buffer has reached its limit, and 512 MB more were |
 *     | needed.                                                |
 *
 * The first word of a line had no room on the line above: the frame shows how wide its lines are,
 * and indented lines both have to be prose. Rules and readers need the sentence as one line.
 */
#pragma once

#include "base/base.h"

/* Joins the lines of these sentences in place. Each line below the first is left blank, so that
 * numbers and offsets of lines stay. Returns the number of lines joined to the line above. */
uint64_t od_flow_join(char *bytes, size_t n);
