/*
 * Labels at the start of lines that look like ordinary text (enum od_block_prefixes). Each line
 * gives candidates; the lines of a block together decide.
 */
#pragma once

#include "input/input.h"

struct od_block_prefix {
    struct od_view stamp; /* time printed by a collector; otherwise empty */
    uint64_t number;
};

/* If *text starts with a label of that kind, removes it and returns true. */
bool od_block_prefix_take(struct od_view *text, enum od_block_prefixes kind,
                          struct od_block_prefix *ret_label);

/* Votes from lines of a block. */
struct od_block_prefix_poll {
    unsigned lines;
    unsigned votes[OD_BLOCK_PREFIX_BRACKET + 1];
    /* a label has the number 0: ranks count from 0, tests and lists from 1 */
    bool zero[OD_BLOCK_PREFIX_BRACKET + 1];
    uint64_t last[OD_BLOCK_PREFIX_BRACKET + 1], most[OD_BLOCK_PREFIX_BRACKET + 1];
    unsigned rises[OD_BLOCK_PREFIX_BRACKET + 1]; /* labels larger than the label before */
};

void od_block_prefix_poll_line(struct od_block_prefix_poll *poll, struct od_view line);

/* The kind of most labels. *seen_zero: a label 0 occurred in this source; updated. */
enum od_block_prefixes od_block_prefix_poll_end(const struct od_block_prefix_poll *poll,
                                                bool *seen_zero);

/* Do all lines start with a time and INFO in one form, apart from digits? Collectors of output (a
 * task runner, a supervisor) print this, so the level does not describe the line. A program's own
 * logger would use other levels for errors, and print tracebacks without prefix. */
bool od_block_prefix_all_collected(struct od_view lines);
