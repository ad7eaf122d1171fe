/*
 * `oomdoctor explain TEXT`: what the causes and the rules have on a text.
 */
#pragma once

#include "base/base.h"

/*
 * The causes that may stand behind a line with that text, or whose advice has all of its words, and
 * the rules with a literal or a sample that has the text. Nothing is appended where there is none.
 */
void od_search(const char *text, struct od_buf *to);
