#include "case/builder.h"

enum {
    LOOK_BACK = 32,   /* an error message is compared with this many incidents */
    NODE_LINES = 50,  /* most lines between a node line and its error */
    KEYS_EACH = 4,    /* average number of keys of an incident */
    COPY_LINES = 500, /* most lines between an error and a copy of it without names */
};

static void key_text(struct od_buf *key, struct od_view text)
{
    od_buf_printf(key, "%zu:", text.n);
    od_buf_add(key, text);
}

/* Starts a key with the attempt, host, rank, device and allocator. */
static void key_start(struct od_case_builder *b, char tag, const struct od_sighting *s)
{
    b->key.n = 0;
    od_buf_printf(&b->key, "%c%u/%" PRIu64 "/%d.%" PRIu64 "/", tag, (unsigned)s->kind, b->attempt,
                  s->rank.known, s->rank.n);
    key_text(&b->key, s->host);
    key_text(&b->key, s->device);
    key_text(&b->key, s->allocator);
}

static void key_request(struct od_case_builder *b, const struct od_sighting *s)
{
    od_buf_printf(&b->key, "/%d.%" PRIu64 ".%" PRIu64, s->requested.known, s->requested.lo,
                  s->requested.hi);
}

static void key_tensor(struct od_case_builder *b, const struct od_sighting *s)
{
    od_buf_printf(&b->key, "/%u", (unsigned)s->dtype);
    for (uint32_t i = 0; i < s->shape.n; i++)
        od_buf_printf(&b->key, ",%" PRIu64, s->shape.dims[i]);
    /* without a shape, the operation distinguishes two failures */
    if (!s->shape.known)
        key_text(&b->key, s->op);
}

static struct od_merge *find_by_key(struct od_case_builder *b)
{
    const uint64_t *at = od_map_get(&b->merges_by_key, od_buf_view(&b->key));
    return at ? &b->merges.items[*at - 1] : NULL;
}

/* Adds the current key for this incident. */
static void remember_key(struct od_case_builder *b, const struct od_merge *d)
{
    if (b->merges_by_key.n < (size_t)OD_INCIDENTS_MAX * KEYS_EACH)
        *od_map_at(&b->merges_by_key, od_buf_view(&b->key)) = (uint64_t)(d - b->merges.items) + 1;
}

static struct od_merge *new_merge(struct od_case_builder *b, const struct od_sighting *s)
{
    struct od_merge *d = od_merge_new(b, s->kind, s->event->at);
    if (!d)
        return NULL;
    d->host = od_case_copy(b, s->host);
    const struct od_line *line = s->event->line;
    d->inc.titled = line && line->segment == OD_SEGMENT_TITLE;
    d->inc.printed_by =
        line && line->place ? od_case_copy(b, line->place->process) : (struct od_view){0};
    remember_key(b, d);
    return d;
}

static struct od_merge *merge_for_key(struct od_case_builder *b, const struct od_sighting *s)
{
    struct od_merge *d = find_by_key(b);
    return d ? d : new_merge(b, s);
}

void od_fold_soft(struct od_case_builder *b, const struct od_event *event)
{
    struct od_sighting s = od_see(b, event);
    s.kind = OD_INC_SOFT_WARNING;
    key_start(b, 's', &s);
    struct od_merge *d = merge_for_key(b, &s);
    if (!d)
        return;
    if (s.requested.known && d->inc.requested.known && s.requested.n > d->inc.requested.n)
        d->inc.requested = s.requested;
    od_merge_add(b, d, &s);
    d->inc.count = d->occurrences;
}

/* Events that each make an incident. Repeats with the same name, process and group are merged. */
static const enum od_event_kind plain_kinds[OD_INC_END] = {
#define OD_INCIDENT_KIND(constant, name, scope, is, depth, least, event) OD_EV_##event,
#include "case/incident_kinds.def"
};

/* A first line that reports a failure without process or amounts. */
static bool is_headline(const struct od_incident *inc)
{
    return inc->count == 1 && !inc->process.pid.known && inc->process.name.n == 0 &&
           inc->group.n == 0 && !inc->in_use.known && !inc->limit.known && !inc->requested.known;
}

/* The headline that this event continues, on the same line or the program's next line; NULL =
 * none. */
