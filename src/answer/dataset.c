/*
 * The memory that each remedy needs if a whole data set was put on the device. The refused request
 * is its size; the shape of the request, or a printed shape of that size, gives the number of
 * samples.
 */
#include "answer/words.h"

#include <math.h>

struct set {
    double bytes, sample, samples; /* samples: 0 = not known */
    /* bytes of the device: free for the data set; in use without it */
    double room, held;
    uint64_t batch;
    unsigned times; /* factor by which the remedy makes it smaller */
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

/* Keeps part of the data set on the device. The training needs an unknown amount, too: if little is
 * left for it, the probability is one half. */
static void keep(const struct set *set, double bytes, struct od_answer_action *action)
{
    static const double plenty = 0.7, sure = 0.95, even = 0.5;
    double share = bytes / set->room;
    action->saves = bytes_of(set->bytes - bytes);
    if (set->held + bytes > 0) /* other memory in use on the device is unknown */
        action->peak = bytes_of(set->held + bytes);
    action->fits = share > 1 ? 0 : share > plenty ? even : sure;
}

static double stated(const struct od_fit_facts *facts, enum od_setting_id id)
{
    uint64_t n;
    return od_num_parse_u64(od_case_setting(facts->q->c, id), &n) ? (double)n : 0;
}

static void stream(struct od_priced *p, const struct set *set, struct od_answer_action *action)
{
    if (set->sample <= 0)
        return;
    /* one batch in use, one being transferred */
    double bytes = set->sample * (double)set->batch * 2;
    keep(set, bytes, action);
    action->what = od_arena_printf(p->facts->arena, "%" PRIu64, set->batch);
    p->room = bytes_of(bytes / 2);
    p->sample = set->sample;
    p->samples = set->samples;
    p->validation = stated(p->facts, OD_SETTING_VALIDATION_SAMPLES);
    p->tests = stated(p->facts, OD_SETTING_TEST_SAMPLES);
}

static void part(struct od_priced *p, const struct set *set, struct od_answer_action *action)
{
    static const double first = 1000;
    if (set->sample <= 0 || set->samples <= first)
        return;
    keep(set, first * set->sample, action);
    action->what = "1000";
    p->room = bytes_of(first * set->sample);
    p->samples = fmin(set->room / set->sample, set->samples);
}

static void smaller(struct od_priced *p, const struct set *set, struct od_answer_action *action)
{
    keep(set, set->bytes / set->times, action);
    p->text = "smaller_dataset";
    p->then = bytes_of(set->bytes / set->times);
    p->room = bytes_of(set->room);
}

static void on_host(struct od_priced *p, const struct set *set, struct od_answer_action *action)
{
    keep(set, 0, action);
    p->then = bytes_of(set->bytes);
}

bool od_answer_price_dataset(struct od_priced *p, struct od_answer_action *action)
{
    static const struct {
        const char *id;
        void (*price)(struct od_priced *p, const struct set *set, struct od_answer_action *action);
        unsigned times;
    } prices[] = {{"stream_dataset", stream, 1},
                  {"use_part", part, 1},
                  {"smaller_type", smaller, 4},
                  {"half_array", smaller, 2},
                  {"cpu_only", on_host, 1}};
    struct set set;
    for (size_t i = 0; i < OD_COUNT_OF(prices); i++)
        if (strcmp(prices[i].id, p->remedy) == 0 && set_of(p->facts, &set)) {
            set.times = prices[i].times;
            prices[i].price(p, &set, action);
            action->figures = od_answer_words(p, action);
            return true;
        }
    return false;
}
