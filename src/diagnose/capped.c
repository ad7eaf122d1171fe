#include "diagnose/finding.h"
#include "failure/failure.h"

/* A framework left alone takes three quarters of the free memory at least, of what exceeds a
 * reserve it leaves to the libraries. */
static const double untold_share = 0.6;
static const uint64_t reserve_bytes = UINT64_C(512) << 20;

static double takeable(const struct od_failure *failure)
{
    uint64_t rest;
    if (ckd_sub(&rest, failure->free_at_start.lo, reserve_bytes))
        return 0.0;
    return (double)rest;
}

/* Proof: what was held and wanted did not fit the limit, but did fit what the device had free. */
static bool proves(const struct od_failure *failure)
{
    uint64_t wanted_lo, wanted_hi;
    return failure->need.known && failure->in_use.known && failure->limit.known &&
           failure->free_at_start.known && failure->one_device &&
           !ckd_add(&wanted_lo, failure->need.lo, failure->in_use.n) &&
           !ckd_add(&wanted_hi, failure->need.hi, failure->in_use.n) &&
           wanted_lo > failure->limit.n && (double)wanted_hi <= takeable(failure);
}

static void say_below_free(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    bool proven = proves(failure);
    struct od_finding *finding = od_finding_add(context, OD_CLUE(CAPPED, below_free));
    finding->proven = proven;
    od_finding_say(context, finding,
                   "The allocator is limited to %s although the device had %s free: a memory "
                   "fraction or limit is set.",
                   od_bytes_text_u64(context->arena, failure->limit.n),
                   od_bytes_text(context->arena, failure->free_at_start));
    od_finding_failure(finding, failure);
    od_finding_bytes(finding, "free_at_start_bytes", failure->free_at_start);
    od_finding_bytes(finding, "capacity_bytes", failure->capacity);
    if (failure->device_said)
        od_finding_evidence(finding, failure->device_said);
}

static void say_tiny(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    bool ram = failure->dump && od_view_eq_str(failure->dump->device, "CPU");
    struct od_finding *finding = od_finding_add(context, OD_CLUE(CAPPED, tiny));
    od_finding_say(
        context, finding,
        ram ? "TensorFlow takes RAM from a pool that is limited to %s "
              "(TF_CPU_BFC_MEM_LIMIT_IN_MB)."
            : "The allocator's limit is only %s, far less than any current device has: a memory "
              "fraction or limit is set, or other processes used the rest of the device.",
        od_bytes_text_u64(context->arena, failure->limit.n));
    od_finding_failure(finding, failure);
}

/* The log says which fraction was set. */
static const struct od_setting *told_fraction(const struct od_case *c)
{
    for (size_t i = c->settings.n; i > 0; i--) {
        const struct od_setting *setting = &c->settings.items[i - 1];
        double fraction;
        if (setting->id == OD_SETTING_GPU_MEMORY_FRACTION &&
            od_num_parse_double(setting->value, &fraction) && fraction > 0 &&
            fraction < untold_share)
            return setting;
    }
    return NULL;
}

static void say_told(struct od_diagnosis_context *context, const struct od_failure *failure,
                     const struct od_setting *setting)
{
    struct od_finding *finding = od_finding_add(context, OD_CLUE(CAPPED, fraction_set));
    od_finding_say(context, finding,
                   "The memory fraction is set to %.*s, which limits the allocator to %s.",
                   (int)(setting->value.n < 20 ? setting->value.n : 20), setting->value.p,
                   od_bytes_text_u64(context->arena, failure->limit.n));
    od_finding_failure(finding, failure);
    od_finding_bytes(finding, "capacity_bytes", failure->capacity);
    od_finding_evidence(finding, &setting->said);
}

static void say_small_share(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    struct od_finding *finding = od_finding_add(context, OD_CLUE(CAPPED, small_share));
    od_finding_say(context, finding,
                   "The allocator is limited to %s of the device's %s: a limit may be set.",
                   od_bytes_text_u64(context->arena, failure->limit.n),
                   od_bytes_text(context->arena, failure->capacity));
    od_finding_failure(finding, failure);
    od_finding_bytes(finding, "capacity_bytes", failure->capacity);
}

