/*
 * Informative lines besides the failing one: the exit of a worker, a default that was used, a
 * skipped batch, a count of loaded items, the decisive setting, the command, the title of a thread,
 * an unread line about memory. The messages of programs that count are data (rules/key_lines.yaml).
 */
#pragma once

#include "advise/remedies.h"
#include "facts/around.h"

enum { OD_KEY_LINES_MOST = 2, OD_UNREAD_MOST = 4 };

struct od_key_lines_question {
    const struct od_case *c;
    const struct od_diagnosis *diagnosis;
    const struct od_remedies *remedies; /* may be NULL */
    const struct od_around *around;     /* may be NULL */
    const struct od_evidence *unread;   /* lines about memory that no rule or reader matched */
    size_t nunread;
};

struct od_key_lines {
    struct od_evidence list[OD_KEY_LINES_MOST]; /* most informative first */
    size_t n;
    /* number of lines at the start that are more useful than the text of a second remedy */
    size_t decisive;
};

/* Chooses the lines. Allocated in arena, never NULL. Omits the failing line and lines that a remedy
 * changes. */
const struct od_key_lines *od_key_lines_of(const struct od_key_lines_question *question,
                                           struct od_arena *arena);
