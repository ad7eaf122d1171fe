/*
 * What a thread is called: its first line, "# CUDA out of memory when the model is saved".
 */
#pragma once

#include "facts/event.h"

bool od_title_asks(struct od_view title);

/* Without what it says of the circumstances: "GPU out of memory". */
struct od_view od_title_without_circumstances(struct od_view title);

/* Else nothing tells what ran out. */
bool od_title_names_device(struct od_view title);

/* Do both lines begin alike up to their first digit? "# step = 1, RSS = 3 GB" is a row of many. */
bool od_title_is_row(struct od_view first, struct od_view second);

/* Does an event of trouble say why the run failed? A traceback without its end and a process that
 * aborted do not. */
bool od_event_says_why(const struct od_event *event);
