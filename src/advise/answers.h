/*
 * The known answers of a program's developers to its failures (rules/software.h, answers), as
 * remedies: for the program that the user drives, for what it is built on, and for what it runs in.
 */
#pragma once

#include "advise/remedies.h"

struct od_answered {
    const struct od_software *by;
    const struct od_advice_remedy *advice; /* allocated in the arena */
    bool exact;  /* it is for exactly this error, or its program puts it before one that is */
    bool turned; /* a setting of the program itself; its row decides for which failures */
};

/* Fills ret_answers in the order of the catalogue. Returns how many apply to the cause. */
enum { OD_ANSWERS_MAX = 16 };
size_t od_answers_of(const struct od_advise_question *question, const struct od_finding *finding,
                     struct od_arena *arena, struct od_answered ret_answers[static OD_ANSWERS_MAX]);
