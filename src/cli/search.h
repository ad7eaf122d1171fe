/*
 * `oomdoctor explain TEXT`: what the causes and the rules have on a text.
 */
#pragma once

#include "base/base.h"

/*
 * Appends the possible causes of a line with that text, the causes whose advice contains all of its
 * words, and the rules with a literal or a sample that contains the text. Appends nothing if there
 * are none.
 */
void od_search(const char *text, struct od_buf *to);
