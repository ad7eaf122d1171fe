/*
 * What a thread is called: its first line, "# CUDA out of memory when the model is saved".
 */
#pragma once

#include "facts/event.h"

bool od_title_asks(struct od_view title);

/* Is the first line of a text, with the next line after it, what somebody called the text: a
 * heading of Markdown, or some words that no program prints, before an empty line and more text?
 * last: no text is after the two. */
bool od_title_is(struct od_view first, struct od_view second, bool last);

/* Do both lines begin alike up to their first digit? "# step = 1, RSS = 3 GB" is a row of many. */
bool od_title_is_row(struct od_view first, struct od_view second);

/* Does an event of trouble say why the run failed? A traceback without its end and a process that
 * aborted do not. */
bool od_event_says_why(const struct od_event *event);
