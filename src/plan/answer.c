#include "plan/answer.h"

const struct od_answer *od_answer_of(const struct od_answer_question *question,
                                     struct od_arena *arena)
{
    (void)question, (void)arena;
    return NULL;
}
