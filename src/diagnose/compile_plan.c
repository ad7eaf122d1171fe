#include "diagnose/finding.h"
#include "failure/failure.h"

static const double arena_share = 0.25; /* of the limit: larger than a tensor of a sane model */

/* The compiler itself said that its plan does not fit. */
static const struct od_evidence *compiler_said(const struct od_case *c)
{
    OD_FOR_EACH (const struct od_incident, incident, c->incidents) {
        OD_FOR_EACH (const struct od_evidence, evidence, incident->evidence)
            if (incident->kind == OD_INC_DEVICE_COMPILE_OOM ||
                od_means(evidence->means, OD_SAID_COMPILER))
                return evidence;
    }
    return NULL;
}

static struct od_bytes room_of(const struct od_incident *incident)
{
    return incident->limit.known ? incident->limit : incident->capacity;
}

/* The compiler printed what its plan takes, and what the device has. */
static bool plan_exceeds(const struct od_incident *incident)
{
    struct od_bytes plan = incident->in_use.known ? incident->in_use : incident->requested;
    return incident->kind == OD_INC_DEVICE_COMPILE_OOM &&
           od_bytes_less(room_of(incident), plan) == OD_YES;
}

/* What the log shows against the plan, and no more. */
static const char *why_not(struct od_diagnosis_context *context, const struct od_evidence *said)
{
    const struct od_failure *failure = context->failure;
    if (plan_exceeds(failure->incident))
        return od_arena_printf(context->arena, "more than all of the device's %s",
                               od_bytes_text(context->arena, room_of(failure->incident)));
    if (failure->incident->kind == OD_INC_DEVICE_COMPILE_OOM)
        return "the compiler found that it does not fit the device";
    return said ? "requested as one block. The compiler had warned that it could not make the plan "
                  "as small as it should be"
                : "requested as one block that does not fit";
}

/* What was asked for is the scratch of a whole program, as the compiler's account tells. */
static const struct od_evidence *scratch_of_program(const struct od_case *c,
                                                    const struct od_failure *failure)
{
    OD_FOR_EACH (const struct od_memory_state, state, c->states) {
        bool temp = od_view_eq_str(state->name, "temp") && od_view_eq_str(state->producer, "jax");
        if (temp && failure->need.known && od_bytes_same(failure->need, state->in_use) != OD_NO)
            return &state->said;
    }
    return NULL;
}

static void look(struct od_diagnosis_context *context)
{
    const struct od_failure *failure = context->failure;
    if (!failure)
        return;
    const struct od_evidence *said = compiler_said(context->c);
    bool arena = od_view_eq_str(failure->incident->producer, "jax") &&
                 !failure->incident->tensor.shape.known &&
                 od_failure_need_share(failure) >= arena_share;
    const struct od_evidence *scratch = said ? NULL : scratch_of_program(context->c, failure);
    if (!said && !arena && !scratch)
        return;
    bool proven = plan_exceeds(failure->incident);
    struct od_finding *finding =
        od_finding_add(context, said ? OD_CLUE(COMPILE_PLAN, compiler_said)
                                     : OD_CLUE(COMPILE_PLAN, whole_scratch));
    finding->proven = proven;
    od_finding_say(context, finding, "%s is the memory plan of the whole compiled program: %s.",
                   failure->need.known ? od_bytes_text(context->arena, failure->asked)
                                       : "The request",
                   why_not(context, said));
    od_finding_failure(finding, failure);
    od_finding_bytes(finding, "capacity_bytes", failure->incident->capacity);
    if (said || scratch)
        od_finding_evidence(finding, said ? said : scratch);
}

const struct od_diagnoser od_diagnoser_compile_plan = {"compile_plan", look};
