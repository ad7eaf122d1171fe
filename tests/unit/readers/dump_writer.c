#include "tests/unit/readers/dump_writer.h"

#include "base/num.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const ops[] = {
    "",
    "model/block 2/conv2d:0",
    "gradient_tape/net/dense_4/MatMul/MatMul_1",
    "step next 7 of size 4096/Relu",
    "AdamW/update by op Mul",
};
static const char *const tags[] = {"", "lower", "upper"};
static const char *const annotations[] = {"", "jit_train_step/fusion.12 next 3", "[scan, dot]"};

uint64_t random_below(struct random *random, uint64_t below)
{
    uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (z ^ (z >> 31)) % below;
}

const char *written_op(const struct written_chunk *chunk)
{
    return ops[chunk->op];
}

const char *written_tag(const struct written_chunk *chunk)
{
    return tags[chunk->tag];
}

const char *written_annotation(const struct written_chunk *chunk)
{
    return annotations[chunk->annotation];
}

void written_done(struct written_dump *dump)
{
    od_vec_done(&dump->chunks);
    od_vec_done(&dump->regions);
    od_vec_done(&dump->sizes);
}

/* ---- making ---- */

static unsigned bin_of(uint64_t bytes)
{
    unsigned bin = 0;
    while (bin < WRITER_BINS - 1 && (UINT64_C(512) << bin) <= bytes)
        bin++;
    return bin;
}

static struct written_chunk make_chunk(struct random *random, enum dump_era era, uint64_t address)
{
    uint64_t units = 1 + random_below(random, UINT64_C(1) << random_below(random, 22));
    struct written_chunk chunk = {
        .address = address, .bytes = units * 256, .in_use = random_below(random, 4) != 0};
    chunk.requested = chunk.bytes - random_below(random, 256);
    if (era == ERA_TF2_OPS) {
        chunk.op = 1 + (unsigned)random_below(random, OD_COUNT_OF(ops) - 1);
        chunk.action = random_below(random, 1000000);
        chunk.step = random_below(random, 100000);
    }
    if (era == ERA_XLA2026) {
        chunk.tag = 1 + (unsigned)random_below(random, OD_COUNT_OF(tags) - 1);
        if (chunk.in_use)
            chunk.annotation = (unsigned)random_below(random, OD_COUNT_OF(annotations));
    }
    return chunk;
}

static void make_region(struct written_dump *dump, struct random *random, uint64_t *address,
                        size_t most_chunks)
{
    struct written_region region = {.first = dump->chunks.n,
                                    .n = 1 + (size_t)random_below(random, most_chunks)};
    for (size_t i = 0; i < region.n; i++) {
        struct written_chunk chunk = make_chunk(random, dump->era, *address);
        *address += chunk.bytes;
        region.bytes += chunk.bytes;
        od_vec_push(&dump->chunks, chunk);
    }
    *address += (1 + random_below(random, 64)) << 21;
    od_vec_push(&dump->regions, region);
}

/* Handles 0..n-1 in random order, as splitting and recycling leave them. */
static void make_handles(struct written_dump *dump, struct random *random)
{
    size_t n = dump->chunks.n;
    uint32_t *handles = od_mem_alloc(n, sizeof *handles);
    for (size_t i = 0; i < n; i++) {
        size_t k = (size_t)random_below(random, i + 1);
        handles[i] = handles[k];
        handles[k] = (uint32_t)i;
    }
    for (size_t i = 0; i + 1 < n; i++)
        dump->chunks.items[i].next = handles[i + 1];
    for (size_t r = 0; r < dump->regions.n; r++) {
        const struct written_region *region = &dump->regions.items[r];
        dump->chunks.items[region->first + region->n - 1].next = UINT32_MAX;
    }
    od_mem_free(handles);
}

static int by_bytes(const void *a, const void *b)
{
    const struct written_size *x = a, *y = b;
    return x->bytes < y->bytes ? -1 : x->bytes > y->bytes;
}

