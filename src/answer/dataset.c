/*
 * The memory that each remedy needs if a whole data set was put on the device. The refused request
 * gives the size. Its shape, or a printed shape of that size, gives the number of samples.
 */
#include "answer/actions.h"

struct set {
    double bytes, sample, samples; /* samples 0 = not known */
    double room, held;             /* of the device: free for it; in use without it */
    uint64_t batch;
    unsigned times; /* by how much the remedy makes it smaller */
};

static struct od_bytes bytes_of(double n)
{
    return n >= 0 && n < 9e18 ? od_bytes_exact((uint64_t)n) : (struct od_bytes){0};
}

static double find_samples(const struct od_fit_facts *facts)
{
    const struct od_shape *asked = &facts->failure->incident->tensor.shape;
    bool told = asked->known && asked->n >= 2 && asked->dims[0] != OD_DIM_UNKNOWN;
    const struct od_product *product = facts->product;
    bool is_data = product && product->kind == OD_PRODUCT_DATA;
    return told ? (double)asked->dims[0] : is_data ? (double)product->first : 0;
}

static bool set_of(const struct od_fit_facts *facts, struct set *ret_set)
{
    const struct od_failure *failure = facts->failure;
    if (!failure->need.known || facts->limit == 0)
        return false;
    struct set set = {.bytes = (double)failure->need.n, .samples = find_samples(facts)};
    /* This number of samples is a batch, not the data set. */
    if (set.samples > 0 && facts->batch.known && set.samples <= (double)facts->batch.n)
        return false;
    if (set.samples > 0)
        set.sample = set.bytes / set.samples;
    set.held = failure->in_use.known ? (double)failure->in_use.n : 0;
    set.room = (double)facts->limit - set.held;
    set.batch = facts->batch.known && facts->batch.n < 65536 ? facts->batch.n : 32;
    *ret_set = set;
    return set.room > 0;
}

/* Keeps part of the data set on the device. The training needs memory, too, and its amount is
 * unknown here: if little is left for it, the probability of fitting is one half. */
static void keep(const struct set *set, double bytes, struct od_answer_action *action)
{
    static const double plenty = 0.7, sure = 0.95, even = 0.5;
    double share = bytes / set->room;
    action->saves = bytes_of(set->bytes - bytes);
    if (set->held + bytes > 0) /* other contents of the device are unknown */
        action->peak = bytes_of(set->held + bytes);
    action->fits = share > 1 ? 0 : share > plenty ? even : sure;
}

static const char *text_of(double bytes, char buf[static OD_BYTES_TEXT])
{
    return od_bytes_print_u64((uint64_t)bytes, buf);
}

static double stated(const struct od_fit_facts *facts, enum od_setting_id id)
{
    uint64_t n;
    return od_num_parse_u64(od_case_setting(facts->q->c, id), &n) ? (double)n : 0;
}

/* What the other parts of the data would take: "The 3489 validation samples would take 0.9 GiB
 * more." */
static const char *others(const struct od_fit_facts *facts, const struct set *set)
{
    double validation = stated(facts, OD_SETTING_VALIDATION_SAMPLES);
    double test = stated(facts, OD_SETTING_TEST_SAMPLES);
    char a[OD_BYTES_TEXT], b[OD_BYTES_TEXT];
    if (validation <= 0)
        return "";
    if (test <= 0)
        return od_arena_printf(facts->arena, " The %.0f validation samples would take %s more.",
                               validation, text_of(validation * set->sample, a));
    return od_arena_printf(
        facts->arena, " The %.0f validation and the %.0f test samples would take %s and %s more.",
        validation, test, text_of(validation * set->sample, a), text_of(test * set->sample, b));
}

static void stream(const struct od_fit_facts *facts, const struct set *set,
                   struct od_answer_action *action)
{
    char one[OD_BYTES_TEXT], all[OD_BYTES_TEXT];
    if (set->sample <= 0)
        return;
    double bytes = set->sample * (double)set->batch * 2; /* one in use, one being transferred */
    keep(set, bytes, action);
    action->what = od_arena_printf(facts->arena, "%llu", (unsigned long long)set->batch);
    action->figures = od_arena_printf(
        facts->arena, "Batch size %llu takes %s instead of %s for all %.0f samples.%s",
        (unsigned long long)set->batch, text_of(set->sample * (double)set->batch, one),
        text_of(set->bytes, all), set->samples, others(facts, set));
}

static void part(const struct od_fit_facts *facts, const struct set *set,
                 struct od_answer_action *action)
{
    static const double first = 1000;
    char text[OD_BYTES_TEXT];
    if (set->sample <= 0 || set->samples <= first)
        return;
    keep(set, first * set->sample, action);
    action->what = "1000";
    double most = set->room / set->sample;
    action->figures = od_arena_printf(facts->arena,
                                      "The first 1000 samples take %s; at most %.0f fit on the "
                                      "device, with no memory left for training.",
                                      text_of(first * set->sample, text),
                                      most < set->samples ? most : set->samples);
}

static void smaller(const struct od_fit_facts *facts, const struct set *set,
                    struct od_answer_action *action)
{
    char text[OD_BYTES_TEXT], room[OD_BYTES_TEXT];
    double bytes = set->bytes / set->times;
    keep(set, bytes, action);
    action->figures = od_arena_printf(
        facts->arena, "The dataset would take %s, and %s is free: %s.", text_of(bytes, text),
        text_of(set->room, room),
        action->fits > 0 ? "it fits, and the rest is left for training" : "it still does not fit");
}

static void on_host(const struct od_fit_facts *facts, const struct set *set,
                    struct od_answer_action *action)
{
    char text[OD_BYTES_TEXT];
    keep(set, 0, action);
    action->figures = od_arena_printf(
        facts->arena, "RAM holds the %s; none of it is on the device.", text_of(set->bytes, text));
}

bool od_answer_price_dataset(const struct od_fit_facts *facts, const char *id,
                             struct od_answer_action *action)
{
    static const struct {
        const char *id;
        void (*price)(const struct od_fit_facts *facts, const struct set *set,
                      struct od_answer_action *action);
        unsigned times;
    } prices[] = {{"stream_dataset", stream, 1},
                  {"use_part", part, 1},
                  {"smaller_type", smaller, 4},
                  {"half_array", smaller, 2},
                  {"cpu_only", on_host, 1}};
    struct set set;
    for (size_t i = 0; i < OD_COUNT_OF(prices); i++)
        if (strcmp(prices[i].id, id) == 0 && set_of(facts, &set)) {
            set.times = prices[i].times;
            prices[i].price(facts, &set, action);
            return true;
        }
    return false;
}