static struct od_merge *headline_of(struct od_case_builder *b, const struct od_sighting *s)
{
    if (b->latest_failure == 0)
        return NULL;
    struct od_merge *d = &b->merges.items[b->latest_failure - 1];
    const struct od_prov *at = &s->event->at;
    bool next = d->inc.last.source == at->source && at->line >= d->inc.last.line &&
                at->line - d->inc.last.line <= OD_NEXT_LINES;
    bool same = d->attempt == b->attempt && d->inc.kind == s->kind &&
                d->inc.rank.known == s->rank.known && d->inc.rank.n == s->rank.n &&
                od_view_eq(d->host, s->host) && od_view_eq(d->inc.device, s->device) &&
                od_view_eq(d->inc.producer, od_event_text(s->event, OD_F_PRODUCER));
    return next && same && is_headline(&d->inc) ? d : NULL;
}

static struct od_merge *plain_merge(struct od_case_builder *b, const struct od_sighting *s)
{
    struct od_merge *d = find_by_key(b);
    if (d)
        return d;
    d = headline_of(b, s);
    if (!d)
        return new_merge(b, s);
    remember_key(b, d);
    d->nwordings = 0; /* the continuation may repeat a wording */
    return d;
}

struct od_bytes od_limit_of_job(const struct od_event *event)
{
    struct od_count slots = od_event_count(event, OD_F_COUNT);
    struct od_bytes limit = od_event_bytes(event, OD_F_LIMIT);
    uint64_t n;
    if (event->kind != OD_EV_JOB_KILLED || !slots.known || !limit.known)
        return limit;
    return ckd_mul(&n, limit.n, slots.n) ? (struct od_bytes){0} : od_bytes_exact(n);
}

void od_fold_plain(struct od_case_builder *b, const struct od_event *event)
{
    struct od_sighting s = od_see(b, event);
    s.kind = 0;
    while (s.kind < OD_INC_END - 1 && plain_kinds[s.kind] != event->kind)
        s.kind++;
    key_start(b, 'p', &s);
    struct od_count pid = od_event_count(event, OD_F_PID);
    od_buf_printf(&b->key, "/%d.%" PRIu64 "/", pid.known, pid.n);
    key_text(&b->key, od_event_text(event, OD_F_NAME));
    key_text(&b->key, od_event_text(event, OD_F_PROCESS));
    key_text(&b->key, od_event_text(event, OD_F_GROUP));
    struct od_merge *d = plain_merge(b, &s);
    if (!d)
        return;
    /* a second signal, because the first one did not end the process */
    if (d->inc.kind != s.kind) {
        d->inc.kind = s.kind;
        d->inc.fatal = OD_CANNOT_TELL;
        b->of_device = b->of_device || !od_incident_kind_is_host(s.kind);
    }
    od_fill_bytes(&d->inc.limit, od_limit_of_job(event));
    od_merge_add(b, d, &s);
    d->inc.count = d->occurrences;
}

void od_fold_reading(struct od_case_builder *b, const struct od_event *event)
{
    struct od_view producer = od_event_text(event, OD_F_PRODUCER);
    if (od_view_eq_str(od_event_text(event, OD_F_PROCESS), "heap")) {
        b->heap_used = od_event_bytes(event, OD_F_RSS);
        b->heap_size = od_event_bytes(event, OD_F_RESERVED);
    }
    if (producer.n == 0 || !od_view_eq_str(od_event_text(event, OD_F_SPACE), "host"))
        return;
    if (!od_view_eq(producer, b->reading.producer))
        b->reading = (struct od_reading_of_machine){.producer = od_case_copy(b, producer)};
    const struct {
        struct od_bytes *to;
        enum od_field field;
    } sizes[] = {{&b->reading.free, OD_F_FREE},
                 {&b->reading.capacity, OD_F_CAPACITY},
                 {&b->reading.swap, OD_F_SWAP},
                 {&b->reading.swap_free, OD_F_SWAP_FREE}};
    for (size_t i = 0; i < OD_COUNT_OF(sizes); i++) {
        struct od_bytes size = od_event_bytes(event, sizes[i].field);
        *sizes[i].to = size.known ? size : *sizes[i].to;
    }
}

