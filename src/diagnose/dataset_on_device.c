#include "diagnose/finding.h"
#include "failure/data_set.h"

/*
 * Two signatures: the refused request is itself a whole data set, or few huge chunks fill the
 * device, each many times what the failing tensor's batch would need.
 */
static const double huge_chunk_share =
    0.2; /* of what is in use; the lesser of a data set's arrays */
static const double huge_total_share = 0.5;
static const uint64_t large_copy_bytes = 256U << 20; /* below it, it may well be a batch */
enum { HUGE_COUNT_MAX = 2, HUGE_SAMPLES_RATIO = 8 };
static const uint64_t huge_sample_bytes = 64U << 20; /* no layer keeps as much of one sample */

/* All that the request may have: the allocator's limit, else what the device has. */
static const char *all_of(const struct od_failure *failure, char text[static OD_BYTES_TEXT])
{
    return failure->limit.known ? od_bytes_print_u64(failure->limit.n, text)
                                : od_bytes_print(failure->capacity, text);
}

static void say_request(struct od_diagnosis_context *context, const struct od_failure *failure,
                        enum od_clue sign)
{
    char limit[OD_BYTES_TEXT];
    struct od_finding *finding = od_finding_add(context, sign);
    const struct od_shape *shape = &failure->incident->tensor.shape;
    if (failure->hint.dataset_like)
        od_finding_say(
            context, finding,
            "%s was requested for one array of %llu samples: a whole dataset, not a batch.",
            od_bytes_text(context->arena, failure->asked), (unsigned long long)shape->dims[0]);
    else if (od_failure_exceeds_limit(failure))
        od_finding_say(
            context, finding,
            "%s was requested for one of the program's own arrays, of the %s it may use in total: "
            "no batch size changes that. A whole dataset seems to be sent to the device at once.",
            od_bytes_text(context->arena, failure->asked), all_of(failure, limit));
    else
        od_finding_say(context, finding,
                       "%s was requested for one of the program's own arrays, outside any step: a "
                       "whole dataset seems to be sent to the device at once. The log does not "
                       "show the device's memory (--capacity SIZE).",
                       od_bytes_text(context->arena, failure->asked));
    od_finding_failure(finding, failure);
    if (failure->hint.dataset_like) {
        od_finding_count(finding, "samples_count", od_count_of(shape->dims[0]));
        od_finding_bytes(finding, "sample_bytes", failure->hint.per_sample);
    }
}

/* The request is as large as arrays whose shape the log prints. */
static bool say_printed(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    enum { SAMPLES_LEAST = 1000 };
    char limit[OD_BYTES_TEXT];
    const struct od_shape *shape = od_data_set_asked_for(context->c, failure);
    if (!shape || shape->dims[0] < SAMPLES_LEAST || failure->need.lo < large_copy_bytes)
        return false;
    struct od_finding *finding =
        od_finding_add(context, od_failure_exceeds_limit(failure)
                                    ? OD_CLUE(DATASET_ON_DEVICE, printed_and_too_large)
                                    : OD_CLUE(DATASET_ON_DEVICE, printed));
    od_finding_say(
        context, finding,
        "%s was requested: the size of all %llu samples of the data, by the shape printed in the "
        "log%s.",
        od_bytes_text(context->arena, failure->asked), (unsigned long long)shape->dims[0],
        od_failure_exceeds_limit(failure)
            ? od_arena_printf(
                  context->arena,
                  ", and more than the %s available in total: no batch size changes that",
                  all_of(failure, limit))
            : "");
    od_finding_failure(finding, failure);
    od_finding_count(finding, "samples_count", od_count_of(shape->dims[0]));
    return true;
}

/* A library of arrays: what it is asked for are the program's data, mostly. */
static void say_array(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    enum { MUCH = 8 }; /* times what is there already */
    if (od_data_set_far_smaller(context->c, failure))
        return;
    bool alone = failure->in_use.known && failure->need.known &&
                 failure->need.lo / MUCH >= failure->in_use.n;
    struct od_finding *finding =
        od_finding_add(context, alone ? OD_CLUE(DATASET_ON_DEVICE, array_alone)
                                      : OD_CLUE(DATASET_ON_DEVICE, array));
    od_finding_say(context, finding,
                   alone ? "%s was requested for one array, and little else was in use: that array "
                           "alone does not fit."
                         : "%s requested by an array library and could not be allocated: the "
                           "program's data does not fit on the device at once.",
                   failure->need.known ? od_bytes_text(context->arena, failure->asked)
                                       : "More memory was");
    od_finding_failure(finding, failure);
}

