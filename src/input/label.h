/*
 * Labels at the start of lines that look like ordinary text (enum od_labels): recognized in one
 * line, and decided over the lines of a block.
 */
#pragma once

#include "input/input.h"

struct od_label {
    struct od_view stamp; /* time printed by a collector; otherwise empty */
    uint64_t number;
};

/* If *text starts with a label of that kind, removes it and returns true. */
bool od_label_take(struct od_view *text, enum od_labels kind, struct od_label *ret_label);

/* Votes of some lines of a block. */
struct od_label_poll {
    unsigned lines;
    unsigned votes[OD_LABELS_BRACKET + 1];
    bool zero[OD_LABELS_BRACKET + 1]; /* ranks are counted from 0, tests and lists from 1 */
    uint64_t last[OD_LABELS_BRACKET + 1], most[OD_LABELS_BRACKET + 1];
    unsigned rises[OD_LABELS_BRACKET + 1]; /* numbers that are larger than the one before */
};

void od_label_poll_line(struct od_label_poll *poll, struct od_view line);

/* The kind of most lines. *seen_zero: a label 0 was seen in this source; updated. */
enum od_labels od_label_poll_end(const struct od_label_poll *poll, bool *seen_zero);

/* Do all lines start with a time and INFO in the same form, apart from digits? Collectors of a
 * program's output (a task runner, a supervisor) print this, so the level says nothing about the
 * line. A program's own logger uses other levels for errors, and its tracebacks have no prefix. */
bool od_label_all_collected(struct od_view lines);
