/*
 * Commands of several lines that a shell traces (`bash -x`, `set -x`). They begin with "+ ", and
 * quoted words hold the line ends: "+ grep 'one\ntwo' train.log". The words are settings of
 * what runs, but no evidence of anything that happened, even where they repeat a message.
 */
#pragma once

#include "input/input.h"

/* The command that was found last; lines of a block are asked about in order. Zeroed at first. */
struct od_shell_trace {
    uint64_t offset; /* of the block */
    uint32_t source;
    size_t asked;      /* the block was searched up to here */
    size_t start, end; /* of the command's lines, without the first */
};

/* Finds the command that the line of the block may be of. A command whose last quote is not closed
 * before the next command, or within 64 lines and 16 KiB of the block, is none. */
void od_shell_trace_look(struct od_shell_trace *trace, const struct od_block *block,
                         const struct od_raw_line *line);

/* Is that place within the command that was found last? */
bool od_shell_trace_has(const struct od_shell_trace *trace, struct od_prov at);
