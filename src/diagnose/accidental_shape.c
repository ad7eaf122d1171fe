#include "diagnose/finding.h"
#include "diagnose/single.h"
#include "failure/failure.h"
#include "rules/software.h"

#include <math.h>
/* Many times the device: nobody means that. */
static const double absurd_ratio = 6.0;
static const uint64_t outer_side = 10000;
static const double outer_share = 0.5;
enum { same_side = 100 }; /* sides that differ by less come from one count */

static bool is_outer_product(const struct od_shape *shape)
{
    if (!shape->known || shape->n != 2 || shape->dims[0] == OD_DIM_UNKNOWN ||
        shape->dims[1] == OD_DIM_UNKNOWN)
        return false;
    uint64_t a = shape->dims[0], b = shape->dims[1];
    uint64_t gap = a > b ? a - b : b - a;
    return a >= outer_side && b >= outer_side && gap <= a / same_side;
}

/* Exactly the bytes of a square of floats whose side is a round number, as people choose their
 * counts: products of a layer's sizes are squares, too, but not of 12500. */
static bool is_round_square(const struct od_failure *failure)
{
    enum { LEAST_SIDE = 2500, ROUND = 500, FLOAT = 4, DOUBLE = 8 };
    struct od_bytes asked = failure->asked;
    if (!asked.known || asked.lo != asked.hi || failure->incident->tensor.shape.known)
        return false;
    for (uint64_t each = FLOAT; each <= DOUBLE; each *= 2) {
        uint64_t side = (uint64_t)(sqrt((double)asked.n / (double)each) + 0.5);
        if (side >= LEAST_SIDE && side % ROUND == 0 && side * side * each == asked.n)
            return true;
    }
    return false;
}

/* Sides of a picture are often equal: its last dimension is the colors'. */
static bool is_picture(const struct od_failure *failure)
{
    enum { COLORS = 4 };
    const struct od_shape *shape = &failure->incident->tensor.shape;
    return shape->n == 3 && shape->dims[2] <= COLORS &&
           od_incident_calls(failure->incident, OD_FRAME_PICTURE);
}

/* Everything else that the process holds is a small part of what it asked for, which is more than
 * the device has: no layer among many. */
static bool is_out_of_proportion(const struct od_diagnosis_context *context)
{
    const struct od_failure *failure = context->failure;
    static const double times = 16;
    struct od_bytes own = failure->account.own;
    return own.known && od_single_of(context).exceeds && !failure->hint.dataset_like &&
           (double)failure->asked.lo >= times * (double)own.hi;
}

/* So many of something, as the log states: a table of each with each takes their square. */
static uint64_t squared(const struct od_case *c, const struct od_failure *failure)
{
    enum { FEW = 1000, BYTES = 1024 };
    struct od_count n = od_failure_setting(c, OD_SETTING_ITEMS, &failure->incident->at);
    uint64_t pairs;
    if (!n.known || n.n < FEW || ckd_mul(&pairs, n.n, n.n))
        return 0;
    for (uint64_t each = 1; each <= BYTES; each *= 2) {
        uint64_t bytes;
        if (!ckd_mul(&bytes, pairs, each) && bytes >= failure->asked.lo &&
            bytes <= failure->asked.hi)
            return n.n;
    }
    return 0;
}

static void say_square(struct od_diagnosis_context *context, const struct od_failure *failure,
                       uint64_t n)
{
    struct od_finding *finding =
        od_finding_add(context, OD_CLUE(ACCIDENTAL_SHAPE, square_of_count));
    od_finding_say(context, finding,
                   "%s is %llu bytes for each pair of the %llu that the log states: the need grows "
                   "with the square of their number.",
                   od_bytes_text(context->arena, failure->asked),
                   (unsigned long long)(failure->asked.hi / n / n), (unsigned long long)n);
    od_finding_failure(finding, failure);
}

/* Its own count is far from what is in use. */
static bool miscounts(const struct od_incident *inc)
{
    return od_bytes_less(inc->in_use, inc->limit) == OD_YES;
}

