/*
 * The title of a thread: its first line, "# CUDA out of memory when the model is saved".
 */
#pragma once

#include "facts/event.h"

bool od_title_asks(struct od_view title);

/* Is the first line a title that a person gave the text: a Markdown heading, or words that no
 * program prints, followed by an empty line and more text? second: the next line. last: no text
 * follows. */
bool od_title_is(struct od_view first, struct od_view second, bool last);

/* Are both lines equal up to their first digit? "# step = 1, RSS = 3 GB" is a row, not a title. */
bool od_title_is_row(struct od_view first, struct od_view second);

/* Does a failure event say why the run failed? An incomplete traceback and an aborted process do
 * not. */
bool od_event_says_why(const struct od_event *event);
