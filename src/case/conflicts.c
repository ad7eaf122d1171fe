#include "case/allocator_parts.h"
#include "case/builder.h"

#include <math.h>

__attribute__((format(printf, 4, 5))) static void add(struct od_case_builder *b, const char *code,
                                                      struct od_prov at, const char *format, ...)
{
    if (b->c->conflicts.n >= OD_CONFLICTS_MAX) {
        b->c->closed |= 1U << OD_LIST_CONFLICTS;
        return;
    }
    va_list args;
    va_start(args, format);
    struct od_conflict conflict = {.code = code, .at = at};
    conflict.message = od_view_of(od_arena_vprintf(b->arena, format, args));
    va_end(args);
    od_vec_push(&b->c->conflicts, conflict);
}

static struct od_prov line_in(const struct od_dump *dump, uint64_t line)
{
    return (struct od_prov){
        .source = dump->at.source, .nlines = 1, .line = line > 0 ? line : dump->at.line};
}

/* "; what is in use has room for 4 beside the other rows, which leaves 10.25 KiB" */
static const char *settled_words(struct od_case_builder *b, const struct od_allocator *a)
{
    return od_arena_printf(b->arena,
                           "; what is in use has room for %" PRIu64
                           " beside the other rows, which leaves %s",
                           a->settled.count, od_bytes_text_u64(b->arena, a->settled.rest));
}

static void add_row(struct od_case_builder *b, const struct od_allocator *a, size_t i)
{
    const struct od_dump *dump = &a->dump;
    const struct od_summary_row *row = &dump->summary.items[i];
    char total[OD_BYTES_TEXT], product[OD_BYTES_TEXT], one[OD_BYTES_TEXT];
    const char *counts = "no whole number of them makes that";
    uint64_t made, least, most, shown;
    made = ckd_mul(&made, row->count, row->bytes) ? UINT64_MAX : made;
    (void)od_bytes_print(row->total, total);
    (void)od_bytes_print_u64(made, product);
    if (od_row_counts(row, &least, &most)) {
        (void)od_bytes_print_u64(ckd_mul(&shown, least, row->bytes) ? UINT64_MAX : shown, one);
        counts = least == most
                     ? od_arena_printf(b->arena, "%" PRIu64 " would make %s", least, one)
                     : od_arena_printf(b->arena, "%" PRIu64 " to %" PRIu64 " would", least, most);
    }
    add(b, "size-times-count", line_in(dump, row->line),
        "%" PRIu64 " Chunks of size %" PRIu64 " totalling %s: %" PRIu64 " make %s; %s%s",
        row->count, row->bytes, total, row->count, product, counts,
        a->settled.known && a->settled.row == i ? settled_words(b, a) : "");
}

static void find_rows(struct od_case_builder *b, const struct od_allocator *a)
{
    for (size_t i = 0; i < a->dump.summary.n; i++)
        if (od_row_contradicts(&a->dump.summary.items[i]))
            add_row(b, a, i);
}

/* Checks that fail if two printed numbers contradict each other, with the code of that conflict. */
static const struct {
    enum od_check_id id;
    const char *code;
} check_codes[] = {
    {OD_CHECK_CHUNKS_SUM_TO_IN_USE, "chunks-in-use"},
    {OD_CHECK_SUMMARY_SUMS_TO_IN_USE, "summary-in-use"},
    {OD_CHECK_REGIONS_SUM_TO_POOL, "regions-pool"},
    {OD_CHECK_BINS_MATCH, "bins-chunks"},
    {OD_CHECK_OCCUPANCY_MATCHES, "occupancy-chunks"},
};

static void find_failed_checks(struct od_case_builder *b, const struct od_allocator *a)
{
    for (size_t i = 0; i < OD_COUNT_OF(check_codes); i++) {
        const struct od_check *check = &a->checks[check_codes[i].id];
        if (check->result == OD_CHECK_FAIL)
            add(b, check_codes[i].code, line_in(&a->dump, check->line), "%.*s",
                (int)check->detail.n, check->detail.p);
    }
}

static void find_stats(struct od_case_builder *b, const struct od_allocator *a)
{
    const struct od_allocator_stats *stats = &a->dump.stats;
    struct od_prov at = line_in(&a->dump, stats->line);
    if (stats->in_use.known && stats->limit.known && stats->limit.n > 0 &&
        stats->in_use.n > stats->limit.n)
        add(b, "in-use-over-limit", at, "InUse %" PRIu64 " is more than Limit %" PRIu64,
            stats->in_use.n, stats->limit.n);
    if (od_bytes_less(a->dump.rounded, a->dump.requested) == OD_YES)
        add(b, "rounded-below-request", a->dump.at, "%s requested, rounded up to %s",
            od_bytes_text(b->arena, a->dump.requested), od_bytes_text(b->arena, a->dump.rounded));
    if (stats->in_use.known && stats->max_in_use.known && stats->max_in_use.n < stats->in_use.n)
        add(b, "peak-below-in-use", at,
            "MaxInUse %" PRIu64 " is less than InUse %" PRIu64 " at the same time",
            stats->max_in_use.n, stats->in_use.n);
}

