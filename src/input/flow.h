/*
 * Joins sentences that a program broke between words, in a frame or with an indentation:
 *
 *     | The buffer has reached its limit, and 512 MB more were |
 *     | needed.                                                |
 *
 * A sentence was broken if the first word of a line did not fit on the line above. A frame shows
 * the width of its lines; indented lines must both be prose. Rules and readers need one line.
 */
#pragma once

#include "base/base.h"

/* Joins the lines of these sentences in place. Later lines of a sentence become blank, which keeps
 * numbers and offsets of lines. Returns the number of lines joined to the line above. */
uint64_t od_flow_join(char *bytes, size_t n);
