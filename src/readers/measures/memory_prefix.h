/*
 * Some programs print the memory of their process before each message, with the elapsed time and
 * without a word: "[M::pass::12.3*4.5@1.2GB] ", "[12.3MiB/0.12s] ", "0:00:12.345   1G / 12G  INFO
 * ". If the messages differ, the size is not about the message. One line cannot show that, so the
 * reader of prints waits for a second one.
 */
#pragma once

#include "readers/measures/memory_line.h"

/* Does the line have a size before its message? ret_digits, ret_unit: its parts; ret_message: the
 * text after it. */
bool od_memory_prefix(struct od_view text, struct od_view *ret_digits, struct od_view *ret_unit,
                      struct od_view *ret_message);
