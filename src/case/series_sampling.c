#include "case/series_sampling.h"

void od_sampled_done(struct od_sampled *t)
{
    od_vec_done(&t->all);
    od_vec_done(&t->buckets);
    od_vec_done(&t->sample);
}

static bool is_below(const struct od_fold_point *a, const struct od_fold_point *b)
{
    return a->value < b->value;
}

/* The minimum and the maximum of both buckets; of equal values the first minimum and the last
 * maximum. */
static struct od_bucket merged(const struct od_bucket *x, const struct od_bucket *y)
{
    const struct od_fold_point *four[] = {&x->a, &x->b, &y->a, &y->b};
    size_t low = 0, high = 0;
    for (size_t i = 1; i < OD_COUNT_OF(four); i++) {
        if (is_below(four[i], four[low]))
            low = i;
        if (!is_below(four[i], four[high]))
            high = i;
    }
    return (struct od_bucket){*four[low < high ? low : high], *four[low < high ? high : low]};
}

/* Each bucket has two points; the first and the last point are stored separately. */
static size_t most_buckets(const struct od_sampled *t)
{
    return t->most / 2 - 1;
}

static void halve_buckets(struct od_sampled *t)
{
    size_t kept = t->buckets.n / 2;
    for (size_t i = 0; i < kept; i++)
        t->buckets.items[i] = merged(&t->buckets.items[2 * i], &t->buckets.items[2 * i + 1]);
    if (t->buckets.n % 2 == 1)
        t->buckets.items[kept++] = t->buckets.items[t->buckets.n - 1];
    else
        t->filled += t->stretch;
    t->buckets.n = kept;
    t->stretch *= 2;
}

static void add_to_bucket(struct od_sampled *t, const struct od_fold_point *point)
{
    const struct od_bucket one = {*point, *point};
    if (t->buckets.n == 0 || t->filled == t->stretch) {
        if (t->buckets.n >= most_buckets(t))
            halve_buckets(t);
        od_vec_push(&t->buckets, one);
        t->filled = 1;
        return;
    }
    struct od_bucket *last = &t->buckets.items[t->buckets.n - 1];
    t->filled++;
    const struct od_fold_point *low = is_below(&last->b, &last->a) ? &last->b : &last->a;
    const struct od_fold_point *high = low == &last->a ? &last->b : &last->a;
    if (is_below(point, low) || !is_below(point, high))
        *last = merged(last, &one);
}

static void begin_buckets(struct od_sampled *t)
{
    t->stretch = 4;
    for (size_t i = 0; i < t->all.n; i++)
        add_to_bucket(t, &t->all.items[i]);
    od_vec_done(&t->all);
}

static uint64_t next_chance(struct od_sampled *t)
{
    t->chance = t->chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return t->chance >> 33;
}

/* Keeps a random one of each pair of stretches. A stretch without a pair stays. */
static void halve_sample(struct od_sampled *t)
{
    size_t kept = t->sample.n / 2;
    for (size_t i = 0; i < kept; i++)
        t->sample.items[i] = t->sample.items[2 * i + next_chance(t) % 2];
    if (t->sample.n % 2 == 1)
        t->sample.items[kept++] = t->sample.items[t->sample.n - 1];
    else
        t->sample_filled += t->sample_stretch;
    t->sample.n = kept;
    t->sample_stretch *= 2;
}

static size_t most_judged(const struct od_sampled *t)
{
    return t->most / (OD_SERIES_POINTS / OD_SERIES_SAMPLE);
}

void od_sampled_limit(struct od_sampled *t, size_t most)
{
    t->most = most;
    while (t->sample.n > most_judged(t))
        halve_sample(t);
    od_vec_trim(&t->sample);
    if (t->all.n > most)
        begin_buckets(t);
    while (t->buckets.n > most_buckets(t))
        halve_buckets(t);
    od_vec_trim(&t->buckets);
}

static void keep_shown(struct od_sampled *t, const struct od_fold_point *point)
{
    t->tail = *point;
    if (t->count == 0)
        t->head = *point;
    if (t->stretch == 0 && t->all.n < t->most) {
        od_vec_push(&t->all, *point);
        return;
    }
    if (t->stretch == 0)
        begin_buckets(t);
    add_to_bucket(t, point);
}

/* Keeps one random point of each stretch. */
static void keep_judged(struct od_sampled *t, const struct od_fold_point *point)
{
    if (t->sample.n > 0 && t->sample_filled < t->sample_stretch) {
        t->sample_filled++;
        if (next_chance(t) % t->sample_filled == 0)
            t->sample.items[t->sample.n - 1] = *point;
        return;
    }
    if (t->sample.n >= most_judged(t))
        halve_sample(t);
    od_vec_push(&t->sample, *point);
    t->sample_filled = 1;
}

void od_sampled_add(struct od_sampled *t, const struct od_fold_point *point)
{
    if (t->sample_stretch == 0)
        t->sample_stretch = 1;
    keep_shown(t, point);
    keep_judged(t, point);
    t->count++;
}

static bool is_same(const struct od_fold_point *a, const struct od_fold_point *b)
{
    return a->line == b->line && !(a->value < b->value) && !(a->value > b->value);
}

/* the first and the last point may also be in a bucket */
static size_t put(const struct od_fold_point **list, size_t n, const struct od_fold_point *point)
{
    if (n > 0 && is_same(list[n - 1], point))
        return n;
    list[n] = point;
    return n + 1;
}

void od_sampled_scale(struct od_sampled *t, double factor)
{
    for (size_t i = 0; i < t->all.n; i++)
        t->all.items[i].value *= factor;
    for (size_t i = 0; i < t->buckets.n; i++) {
        t->buckets.items[i].a.value *= factor;
        t->buckets.items[i].b.value *= factor;
    }
    for (size_t i = 0; i < t->sample.n; i++)
        t->sample.items[i].value *= factor;
    t->head.value *= factor;
    t->tail.value *= factor;
}

size_t od_sampled_shown(const struct od_sampled *t, const struct od_fold_point **ret_points)
{
    size_t n = 0;
    for (size_t i = 0; i < t->all.n; i++)
        ret_points[n++] = &t->all.items[i];
    if (t->stretch == 0)
        return n;
    n = put(ret_points, n, &t->head);
    for (size_t i = 0; i < t->buckets.n; i++) {
        n = put(ret_points, n, &t->buckets.items[i].a);
        n = put(ret_points, n, &t->buckets.items[i].b);
    }
    return put(ret_points, n, &t->tail);
}
