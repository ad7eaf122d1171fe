/*
 * Lines beside the one that failed which tell what decides: the exit of a worker, a default that
 * was taken, a batch that was skipped, a count of what was loaded, the setting that governs, the
 * command, the title of a thread, a line of memory that nothing read. What a program's words show
 * it is data (rules/telling.yaml).
 */
#pragma once

#include "advise/remedies.h"
#include "facts/around.h"

enum { OD_TELLING_MOST = 2, OD_UNREAD_MOST = 4 };

struct od_telling_question {
    const struct od_case *c;
    const struct od_diagnosis *diagnosis;
    const struct od_remedies *remedies; /* may be NULL */
    const struct od_around *around;     /* may be NULL */
    const struct od_evidence *unread;   /* of memory, read by nobody */
    size_t nunread;
};

struct od_telling {
    struct od_evidence list[OD_TELLING_MOST]; /* the one that tells most first */
    size_t n;
    size_t decisive; /* the first of them: worth more than a second remedy's words */
};

/* In arena. Never NULL; none of them is the failing line or one that a remedy changes. */
const struct od_telling *od_telling_of(const struct od_telling_question *question,
                                       struct od_arena *arena);
