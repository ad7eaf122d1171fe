/*
 * Commands of several lines in the trace of a shell (`bash -x`, `set -x`). They begin with "+ ",
 * and quoted words contain the line ends: "+ grep 'one\ntwo' train.log". The words are settings of
 * the run, but no evidence of an event, even if they repeat a message.
 */
#pragma once

#include "input/input.h"

/* The last command found. Lines of a block are looked up in order. Zeroed at first. */
struct od_shell_trace {
    uint64_t offset; /* offset of the block */
    uint32_t source;
    size_t asked;      /* offset up to which the block was searched */
    size_t start, end; /* the command's lines after the first */
};

/* Finds the command to which the line of the block may belong. A command is ignored if its last
 * quote is not closed before the next command, or within 64 lines and 16 KiB of the block. */
void od_shell_trace_look(struct od_shell_trace *trace, const struct od_block *block,
                         const struct od_raw_line *line);

/* Is that position within the last command found? */
bool od_shell_trace_has(const struct od_shell_trace *trace, struct od_prov at);