static void count_sizes(struct written_dump *dump)
{
    for (size_t i = 0; i < dump->chunks.n; i++)
        if (dump->chunks.items[i].in_use) {
            struct written_size size = {dump->chunks.items[i].bytes, 1};
            od_vec_push(&dump->sizes, size);
        }
    if (dump->sizes.n == 0)
        return;
    qsort(dump->sizes.items, dump->sizes.n, sizeof *dump->sizes.items, by_bytes);
    size_t n = 1;
    for (size_t i = 1; i < dump->sizes.n; i++)
        if (dump->sizes.items[i].bytes == dump->sizes.items[n - 1].bytes)
            dump->sizes.items[n - 1].count++;
        else
            dump->sizes.items[n++] = dump->sizes.items[i];
    dump->sizes.n = n;
}

static void count_chunk(struct written_dump *dump, const struct written_chunk *chunk)
{
    struct written_bin *bin = &dump->bins[bin_of(chunk->bytes)];
    bin->chunks++;
    bin->bytes += chunk->bytes;
    if (!chunk->in_use) {
        if (chunk->bytes > dump->largest_free)
            dump->largest_free = chunk->bytes;
        return;
    }
    bin->in_use++;
    bin->bytes_in_use += chunk->bytes;
    bin->requested_in_use += chunk->requested;
    dump->in_use += chunk->bytes;
    if (chunk->bytes > dump->max_alloc)
        dump->max_alloc = chunk->bytes;
}

static void paint(struct written_dump *dump, uint64_t offset, uint64_t bytes, char c)
{
    if (bytes == 0)
        return;
    uint64_t last = (offset + bytes - 1) * WRITER_CELLS / dump->pool;
    for (uint64_t i = offset * WRITER_CELLS / dump->pool; i <= last; i++)
        dump->cells[i] = c;
}

static void paint_cells(struct written_dump *dump)
{
    uint64_t offset = 0;
    memset(dump->cells, '_', WRITER_CELLS);
    for (size_t i = 0; i < dump->chunks.n; i++) {
        const struct written_chunk *chunk = &dump->chunks.items[i];
        if (chunk->in_use) {
            paint(dump, offset + chunk->requested, chunk->bytes - chunk->requested, 'x');
            paint(dump, offset, chunk->requested, '*');
        }
        offset += chunk->bytes;
    }
}

void written_make(struct written_dump *dump, struct random *random, enum dump_era era,
                  size_t regions, size_t most_chunks)
{
    *dump = (struct written_dump){.era = era, .prefix = true, .wrapper = ""};
    uint64_t address = (UINT64_C(0x7f0000000000) + (random_below(random, 1 << 16) << 21));
    for (size_t i = 0; i < regions; i++)
        make_region(dump, random, &address, most_chunks);
    make_handles(dump, random);
    for (size_t i = 0; i < dump->chunks.n; i++)
        count_chunk(dump, &dump->chunks.items[i]);
    for (size_t i = 0; i < dump->regions.n; i++)
        dump->pool += dump->regions.items[i].bytes;
    count_sizes(dump);
    paint_cells(dump);
    snprintf(dump->allocator, sizeof dump->allocator, "GPU_%u_bfc",
             (unsigned)random_below(random, 16));
    dump->op = era >= ERA_TF2 ? ops[random_below(random, OD_COUNT_OF(ops))] : "";
    dump->request = 1 + random_below(random, UINT64_C(8) << 30);
    dump->max_in_use = dump->in_use + random_below(random, dump->pool);
    dump->allocs = 1 + random_below(random, 10000000);
    dump->limit = dump->pool + random_below(random, UINT64_C(4) << 30);
}

/* ---- printing ---- */

struct printer {
    const struct written_dump *dump;
    struct written_text *to;
    unsigned clock;
};

