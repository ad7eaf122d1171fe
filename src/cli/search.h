/*
 * `oomdoctor explain TEXT`: searches the causes and rules for a text.
 */
#pragma once

#include "base/base.h"

/*
 * Appends the possible causes of a line with that text, the causes whose advice contains all of its
 * words, and the rules with a literal or a sample that contains the text. Appends nothing if there
 * are none.
 */
void od_search(const char *text, struct od_buf *to);
