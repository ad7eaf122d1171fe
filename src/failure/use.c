#include "failure/use.h"

#include "facts/meaning.h"

#include <string.h>

/* "python tools/train.py --epochs 4" */
static bool commands_training(const struct od_case *c)
{
    for (size_t i = 0; i < c->commands.n; i++) {
        struct od_view rest = c->commands.items[i].text, word;
        while (rest.n > 0 && od_view_cut(&rest, ' ', &word))
            if (od_means(od_meanings_of(OD_SUBJECT_FRAME, word, (struct od_view){0}),
                         OD_FRAME_TRAINING_FILE))
                return true;
    }
    return false;
}

static bool counts_steps(const struct od_case *c)
{
    for (size_t i = 0; i < c->courses.n; i++)
        if (c->courses.items[i].step.known || c->courses.items[i].epoch.known)
            return true;
    return false;
}

/* A program that trains, or what only such a program runs on, took part. */
static bool has_trainer(const struct od_stack *stack)
{
    for (size_t i = 0; i < stack->n; i++) {
        const struct od_software *software = stack->parts[i].software;
        bool trainer = software->sort == OD_SORT_TRAINER;
        if (stack->parts[i].near > 0 && (trainer || od_software_knob(software, "zero_stage")))
            return true;
    }
    return false;
}

static bool calls_training(const struct od_incident *failure)
{
    static const enum od_frame_meaning trains[] = {OD_FRAME_TRAINING, OD_FRAME_OWN_TRAINING,
                                                   OD_FRAME_TRAINING_FILE, OD_FRAME_GRADIENT,
                                                   OD_FRAME_OPTIMIZER};
    for (size_t i = 0; i < OD_COUNT_OF(trains); i++)
        if (od_incident_calls(failure, trains[i]))
            return true;
    return false;
}

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
    if (!failure || od_case_sets_any(c, of_training) || calls_training(failure))
        return (struct od_use){.trains = failure != NULL};
    use.guarded |= od_incident_calls(failure, OD_FRAME_GUARDED);
    use.infers |= use.guarded || od_incident_calls(failure, OD_FRAME_INFERENCE);
    use.trains = !use.infers && (counts_steps(c) || commands_training(c) || has_trainer(stack));
    return use;
}