static void size_text(uint64_t bytes, char text[static 32])
{
    static const char prefixes[] = "KMGTPE";
    size_t prefix = 0;
    if (bytes < 1024) {
        snprintf(text, 32, "%" PRIu64 "B", bytes);
        return;
    }
    for (; bytes >= 1024 * 1024; bytes /= 1024)
        prefix++;
    snprintf(text, 32, prefix == 0 ? "%.1f%ciB" : "%.2f%ciB", (double)bytes / 1024.0,
             prefixes[prefix]);
}

static void begin(struct printer *p, char level)
{
    static const char *const files[ERA_END] = {
        [ERA_TF0] = "tensorflow/core/common_runtime/bfc_allocator.cc",
        [ERA_TF1] = "tensorflow/core/common_runtime/bfc_allocator.cc",
        [ERA_TF113] = "tensorflow/core/common_runtime/bfc_allocator.cc",
        [ERA_TF115] = "tensorflow/core/common_runtime/bfc_allocator.cc",
        [ERA_TF2] = "external/local_tsl/tsl/framework/bfc_allocator.cc",
        [ERA_TF2_OPS] = "tensorflow/core/common_runtime/bfc_allocator.cc",
        [ERA_XLA2026] = "external/xla/xla/tsl/framework/bfc_allocator.cc",
    };
    struct od_buf *buf = &p->to->buf;
    od_vec_push(&p->to->messages, buf->n);
    od_buf_add_str(buf, p->dump->wrapper);
    if (!p->dump->prefix)
        return;
    p->clock += 7;
    if (p->dump->era == ERA_XLA2026)
        od_buf_printf(buf, "%c0311 07:42:19.%06u    4711 bfc_allocator.cc:1042] ", level, p->clock);
    else if (p->dump->era == ERA_TF0)
        od_buf_printf(buf, "%c %s:643] ", level, files[p->dump->era]);
    else
        od_buf_printf(buf, "2023-03-11 07:42:19.%06u: %c %s:1042] ", p->clock, level,
                      files[p->dump->era]);
}

static void print_header(struct printer *p)
{
    const struct written_dump *d = p->dump;
    struct od_buf *buf = &p->to->buf;
    char size[32];
    if (d->era == ERA_TF0)
        return;
    size_text(d->request, size);
    begin(p, 'W');
    od_buf_printf(buf, "Allocator (%s) ran out of memory trying to allocate %s", d->allocator,
                  size);
    if (d->era <= ERA_TF113) {
        od_buf_add_str(buf, ".  Current allocation summary follows.\n");
        return;
    }
    od_buf_printf(buf, " (rounded to %" PRIu64 ")", (d->request + 255) / 256 * 256);
    if (d->era == ERA_TF115) {
        od_buf_add_str(buf, ".  Current allocation summary follows.\n");
        return;
    }
    if (d->era == ERA_XLA2026)
        od_buf_printf(buf, " from the lower end ");
    od_buf_printf(buf, "requested by op %s\n", d->op);
    od_buf_printf(buf,
                  "%sIf the cause is memory fragmentation maybe the environment variable "
                  "'TF_GPU_ALLOCATOR=cuda_malloc_async' will improve the situation. \n",
                  d->wrapper);
    od_buf_printf(buf, "%sCurrent allocation summary follows.\n", d->wrapper);
    if (d->era == ERA_XLA2026) {
        begin(p, 'I');
        od_buf_printf(buf, "BFCAllocator dump for %s\n", d->allocator);
    }
}

