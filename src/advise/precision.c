#include "advise/precision.h"

#include "advise/remedy.h"

static const char *mixed_of(const struct od_advise_question *q)
{
    const struct od_fit_facts *facts = q->answer ? q->answer->facts : NULL;
    bool tensorflow = facts
                          ? facts->framework == OD_FW_TENSORFLOW
                          : od_view_eq_str(q->diagnosis->failure->incident->producer, "tensorflow");
    return tensorflow ? "amp_fp16" : "amp_bf16";
}

static bool has(const struct od_remedies *remedies, const char *id)
{
    return remedies && od_remedies_have(remedies->list, remedies->n, id);
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

/* The first remedy that changes this setting. */
static const struct od_remedy *remedy_with(const struct od_remedies *remedies, const char *knob)
{
    for (size_t i = 0; remedies && i < remedies->n; i++) {
        const char *const *knobs = remedies->list[i].advice->knobs;
        for (size_t j = 0; knobs && knobs[j]; j++)
            if (strcmp(knobs[j], knob) == 0)
                return &remedies->list[i];
    }
    return NULL;
}

/* What a program holds in memory while it answers requests, in fewer bits than 16. */
static const struct lower {
    const char *knob, *recommended, *says;
    bool halves_request; /* where the request is for what this setting stores */
} lower[] = {
    {"kv_cache_type", "quantized_cache", "Keys and values take half as much in 8 bit as in 16 bit",
     true},
    {"quantization", "quantized_weights",
     "Weights take half as much in 8 bit and a quarter in 4 bit as in 16 bit", false},
};

static void take_lower(const struct od_advise_question *q, const struct lower *format,
                       const struct od_remedy *remedy, struct od_arena *arena,
                       struct od_precision_advice *advice)
{
    const struct od_failure *failure = q->diagnosis->failure;
    const char *way = remedy->nhow > 0 ? remedy->how[0].text : NULL;
    bool counted = format->halves_request && failure->need.known &&
                   failure->incident->kind == OD_INC_KV_CACHE_TOO_SMALL;
    if (counted)
        advice->saves = od_bytes_exact(failure->need.n / 2);
    advice->recommended = format->recommended;
    advice->why = od_arena_printf(arena, "%s%s.%s%s", format->says,
                                  counted ? od_arena_printf(arena, ": %s instead of %s",
                                                            od_bytes_text(arena, advice->saves),
                                                            od_bytes_text(arena, failure->need))
                                          : "",
                                  way ? " " : "", way ? way : "");
}

/* Did weights or the cache of a model that is only used fill the memory? */
static bool is_of_model(const struct od_diagnosis *diagnosis)
{
    enum od_cause cause = od_first_cause(diagnosis);
    return !diagnosis->failure->use.trains &&
           (cause == OD_CAUSE_MODEL_TOO_LARGE || cause == OD_CAUSE_KV_CACHE ||
            cause == OD_CAUSE_WORKSPACE);
}

/* The first of the remedies decides whether the cache or the weights come first. */
static void take_lower_of(const struct od_advise_question *q, const struct od_remedies *remedies,
                          struct od_arena *arena, struct od_precision_advice *advice)
{
    const struct od_remedy *first = NULL;
    const struct lower *format = NULL;
    for (size_t i = 0; i < OD_COUNT_OF(lower); i++) {
        const struct od_remedy *remedy = remedy_with(remedies, lower[i].knob);
        if (remedy && (!first || remedy < first)) {
            first = remedy;
            format = &lower[i];
        }
    }
    if (first)
        take_lower(q, format, first, arena, advice);
}

static void advise(const struct od_advise_question *q, const struct od_remedies *remedies,
                   struct od_arena *arena, struct od_precision_advice *advice)
{
    struct od_view on = od_fit_sixteen_bit(q->c, q->diagnosis->failure->incident);
    bool mixed = has(remedies, "mixed_precision");
    bool infers = !mixed && has(remedies, "half_precision");
    if (advice->current.n == 0)
        advice->current = on;
    if (!on.n && mixed) {
        take_mixed(q, arena, advice);
    } else if (!on.n && infers) {
        advice->recommended = "bf16_true";
        advice->why = "Weights and activations take about half the memory in 16 bit.";
    }
    if (!advice->recommended && is_of_model(q->diagnosis))
        take_lower_of(q, remedies, arena, advice);
    if (!advice->recommended && on.n > 0) {
        advice->recommended = od_arena_str(arena, on);
        advice->why = "16 bit is on already.";
    } else if (!advice->recommended && q->answer && q->answer->facts->sixteen_bit) {
        advice->recommended = mixed_of(q);
        advice->why = "16 bit is probably on already: memory in use has the sizes of the tensors "
                      "with two bytes an element.";
    }
}

/* An array of 64-bit numbers that would have been granted in 32 bits. */
static void take_single(const struct od_diagnosis *diagnosis, struct od_arena *arena,
                        struct od_precision_advice *advice)
{
    const struct od_failure *failure = diagnosis->failure;
    struct od_bytes half = od_bytes_exact(failure->need.n / 2), room = failure->account.free;
    if (failure->incident->tensor.dtype != OD_FLOAT64 || !failure->need.known ||
        od_first_cause(diagnosis) == OD_CAUSE_ACCIDENTAL_SHAPE || (room.known && half.n > room.n))
        return;
    advice->recommended = od_dtype_name(OD_FLOAT32);
    advice->saves = half;
    advice->why = od_arena_printf(arena,
                                  "The array that failed takes %s as float32 and %s as "
                                  "float64.",
                                  od_bytes_text(arena, half), od_bytes_text(arena, failure->need));
}

/* As the log states it, otherwise the type of the tensor that failed. */
static struct od_view current_of(const struct od_case *c, const struct od_failure *failure)
{
    static const enum od_setting_id names[] = {OD_SETTING_PRECISION, OD_SETTING_MIXED_PRECISION,
                                               OD_SETTING_DTYPE};
    struct od_view said = {0};
    for (size_t i = 0; said.n == 0 && i < OD_COUNT_OF(names); i++)
        said = od_case_setting(c, names[i]);
    enum od_dtype type = failure->incident ? failure->incident->tensor.dtype : OD_DTYPE_UNKNOWN;
    bool real = type == OD_FLOAT32 || type == OD_FLOAT64;
    return said.n > 0 || !real ? said : od_view_of(od_dtype_name(type));
}

struct od_precision_advice od_precision_advise(const struct od_advise_question *q,
                                               const struct od_remedies *remedies,
                                               struct od_arena *arena)
{
    const struct od_failure *failure = q->diagnosis->failure;
    struct od_precision_advice advice = {.current = current_of(q->c, failure)};
    if (failure->run.outcome != OD_OUTCOME_MEMORY_FAILURE)
        return advice;
    bool device = failure->incident && (od_failure_is_device(failure) ||
                                        failure->incident->kind == OD_INC_DEVICE_COMPILE_OOM ||
                                        failure->incident->kind == OD_INC_KV_CACHE_TOO_SMALL);
    if (failure->open && device)
        advise(q, remedies, arena, &advice);
    if (!advice.recommended && failure->incident)
        take_single(q->diagnosis, arena, &advice);
    if (!advice.recommended && advice.current.n > 0) {
        advice.recommended = od_arena_str(arena, advice.current);
        advice.why = "No remedy of this failure is another precision.";
    }
    return advice;
}
