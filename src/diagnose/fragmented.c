#include "diagnose/finding.h"
#include "failure/failure.h"

/*
 * The verdict says that the free chunks sum to the request. That alone is not the cause: a pool
 * that is all but full, with just enough crumbs, is exhausted. Fragmentation is to blame where the
 * free memory clearly exceeds the request.
 */
static const double clear_excess = 1.25;

/*
 * A caching allocator gives back whole free segments before it fails: what it then holds and does
 * not use lies in pieces between tensors. Every pool has some of that; it is the cause where it is
 * a good part of the pool and larger than the request.
 */
static const double waste_share = 0.2;
static const double others_share = 0.35;

static void look_at_pieces(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    const struct od_closure *h = &failure->closure;
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
    if (!enough && !(nearly && share >= waste_share / 2))
        return;
    bool much = share >= waste_share;
    /* Where the pieces would only just have done, the pool is full as well. */
    bool clear = enough && much && (double)h->pieces.lo >= clear_excess * (double)need.hi;
    char need_text[OD_BYTES_TEXT], pieces[OD_BYTES_TEXT];
    struct od_finding *finding = od_finding_add(context, OD_CAUSE_FRAGMENTED,
                                                clear            ? OD_CERTAIN
                                                : enough && much ? OD_LIKELY
                                                                 : OD_POSSIBLE,
                                                clear            ? 0.88
                                                : enough && much ? 0.6
                                                : much           ? 0.5
                                                : enough         ? 0.3
                                                                 : 0.2);
    od_finding_say(context, finding,
                   "%s were asked for, and %s that the framework holds are not in use: they lie "
                   "in pieces between tensors, each too small%s.",
                   od_bytes_print(need, need_text), od_bytes_print(h->pieces, pieces),
                   much ? "" : "; that much is usual");
    od_finding_failure(finding, failure);
    od_finding_bytes(finding, "unused_bytes", h->pieces);
    od_finding_bytes(finding, "reserved_bytes", h->own);
}

static void look(struct od_diagnosis_context *context)
{
    const struct od_failure *failure = context->failure;
    if (!failure)
        return;
    if (!failure->dump)
        look_at_pieces(context, failure);
    if (failure->verdict != OD_VERDICT_FRAGMENTED || !failure->dump)
        return;
    uint64_t free_bytes = failure->dump->usable.bytes;
    uint64_t largest = failure->dump->usable.largest;
    bool holds =
        failure->need.known && failure->need.hi <= free_bytes && failure->need.lo > largest;
    bool clear = holds && (double)free_bytes >= clear_excess * (double)failure->need.hi;
    struct od_accumulation piled = od_failure_accumulation(failure);
    enum od_certainty certainty = clear && failure->proven ? OD_CERTAIN : OD_LIKELY;
    double probability = clear ? 0.88 : 0.35;
    if (!clear)
        certainty = OD_POSSIBLE;
    if (clear && piled.many && piled.ran_long) {
        certainty = OD_LIKELY;
        probability = 0.55;
    }
    char need[OD_BYTES_TEXT], total[OD_BYTES_TEXT], hole[OD_BYTES_TEXT];
    struct od_finding *finding =
        od_finding_add(context, OD_CAUSE_FRAGMENTED, certainty, probability);
    od_finding_say(context, finding,
                   "%s were asked for and %s are free, but in %llu pieces: the largest is %s.",
                   od_bytes_print(failure->asked, need), od_bytes_print_u64(free_bytes, total),
                   (unsigned long long)failure->dump->usable.count,
                   od_bytes_print_u64(largest, hole));
    od_finding_failure(finding, failure);
    od_finding_count(finding, "free_bytes", od_count_of(free_bytes));
    od_finding_count(finding, "largest_free_bytes", od_count_of(largest));
    od_finding_count(finding, "free_chunks_count", od_count_of(failure->dump->usable.count));
}

const struct od_diagnoser od_diagnoser_fragmented = {"fragmented", look};
