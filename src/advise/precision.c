#include "advise/precision.h"

static const char *mixed_of(const struct od_advise_question *q)
{
    const struct od_fit_facts *facts = q->answer ? q->answer->facts : NULL;
    bool tensorflow = facts
                          ? facts->framework == OD_FW_TENSORFLOW
                          : od_view_eq_str(q->diagnosis->failure->incident->producer, "tensorflow");
    return tensorflow ? "amp_fp16" : "amp_bf16";
}

static const struct od_remedy *remedy_of(const struct od_remedies *remedies, const char *id)
{
    for (size_t i = 0; remedies && i < remedies->n; i++)
        if (strcmp(remedies->list[i].advice->id, id) == 0)
            return &remedies->list[i];
    return NULL;
}

/* Bytes of the failed tensor in 16 bit; unknown if it is not of 32-bit floats. */
static struct od_bytes half_of_request(const struct od_failure *failure)
{
    const struct od_tensor *tensor = &failure->incident->tensor;
    return tensor->dtype == OD_FLOAT32 && failure->need.known ? od_bytes_exact(failure->need.n / 2)
                                                              : (struct od_bytes){0};
}

static const char *why_mixed(const struct od_failure *failure,
                             const struct od_answer_action *action, struct od_arena *arena)
{
    struct od_bytes half = half_of_request(failure);
    const char *first =
        half.known
            ? od_arena_printf(arena,
                              "The tensor that failed takes %s instead of "
                              "%s in 16 bit.",
                              od_bytes_text(arena, half), od_bytes_text(arena, failure->need))
            : "Activations take about half the memory in 16 bit; weights and optimizer "
              "states stay in float32.";
    /* Figures without a batch describe the data set, which is not cast by a precision policy. */
    return action->figures && action->batch.known
               ? od_arena_printf(arena, "%s %s", first, action->figures)
               : first;
}

static void take_mixed(const struct od_advise_question *q, struct od_arena *arena,
                       struct od_precision_advice *advice)
{
    struct od_answer_action action = od_answer_action_of(q->answer, "mixed_precision");
    advice->recommended = mixed_of(q);
    advice->saves = action.saves;
    advice->batch = action.batch;
    advice->why = why_mixed(q->diagnosis->failure, &action, arena);
}

/* Did a training step need too much memory? 16-bit numbers help only then. */
static bool is_of_step(const struct od_answer *answer)
{
    return answer && answer->facts && answer->batch.known &&
           (answer->batch_is_cause || answer->in_what_is_left);
}

static void advise(const struct od_advise_question *q, const struct od_remedies *remedies,
                   struct od_arena *arena, struct od_precision_advice *advice)
{
    struct od_view on = od_fit_sixteen_bit(q->c, q->diagnosis->failure->incident);
    if (advice->current.n == 0)
        advice->current = on;
    if (on.n > 0) {
        advice->recommended = od_arena_str(arena, on);
        advice->why = "16 bit is on already.";
    } else if (remedy_of(remedies, "mixed_precision")) {
        take_mixed(q, arena, advice);
    } else if (remedy_of(remedies, "half_precision")) {
        advice->recommended = "bf16_true";
        advice->why = "Weights and activations take about half the memory in 16 bit.";
    } else if (is_of_step(q->answer)) {
        struct od_answer_action action = od_answer_action_of(q->answer, "mixed_precision");
        if (action.saves.known && !action.vain)
            take_mixed(q, arena, advice);
    }
}

struct od_precision_advice od_precision_advise(const struct od_advise_question *q,
                                               const struct od_remedies *remedies,
                                               struct od_arena *arena)
{
    struct od_precision_advice advice = {.current = od_case_setting(q->c, OD_SETTING_PRECISION)};
    const struct od_failure *failure = q->diagnosis->failure;
    if (failure->run.outcome != OD_OUTCOME_MEMORY_FAILURE)
        return advice;
    if (failure->open && od_failure_is_device(failure))
        advise(q, remedies, arena, &advice);
    if (!advice.recommended && advice.current.n > 0) {
        advice.recommended = od_arena_str(arena, advice.current);
        advice.why = "No remedy of this failure is another precision.";
    }
    return advice;
}
