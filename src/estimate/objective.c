#include "estimate/objective.h"

static const struct od_objective objectives[] = {
#define OD_OBJECTIVE(is, each, least, usual, most, adapters, more, share, text) \
    {.name = (is),                                                              \
     .sequences = (each),                                                       \
     .kept = {.n = (usual), .lo = (least), .hi = (most)},                       \
     .with_adapter = (adapters),                                                \
     .trained = (more),                                                         \
     .answered = (share),                                                       \
     .why = (text)},
#include "estimate/objectives.def"
#undef OD_OBJECTIVE
};

const struct od_objective *od_objective_find(struct od_view name)
{
    OD_FOR_EACH_OF (const struct od_objective, one, objectives, OD_COUNT_OF(objectives))
        if (od_view_eq_str(name, one->name))
            return one;
    return NULL;
}
