/*
 * What the words behind a number of memory say of it, where those before it do not: "3.1 GB used",
 * "using 3.1 GB of RAM", "1.2 GB allocated on cuda:0", "12.3 Mbytes of vectors used". The line has
 * been read as far as the number and its unit.
 */
#pragma once

#include "readers/measures/memory_line.h"

/* The word right behind it, where the words before named only the memory; 0 = says nothing. */
unsigned od_memory_word_behind(const struct od_memory_line *line);

/* What it is of: "of RAM". */
unsigned od_memory_thing_behind(const struct od_memory_line *line);

/* Whose it is, said last: "in use by the GPU". */
unsigned od_memory_owner_behind(const struct od_memory_line *line);

/* "1.2 GB of 4 GB physical memory used": whatever stands in front of it. */
unsigned od_memory_kind_behind(const struct od_memory_line *line);

/* Is it in use by one of several things? The words between name the line's moment then. */
bool od_memory_take_thing(struct od_memory_line *line);

/* Passes a remark about it alone: " (highwater)". */
void od_memory_pass_behind(struct od_memory_line *line);