static void print_bin(struct printer *p, unsigned bin)
{
    const struct written_bin *b = &p->dump->bins[bin];
    struct od_buf *buf = &p->to->buf;
    char bytes[32], in_use[32], requested[32];
    size_text(b->bytes, bytes);
    size_text(b->bytes_in_use, in_use);
    size_text(b->requested_in_use, requested);
    begin(p, 'I');
    od_buf_printf(buf, "Bin (%u): \tTotal Chunks: ", 256U << bin);
    if (p->dump->era == ERA_TF0) {
        size_text(b->bytes - b->bytes_in_use, bytes);
        od_buf_printf(buf,
                      "%" PRIu64 ", Chunks in use: 0 %s allocated for chunks. 0B client-requested "
                      "for chunks. 0B in use in bin. 0B client-requested in use in bin.\n",
                      b->chunks - b->in_use, bytes);
        return;
    }
    od_buf_printf(buf,
                  "%" PRIu64 ", Chunks in use: %" PRIu64 ". %s allocated for chunks. %s in use in "
                  "bin. %s client-requested in use in bin.\n",
                  b->chunks, b->in_use, bytes, in_use, requested);
}

static void print_bins(struct printer *p)
{
    char request[32], bin[32];
    for (unsigned i = 0; i < WRITER_BINS; i++)
        print_bin(p, i);
    size_text((p->dump->request + 255) / 256 * 256, request);
    size_text(UINT64_C(256) << bin_of(p->dump->request), bin);
    begin(p, 'I');
    od_buf_printf(&p->to->buf, "Bin for %s was %s, Chunk State: \n", request, bin);
    if (p->dump->request % 2 == 0)
        return;
    begin(p, 'I');
    od_buf_printf(&p->to->buf,
                  "  Size: %s | Requested Size: 1.0KiB | in_use: 0 | bin_num: 3, prev:   "
                  "Size: 256B | Requested Size: 4B | in_use: 1 | bin_num: -1\n",
                  bin);
}

static void print_next(struct od_buf *buf, const struct written_chunk *chunk)
{
    od_buf_printf(buf, " next %" PRIu64,
                  chunk->next == UINT32_MAX ? UINT64_MAX : (uint64_t)chunk->next);
}

static void print_chunk(struct printer *p, const struct written_chunk *c)
{
    enum dump_era era = p->dump->era;
    struct od_buf *buf = &p->to->buf;
    begin(p, 'I');
    if (era <= ERA_TF113) {
        const char *word = c->in_use ? "Chunk" : era == ERA_TF113 ? "Free " : "Free";
        od_buf_printf(buf, "%s at 0x%" PRIx64 " of size %" PRIu64 "\n", word, c->address, c->bytes);
        return;
    }
    const char *word = c->in_use ? "InUse" : "Free ";
    if (era == ERA_TF115) {
        od_buf_printf(buf, "%s at 0x%" PRIx64, word, c->address);
        print_next(buf, c);
        od_buf_printf(buf, " of size %" PRIu64 "\n", c->bytes);
        return;
    }
    od_buf_printf(buf, "%s at %" PRIx64 " of size %" PRIu64, word, c->address, c->bytes);
    if (c->tag > 0)
        od_buf_printf(buf, " tag %s", written_tag(c));
    if (c->op > 0)
        od_buf_printf(buf, " by op %s action_count %" PRIu64 " step %" PRIu64, written_op(c),
                      c->action, c->step);
    if (c->annotation > 0)
        od_buf_printf(buf, " allocation_annotation %s", written_annotation(c));
    print_next(buf, c);
    if (era == ERA_TF2_OPS && !c->in_use)
        od_buf_printf(buf, " freed_at_count %" PRIu64, c->action + 1);
    od_buf_add_str(buf, "\n");
}

static void print_chunks(struct printer *p)
{
    for (size_t r = 0; r < p->dump->regions.n; r++) {
        const struct written_region *region = &p->dump->regions.items[r];
        if (p->dump->era >= ERA_TF115) {
            begin(p, 'I');
            od_buf_printf(&p->to->buf, "Next region of size %" PRIu64 "\n", region->bytes);
        }
        for (size_t i = region->first; i < region->first + region->n; i++)
            print_chunk(p, &p->dump->chunks.items[i]);
    }
}

