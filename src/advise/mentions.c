#include "advise/mentions.h"

/* Does the incident have two or more amounts, which the report shows anyway? */
static bool knows_amounts(const struct od_incident *incident)
{
    return incident->requested.known + incident->free.known + incident->limit.known +
               incident->in_use.known + incident->capacity.known >=
           2;
}

const struct od_mentions *od_mentions_of(const struct od_around *around, const struct od_case *c,
                                         const struct od_diagnosis *diagnosis,
                                         struct od_arena *arena)
{
    const struct od_failure *failure = diagnosis->failure;
    const struct od_incident *incident = failure->incident;
    struct od_mention_question question = {.around = around,
                                           .at = incident ? incident->at : failure->run.at,
                                           .read = incident && knows_amounts(incident)};
    if ((failure->run.outcome != OD_OUTCOME_MEMORY_FAILURE &&
         failure->run.outcome != OD_OUTCOME_UNKNOWN) ||
        c->allocators.n > 0) /* the tables of an allocator show what was held */
        return OD_NEW(arena, struct od_mentions);
    return od_mentions_find(&question, arena);
}
