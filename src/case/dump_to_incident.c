#include "case/allocator_parts.h"
#include "case/builder.h"
#include "case/device.h"

enum {
    AFTER_DUMP = 2,  /* old versions print "Ran out of memory" this many lines below their dump */
    ERROR_LINES = 50 /* most lines between a dump and the error of its operation */
};

static uint64_t last_line(const struct od_dump *dump)
{
    return dump->at.line + (dump->at.nlines > 0 ? dump->at.nlines - 1 : 0);
}

/* Can the incident's request have caused the dump? */
static bool may_be_request(const struct od_merge *d, const struct od_allocator *a)
{
    const struct od_incident *inc = &d->inc;
    struct od_bytes request = od_request_of(a->dump.requested, a->dump.rounded);
    bool names = inc->allocator.n == 0 || a->name.n == 0 || od_view_eq(inc->allocator, a->name);
    bool devices = inc->device.n == 0 || a->device.n == 0 || od_view_eq(inc->device, a->device);
    bool ranks = !a->dump.place || (inc->rank.known == a->dump.place->rank.known &&
                                    inc->rank.n == a->dump.place->rank.n);
    bool kinds = inc->kind == OD_INC_DEVICE_ALLOC_FAILED || inc->kind == OD_INC_HOST_ALLOC_FAILED;
    return kinds && names && devices && ranks && od_bytes_same(inc->requested, request) != OD_NO;
}

/* The refusal on the first line of the dump, otherwise one in it or directly below it. */
static struct od_merge *find_refusal(struct od_case_builder *b, const struct od_allocator *a)
{
    struct od_merge *inside = NULL;
    OD_FOR_EACH (const struct od_refused_line, r, b->refused) {
        struct od_merge *d = &b->merges.items[r->merge];
        if (r->source != a->dump.at.source || r->line < a->dump.at.line ||
            r->line > last_line(&a->dump) + AFTER_DUMP)
            continue;
        if (r->line == a->dump.at.line)
            return d;
        if (!a->dump.has_header && may_be_request(d, a))
            inside = d;
    }
    return inside;
}

/* The operation's error below the dump, if no refusal explains the dump. */
static struct od_merge *find_error_below(struct od_case_builder *b, const struct od_allocator *a)
{
    OD_FOR_EACH (struct od_merge, d, b->merges)
        if (d->inc.op_error && d->refused == 0 && d->inc.at.source == a->dump.at.source &&
            d->inc.at.line > last_line(&a->dump) &&
            d->inc.at.line - last_line(&a->dump) <= ERROR_LINES && may_be_request(d, a))
            return d;
    return NULL;
}

static bool is_above(const struct od_merge *d, const struct od_allocator *a)
{
    return d->inc.at.source == a->dump.at.source && d->inc.at.line < a->dump.at.line;
}

/* The nearest incident of the same allocator above the dump. */
static struct od_merge *find_above(struct od_case_builder *b, const struct od_allocator *a)
{
    struct od_merge *nearest = NULL;
    OD_FOR_EACH (struct od_merge, d, b->merges) {
        bool same_request =
            od_bytes_same(d->inc.requested, od_request_of(a->dump.requested, a->dump.rounded)) ==
            OD_YES;
        if (is_above(d, a) && may_be_request(d, a) && (same_request || !a->dump.has_header) &&
            (!nearest || d->inc.last.line >= nearest->inc.last.line))
            nearest = d;
    }
    return nearest;
}

/* Does the dump show a failure? Allocators dump only when they fail, but a few rows of a dump do
 * not prove it. */
static bool shows_failure(const struct od_allocator *a)
{
    const struct od_dump *dump = &a->dump;
    return (dump->has_header && a->need.known) || a->has_chunks || dump->occupancy.n > 0 ||
           (a->in_use.known && (dump->summary.n > 0 || dump->bins.n > 0 || dump->sum_total.known));
}

static const char *first_words(struct od_case_builder *b, const struct od_allocator *a)
{
    return od_arena_printf(b->arena, "dump of allocator %.*s",
                           a->name.n > 0 ? (int)(a->name.n < 100 ? a->name.n : 100) : 1,
                           a->name.n > 0 ? a->name.p : "?");
}

static struct od_merge *make_incident(struct od_case_builder *b, const struct od_allocator *a)
{
    if (!shows_failure(a))
        return NULL;
    bool host = od_view_eq_str(a->device, "CPU") && !od_device_is_pool(a->name);
    struct od_merge *d =
        od_merge_new(b, host ? OD_INC_HOST_ALLOC_FAILED : OD_INC_DEVICE_ALLOC_FAILED, a->dump.at);
    if (!d)
        return NULL;
    struct od_evidence said = {.at = a->dump.at, .text = od_view_of(first_words(b, a))};
    od_vec_push(&d->inc.evidence, said);
    d->inc.requested = od_request_of(a->dump.requested, a->dump.rounded);
    d->inc.allocator = a->name;
    d->inc.device = a->device;
    d->inc.stamp = a->dump.stamp;
    if (a->dump.place)
        d->inc.rank = a->dump.place->rank;
    return d;
}