static void say_allowed(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    const struct od_incident *inc = failure->incident;
    struct od_bytes wanted = od_bytes_add(failure->account.own, inc->requested);
    /* That it refused is sure. Why the limit was reached is another question where the run had made
     * progress, loaded, or asked for more than all of it. */
    bool proven = od_bytes_less(inc->limit, wanted) == OD_YES && failure->progress == 0 &&
                  failure->phase != OD_PHASE_LOAD && !failure->copied &&
                  !od_failure_exceeds_limit(failure) && !failure->account.in_pieces;
    char limit[OD_BYTES_TEXT];
    struct od_finding *finding = od_finding_add(context, OD_CLUE(CAPPED, refused_itself));
    finding->proven = proven;
    finding->first = "raise_limit"; /* the rest of the device is there */
    od_finding_say(context, finding,
                   "The framework reached its own limit of %s; the device had %s free.",
                   od_bytes_print(inc->limit, limit), od_bytes_text(context->arena, inc->free));
    od_finding_failure(finding, failure);
    od_finding_bytes(finding, "free_bytes", inc->free);
    od_finding_bytes(finding, "reserved_bytes", failure->account.own);
    od_finding_bytes(finding, "capacity_bytes", inc->capacity);
}

/* The message tells the limit that the framework sets itself, and of the device nothing. */
static bool reached_own_limit(const struct od_failure *failure)
{
    const struct od_incident *inc = failure->incident;
    return od_failure_is_device(failure) && !failure->dump && inc->limit.known &&
           inc->in_use.known && !failure->capacity.known && !inc->free.known &&
           od_bytes_less(inc->requested, inc->limit) == OD_YES;
}

static void say_own_limit(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    struct od_finding *finding = od_finding_add(context, OD_CLUE(CAPPED, own_limit));
    struct od_bytes beside = failure->account.beside;
    od_finding_say(context, finding,
                   "The framework reached its own limit of %s%s. The log does not show how much "
                   "the device has beyond it.",
                   od_bytes_text(context->arena, failure->incident->limit),
                   beside.known
                       ? od_arena_printf(context->arena,
                                         ": its tensors hold %s, and other libraries of "
                                         "the same process %s",
                                         od_bytes_text(context->arena, failure->incident->in_use),
                                         od_bytes_text(context->arena, beside))
                       : "");
    od_finding_failure(finding, failure);
}

/* ONNX Runtime's arena has no limit until one is set; only then does it say what is left. */
static bool refused_by_arena(const struct od_incident *inc)
{
    return od_view_eq_str(inc->producer, "onnxruntime") && !inc->limit.known &&
           od_bytes_less(inc->free, inc->requested) == OD_YES;
}

static void say_arena(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    struct od_finding *finding = od_finding_add(context, OD_CLUE(CAPPED, arena));
    od_finding_say(context, finding,
                   "The arena's own limit (gpu_mem_limit) left %s. Without this setting there is "
                   "no such limit.",
                   od_bytes_text(context->arena, failure->incident->free));
    od_finding_failure(finding, failure);
}

static void say_piece(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    const struct od_incident *inc = failure->incident;
    struct od_finding *finding = od_finding_add(context, OD_CLUE(CAPPED, piece));
    finding->proven = inc->limit.known;
    od_finding_say(context, finding,
                   "A single allocation of %s was requested. The device's runtime allows %s per "
                   "allocation, however much is free.",
                   od_bytes_text(context->arena, inc->requested),
                   inc->limit.known ? od_arena_printf(context->arena, "at most %s",
                                                      od_bytes_text(context->arena, inc->limit))
                                    : "less");
    finding->first = "smaller_pieces";
    finding->vain = "raise_limit";
    od_finding_failure(finding, failure);
    od_finding_bytes(finding, "piece_bytes", inc->limit);
}

static void look(struct od_diagnosis_context *context)
{
    const struct od_failure *failure = context->failure;
    if (!failure)
        return;
    if (refused_by_arena(failure->incident)) {
        say_arena(context, failure);
        return;
    }
    if (od_failure_is_beyond_a_piece(failure)) {
        say_piece(context, failure);
        return;
    }
    if (!failure->limit.known || failure->limit.n == 0 ||
        (!od_failure_is_device(failure) && failure->incident->kind != OD_INC_HOST_ALLOC_FAILED))
        return;
    if (od_failure_is_device(failure) && od_failure_refused_what_was_free(failure)) {
        say_allowed(context, failure);
        return;
    }
    if (reached_own_limit(failure)) {
        say_own_limit(context, failure);
        return;
    }
    if (!failure->dump && failure->account.own.known) /* the device was full before the limit was */
        return;
    const struct od_setting *told = told_fraction(context->c);
    if (told && !proves(failure)) {
        say_told(context, failure, told);
    } else if (failure->free_at_start.known) {
        if ((double)failure->limit.n < untold_share * takeable(failure))
            say_below_free(context, failure);
    } else if (failure->capacity.known &&
               (double)failure->limit.n < untold_share / 2 * (double)failure->capacity.lo) {
        say_small_share(context, failure);
    } else if (od_failure_limit_is_tiny(failure)) {
        say_tiny(context, failure);
    }
}

const struct od_diagnoser od_diagnoser_capped = {"capped", look};