/* The program's array did not get onto the device, and nobody said how large it is. Where the pool
 * is all but empty it is larger than that; where Keras was making a data set of it, it is one. */
static void say_copied(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    static const double empty_share = 0.25;
    double used = od_share(failure->in_use, failure->limit);
    bool empty = failure->in_use.known && failure->limit.known && used < empty_share;
    bool keras = od_incident_says(failure->incident, OD_SAID_EAGER_CONSTANT) ||
                 od_incident_calls(failure->incident, OD_FRAME_KERAS_DATA);
    if ((!empty && !keras) || (failure->limit.known && !empty))
        return;
    struct od_finding *finding =
        od_finding_add(context, empty ? OD_CLUE(DATASET_ON_DEVICE, copied_into_empty)
                                      : OD_CLUE(DATASET_ON_DEVICE, copied));
    finding->summary = empty
                           ? "An array of the program could not be copied to a device whose memory "
                             "pool is nearly empty: a whole dataset seems to be sent at once."
                           : "An array of the program could not be copied to the device: a whole "
                             "dataset may be sent at once.";
    od_finding_failure(finding, failure);
}

static bool is_huge(const struct od_size *size, const struct od_failure *failure)
{
    double in_use = (double)failure->dump->in_use_bytes;
    uint64_t of_one = size->bytes / failure->hint.batch.n;
    return size->count <= HUGE_COUNT_MAX && of_one >= huge_sample_bytes &&
           (double)size->total >= huge_chunk_share / 2 * in_use &&
           of_one / HUGE_SAMPLES_RATIO >= failure->hint.per_sample.n;
}

static void look_at_chunks(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    uint64_t total = 0, count = 0, largest = 0;
    if (!failure->dump || !failure->dump->has_chunks || !failure->hint.batch.known ||
        failure->hint.batch.n == 0 || !failure->hint.per_sample.known)
        return;
    OD_FOR_EACH_OF (const struct od_size, size, failure->dump->sizes, failure->dump->nsizes) {
        if (!is_huge(size, failure) || ckd_add(&total, total, size->total))
            continue;
        count += size->count;
        largest = size->bytes > largest ? size->bytes : largest;
    }
    if (count == 0 || (double)total < huge_total_share * (double)failure->dump->in_use_bytes ||
        (double)largest < huge_chunk_share * (double)failure->dump->in_use_bytes)
        return;
    struct od_finding *finding = od_finding_add(context, OD_CLUE(DATASET_ON_DEVICE, huge_chunks));
    od_finding_say(
        context, finding,
        "%llu chunks hold %s of the %s in use. Too large for a batch of %llu, of which one sample "
        "takes %s in the tensor that failed: a dataset seems to be on the device.",
        (unsigned long long)count, od_bytes_text_u64(context->arena, total),
        od_bytes_text_u64(context->arena, failure->dump->in_use_bytes),
        (unsigned long long)failure->hint.batch.n,
        od_bytes_text(context->arena, failure->hint.per_sample));
    od_finding_failure(finding, failure);
    od_finding_count(finding, "huge_chunks_count", od_count_of(count));
    od_finding_count(finding, "huge_chunks_bytes", od_count_of(total));
    od_finding_count(finding, "largest_chunk_bytes", od_count_of(largest));
}

static void look(struct od_diagnosis_context *context)
{
    const struct od_failure *failure = context->failure;
    if (!failure || !od_failure_is_device(failure))
        return;
    if (say_printed(context, failure))
        return;
    if (failure->hint.constant && od_failure_exceeds_limit(failure))
        say_request(context, failure, OD_CLUE(DATASET_ON_DEVICE, constant_too_large));
    else if (failure->hint.constant && failure->need.known &&
             failure->need.lo >= large_copy_bytes && !failure->limit.known)
        say_request(context, failure, OD_CLUE(DATASET_ON_DEVICE, constant_of_unknown_room));
    else if (failure->copied && failure->need.known && failure->need.lo >= large_copy_bytes &&
             od_failure_exceeds_limit(failure))
        say_request(context, failure, OD_CLUE(DATASET_ON_DEVICE, copy_too_large));
    else if (failure->copied && !failure->need.known)
        say_copied(context, failure);
    else if (failure->hint.dataset_like)
        say_request(context, failure,
                    od_failure_exceeds_limit(failure)
                        ? OD_CLUE(DATASET_ON_DEVICE, samples_too_large)
                        : OD_CLUE(DATASET_ON_DEVICE, samples));
    else if (failure->of_arrays)
        say_array(context, failure);
    else
        look_at_chunks(context, failure);
}

const struct od_diagnoser od_diagnoser_dataset_on_device = {"dataset_on_device", look};