void od_fold_pressure(struct od_case_builder *b, const struct od_event *event)
{
    od_fold_plain(b, event);
    if (b->latest_failure == 0 ||
        !od_view_eq(od_event_text(event, OD_F_PRODUCER), b->reading.producer))
        return;
    struct od_incident *inc = &b->merges.items[b->latest_failure - 1].inc;
    od_fill_bytes(&inc->free, b->reading.free);
    od_fill_bytes(&inc->capacity, b->reading.capacity);
    if (b->reading.swap.n > 0) {
        od_fill_bytes(&inc->swap, b->reading.swap);
        od_fill_bytes(&inc->swap_free, b->reading.swap_free);
    }
}

void od_fold_tenant(struct od_case_builder *b, const struct od_event *event)
{
    if (b->latest_failure == 0)
        return;
    struct od_incident *inc = &b->merges.items[b->latest_failure - 1].inc;
    struct od_tenant tenant = {.pid = od_event_count(event, OD_F_PID),
                               .bytes = od_event_bytes(event, OD_F_IN_USE)};
    for (size_t i = 0; i < inc->others.n; i++) {
        const struct od_count *known = &inc->others.items[i].pid;
        if (tenant.pid.known && known->known && known->n == tenant.pid.n)
            return;
    }
    if (inc->others.n >= OD_TENANTS_MAX)
        return;
    tenant.name = od_case_copy(b, od_event_text(event, OD_F_PROCESS));
    od_vec_push(&inc->others, tenant);
}

void od_fold_holding(struct od_case_builder *b, const struct od_event *event)
{
    if (b->latest_failure == 0)
        return;
    struct od_incident *inc = &b->merges.items[b->latest_failure - 1].inc;
    struct od_held held = {.kind = od_holding_kind_find(od_event_text(event, OD_F_NAME)),
                           .name = od_event_text(event, OD_F_PROCESS),
                           .count = od_event_count(event, OD_F_COUNT),
                           .pid = od_event_count(event, OD_F_PID),
                           .bytes = od_event_bytes(event, OD_F_IN_USE),
                           .swap = od_event_bytes(event, OD_F_SWAP),
                           .least = od_event_bytes(event, OD_F_SMALLEST)};
    (void)od_event_number(event, OD_F_SCORE_ADJ, &held.score_adj);
    OD_FOR_EACH (const struct od_held, known, inc->holdings)
        if (known->kind == held.kind && od_view_eq(known->name, held.name))
            return;
    if (held.kind == OD_HELD_KINDS || inc->holdings.n >= OD_HOLDINGS_MAX)
        return;
    held.name = od_case_copy(b, held.name);
    od_vec_push(&inc->holdings, held);
}

void od_fold_not_ended(struct od_case_builder *b, const struct od_event *event)
{
    enum { NEAR = 16 };
    if (b->latest_failure == 0)
        return;
    struct od_incident *inc = &b->merges.items[b->latest_failure - 1].inc;
    struct od_count pid = od_event_count(event, OD_F_PID);
    bool other = pid.known && inc->process.pid.known && pid.n != inc->process.pid.n;
    if (inc->kind != OD_INC_PRESSURE_KILL || other || inc->last.source != event->at.source ||
        event->at.line - inc->last.line > NEAR)
        return;
    inc->kind = OD_INC_SOFT_WARNING;
    inc->fatal = OD_NO;
    od_vec_push(&inc->evidence, od_case_copy_evidence(b, event));
}

static void count_repeats(struct od_merge *d)
{
    uint64_t most = d->refused > d->failed ? d->refused : d->failed;
    d->inc.count = most < d->occurrences ? most : d->occurrences;
}

enum match { NO_MATCH, WEAK, STRONG };

static bool texts_differ(struct od_view a, struct od_view b)
{
    return a.n > 0 && b.n > 0 && !od_view_eq(a, b);
}

/* Is one a fork and the other a request for memory? They are separate failures. */
static bool is_fork_and_request(const struct od_merge *d, const struct od_sighting *s)
{
    return d->fork != s->fork && (s->fork ? d->inc.requested.known : s->requested.known);
}

static bool same_place(const struct od_case_builder *b, const struct od_merge *d,
                       const struct od_sighting *s)
{
    return !is_fork_and_request(d, s) && d->attempt == b->attempt && d->inc.kind == s->kind &&
           d->inc.rank.known == s->rank.known && d->inc.rank.n == s->rank.n &&
           od_view_eq(d->host, s->host) && !texts_differ(d->inc.device, s->device) &&
           !texts_differ(d->inc.allocator, s->allocator);
}

