#include "plan/answer.h"

const struct od_answer *od_answer_of(const struct od_case *c, const struct od_diagnosis *diagnosis,
                                     const struct od_attribution *attribution,
                                     const struct od_remedies *remedies,
                                     const struct od_answer_options *options,
                                     struct od_arena *arena)
{
    (void)c, (void)diagnosis, (void)attribution, (void)remedies, (void)options, (void)arena;
    return NULL;
}
