/*
 * What the people of a program answer to its failure (rules/software.h, answers), made remedies: by
 * the program that the user drives, what it stands on, and what it runs in.
 */
#pragma once

#include "advise/remedies.h"

struct od_answered {
    const struct od_software *by;
    const struct od_advice_remedy *advice; /* in the arena */
    bool turned; /* a setting of its own: for which failures the row says itself */
};

/* Fills ret_answers in the order of the catalogue; how many apply to that cause. */
enum { OD_ANSWERS_MAX = 16 };
size_t od_answers_of(const struct od_advise_question *question, const struct od_finding *finding,
                     struct od_arena *arena, struct od_answered ret_answers[static OD_ANSWERS_MAX]);