static bool same_shape(const struct od_shape *a, const struct od_shape *b)
{
    return a->n == b->n && memcmp(a->dims, b->dims, a->n * sizeof a->dims[0]) == 0;
}

static enum match compare_tensors(const struct od_tensor *tensor, const struct od_sighting *s)
{
    if (tensor->shape.known && s->shape.known) {
        bool dtypes_differ = tensor->dtype != OD_DTYPE_UNKNOWN && s->dtype != OD_DTYPE_UNKNOWN &&
                             tensor->dtype != s->dtype;
        return same_shape(&tensor->shape, &s->shape) && !dtypes_differ ? STRONG : NO_MATCH;
    }
    if (!tensor->shape.known && !s->shape.known && texts_differ(tensor->op, s->op))
        return NO_MATCH;
    return WEAK;
}

static enum match compare_requests(const struct od_incident *inc, const struct od_sighting *s)
{
    enum od_tri said = od_bytes_same(inc->requested, s->requested);
    enum od_tri tensor = od_request_is_tensor(inc->requested, &s->shape, s->tensor_bytes);
    if (said == OD_NO || tensor == OD_NO)
        return NO_MATCH;
    return said == OD_YES || tensor == OD_YES ? STRONG : WEAK;
}

/* The error directly above, at the same place, that names the operation or size and has no refusal
 * of its own; NULL = none. An exception may be printed above the allocator's message, because they
 * go through different buffers. */
static struct od_merge *error_above(struct od_case_builder *b, const struct od_sighting *s)
{
    if (b->latest_failure == 0)
        return NULL;
    struct od_merge *d = &b->merges.items[b->latest_failure - 1];
    const struct od_prov *at = &s->event->at;
    bool near = d->inc.last.source == at->source && at->line >= d->inc.last.line &&
                at->line - d->inc.last.line <= NODE_LINES;
    bool same = s->op.n > 0 && od_view_eq(d->inc.tensor.op, s->op);
    if (!near || d->refused > 0 || d->failed == 0 || !same_place(b, d, s))
        return NULL;
    enum match requests = compare_requests(&d->inc, s);
    return requests == STRONG || (same && requests == WEAK) ? d : NULL;
}

void od_fold_refused(struct od_case_builder *b, const struct od_event *event)
{
    struct od_sighting s = od_see(b, event);
    key_start(b, 'r', &s);
    key_request(b, &s);
    struct od_merge *d = error_above(b, &s);
    if (d)
        remember_key(b, d);
    else
        d = merge_for_key(b, &s);
    if (!d)
        return;
    od_merge_add(b, d, &s);
    d->refused++;
    count_repeats(d);
    if (b->refused.n < OD_REFUSED_LINES_MAX)
        od_vec_push(&b->refused,
                    ((struct od_refused_line){.source = event->at.source,
                                              .line = event->at.line,
                                              .merge = (size_t)(d - b->merges.items)}));
    else
        b->c->closed |= 1U << OD_LIST_REPEATS;
}

/* Is s the error of this incident: a copy of its message, or the error of the operation whose
 * request the allocator just refused? */
static enum match compare(const struct od_case_builder *b, const struct od_merge *d,
                          const struct od_sighting *s)
{
    if (!same_place(b, d, s))
        return NO_MATCH;
    enum match tensors = compare_tensors(&d->inc.tensor, s);
    enum match requests = compare_requests(&d->inc, s);
    if (tensors == NO_MATCH || requests == NO_MATCH)
        return NO_MATCH;
    if (tensors == STRONG || requests == STRONG)
        return STRONG;
    bool near = s->event->at.line - d->inc.last.line <= COPY_LINES;
    return d->failed == 0 || near ? WEAK : NO_MATCH;
}

static struct od_merge *find_recent(struct od_case_builder *b, const struct od_sighting *s)
{
    struct od_merge *best = NULL;
    enum match best_match = NO_MATCH;
    for (size_t i = 0; i < LOOK_BACK && i < b->merges.n; i++) {
        struct od_merge *d = &b->merges.items[b->merges.n - 1 - i];
        enum match match = compare(b, d, s);
        if (match > best_match) {
            best = d;
            best_match = match;
        }
    }
    return best;
}

/* Takes the memory from the program's previous message if this one names neither memory nor size
 * ("failed to allocate compute buffers"). Both report the same failure. */
