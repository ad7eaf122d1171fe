/*
 * A reader for blocks of lines described by rules (begins:, rows:). The lines of a lane from one
 * that begins a block to the last that belongs to it are joined by LF and matched together. Blank
 * lines are skipped. The end of a quoted log closes an open block, like the end of the log.
 */
#pragma once

#include "readers/reader.h"
#include "rules/ruleset.h"

/* Shared data of the reader. The caller sets all; `begins` and `at` before each line. */
struct od_blocks {
    struct od_ruleset *rules;
    size_t begins; /* index + 1 of the rule whose block the line begins; 0 = none */
    size_t at;     /* column of the words that begin the block */
    struct od_event event;
};

extern const struct od_reader od_blocks_reader;
