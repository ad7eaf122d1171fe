#include "diagnose/finding.h"
#include "diagnose/shares.h"
#include "failure/failure.h"

static const double others_share = 0.35;

/* Did as much as that lie there at once before? Then the pieces alone are to blame; of a run that
 * went on for long something may have piled up instead. */
static bool fitted_before(const struct od_diagnosis_context *context,
                          const struct od_failure *failure)
{
    const struct od_case *c = context->c;
    struct od_count most =
        failure->dump ? failure->dump->dump.stats.max_in_use : (struct od_count){0};
    uint64_t wanted;
    if (!failure->in_use.known || !failure->need.known ||
        ckd_add(&wanted, failure->in_use.n, failure->need.hi))
        return false;
    OD_FOR_EACH (const struct od_memory_state, state, c->states)
        if (od_view_eq_str(state->name, "memory_summary") && state->peak.known &&
            state->said.at.source == failure->incident->at.source && state->peak.lo >= wanted)
            return true;
    return most.known && most.n >= wanted;
}

static void look_at_pieces(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    const struct od_account *h = &failure->account;
    struct od_bytes need = failure->incident->requested;
    if (!od_failure_is_device(failure) || !h->pieces.known || !h->own.known || h->own.n == 0 ||
        !need.known)
        return;
    /* Where others hold the device, the pieces of a small pool are no matter. */
    if (h->named_share + h->outside_share >= others_share)
        return;
    double share = (double)h->pieces.n / (double)h->own.n;
    bool enough = h->pieces.lo >= need.hi;
    struct od_bytes with_free = od_bytes_add(h->pieces, failure->incident->free);
    bool nearly = with_free.known && with_free.lo >= need.hi;
    if (!enough && !(nearly && share >= OD_PIECES_SHARE / 2))
        return;
    bool much = share >= OD_PIECES_SHARE;
    /* Where the pieces would only just have done, the pool is full as well. */
    bool clear = enough && much && (double)h->pieces.lo >= OD_PIECES_EXCESS * (double)need.hi;
    char pieces[OD_BYTES_TEXT];
    struct od_finding *finding =
        od_finding_add(context, clear            ? OD_CLUE(FRAGMENTED, pieces_clear)
                                : enough && much ? OD_CLUE(FRAGMENTED, pieces_enough)
                                : much           ? OD_CLUE(FRAGMENTED, pieces_nearly)
                                : enough         ? OD_CLUE(FRAGMENTED, pieces_usual)
                                                 : OD_CLUE(FRAGMENTED, pieces_few));
    finding->proven =
        clear && !od_failure_accumulation(failure).ran_long && fitted_before(context, failure);
    od_finding_say(context, finding,
                   "%s was requested, and %s that the framework reserved is not in use, but in "
                   "pieces between tensors, each too small%s.",
                   od_bytes_text(context->arena, need), od_bytes_print(h->pieces, pieces),
                   much ? "" : "; this amount is normal");
    od_finding_failure(finding, failure);
    od_finding_bytes(finding, "unused_bytes", h->pieces);
    od_finding_bytes(finding, "reserved_bytes", h->own);
}

/* The message itself says that enough is free, and how little of it in one piece. */
static bool says_largest(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    const struct od_incident *inc = failure->incident;
    if (failure->dump || od_bytes_less(inc->largest, inc->requested) != OD_YES ||
        od_bytes_less(inc->free, inc->requested) != OD_NO)
        return false;
    char need[OD_BYTES_TEXT], total[OD_BYTES_TEXT], hole[OD_BYTES_TEXT];
    struct od_finding *finding = od_finding_add(context, OD_CLUE(FRAGMENTED, holes_clear));
    od_finding_say(context, finding,
                   "%s was requested and %s is free, but the largest free piece is %s: the "
                   "program's own pool is fragmented or too small.",
                   od_bytes_print(inc->requested, need), od_bytes_print(inc->free, total),
                   od_bytes_print(inc->largest, hole));
    od_finding_failure(finding, failure);
    od_finding_bytes(finding, "free_bytes", inc->free);
    od_finding_bytes(finding, "largest_free_bytes", inc->largest);
    finding->first = failure->of_network ? NULL : "larger_pool";
    if (od_view_eq_str(inc->producer, "jax"))
        finding->vain = "defragment"; /* only TPUs print it; that setting is of GPUs */
    return true;
}

static void look(struct od_diagnosis_context *context)
{
    const struct od_failure *failure = context->failure;
    if (!failure || says_largest(context, failure))
        return;
    if (!failure->dump)
        look_at_pieces(context, failure);
    if (failure->verdict != OD_VERDICT_FRAGMENTED || !failure->dump)
        return;
    uint64_t free_bytes = failure->dump->usable.bytes;
    uint64_t largest = failure->dump->usable.largest;
    bool holds =
        failure->need.known && failure->need.hi <= free_bytes && failure->need.lo > largest;
    bool clear = holds && (double)free_bytes >= OD_PIECES_EXCESS * (double)failure->need.hi;
    struct od_accumulation piled = od_failure_accumulation(failure);
    struct od_finding *finding = od_finding_add(
        context, !clear                         ? OD_CLUE(FRAGMENTED, holes_just_do)
                 : piled.many && piled.ran_long ? OD_CLUE(FRAGMENTED, holes_beside_piled)
                                                : OD_CLUE(FRAGMENTED, holes_clear));
    finding->proven =
        clear && failure->proven && !piled.ran_long && fitted_before(context, failure);
    od_finding_say(context, finding,
                   "%s was requested and %s is free, but in %llu pieces; the largest is %s.",
                   od_bytes_text(context->arena, failure->asked),
                   od_bytes_text_u64(context->arena, free_bytes),
                   (unsigned long long)failure->dump->usable.count,
                   od_bytes_text_u64(context->arena, largest));
    od_finding_failure(finding, failure);
    od_finding_count(finding, "free_bytes", od_count_of(free_bytes));
    od_finding_count(finding, "largest_free_bytes", od_count_of(largest));
    od_finding_count(finding, "free_chunks_count", od_count_of(failure->dump->usable.count));
}

const struct od_diagnoser od_diagnoser_fragmented = {"fragmented", look};
