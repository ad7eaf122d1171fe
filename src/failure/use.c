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
        if (mark && (mark->kind == OD_MARK_COMMAND || mark->kind == OD_MARK_CALL) &&
            words_mean(od_view_of(mark->text), meaning))
            return true;
    }
    return false;
}

/* Does the run count epochs, or steps of something else than an evaluation? */
static bool counts_steps(const struct od_case *c, const struct od_incident *failure)
{
    bool evaluates = od_incident_calls(failure, OD_FRAME_EVALUATION);
    OD_FOR_EACH (const struct od_run_state, course, c->courses)
        if (course->epoch.known || (course->step.known && !evaluates))
            return true;
    return false;
}

/* Does the program do only that work? */
static bool does(const struct od_software *software, const char *work)
{
    return software && software->does && strcmp(software->does, work) == 0;
}

/* Does a program or library of the failure do only that work? */
static bool one_does(const struct od_software_used *stack, const char *work)
{
    OD_FOR_EACH_OF (const struct od_software_part, part, stack->parts, stack->n)
        if (part->near > 0 && does(part->software, work))
            return true;
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

/* Are the settings of the program known, and is none of them a batch size? */
static bool has_no_batch(const struct od_software *driver)
{
    return driver && driver->nknobs > 0 && !od_software_knob(driver, "batch") &&
           !od_software_knob(driver, "micro_batch") &&
           (driver->sort == OD_SORT_TRAINER || driver->sort == OD_SORT_TOOL ||
            driver->sort == OD_SORT_SIMULATOR);
}

/* Does the program usually fail because of a large input, not of a batch? */
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
                        const struct od_software_used *stack)
{
    struct od_use use = {.batchless = has_no_batch(stack->driver)};
    use.trains = failure && (od_use_says_training(c) || calls_training(failure));
    if (!failure || use.trains)
        return use;
    bool commanded = commands_mean(c, OD_FRAME_TRAINING_FILE);
    use.guarded = does(stack->driver, "serving") || od_incident_calls(failure, OD_FRAME_GUARDED) ||
                  (od_incident_calls(failure, OD_FRAME_GENERATE) &&
                   od_software_used_has_named(stack, "transformers")) ||
                  od_remark_find(c, failure, "no_gradients");
    use.infers = use.guarded || does(stack->driver, "inference") ||
                 (!stack->own && one_does(stack, "inference")) ||
                 od_incident_calls(failure, OD_FRAME_INFERENCE) ||
                 od_remark_find(c, failure, "inference") ||
                 (!commanded && commands_mean(c, OD_FRAME_INFERENCE));
    use.batchless = use.batchless || (!use.infers && is_for_inputs(stack->driver));
    use.trains =
        !use.infers && (commanded || counts_steps(c, failure) || one_does(stack, "training"));
    return use;
}
