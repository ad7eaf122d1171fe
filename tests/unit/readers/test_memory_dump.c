/* Random chunk tables -> protobuf-c -> our reader -> the same tables; and what damage does. */
#include "base/mem.h"
#include "models/file_reader.h"
#include "tests/unit/readers/memory_dump.pb-c.h"
#include "tests/unit/suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { TABLES = 200, LOOPS = 20, BINS = 21, CHUNKS_MOST = 120, SNAPS_MOST = 5, NAME = 40 };

/* What is written: tables that protobuf-c points into. */
struct table {
    char name[NAME];
    char ops[CHUNKS_MOST][NAME];
    Od__Chunk chunks[CHUNKS_MOST];
    Od__Chunk *chunk_list[CHUNKS_MOST];
    Od__Bin bins[BINS];
    Od__Bin *bin_list[BINS];
    Od__SnapShot snaps[SNAPS_MOST];
    Od__SnapShot *snap_list[SNAPS_MOST];
    Od__Stats stats;
    Od__MemoryDump dump;
    size_t regions; /* as addresses make them */
    uint64_t last_end;
};

static uint64_t next(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static uint64_t below(uint64_t *seed, uint64_t n)
{
    return next(seed) % n;
}

static int bin_of(int64_t size)
{
    int bin = 0;
    for (size /= 256; size > 1 && bin < BINS - 1; size /= 2)
        bin++;
    return bin;
}

static void fill_chunk(struct table *t, size_t i, uint64_t *seed, bool debug)
{
    Od__Chunk *c = &t->chunks[i];
    od__chunk__init(c);
    t->chunk_list[i] = c;
    bool begins = i == 0 || below(seed, 8) == 0;
    c->address = begins ? t->last_end + 4096 * (1 + below(seed, 1 << 20)) : t->last_end;
    t->regions += begins;
    c->size = (int64_t)(256 * (1 + below(seed, UINT64_C(1) << below(seed, 24))));
    c->in_use = below(seed, 3) > 0;
    c->requested_size = (int64_t)below(seed, (uint64_t)c->size + 1);
    c->bin = c->in_use ? -1 : bin_of(c->size);
    if (debug) {
        (void)snprintf(t->ops[i], NAME, "block_%u/conv2d/Conv2D", (unsigned)below(seed, 30));
        c->op_name = t->ops[i];
        c->step_id = below(seed, 1000);
        c->action_count = next(seed);
        c->freed_at_count = c->in_use ? 0 : below(seed, 1 << 30);
    }
    t->last_end = c->address + (uint64_t)c->size;
    Od__Bin *bin = &t->bins[bin_of(c->size)];
    bin->total_chunks_in_bin++;
    bin->total_bytes_in_bin += c->size;
    bin->total_chunks_in_use += c->in_use;
    bin->total_bytes_in_use += c->in_use ? c->size : 0;
    t->stats.bytes_in_use += c->in_use ? c->size : 0;
}

static void fill(struct table *t, uint64_t seed)
{
    memset(t, 0, sizeof *t);
    od__memory_dump__init(&t->dump);
    od__stats__init(&t->stats);
    (void)snprintf(t->name, NAME, "GPU_%u_bfc", (unsigned)below(&seed, 16));
    t->last_end = UINT64_C(0x7f0000000000) + 4096 * below(&seed, 1 << 16);
    for (int i = 0; i < BINS; i++) {
        od__bin__init(&t->bins[i]);
        t->bins[i].bin = i;
        t->bin_list[i] = &t->bins[i];
    }
    bool debug = below(&seed, 3) == 0;
    size_t nchunks = (size_t)below(&seed, CHUNKS_MOST + 1);
    for (size_t i = 0; i < nchunks; i++)
        fill_chunk(t, i, &seed, debug);
    size_t nsnaps = debug ? (size_t)below(&seed, SNAPS_MOST + 1) : 0;
    for (size_t i = 0; i < nsnaps; i++) {
        od__snap_shot__init(&t->snaps[i]);
        t->snaps[i].action_count = next(&seed);
        t->snaps[i].size = (int64_t)below(&seed, UINT64_C(1) << 40);
        t->snap_list[i] = &t->snaps[i];
    }
    t->stats.num_allocs = (int64_t)below(&seed, 1 << 30);
    t->stats.peak_bytes_in_use = t->stats.bytes_in_use + (int64_t)below(&seed, 1 << 20);
    t->stats.largest_alloc_size = (int64_t)below(&seed, UINT64_C(1) << 34);
    t->stats.fragmentation_metric = (float)below(&seed, 100) / 100;
    t->dump.allocator_name = t->name;
    t->dump.n_bin_summary = BINS;
    t->dump.bin_summary = t->bin_list;
    t->dump.n_chunk = nchunks;
    t->dump.chunk = t->chunk_list;
    t->dump.n_snap_shot = nsnaps;
    t->dump.snap_shot = t->snap_list;
    t->dump.stats = &t->stats;
}

static struct od_view pack(const struct table *t)
{
    size_t n = od__memory_dump__get_packed_size(&t->dump);
    uint8_t *bytes = od_mem_alloc(n, 1);
    ck_assert_uint_eq(od__memory_dump__pack(&t->dump, bytes), n);
    return (struct od_view){.p = (const char *)bytes, .n = n};
}

/* ---- reading it back ---- */

struct seen {
    const struct table *table; /* to be compared with; NULL: only counted */
    size_t dumps, chunks;
    bool cut;
};

static void compare_chunk(const struct od_dump *d, size_t i, const Od__Chunk *want)
{
    const struct od_chunk *got = &d->chunks.items[i];
    ck_assert_uint_eq(got->address, want->address);
    ck_assert_uint_eq(got->bytes, (uint64_t)want->size);
    ck_assert_int_eq(got->in_use, want->in_use != 0);
    struct od_chunk_details details = {0};
    if (got->details > 0)
        details = d->details.items[got->details - 1];
    ck_assert_uint_eq(details.requested, (uint64_t)want->requested_size);
    ck_assert(od_view_eq_str(details.op, want->op_name ? want->op_name : ""));
    ck_assert_uint_eq(details.step.n, want->step_id);
    ck_assert_uint_eq(details.action_count.n, want->action_count);
    ck_assert_uint_eq(details.freed_at_count.n, want->freed_at_count);
    ck_assert_int_eq(details.step.known, want->op_name && want->op_name[0]);
}

static void compare_regions(const struct od_dump *d, const struct table *t)
{
    size_t chunks = 0;
    ck_assert_uint_eq(d->regions.n, t->regions);
    for (size_t i = 0; i < d->regions.n; i++) {
        const struct od_region *region = &d->regions.items[i];
        ck_assert_uint_eq(region->first_chunk, chunks);
        ck_assert_uint_eq(region->address, t->chunks[chunks].address);
        ck_assert(region->ended);
        chunks += region->nchunks;
    }
    ck_assert_uint_eq(chunks, t->dump.n_chunk);
}

static void compare(const struct od_dump *d, const struct table *t)
{
    ck_assert(od_view_eq_str(d->allocator, t->name));
    ck_assert(d->from_file);
    ck_assert(!d->cut_tail);
    ck_assert_uint_eq(d->chunks.n, t->dump.n_chunk);
    for (size_t i = 0; i < d->chunks.n; i++)
        compare_chunk(d, i, &t->chunks[i]);
    compare_regions(d, t);
    ck_assert_uint_eq(d->bins.n, BINS);
    for (size_t i = 0; i < BINS; i++) {
        ck_assert_uint_eq(d->bins.items[i].min_bytes, UINT64_C(256) << i);
        ck_assert_uint_eq(d->bins.items[i].chunks, (uint64_t)t->bins[i].total_chunks_in_bin);
        ck_assert_uint_eq(d->bins.items[i].chunks_in_use, (uint64_t)t->bins[i].total_chunks_in_use);
        ck_assert_uint_eq(d->bins.items[i].bytes.n, (uint64_t)t->bins[i].total_bytes_in_bin);
        ck_assert_uint_eq(d->bins.items[i].bytes_in_use.n, (uint64_t)t->bins[i].total_bytes_in_use);
    }
    ck_assert_uint_eq(d->stats.in_use.n, (uint64_t)t->stats.bytes_in_use);
    ck_assert_uint_eq(d->stats.max_in_use.n, (uint64_t)t->stats.peak_bytes_in_use);
    ck_assert_uint_eq(d->stats.num_allocs.n, (uint64_t)t->stats.num_allocs);
    ck_assert_uint_eq(d->stats.max_alloc.n, (uint64_t)t->stats.largest_alloc_size);
    ck_assert(!d->stats.limit.known);
}

static void see(void *self, const struct od_event *event)
{
    struct seen *seen = self;
    ck_assert_int_eq(event->kind, OD_EV_DUMP);
    seen->dumps++;
    seen->chunks = event->dump->chunks.n;
    seen->cut = event->dump->cut_tail;
    if (seen->table)
        compare(event->dump, seen->table);
}

static enum od_err read_bytes(struct od_view bytes, struct seen *seen, size_t *ret_said)
{
    struct od_diags *diags = od_diags_new();
    const struct od_sink sink = {.event = see, .self = seen};
    const struct od_file file = {.bytes = bytes, .name = "m", .diags = diags, .sink = &sink};
    const char *word;
    const struct od_file_reader *reader = od_file_reader_find(bytes, &word);
    enum od_err err = OD_EINPUT;
    if (reader) {
        ck_assert_str_eq(word, "tensorflow memory dump");
        err = reader->read(&file);
    }
    *ret_said = od_diags_count(diags);
    od_diags_free(diags);
    return err;
}

START_TEST(tables_come_back_as_they_were_written)
{
    struct table *t = od_mem_alloc(1, sizeof *t);
    for (uint64_t i = 0; i < TABLES; i++) {
        size_t said;
        fill(t, 1 + (uint64_t)_i * TABLES + i);
        struct od_view bytes = pack(t);
        struct seen seen = {.table = t};
        ck_assert_int_eq(read_bytes(bytes, &seen, &said), OD_OK);
        ck_assert_uint_eq(seen.dumps, 1);
        ck_assert_uint_eq(said, 0);
        od_mem_free((void *)(uintptr_t)bytes.p);
    }
    od_mem_free(t);
}
END_TEST

START_TEST(the_head_alone_is_recognised)
{
    struct table *t = od_mem_alloc(1, sizeof *t);
    for (uint64_t i = 0; i < TABLES; i++) {
        const char *word = NULL;
        fill(t, 90000 + (uint64_t)_i * TABLES + i);
        struct od_view bytes = pack(t);
        for (size_t n = 32; n < bytes.n && n <= 512; n++)
            ck_assert_ptr_nonnull(od_file_reader_find(od_view_head(bytes, n), &word));
        od_mem_free((void *)(uintptr_t)bytes.p);
    }
    od_mem_free(t);
}
END_TEST

/* A copy in memory of its own, so that reading beyond its end is seen. */
static struct od_view copy_of(struct od_view bytes, size_t n)
{
    char *copy = od_mem_alloc(n > 0 ? n : 1, 1);
    memcpy(copy, bytes.p, n);
    return (struct od_view){.p = copy, .n = n};
}

START_TEST(a_cut_file_is_never_whole)
{
    struct table *t = od_mem_alloc(1, sizeof *t);
    fill(t, 7000 + (uint64_t)_i);
    struct od_view bytes = pack(t);
    for (size_t n = 0; n < bytes.n; n += 1 + (size_t)_i) {
        size_t said;
        struct seen seen = {0};
        struct od_view cut = copy_of(bytes, n);
        enum od_err err = read_bytes(cut, &seen, &said);
        ck_assert_int_ne(err, OD_OK);
        if (err == OD_LOST) {
            ck_assert_uint_eq(seen.dumps, 1);
            ck_assert_uint_gt(said, 0);
            ck_assert(seen.cut);
            ck_assert_uint_le(seen.chunks, t->dump.n_chunk);
        }
        od_mem_free((void *)(uintptr_t)cut.p);
    }
    od_mem_free((void *)(uintptr_t)bytes.p);
    od_mem_free(t);
}
END_TEST

START_TEST(damage_is_survived)
{
    struct table *t = od_mem_alloc(1, sizeof *t);
    uint64_t seed = 42 + (uint64_t)_i;
    fill(t, 8000 + (uint64_t)_i);
    struct od_view bytes = pack(t);
    for (int round = 0; round < 400; round++) {
        size_t said;
        struct seen seen = {0};
        struct od_view bad = copy_of(bytes, bytes.n);
        for (uint64_t flips = 1 + below(&seed, 4); flips > 0; flips--)
            ((char *)(uintptr_t)bad.p)[below(&seed, bad.n)] = (char)next(&seed);
        (void)read_bytes(bad, &seen, &said);
        od_mem_free((void *)(uintptr_t)bad.p);
    }
    od_mem_free((void *)(uintptr_t)bytes.p);
    od_mem_free(t);
}
END_TEST

/* What begins like one and is none. */
static const struct {
    const char *bytes;
    size_t n;
} others[] = {
#define OTHER(bytes)             \
    {                            \
        bytes, sizeof(bytes) - 1 \
    }
    OTHER(""),
    OTHER("\n"),
    OTHER("\n\nstep 1\n"),
    OTHER("\n 2024-03-01 11:02:13 epoch 3 loss 0.25\n"),
    OTHER("\n\x09GPU_0_bfc"),
    OTHER("\n\x09GPU_0_bfc\x12"),
    OTHER("\n\x09GPU_0_bfc\"step 12 of 100"),
    OTHER("\n\x09GPU_0_bfc*\x06*** **"),
    OTHER("\n\x03"
          "abc\x08\x01"),
    OTHER("\n\x03"
          "a\x01"
          "c\x12\x00"),
    OTHER("\n\x03"
          "abc\x12\x02\x40\x01"),
    OTHER("\n\x03"
          "abc\x32\x02\x08\x01"),
    OTHER("\x12\x00\x12\x00\x12\x00"),
};

START_TEST(other_bytes_are_left_alone)
{
    const char *word;
    struct od_view bytes = {others[_i].bytes, others[_i].n};
    ck_assert_ptr_null(od_file_reader_find(bytes, &word));
}
END_TEST

int main(void)
{
    Suite *suites[] = {
        od_suite_loop("memory dump: tables", tables_come_back_as_they_were_written, LOOPS),
        od_suite_loop("memory dump: heads", the_head_alone_is_recognised, 2),
        od_suite_loop("memory dump: cut", a_cut_file_is_never_whole, 8),
        od_suite_loop("memory dump: damage", damage_is_survived, 8),
        od_suite_loop("memory dump: others", other_bytes_are_left_alone, (int)OD_COUNT_OF(others)),
        NULL,
    };
    return od_suites_run(suites);
}
