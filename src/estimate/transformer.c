#include "estimate/transformer.h"

bool od_estimate_transformer(const struct od_workload *workload, struct od_arena *arena,
                             struct od_diags *diags, struct od_estimate *ret_estimate)
{
    (void)workload, (void)arena, (void)ret_estimate;
    od_diags_say(diags, OD_ERROR, "transformers cannot be estimated by their numbers yet");
    return false;
}