static void contradict(struct od_case_builder *b, struct od_incident *inc, const char *code,
                       const char *words, struct od_bytes sum)
{
    add(b, code, inc->at, "%s %s of %s", words, od_bytes_text(b->arena, sum),
        od_bytes_text(b->arena, inc->capacity));
    inc->contradicts = true;
}

static const struct {
    size_t part, whole;
    enum od_scope of;
    double most;
    const char *code, *what, *note;
} pairs[] = {
#define OD_PAIR(part, whole, of, ...)                                                        \
    {offsetof(struct od_incident, part), offsetof(struct od_incident, whole), OD_SCOPE_##of, \
     __VA_ARGS__},
#include "case/conflict_pairs.def"
};

/* Drops free memory above the capacity. A negative one is no conflict: drivers of integrated
 * graphics print the result of a subtraction. */
static void find_pairs(struct od_case_builder *b, struct od_incident *inc)
{
    const char *last = "";
    for (size_t i = 0; i < OD_COUNT_OF(pairs); i++) {
        struct od_amount part = od_incident_amount(inc, pairs[i].part),
                         whole = od_incident_amount(inc, pairs[i].whole);
        if ((pairs[i].of != OD_SCOPE_UNKNOWN && pairs[i].of != part.scope) ||
            !od_scope_is_within(part.scope, whole.scope) || od_amount_less(whole, part) != OD_YES ||
            strcmp(last, pairs[i].code) == 0 ||
            (double)part.bytes.lo < pairs[i].most * (double)whole.bytes.hi)
            continue;
        last = pairs[i].code;
        add(b, last, inc->at, "%s %s of %s%s", od_bytes_text(b->arena, part.bytes), pairs[i].what,
            od_bytes_text(b->arena, whole.bytes), pairs[i].note);
        inc->contradicts = inc->contradicts || part.bytes.lo <= INT64_MAX;
    }
    if (!od_incident_kind_is_host(inc->kind) && od_bytes_less(inc->capacity, inc->free) == OD_YES)
        inc->free = (struct od_bytes){0};
}

/* Finds two conflicts: other processes hold more than this process leaves of the device, or its own
 * memory and the free memory exceed the device. A process that holds as much as this one may be
 * itself (in a container under another PID). A table may be of another moment, so only a single
 * process above the device's size counts. */
static void find_of_device(struct od_case_builder *b, struct od_incident *inc)
{
    static const double alike = 0.05, rounded = 1.02; /* the process is measured slightly later */
    struct od_bytes own = inc->held, sum = own, most = own.known ? own : od_bytes_exact(0);
    bool itself = !own.known;
    OD_FOR_EACH (const struct od_tenant, t, inc->others) {
        bool is = !itself && fabs((double)t->bytes.n - (double)own.n) < alike * (double)own.n;
        most = od_bytes_less(most, t->bytes) == OD_YES ? t->bytes : most;
        itself = itself || is;
        if (t->bytes.known && !is && !t->listed)
            sum = od_bytes_add(sum, t->bytes);
    }
    sum = od_bytes_less(inc->capacity, most) == OD_YES ? most : sum;
    if (od_bytes_less(inc->capacity, sum) == OD_YES)
        contradict(b, inc, "held-over-capacity", "the processes hold", sum);
    sum = od_bytes_add(own.known ? own : inc->reserved, inc->free);
    if (!inc->contradicts && od_bytes_less(inc->capacity, sum) == OD_YES &&
        (double)sum.lo > rounded * (double)inc->capacity.hi)
        contradict(b, inc, "reserved-and-free-over-capacity", "what is reserved and free makes",
                   sum);
}

/* Compares df of /dev/shm; on a conflict only its size is used. */
static void find_of_shm(struct od_case_builder *b, struct od_memory_state *df)
{
    struct od_bytes most = od_bytes_less(df->in_use, df->free) == OD_YES ? df->free : df->in_use;
    if (!od_view_eq_str(df->name, "shm") || od_bytes_less(df->limit, most) != OD_YES)
        return;
    add(b, "in-use-over-limit", df->said.at, "%s in use or free of %s",
        od_bytes_text(b->arena, most), od_bytes_text(b->arena, df->limit));
    df->in_use = df->free = (struct od_bytes){0};
}

void od_conflicts_find(struct od_case_builder *b)
{
    OD_FOR_EACH (struct od_incident, inc, b->c->incidents) {
        find_pairs(b, inc);
        if (!od_incident_kind_is_host(inc->kind))
            find_of_device(b, inc);
    }
    OD_FOR_EACH (struct od_memory_state, state, b->c->states)
        find_of_shm(b, state);
    OD_FOR_EACH (const struct od_device, device, b->c->devices)
        if (od_bytes_less(device->capacity, device->free) == OD_YES)
            add(b, "free-over-capacity", device->said.at, "%s free of %s",
                od_bytes_text(b->arena, device->free), od_bytes_text(b->arena, device->capacity));
    for (size_t i = 0; i < b->c->allocators.n; i++) {
        const struct od_allocator *a = b->c->allocators.items[i];
        find_rows(b, a);
        find_failed_checks(b, a);
        find_stats(b, a);
    }
}
