/*
 * What some programs print in front of each message, beside the time that has passed: the memory of
 * their process, without a word: "[M::pass::12.3*4.5@1.2GB] ", "[12.3MiB/0.12s] ", "0:00:12.345
 * 1G / 12G  INFO ". Such a size is of nothing that the message is about where the messages differ;
 * one line does not tell, so the reader of prints waits for another.
 */
#pragma once

#include "readers/measures/memory_line.h"

/* Has the line such a size? ret_digits, ret_unit: its parts; ret_message: what is behind the head.
 */
bool od_memory_head(struct od_view text, struct od_view *ret_digits, struct od_view *ret_unit,
                    struct od_view *ret_message);
