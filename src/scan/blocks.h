/*
 * Blocks of lines that rules describe (begins:, rows:), as a reader: the lines of a lane from one
 * that begins a block to the last that belongs to it, joined by LF, are matched together. A blank
 * line is skipped. The end of a quoted log ends what is open as the end of the log does.
 */
#pragma once

#include "readers/reader.h"
#include "rules/ruleset.h"

/* The shared data of the reader. Its caller sets all; begins and at are set before each line. */
struct od_blocks {
    struct od_ruleset *rules;
    size_t begins; /* the rule whose block the line begins, plus 1; 0 = none */
    size_t at;     /* column of the words that begin it */
    struct od_event event;
};

extern const struct od_reader od_blocks_reader;