static void take_kind_of_latest(const struct od_case_builder *b, struct od_sighting *s)
{
    enum { NEAR = 16 };
    if (s->device.n > 0 || s->requested.known || s->shape.known || b->latest_failure == 0 ||
        od_event_text(s->event, OD_F_SPACE).n > 0)
        return;
    const struct od_incident *inc = &b->merges.items[b->latest_failure - 1].inc;
    bool same = inc->kind == OD_INC_HOST_ALLOC_FAILED && inc->last.source == s->event->at.source &&
                od_view_eq(inc->producer, od_event_text(s->event, OD_F_PRODUCER));
    if (!same || s->event->at.line - inc->last.line > NEAR)
        return;
    s->kind = inc->kind;
    s->device = inc->device;
}

/* Takes memory in use and, if the heap was full, its size from the latest collection. Runtimes fail
 * with a few percent free, or after a long time with little free. */
static void take_heap(const struct od_case_builder *b, struct od_incident *inc,
                      const struct od_sighting *s)
{
    enum { FULL_PERCENT = 85 };
    const struct od_bytes *used = &b->heap_used, *size = &b->heap_size;
    bool full = size->known && used->n / FULL_PERCENT * 100 >= size->n;
    if (!used->known || (size->known && !full) || !s->full_heap)
        return;
    od_fill_bytes(&inc->in_use, *used);
    od_fill_bytes(&inc->limit, *size);
}

void od_fold_failed(struct od_case_builder *b, const struct od_event *event)
{
    struct od_sighting s = od_see(b, event);
    take_kind_of_latest(b, &s);
    key_start(b, s.fork ? 'F' : 'f', &s);
    key_request(b, &s);
    key_tensor(b, &s);
    struct od_merge *d = find_by_key(b);
    if (!d)
        d = find_recent(b, &s);
    if (!d)
        d = new_merge(b, &s);
    if (!d)
        return;
    d->fork = d->fork || s.fork;
    /* a message with a tensor finds its incident at any distance */
    if (s.shape.known)
        remember_key(b, d);
    od_merge_add(b, d, &s);
    take_heap(b, &d->inc, &s);
    d->inc.op_error = true;
    d->failed++;
    count_repeats(d);
}

void od_fold_node(struct od_case_builder *b, const struct od_event *event)
{
    if (b->latest_failure == 0)
        return;
    struct od_merge *d = &b->merges.items[b->latest_failure - 1];
    struct od_sighting s = od_see(b, event);
    uint64_t above = event->at.line - d->inc.last.line;
    bool function = od_view_starts(s.op, OD_VIEW("__inference_"));
    if ((d->inc.tensor.op.n > 0 && !function) || s.op.n == 0 || above > NODE_LINES ||
        event->at.source != d->inc.last.source || d->inc.rank.known != s.rank.known ||
        d->inc.rank.n != s.rank.n)
        return;
    if (function) /* the function that was called, not the failed operation */
        d->inc.evaluating = true;
    else
        od_merge_add_tensor(b, d, &s);
}

void od_fold_driver(struct od_case_builder *b, const struct od_event *event)
{
    struct od_case *c = b->c;
    struct od_bytes requested = od_event_bytes(event, OD_F_REQUESTED);
    c->driver_refusal_count++;
    struct od_sighting s = od_see(b, event);
    if (b->driver.inc.count++ == 0) {
        b->driver.inc.kind = s.kind = OD_INC_SOFT_WARNING;
        b->driver.inc.at = event->at;
        b->driver.inc.fatal = OD_NO;
        b->driver.inc.unified = OD_CANNOT_TELL;
    }
    od_merge_add(b, &b->driver, &s);
    if (c->driver_refusals.n < OD_DRIVER_EVIDENCE_MAX)
        od_vec_push(&c->driver_refusals, od_case_copy_evidence(b, event));
    if (requested.known &&
        (!c->driver_refused_smallest.known || requested.n < c->driver_refused_smallest.n))
        c->driver_refused_smallest = requested;
    if (requested.known &&
        (!c->driver_refused_largest.known || requested.n > c->driver_refused_largest.n))
        c->driver_refused_largest = requested;
}

void od_driver_incident(struct od_case_builder *b)
{
    if (b->merges.n == 0 && b->driver.inc.count > 0)
        od_vec_push(&b->merges, b->driver);
    else
        od_vec_done(&b->driver.inc.evidence);
}
