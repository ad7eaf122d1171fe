/*
 * Labels in front of lines that look like ordinary text (enum od_labels): recognised in one
 * line, and judged over the lines of a block.
 */
#pragma once

#include "input/input.h"

struct od_label {
    struct od_view name;  /* of a container; else empty */
    struct od_view stamp; /* of who collected the line; else empty */
    uint64_t number;
};

/* If *text begins with a label of that kind, drops it and returns true. */
bool od_label_take(struct od_view *text, enum od_labels kind, struct od_label *ret_label);

/* Some lines of a block, looked at. */
struct od_label_poll {
    unsigned lines;
    unsigned votes[OD_LABELS_BAR + 1];
    bool zero[OD_LABELS_BAR + 1]; /* ranks are counted from 0, tests and lists from 1 */
};

void od_label_poll_line(struct od_label_poll *poll, struct od_view line);

/* The kind that most lines have. *seen_zero: a label 0 was seen in this source; kept up. */
enum od_labels od_label_poll_end(const struct od_label_poll *poll, bool *seen_zero);

/*
 * Has every line the same time and INFO in front, digits apart? So prints who collects all that a
 * program prints (a task runner, a supervisor): the level says nothing of the line. A program's own
 * logger calls its errors something else, and a trace that it leaves bears no head.
 */
bool od_label_all_collected(struct od_view lines);