static void print_summary(struct printer *p)
{
    struct od_buf *buf = &p->to->buf;
    char size[32];
    begin(p, 'I');
    od_buf_add_str(buf, "     Summary of in-use Chunks by size: \n");
    for (size_t i = 0; i < p->dump->sizes.n; i++) {
        const struct written_size *s = &p->dump->sizes.items[i];
        size_text(s->count * s->bytes, size);
        begin(p, 'I');
        od_buf_printf(buf, "%" PRIu64 " Chunks of size %" PRIu64 " totalling %s\n", s->count,
                      s->bytes, size);
    }
    size_text(p->dump->in_use, size);
    begin(p, 'I');
    od_buf_printf(buf, "Sum Total of in-use chunks: %s\n", size);
}

static void print_pool(struct printer *p)
{
    const struct written_dump *d = p->dump;
    struct od_buf *buf = &p->to->buf;
    if (d->era <= ERA_TF113)
        return;
    begin(p, 'I');
    if (d->era == ERA_XLA2026) {
        char request[32], pool[32];
        size_text(d->request, request);
        size_text(d->pool, pool);
        od_buf_printf(buf,
                      "Allocator memory summary: rounded request %s, total free in pool 0B, "
                      "pool size %s\n",
                      request, pool);
        begin(p, 'I');
        od_buf_printf(buf,
                      "Allocator region growth hint: next region allocation target %s "
                      "(growth enabled).\n",
                      pool);
        return;
    }
    od_buf_printf(buf,
                  "%s: %" PRIu64 " memory_limit_: %" PRIu64 " available bytes: %" PRIu64
                  " curr_region_allocation_bytes_: %" PRIu64 "\n",
                  d->era == ERA_TF2 ? "Total bytes in pool" : "total_region_allocated_bytes_",
                  d->pool, d->limit, d->limit - d->pool, d->limit * 2);
}

static void print_stats(struct printer *p)
{
    const struct written_dump *d = p->dump;
    const struct {
        const char *name;
        uint64_t value;
    } stats[] = {{"Limit", d->limit},
                 {"InUse", d->in_use},
                 {"MaxInUse", d->max_in_use},
                 {"NumAllocs", d->allocs},
                 {"MaxAllocSize", d->max_alloc},
                 {"Reserved", 0},
                 {"PeakReserved", 0},
                 {"LargestFreeBlock", d->era == ERA_XLA2026 ? d->largest_free : 0}};
    size_t n = d->era >= ERA_TF2 ? OD_COUNT_OF(stats) : 5;
    begin(p, 'I');
    od_buf_add_str(&p->to->buf, "Stats: \n");
    for (size_t i = 0; i < n; i++)
        od_buf_printf(&p->to->buf, "%s%s:%*s%20" PRIu64 "\n", d->wrapper, stats[i].name,
                      (int)(17 - strlen(stats[i].name)), "", stats[i].value);
    od_buf_printf(&p->to->buf, "%s\n", d->wrapper);
}

void written_print(const struct written_dump *dump, struct written_text *to)
{
    struct printer p = {.dump = dump, .to = to};
    print_header(&p);
    print_bins(&p);
    print_chunks(&p);
    print_summary(&p);
    print_pool(&p);
    print_stats(&p);
    begin(&p, 'W');
    od_buf_printf(&to->buf, "%s\n", dump->cells);
    if (dump->era == ERA_TF0) {
        char size[32];
        size_text(dump->request, size);
        begin(&p, 'W');
        od_buf_printf(&to->buf,
                      "Ran out of memory trying to allocate %s.  See logs for memory state.\n",
                      size);
    }
}

struct od_view written_message(const struct written_text *text, size_t message)
{
    size_t start = text->messages.items[message];
    size_t end = message + 1 < text->messages.n ? text->messages.items[message + 1] : text->buf.n;
    return (struct od_view){text->buf.p + start, end - start};
}

void written_text_done(struct written_text *text)
{
    od_buf_done(&text->buf);
    od_vec_done(&text->messages);
}
