/*
 * Answers of a program's developers to its failures (rules/software.h, answers), as remedies: for
 * the program that the user runs, for the software on which it is built, and for its environment.
 */
#pragma once

#include "advise/remedies.h"

struct od_answered {
    const struct od_software *by;
    const struct od_advice_remedy *advice; /* allocated in arena */
    bool exact;  /* it is for exactly this error, or its program prefers it to one that is */
    bool turned; /* a setting of the program itself, with the conditions of its own row */
};

/* Fills ret_answers in the order of the catalogue. Returns the number of answers that apply to the
 * cause. */
enum { OD_ANSWERS_MAX = 16 };
size_t od_answers_of(const struct od_advise_question *question, const struct od_finding *finding,
                     struct od_arena *arena, struct od_answered ret_answers[static OD_ANSWERS_MAX]);
