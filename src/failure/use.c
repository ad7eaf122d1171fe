#include "failure/use.h"

#include "facts/meaning.h"
#include "failure/remarks.h"

static bool words_mean(struct od_view rest, enum od_frame_meaning meaning)
{
    struct od_view word;
    while (rest.n > 0 && od_view_cut(&rest, ' ', &word))
        if (od_means(od_meanings_of(OD_SUBJECT_FRAME, word, (struct od_view){0}), meaning))
            return true;
    return false;
}

/* Does a word of the commands have that meaning ("python tools/train.py --epochs 4",
 * "mlx_lm.server")? */
static bool commands_mean(const struct od_case *c, enum od_frame_meaning meaning)
{
    for (size_t i = 0; i < c->commands.n; i++)
        if (words_mean(c->commands.items[i].text, meaning))
            return true;
    OD_FOR_EACH (const struct od_seen, seen, c->seen) {
        const struct od_software_mark *mark = seen->sign->mark;
        if (mark && mark->kind == OD_MARK_COMMAND && words_mean(od_view_of(mark->text), meaning))
            return true;
    }
    return false;
}

/* Does the run count epochs, or steps that are not those of an evaluation? */
static bool counts_steps(const struct od_case *c, const struct od_incident *failure)
{
    bool evaluates = od_incident_calls(failure, OD_FRAME_EVALUATION);
    OD_FOR_EACH (const struct od_run_state, course, c->courses)
        if (course->epoch.known || (course->step.known && !evaluates))
            return true;
    return false;
}

/* Did the library print the failure of which no program trains a model? */
static bool is_of_engine(const struct od_stack *stack)
{
    static const char *const engines[] = {"ggml", "ctranslate2", "onnxruntime", "openvino",
                                          "tensorrt"};
    bool engine = false;
    OD_FOR_EACH_OF (const struct od_stack_part, part, stack->parts, stack->n)
        for (size_t i = 0; i < OD_COUNT_OF(engines); i++)
            engine |= part->near > 0 && strcmp(part->software->name, engines[i]) == 0;
    return engine && !stack->own;
}

/* Did a program take part that trains, or a library that only programs of this kind use? */
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

bool od_use_says_training(const struct od_case *c)
{
    static const enum od_setting_id names[] = {
        OD_SETTING_OPTIMIZER,        OD_SETTING_ACCUMULATION, OD_SETTING_ZERO_STAGE,
        OD_SETTING_CHECKPOINTING,    OD_SETTING_LORA,         OD_SETTING_LORA_RANK,
        OD_SETTING_TRAIN_BATCH_SIZE, OD_SETTING_NONE};
    return od_case_sets_any(c, names);
}

/* Does the program have a graphical interface? It processes one request at a time unless it has a
 * setting of a training. */
static bool has_windows(const struct od_software *driver)
{
    static const char *const of_training[] = {"accumulation", "optimizer", "checkpointing"};
    if (!driver || driver->sort != OD_SORT_GUI)
        return false;
    for (size_t i = 0; i < OD_COUNT_OF(of_training); i++)
        if (od_software_knob(driver, of_training[i]))
            return false;
    return true;
}

/* Are the program's settings known, with no batch size among them? */
static bool has_no_batch(const struct od_software *driver)
{
    return driver && driver->nknobs > 0 && !od_software_knob(driver, "batch") &&
           !od_software_knob(driver, "micro_batch") &&
           (driver->sort == OD_SORT_TRAINER || driver->sort == OD_SORT_TOOL ||
            driver->sort == OD_SORT_SIMULATOR);
}

/* Is the usual cause for this program a large input rather than a batch? */
static bool is_for_inputs(const struct od_software *driver)
{
    uint64_t inputs = od_fact_bit(OD_FACT_CAUSE, "input_too_large"),
             batches = od_fact_bit(OD_FACT_CAUSE, "batch_too_large");
    for (size_t i = 0; driver && i < driver->nanswers; i++) {
        const struct od_when *when = &driver->answers[i].when;
        const struct od_when_step *test = od_when_test_of(when, OD_FACT_CAUSE, NULL);
        for (; test; test = od_when_test_of(when, OD_FACT_CAUSE, test)) {
            if (test->bits & batches)
                return false;
            if (test->bits & inputs)
                return driver->sort != OD_SORT_SERVER;
        }
    }
    return false;
}

struct od_use od_use_of(const struct od_case *c, const struct od_incident *failure,
                        const struct od_stack *stack)
{
    bool serves = stack->driver && stack->driver->sort == OD_SORT_SERVER;
    struct od_use use = {.batchless = has_no_batch(stack->driver)};
    use.trains = failure && (od_use_says_training(c) || calls_training(failure));
    if (!failure || use.trains)
        return use;
    bool commanded = commands_mean(c, OD_FRAME_TRAINING_FILE);
    use.guarded = serves || od_incident_calls(failure, OD_FRAME_GUARDED) ||
                  (od_incident_calls(failure, OD_FRAME_GENERATE) &&
                   od_stack_has_named(stack, "transformers")) ||
                  od_remark_find(c, failure, "no_gradients");
    use.infers = use.guarded || has_windows(stack->driver) || is_of_engine(stack) ||
                 od_incident_calls(failure, OD_FRAME_INFERENCE) ||
                 od_remark_find(c, failure, "inference") ||
                 (!commanded && commands_mean(c, OD_FRAME_INFERENCE));
    use.batchless = use.batchless || (!use.infers && is_for_inputs(stack->driver));
    use.trains = !use.infers && (commanded || counts_steps(c, failure) || has_trainer(stack));
    return use;
}
