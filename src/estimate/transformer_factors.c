#include "estimate/transformer_run.h"

bool od_transformer_often_varied(const struct od_transformer_run *run)
{
    const struct od_workload *w = run->w;
    bool text = run->t->head == OD_HEAD_LM && (run->t->traits & OD_TR_CAUSAL) != 0;
    bool usually = run->batch < 4 && w->lora_rank > 0 && !w->objective;
    return text && usually && w->lengths == OD_LENGTHS_UNKNOWN && !w->inference && !w->compile &&
           !w->chunked_loss && run->dp <= 1;
}

struct od_range od_transformer_factor(const struct od_transformer_run *run, enum od_factor factor)
{
    const struct od_workload *w = run->w;
    bool measured = w->metric == OD_METRIC_RESERVED || w->hopper;
    const struct {
        enum od_factor factor;
        bool holds;
        struct od_range share;
    } rows[] = {
#define OD_FACTOR(factor, when, low, mid, high) \
    {OD_FACTOR_##factor, when, {.n = mid, .lo = low, .hi = high}},
#include "estimate/factors.def"
#undef OD_FACTOR
    };
    for (size_t i = 0; i < OD_COUNT_OF(rows); i++)
        if (rows[i].factor == factor && rows[i].holds)
            return rows[i].share;
    return (struct od_range){0};
}
