#include "report/outline_picture.h"

/* Does the cause say that memory grows over the run? */
static bool is_growing(const struct od_outline *outline)
{
    const struct od_diagnosis *diagnosis = outline->diagnosis;
    if (diagnosis->findings.n == 0)
        return diagnosis->failure->run.outcome == OD_OUTCOME_NO_FAILURE;
    static const enum od_cause grow[] = {OD_CAUSE_DEVICE_LEAK, OD_CAUSE_HOST_LEAK,
                                         OD_CAUSE_EVALUATION_ACCUMULATES, OD_CAUSE_GRAPH_GROWTH,
                                         OD_CAUSE_MODEL_RELOAD};
    for (size_t i = 0; i < OD_COUNT_OF(grow); i++)
        if (diagnosis->findings.items[0].cause == grow[i])
            return true;
    return false;
}

static bool is_in_pieces(const struct od_outline *outline)
{
    const struct od_diagnosis *diagnosis = outline->diagnosis;
    return outline->allocator && diagnosis->findings.n > 0 &&
           diagnosis->findings.items[0].cause == OD_CAUSE_FRAGMENTED &&
           outline->allocator->has_chunks;
}

void od_outline_picture(struct od_outline *outline)
{
    enum od_outcome outcome = outline->diagnosis->failure->run.outcome;
    bool open = outcome == OD_OUTCOME_MEMORY_FAILURE || outcome == OD_OUTCOME_UNKNOWN;
    bool first = open && outline->all && od_outline_bar(outline); /* others come below it */
    if (is_in_pieces(outline)) {
        od_outline_strip(outline, outline->allocator);
        outline->doc->last->picture = true;
        outline->picture = OD_PICTURE_STRIP;
    } else if (is_growing(outline) && od_outline_course(outline)) {
        outline->picture = OD_PICTURE_COURSE;
    } else if (first || (open && !outline->all && od_outline_bar(outline))) {
        outline->picture = OD_PICTURE_BAR;
    } else if (outcome != OD_OUTCOME_OTHER_FAILURE &&
               od_outline_history(outline, outline->allocator, true)) {
        outline->picture = OD_PICTURE_HISTORY;
    }
}
