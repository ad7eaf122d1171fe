#include "advise/precision.h"

/* The first remedy that changes the run's precision. float32 is only a change from float64. */
static const struct od_remedy *change_of(const struct od_remedies *remedies, bool doubles)
{
    for (size_t i = 0; remedies && i < remedies->n; i++) {
        const char *gives = remedies->list[i].advice->gives;
        if (gives && (doubles || strcmp(gives, od_dtype_name(OD_FLOAT32)) != 0))
            return &remedies->list[i];
    }
    return NULL;
}

/* Name of a precision. Mixed precision is float16 in TensorFlow. */
static const char *name_of(const struct od_advise_question *q, const char *gives)
{
    const struct od_fit_facts *facts = q->answer ? q->answer->facts : NULL;
    const struct od_incident *incident = q->diagnosis->failure->incident;
    bool tensorflow = facts ? facts->framework == OD_FW_TENSORFLOW
                            : incident && od_view_eq_str(incident->producer, "tensorflow");
    return tensorflow && strcmp(gives, "amp_bf16") == 0 ? "amp_fp16" : gives;
}

/* The precision in the log, otherwise the type of the failed tensor, or 16 bit if loss scales are
 * printed. */
static struct od_view current_of(const struct od_case *c, const struct od_failure *failure)
{
    static const enum od_setting_id names[] = {OD_SETTING_PRECISION, OD_SETTING_MIXED_PRECISION,
                                               OD_SETTING_DTYPE};
    struct od_view said = {0};
    for (size_t i = 0; said.n == 0 && i < OD_COUNT_OF(names); i++)
        said = od_case_setting(c, names[i]);
    enum od_dtype type = failure->incident ? failure->incident->tensor.dtype : OD_DTYPE_UNKNOWN;
    if (said.n == 0 && (type == OD_FLOAT32 || type == OD_FLOAT64))
        return od_view_of(od_dtype_name(type));
    return said.n == 0 && failure->incident ? od_fit_sixteen_bit(c, failure->incident) : said;
}

struct od_precision_advice od_precision_advise(const struct od_advise_question *q,
                                               const struct od_remedies *remedies,
                                               struct od_arena *arena)
{
    const struct od_failure *failure = q->diagnosis->failure;
    struct od_precision_advice advice = {.current = current_of(q->c, failure)};
    bool doubles = failure->incident && failure->incident->tensor.dtype == OD_FLOAT64;
    const struct od_remedy *change = change_of(remedies, doubles);
    if (failure->run.outcome != OD_OUTCOME_MEMORY_FAILURE)
        return advice;
    if (change) {
        advice.recommended = name_of(q, change->advice->gives);
        advice.saves = doubles && failure->need.known ? od_bytes_exact(failure->need.n / 2)
                                                      : change->action.saves;
        advice.batch = change->action.batch;
        advice.why = change->action.figures ? od_arena_printf(arena, "%s %s", change->advice->why,
                                                              change->action.figures)
                                            : change->advice->why;
    } else if (advice.current.n > 0) {
        advice.recommended = od_arena_str(arena, advice.current);
        advice.why = failure->incident && od_fit_sixteen_bit(q->c, failure->incident).n > 0
                         ? "16 bit is on already."
                         : "No remedy of this failure is another precision.";
    }
    return advice;
}