/* A number that no program means: of no array, whose shape could be a mistake. */
static void say_number(struct od_diagnosis_context *context, struct od_finding *finding)
{
    const struct od_failure *failure = context->failure;
    const struct od_incident *inc = failure->incident;
    char need[OD_BYTES_TEXT], used[OD_BYTES_TEXT];
    const char *asked = od_bytes_print(failure->asked, need);
    if (failure->need.lo > INT64_MAX)
        od_finding_say(context, finding,
                       "%llu bytes is a negative number that was read without its sign: a length "
                       "or a count went wrong. No memory was short.",
                       (unsigned long long)failure->need.lo);
    else if (miscounts(inc))
        od_finding_say(context, finding,
                       "By its own count the program would use %s, but no more than %s is in use: "
                       "the count has gone wrong. No memory was short.",
                       asked, od_bytes_print(inc->in_use, used));
    else
        od_finding_say(context, finding,
                       "%s was requested, %s: a length or a count went wrong (damaged input, an "
                       "overflow), or two large sizes were multiplied.",
                       asked,
                       inc->limit.known ? "many times what the program may have"
                                        : "more than any machine has");
    finding->clause = "that number is no real need but a mistake";
    if (failure->need.lo > INT64_MAX || miscounts(inc))
        finding->first = "wrong_number";
}

/* A program of others reads what its user has: an index, a table of all sequences, a grid. Such
 * sizes are meant. */
static bool is_of_its_data(const struct od_failure *failure)
{
    const struct od_software *driver = failure->stack.driver;
    return driver && (driver->sort == OD_SORT_TOOL || driver->sort == OD_SORT_DATABASE ||
                      driver->sort == OD_SORT_SIMULATOR);
}

static void look(struct od_diagnosis_context *context)
{
    const struct od_failure *failure = context->failure;
    if (!failure || !failure->need.known)
        return;
    uint64_t n = squared(context->c, failure);
    if (n > 0) {
        say_square(context, failure, n);
        return;
    }
    bool host = failure->incident->kind == OD_INC_HOST_ALLOC_FAILED;
    if ((!host && !od_failure_is_device(failure)) ||
        od_incident_says(failure->incident, OD_SAID_COMPUTE_BUFFER))
        return; /* no tensor of anybody's program */
    double share = host ? 0.0 : od_failure_need_share(failure);
    bool absurd = od_failure_is_garbage(failure);
    bool pairs = failure->hint.pairs && !is_picture(failure);
    bool data = host && is_of_its_data(failure);
    bool outer =
        !data &&
        (pairs || is_outer_product(&failure->incident->tensor.shape) || is_round_square(failure)) &&
        (host || share >= outer_share || !failure->limit.known);
    bool beyond =
        host ? od_beyond_machines(failure->need) && !data : od_beyond_devices(failure->need);
    bool many = share >= absurd_ratio && !failure->hint.constant && !failure->hint.dataset_like;
    bool lone = !host && is_out_of_proportion(context);
    if (!absurd && !outer && !many && !beyond && !lone)
        return;
    bool in_loss =
        failure->hint.pairs && od_means(od_op_means(failure->incident->tensor.op), OD_OP_BEHIND);
    enum od_clue sign = absurd           ? OD_CLUE(ACCIDENTAL_SHAPE, absurd)
                        : in_loss        ? OD_CLUE(ACCIDENTAL_SHAPE, pairs_in_loss)
                        : many || beyond ? OD_CLUE(ACCIDENTAL_SHAPE, many_times)
                        : lone           ? OD_CLUE(ACCIDENTAL_SHAPE, out_of_proportion)
                        : host           ? OD_CLUE(ACCIDENTAL_SHAPE, square_on_host)
                                         : OD_CLUE(ACCIDENTAL_SHAPE, square);
    struct od_finding *finding = od_finding_add(context, sign);
    od_finding_failure(finding, failure);
    if (absurd && !failure->incident->tensor.shape.known) {
        say_number(context, finding);
        return;
    }
    if (host && !failure->of_network)
        finding->clause = outer && !beyond ? "a table of all pairs is larger than the memory"
                                           : "the size of that array is a mistake";
    od_finding_say(context, finding,
                   "One %s takes %s, %s: check for a wrong axis, a broadcast or an outer product.",
                   !failure->of_network && host ? "array" : "tensor",
                   od_bytes_text(context->arena, failure->asked),
                   absurd ? failure->incident->limit.known ? "many times what the program may have"
                                                           : "more than any machine has"
                   : many ? "many times the memory of the device"
                   : lone && !beyond
                       ? "more than the device has, while the rest of the program holds little"
                   : beyond ? host ? "more than nearly any machine has" : "more than any device has"
                   : failure->hint.pairs ? "and its first two dimensions are the same large count"
                                         : "a large square matrix");
}

const struct od_diagnoser od_diagnoser_accidental_shape = {"accidental_shape", look};
