#include "failure/use.h"

#include <string.h>

struct od_use od_use_of(const struct od_case *c, const struct od_incident *failure,
                        const struct od_stack *stack)
{
    static const char *const of_training[] = {"optimizer",
                                              "optim",
                                              "learning_rate",
                                              "lr",
                                              "epochs",
                                              "num_epochs",
                                              "max_epochs",
                                              "num_train_epochs",
                                              "weight_decay",
                                              "accumulation",
                                              "warmup_steps",
                                              "warmup_ratio",
                                              "train_batch_size",
                                              "per_device_train_batch_size",
                                              NULL};
    bool serves = stack->driver && stack->driver->sort == OD_SORT_SERVER;
    struct od_use use = {.infers = serves, .guarded = serves};
    if (!failure || od_case_sets_any(c, of_training))
        return (struct od_use){0};
    static const enum od_frame_meaning trains[] = {OD_FRAME_TRAINING, OD_FRAME_OWN_TRAINING,
                                                   OD_FRAME_TRAINING_FILE, OD_FRAME_GRADIENT,
                                                   OD_FRAME_OPTIMIZER};
    for (size_t i = 0; i < OD_COUNT_OF(trains); i++)
        if (od_incident_calls(failure, trains[i]))
            return (struct od_use){0};
    use.guarded |= od_incident_calls(failure, OD_FRAME_GUARDED);
    use.infers |= use.guarded || od_incident_calls(failure, OD_FRAME_INFERENCE);
    return use;
}
