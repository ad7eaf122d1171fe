/*
 * The title of a thread: its first line, "# CUDA out of memory when the model is saved".
 */
#pragma once

#include "facts/event.h"

bool od_title_asks(struct od_view title);

/* Is the first line a title that a person gave the text: a Markdown heading, or, before an empty
 * line and more text, words that no program prints, or any words if a person's paragraph follows or
 * on a page that quotes a log? second: the next line. below: the first text below an empty second
 * line; empty = none. */
bool od_title_is(struct od_view first, struct od_view second, struct od_view below, bool page);

/* Are these words of a person, and not a log record, command, statement or sentence? */
bool od_title_is_phrase(struct od_view text);

/* May it be a title beside a paragraph of a person: one line of words? A program's message has a
 * prefix, a value or a path. */
bool od_title_is_words(struct od_view text);

/* Are both lines equal up to their first digit? "# step = 1, RSS = 3 GB" is a row, not a title. */
bool od_title_is_row(struct od_view first, struct od_view second);

/* Does a failure event say why the run failed? An incomplete traceback and an aborted process do
 * not. */
bool od_event_says_why(const struct od_event *event);
