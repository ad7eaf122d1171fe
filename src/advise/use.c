#include "advise/use.h"

#include <string.h>

static struct od_view last_part(struct od_view text, const char *ends)
{
    size_t at = text.n;
    while (at > 0 && !strchr(ends, text.p[at - 1]))
        at--;
    return od_view_from(text, at);
}

/* "Trainer._inner_training_loop" -> "inner_training_loop" */
static struct od_view name_of(const struct od_frame *frame)
{
    struct od_view name = last_part(frame->function, ".");
    while (od_view_take(&name, OD_VIEW("_"))) {
    }
    return name;
}

static bool is_library(struct od_view file)
{
    static const char *const homes[] = {"site-packages", "dist-packages", "/lib/python", NULL};
    return od_view_has_any(file, homes);
}

static bool trains(const struct od_frame *frame)
{
    static const char *const starts[] = {"train", "inner_training_loop", "finetune", "fine_tune",
                                         NULL};
    static const char *const whole[] = {"fit",      "backward",     "learn", "run_train",
                                        "do_train", "compute_loss", NULL};
    static const char *const homes[] = {
        "/torch/optim/",      "\\torch\\optim\\", "/autograd/", "\\autograd\\",
        "bitsandbytes/optim", "apex/optimizers",  "/ops/adam/", NULL};
    struct od_view name = name_of(frame), file = last_part(frame->file, "/\\");
    return od_view_starts_any(name, starts) || od_view_eq_any(name, whole) ||
           od_view_has_any(frame->file, homes) ||
           (od_view_starts_any(file, starts) && !is_library(frame->file));
}

/* Libraries that generate without gradients. */
static bool is_guarded(const struct od_frame *frame)
{
    static const char *const homes[] = {
        "/transformers/generation",    "\\transformers\\generation", "/transformers/pipelines/",
        "\\transformers\\pipelines\\", "/diffusers/pipelines/",      "\\diffusers\\pipelines\\",
        "/whisper/transcribe",         "\\whisper\\transcribe",      NULL};
    return od_view_has_any(frame->file, homes);
}

/* What people call a script or a function that uses a model. Keras' predict() is none: it is called
 * between the steps of a training, too. */
static bool infers(const struct od_frame *frame)
{
    static const char *const starts[] = {"generate", "infer", "predict", "transcribe",
                                         "serve",    "chat",  "demo",    NULL};
    return !is_library(frame->file) && (od_view_starts_any(name_of(frame), starts) ||
                                        od_view_starts_any(last_part(frame->file, "/\\"), starts));
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
    if (!failure || od_case_sets_any(c, of_training))
        return (struct od_use){0};
    for (size_t i = 0; i < failure->nframes; i++) {
        const struct od_frame *frame = &failure->frames[i];
        if (trains(frame))
            return (struct od_use){0};
        use.guarded = use.guarded || is_guarded(frame);
        use.infers = use.infers || use.guarded || infers(frame);
    }
    return use;
}
