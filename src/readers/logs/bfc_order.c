#include "readers/logs/bfc_order.h"

#define NONE SIZE_MAX

/* A line; lines with equal place and count form a group. */
struct entry {
    uint64_t place; /* order within a dump: number of the bin, or size of the row */
    uint64_t count; /* count in the row */
    uint64_t seq;
    size_t item;
    size_t sole;      /* the only dump that predicts it; NONE */
    size_t next_sole; /* the next entry that only the same dump predicts */
};

struct job {
    const struct od_bfc_pool *pool;
    const struct od_bfc_sums *sums;
    const struct od_bfc_span *spans;
    size_t ndumps;
    struct entry *entries;
    size_t n;
    uint64_t *reached; /* for each dump: seq of its last line so far */
    size_t *sole;      /* for each dump: its next entry that no other dump predicts */
    bool *served;      /* for each dump: it has a line of this group */
    bool bins;         /* bin rows (true) or summary rows */
    uint32_t *owner;
};

static int by_place(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    if (x->count != y->count)
        return x->count < y->count ? -1 : 1;
    return x->seq < y->seq ? -1 : x->seq > y->seq;
}

static bool foretells(const struct job *job, size_t dump, const struct entry *entry)
{
    const struct od_bfc_span *span = &job->spans[dump];
    if (entry->seq <= span->after || entry->seq >= span->before)
        return false;
    if (job->bins)
        return od_bfc_sums_have_bin(job->sums, dump, &job->pool->bins.items[entry->item].row);
    return od_bfc_sums_have_row(job->sums, dump, &job->pool->rows.items[entry->item].row);
}

static void find_soles(struct job *job)
{
    for (size_t d = 0; d < job->ndumps; d++)
        job->sole[d] = NONE;
    for (size_t i = job->n; i-- > 0;) {
        struct entry *entry = &job->entries[i];
        size_t dumps = 0;
        for (size_t d = 0; d < job->ndumps && dumps < 2; d++)
            if (foretells(job, d, entry)) {
                entry->sole = d;
                dumps++;
            }
        if (dumps != 1) {
            entry->sole = NONE;
            continue;
        }
        entry->next_sole = job->sole[entry->sole];
        job->sole[entry->sole] = i;
    }
}

/* The seq before which the dump must have printed this line: that of its next certain line. */
static uint64_t deadline(const struct job *job, size_t dump)
{
    return job->sole[dump] == NONE ? job->spans[dump].before : job->entries[job->sole[dump]].seq;
}

/* Of the dumps that predict the line, the one that must have printed it first. */
static size_t most_urgent(const struct job *job, const struct entry *entry, bool in_order)
{
    size_t best = NONE;
    for (size_t d = 0; d < job->ndumps; d++) {
        if (job->served[d] || !foretells(job, d, entry))
            continue;
        if (in_order && (entry->seq <= job->reached[d] || entry->seq > deadline(job, d)))
            continue;
        if (best == NONE || deadline(job, d) < deadline(job, best))
            best = d;
    }
    return best;
}

/* A dump that lacks the line, although its chunks do not predict it or are not known. */
static size_t longest_waiting(const struct job *job, const struct entry *entry)
{
    size_t best = NONE;
    for (size_t d = 0; d < job->ndumps; d++)
        if (!job->served[d] && entry->seq > job->reached[d] && entry->seq < job->spans[d].before &&
            (best == NONE || job->reached[d] < job->reached[best]))
            best = d;
    return best;
}

static void serve(struct job *job, const struct entry *entry, size_t dump)
{
    if (dump == NONE)
        return;
    job->owner[entry->item] = (uint32_t)dump;
    job->served[dump] = true;
    if (entry->seq > job->reached[dump])
        job->reached[dump] = entry->seq;
}

static bool is_served(const struct job *job, const struct entry *entry)
{
    return job->owner[entry->item] < job->ndumps;
}

static void serve_group(struct job *job, size_t first, size_t end)
{
    for (size_t d = 0; d < job->ndumps; d++)
        job->served[d] = false;
    for (size_t i = first; i < end; i++) {
        const struct entry *entry = &job->entries[i];
        if (entry->sole == NONE)
            continue;
        job->sole[entry->sole] = entry->next_sole;
        if (!job->served[entry->sole])
            serve(job, entry, entry->sole);
    }
    for (int in_order = 1; in_order >= 0; in_order--)
        for (size_t i = first; i < end; i++)
            if (!is_served(job, &job->entries[i]))
                serve(job, &job->entries[i], most_urgent(job, &job->entries[i], in_order));
    for (size_t i = first; job->bins && i < end; i++)
        if (!is_served(job, &job->entries[i]))
            serve(job, &job->entries[i], longest_waiting(job, &job->entries[i]));
}

static void run(struct job *job)
{
    qsort(job->entries, job->n, sizeof *job->entries, by_place);
    job->reached = od_mem_alloc(job->ndumps, sizeof *job->reached);
    job->sole = od_mem_alloc(job->ndumps, sizeof *job->sole);
    job->served = od_mem_alloc(job->ndumps, sizeof *job->served);
    find_soles(job);
    for (size_t first = 0, end; first < job->n; first = end) {
        end = first + 1;
        while (end < job->n && job->entries[end].place == job->entries[first].place &&
               job->entries[end].count == job->entries[first].count)
            end++;
        serve_group(job, first, end);
    }
    od_mem_free(job->reached);
    od_mem_free(job->sole);
    od_mem_free(job->served);
    od_mem_free(job->entries);
}

void od_bfc_order_bins(const struct od_bfc_pool *pool, const struct od_bfc_sums *sums,
                       const struct od_bfc_span *spans, size_t ndumps, uint32_t *ret_owner)
{
    struct job job = {.pool = pool, .sums = sums, .spans = spans, .ndumps = ndumps};
    job.bins = true;
    job.owner = ret_owner;
    job.n = pool->bins.n;
    job.entries = od_mem_alloc(job.n + 1, sizeof *job.entries);
    for (size_t i = 0; i < job.n; i++) {
        const struct od_bfc_bin_item *bin = &pool->bins.items[i];
        job.entries[i] = (struct entry){
            .place = od_bfc_bin_index(bin->row.min_bytes), .seq = bin->position.seq, .item = i};
    }
    run(&job);
}

void od_bfc_order_rows(const struct od_bfc_pool *pool, const struct od_bfc_sums *sums,
                       const struct od_bfc_span *spans, size_t ndumps, uint32_t *ret_owner)
{
    struct job job = {.pool = pool, .sums = sums, .spans = spans, .ndumps = ndumps};
    job.owner = ret_owner;
    job.n = pool->rows.n;
    job.entries = od_mem_alloc(job.n + 1, sizeof *job.entries);
    for (size_t i = 0; i < job.n; i++) {
        const struct od_bfc_row_item *row = &pool->rows.items[i];
        job.entries[i] = (struct entry){
            .place = row->row.bytes, .count = row->row.count, .seq = row->position.seq, .item = i};
    }
    run(&job);
}