/* Counts a further dump as another occurrence of a failure that only dumps show. */
static void count_dump(struct od_merge *d, const struct od_allocator *a)
{
    if (d->refused > 0 || d->failed > 0)
        return;
    d->inc.count++;
    d->inc.last = a->dump.at;
}

/* Takes the request from the text directly below the dump. */
static void take_request(struct od_allocator *a, const struct od_merge *d)
{
    if (a->need.known)
        return;
    a->need = od_family_round(a->dump.family, d->inc.requested);
    a->verdict = od_verdict_of(a);
}

static struct od_merge *owner_of(struct od_case_builder *b, struct od_allocator *a)
{
    struct od_merge *d = find_refusal(b, a);
    if (!d)
        d = find_error_below(b, a);
    if (d)
        take_request(a, d);
    else
        d = find_above(b, a);
    return d ? d : make_incident(b, a);
}

static void fill_count(struct od_bytes *to, struct od_count from)
{
    if (from.known)
        od_fill_bytes(to, od_bytes_exact(from.n));
}

static void fill_from_dump(struct od_case_builder *b, struct od_incident *inc)
{
    const struct od_allocator *a = b->c->allocators.items[inc->dump - 1];
    struct od_bytes request = od_request_of(a->dump.requested, a->dump.rounded);
    od_fill_text(b, &inc->allocator, a->name);
    od_fill_text(b, &inc->device, a->device);
    od_fill_text(b, &inc->tensor.op, a->dump.op);
    od_fill_bytes(&inc->requested, request);
    fill_count(&inc->limit, a->limit);
    fill_count(&inc->in_use, a->in_use);
    fill_count(&inc->peak, a->dump.stats.max_in_use);
    fill_count(&inc->reserved, a->pool);
    if (a->chunks_complete)
        od_fill_bytes(&inc->free, od_bytes_exact(a->free_bytes));
}

/* The failure whose dump shows the same state. */
static struct od_merge *find_same_state(struct od_case_builder *b, const struct od_allocator *a)
{
    OD_FOR_EACH (struct od_merge, d, b->merges) {
        if (d->inc.dump == 0 || !may_be_request(d, a))
            continue;
        const struct od_allocator *held = b->c->allocators.items[d->inc.dump - 1];
        if (held->in_use.known && a->in_use.known && held->in_use.n == a->in_use.n &&
            od_view_eq(held->name, a->name))
            return d;
    }
    return NULL;
}

/* The last failure of the same allocator or of the same request. */
static struct od_merge *find_anywhere(struct od_case_builder *b, const struct od_allocator *a)
{
    for (size_t i = b->merges.n; i-- > 0;) {
        struct od_merge *d = &b->merges.items[i];
        bool same = a->dump.requested.known
                        ? od_bytes_same(d->inc.requested, a->dump.requested) == OD_YES
                        : d->inc.allocator.n > 0 && od_view_eq(d->inc.allocator, a->name);
        if (d->inc.dump == 0 && same && may_be_request(d, a))
            return d;
    }
    return NULL;
}

/* Links a dump from a file, which has no place in a log, to a failure in any source. */
static void link_file(struct od_case_builder *b, size_t i)
{
    struct od_allocator *a = b->c->allocators.items[i];
    bool torch = a->dump.family == OD_FAMILY_TORCH;
    /* snapshots are possible at any time, but only one of a failure has a request */
    if (torch && !a->dump.requested.known)
        return;
    struct od_merge *d = find_same_state(b, a);
    if (d) {
        /* the dump in the log has more than the file */
        const struct od_allocator *printed = b->c->allocators.items[d->inc.dump - 1];
        if (!a->limit.known)
            a->limit = printed->limit;
        take_request(a, d);
        return;
    }
    d = find_anywhere(b, a);
    if (d)
        take_request(a, d);
    else if (!torch)
        d = make_incident(b, a);
    if (!d)
        return;
    count_dump(d, a);
    d->inc.dump = i + 1;
}

static void link_printed(struct od_case_builder *b)
{
    for (size_t i = 0; i < b->c->allocators.n; i++) {
        struct od_allocator *a = b->c->allocators.items[i];
        struct od_merge *d = a->dump.from_file ? NULL : owner_of(b, a);
        if (!d)
            continue;
        /* of several dumps of one failure, the last complete one shows its final state */
        size_t held = d->inc.dump;
        count_dump(d, a);
        if (held == 0 || a->chunks_complete >= b->c->allocators.items[held - 1]->chunks_complete)
            d->inc.dump = i + 1;
    }
}

void od_dumps_assign(struct od_case_builder *b)
{
    link_printed(b);
    for (size_t i = 0; i < b->c->allocators.n; i++) {
        if (b->c->allocators.items[i]->dump.from_file)
            link_file(b, i);
    }
    for (size_t i = 0; i < b->merges.n; i++) {
        if (b->merges.items[i].inc.dump > 0)
            fill_from_dump(b, &b->merges.items[i].inc);
    }
}
