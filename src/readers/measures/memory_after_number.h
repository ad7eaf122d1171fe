/*
 * Reads the words after a number of memory, for what the words before it do not say: "3.1 GB used",
 * "using 3.1 GB of RAM", "1.2 GB allocated on cuda:0", "12.3 Mbytes of vectors used". The line has
 * been read up to and including the unit of the number.
 */
#pragma once

#include "readers/measures/memory_line.h"

/* The meaning of the next word, if the words before name only memory; 0 = none. */
unsigned od_memory_word_after(const struct od_memory_line *line);

/* The memory that the words after it name: "of RAM". */
unsigned od_memory_thing_after(const struct od_memory_line *line);

/* The owner, if it comes last: "in use by the GPU". */
unsigned od_memory_owner_after(const struct od_memory_line *line);

/* "1.2 GB of 4 GB physical memory used": independent of the words before it. */
unsigned od_memory_kind_after(const struct od_memory_line *line);

/* Is it in use by one of several things? The words between become the line's moment. */
bool od_memory_take_thing(struct od_memory_line *line);

/* Skips a remark about this number only: " (highwater)". */
void od_memory_skip_remark_after(struct od_memory_line *line);
