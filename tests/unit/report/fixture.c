#include "tests/unit/report/fixture.h"

#include "base/arena.h"
#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t MiB = 1024 * 1024;

static const char *const names[OD_FIXTURES] = {
    [OD_FIX_FRAGMENTED] = "fragmented", [OD_FIX_EXHAUSTED] = "exhausted",
    [OD_FIX_UNKNOWN] = "unknown",       [OD_FIX_HOSTILE] = "hostile",
    [OD_FIX_SOURCES] = "sources",       [OD_FIX_CUT] = "cut",
    [OD_FIX_SURVIVED] = "survived",     [OD_FIX_OTHER] = "other",
    [OD_FIX_EMPTY] = "empty",
};

const char *od_fixture_name(enum od_fixture_kind kind)
{
    return names[kind];
}

static struct od_prov line_of(uint32_t source, uint64_t line)
{
    return (struct od_prov){.source = source, .line = line, .nlines = 1};
}

static void add_chunk(struct od_dump *dump, uint64_t bytes, bool in_use)
{
    struct od_chunk chunk = {.address = UINT64_C(0x7f4a00000000), .bytes = bytes, .in_use = in_use};
    if (dump->chunks.n > 0)
        chunk.address = dump->chunks.items[dump->chunks.n - 1].address +
                        dump->chunks.items[dump->chunks.n - 1].bytes;
    od_vec_push(&dump->chunks, chunk);
    dump->regions.items[dump->regions.n - 1].nchunks++;
}

static void add_region(struct od_dump *dump, bool announced)
{
    struct od_region region = {.first_chunk = dump->chunks.n, .ended = true};
    if (announced)
        region.announced = od_bytes_exact(64 * MiB);
    od_vec_push(&dump->regions, region);
}

static int by_total(const void *a, const void *b)
{
    const struct od_size *x = a;
    const struct od_size *y = b;
    return (x->total < y->total) - (x->total > y->total);
}

static void add_size(struct od_allocator *a, uint64_t bytes)
{
    for (size_t i = 0; i < a->nsizes; i++) {
        if (a->sizes[i].bytes == bytes) {
            a->sizes[i].count++;
            a->sizes[i].total += bytes;
            return;
        }
    }
    a->sizes[a->nsizes++] = (struct od_size){.bytes = bytes, .count = 1, .total = bytes};
}

static void fill_bins(struct od_allocator *a)
{
    for (unsigned b = 0; b < OD_BINS; b++)
        a->bins[b].min_bytes = UINT64_C(256) << b;
    for (size_t i = 0; i < a->dump.chunks.n; i++) {
        const struct od_chunk *chunk = &a->dump.chunks.items[i];
        unsigned b = 0;
        while (b + 1 < OD_BINS && chunk->bytes >= UINT64_C(512) << b)
            b++;
        a->bins[b].chunks++;
        a->bins[b].bytes += chunk->bytes;
        a->bins[b].chunks_in_use += chunk->in_use;
        a->bins[b].bytes_in_use += chunk->in_use ? chunk->bytes : 0;
    }
}

/* What the case room would have computed. */
static void verify(struct od_fixture *f, struct od_allocator *a)
{
    a->sizes = OD_NEW_N(f->arena, a->dump.chunks.n, struct od_size);
    a->has_chunks = a->chunks_complete = a->complete = true;
    for (size_t i = 0; i < a->dump.chunks.n; i++) {
        const struct od_chunk *chunk = &a->dump.chunks.items[i];
        if (chunk->in_use) {
            a->in_use_count++;
            a->in_use_bytes += chunk->bytes;
            add_size(a, chunk->bytes);
            continue;
        }
        a->free_count++;
        a->free_bytes += chunk->bytes;
        if (chunk->bytes > a->largest_free_bytes)
            a->largest_free_bytes = chunk->bytes;
    }
    fill_bins(a);
    qsort(a->sizes, a->nsizes, sizeof *a->sizes, by_total);
    a->in_use = od_count_of(a->in_use_bytes);
    a->pool = od_count_of(a->in_use_bytes + a->free_bytes);
    for (size_t i = 0; i < OD_CHECKS; i++)
        a->checks[i].result = i < 6 ? OD_CHECK_PASS : OD_CHECK_SKIP;
}

static struct od_allocator *add_allocator(struct od_fixture *f, uint64_t line)
{
    struct od_allocator *a = OD_NEW(f->arena, struct od_allocator);
    a->name = OD_VIEW("GPU_1_bfc");
    a->device = OD_VIEW("GPU:1");
    a->dump.at = line_of(0, line);
    a->dump.at.nlines = 900;
    a->dump.has_header = true;
    od_vec_push(&f->c.allocators, a);
    return a;
}

static struct od_incident *add_incident(struct od_fixture *f, enum od_incident_kind kind,
                                        struct od_prov at)
{
    struct od_incident incident = {.id = (uint32_t)f->c.incidents.n + 1,
                                   .kind = kind,
                                   .at = at,
                                   .last = at,
                                   .count = 1,
                                   .fatal = OD_CANNOT_TELL,
                                   .unified = OD_CANNOT_TELL};
    od_vec_push(&f->c.incidents, incident);
    return &f->c.incidents.items[f->c.incidents.n - 1];
}

static void add_evidence(struct od_incident *incident, struct od_prov at, struct od_view text)
{
    struct od_evidence evidence = {.at = at, .text = text};
    od_vec_push(&incident->evidence, evidence);
}

static struct od_finding *add_finding(struct od_fixture *f, enum od_cause cause,
                                      enum od_certainty certainty, double probability)
{
    struct od_finding finding = {
        .cause = cause, .certainty = certainty, .probability = probability};
    od_vec_push(&f->diagnosis.findings, finding);
    return &f->diagnosis.findings.items[f->diagnosis.findings.n - 1];
}

static void add_setting(struct od_fixture *f, struct od_view name, struct od_view value)
{
    struct od_setting setting = {.name = name, .id = od_setting_named(name), .value = value};
    setting.said.at = line_of(0, 4);
    od_vec_push(&f->c.settings, setting);
}

/* Weights, a long run of activations, holes between; 11 GiB of limit. */
static struct od_allocator *fragmented_dump(struct od_fixture *f, uint64_t line)
{
    struct od_allocator *a = add_allocator(f, line);
    struct od_dump *dump = &a->dump;
    for (unsigned region = 0; region < 3; region++) {
        add_region(dump, region > 0);
        for (unsigned i = 0; i < 40 + 100 * region; i++)
            add_chunk(dump, (i % 7 + 1) * 256 * (region + 1), true);
        add_chunk(dump, 411 * MiB * (region + 1) + 512, true);
        add_chunk(dump, 700 * MiB + 256 * region, false);
        add_chunk(dump, 512 * MiB, true);
        add_chunk(dump, 512 * MiB, true);
        add_chunk(dump, (90 + 610 * region) * MiB + 256, false);
        add_chunk(dump, 98 * MiB, true);
    }
    verify(f, a);
    a->requested = od_bytes_exact(1400 * MiB + 100);
    a->need = od_bytes_exact(1400 * MiB + 256);
    a->limit = od_count_of(10400 * MiB + 137);
    a->verdict = OD_VERDICT_FRAGMENTED;
    dump->op = OD_VIEW("decoder/up3/conv/Conv2D");
    dump->stats.limit = a->limit;
    dump->stats.in_use = a->in_use;
    dump->stats.max_in_use = od_count_of(6912 * MiB);
    dump->stats.num_allocs = od_count_of(184213);
    dump->stats.max_alloc = od_count_of(1233 * MiB);
    return a;
}

static void make_fragmented(struct od_fixture *f)
{
    struct od_allocator *a = fragmented_dump(f, 812);
    struct od_incident *incident = add_incident(f, OD_INC_DEVICE_ALLOC_FAILED, line_of(0, 1733));
    incident->producer = OD_VIEW("tensorflow");
    incident->device = OD_VIEW("GPU:1");
    incident->allocator = a->name;
    incident->stamp = OD_VIEW("2031-02-03 04:05:06.789");
    incident->fatal = OD_YES;
    incident->requested = a->requested;
    incident->dump = 1;
    incident->op_error = true;
    incident->tensor.shape = (struct od_shape){.dims = {28, 64, 448, 448}, .n = 4, .known = true};
    incident->tensor.dtype = OD_FLOAT32;
    incident->tensor.bytes = a->requested;
    incident->tensor.op = OD_VIEW("decoder/up3/conv/Conv2D");
    add_evidence(incident, line_of(0, 1733),
                 OD_VIEW("Resource exhausted: OOM when allocating tensor with shape[28,64,448,448] "
                         "and type float on /job:localhost/replica:0/task:0/device:GPU:1 by "
                         "allocator GPU_1_bfc"));
    f->failure.run.outcome = OD_OUTCOME_MEMORY_FAILURE;
    f->failure.run.why = "The operation failed, and a traceback follows it.";
    f->failure.run.at = line_of(0, 1741);
    f->failure.run.ended = f->failure.incident = incident;
    struct od_finding *finding = add_finding(f, OD_CAUSE_FRAGMENTED, OD_CERTAIN, 1);
    finding->incident = 1;
    finding->summary = "3.34 GiB are free in six holes, enough for the 1.37 GiB asked for, but the "
                       "largest of them holds 1.28 GiB.";
    finding->nevidence = 1;
    finding->evidence[0] =
        (struct od_evidence){.at = line_of(0, 812), .text = OD_VIEW("Allocator (GPU_1_bfc) ran")};
    finding->nnumbers = 2;
    finding->numbers[0] = (struct od_number){.name = "largest_free_bytes", .value = 1373634816};
    finding->numbers[1] = (struct od_number){.name = "free_part", .value = 0.3416};
    finding = add_finding(f, OD_CAUSE_BATCH_TOO_LARGE, OD_LIKELY, 0.8);
    finding->summary = "Most of what is in use scales with the batch of 28.";
    add_setting(f, OD_VIEW("batch_size"), OD_VIEW("28"));
    add_setting(f, OD_VIEW("optim"), OD_VIEW("adam"));
}

static void make_exhausted(struct od_fixture *f)
{
    struct od_allocator *a = add_allocator(f, 10);
    add_region(&a->dump, false);
    for (unsigned i = 0; i < 5; i++)
        add_chunk(&a->dump, 333333248 + i * 256, true);
    verify(f, a);
    a->limit = a->in_use;
    a->requested = (struct od_bytes){.n = 67, .lo = 60, .hi = 70, .known = true};
    a->need = od_bytes_exact(256);
    a->verdict = OD_VERDICT_EXHAUSTED;
    a->checks[4] = (struct od_check){.result = OD_CHECK_FAIL,
                                     .line = 44,
                                     .detail = OD_VIEW("bin 17 says 3 chunks, the list has 4")};
    struct od_incident *incident = add_incident(f, OD_INC_DEVICE_ALLOC_FAILED, line_of(0, 10));
    incident->requested = a->requested;
    incident->dump = 1;
    f->failure.run.outcome = OD_OUTCOME_MEMORY_FAILURE;
    f->failure.run.ended = f->failure.incident = incident;
    struct od_conflict conflict = {.code = "count_times_size",
                                   .at = line_of(0, 51),
                                   .message = OD_VIEW("2 chunks of 1155 MiB cannot total 4.51 GiB; "
                                                      "4 would")};
    od_vec_push(&f->c.conflicts, conflict);
}

static void make_unknown(struct od_fixture *f)
{
    struct od_allocator *a = add_allocator(f, 0);
    a->name = (struct od_view){0};
    a->dump.has_header = false;
    struct od_incident *incident = add_incident(f, OD_INC_UNEXPLAINED_KILL, line_of(0, 0));
    incident->dump = 1;
    f->failure.run.outcome = OD_OUTCOME_UNKNOWN;
    f->failure.incident = incident;
    add_finding(f, OD_CAUSE_DRIVER_REFUSED, OD_POSSIBLE, 0.2);
}

#define WIDE "\xe4\xb8\xad\xe6\x96\x87\xe4\xb8\xad\xe6\x96\x87\xe4\xb8\xad\xe6\x96\x87"

static const char hostile[] =
    "\x1b[31m\x1b]0;title\x07\"\\</script>\xff\xfe\x00\xc2\x9b"
    "31m\xe2\x80\xaetxet\r\n\ttab %s%n "
    "wide \xf0\x9f\x98\x80" WIDE WIDE WIDE WIDE WIDE WIDE WIDE WIDE " "
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

static void make_hostile(struct od_fixture *f)
{
    struct od_view evil = {hostile, sizeof hostile - 1};
    f->sources[0].name = "\x1b[2J/etc/$(reboot)/../\xff log.txt";
    struct od_allocator *a = add_allocator(f, UINT64_MAX);
    a->name = a->device = a->dump.op = evil;
    a->dump.at.nlines = UINT32_MAX;
    add_region(&a->dump, true);
    add_chunk(&a->dump, UINT64_MAX, true);
    add_chunk(&a->dump, UINT64_MAX - 5, false);
    add_region(&a->dump, false);
    add_chunk(&a->dump, 0, false);
    a->has_chunks = true;
    a->in_use_count = a->free_count = UINT64_MAX;
    a->in_use_bytes = a->free_bytes = a->largest_free_bytes = UINT64_MAX;
    a->chunks_complete = true;
    a->limit = a->in_use = a->pool = od_count_of(UINT64_MAX);
    a->requested = (struct od_bytes){UINT64_MAX, 0, UINT64_MAX, true};
    a->need = a->requested;
    a->dump.chunks.items[0].details = 77;
    a->checks[2] = (struct od_check){.result = OD_CHECK_FAIL, .line = UINT64_MAX, .detail = evil};
    struct od_incident *incident =
        add_incident(f, OD_INC_DEVICE_ALLOC_FAILED, line_of(9, UINT64_MAX));
    incident->device = incident->stamp = incident->allocator = incident->tensor.op = evil;
    incident->count = UINT64_MAX;
    incident->rank = od_count_of(UINT64_MAX);
    incident->requested = incident->free = incident->tensor.bytes = a->requested;
    incident->tensor.shape = (struct od_shape){.n = OD_SHAPE_MAX, .known = true};
    memset(incident->tensor.shape.dims, 0xFF, sizeof incident->tensor.shape.dims);
    incident->dump = 1;
    add_evidence(incident, line_of(9, 1), evil);
    f->failure.run.outcome = OD_OUTCOME_MEMORY_FAILURE;
    f->failure.run.ended = f->failure.incident = incident;
    f->failure.run.why = hostile;
    struct od_finding *finding = add_finding(f, OD_CAUSE_ACCIDENTAL_SHAPE, OD_LIKELY, 0.5);
    finding->summary = hostile;
    finding->nnumbers = 1;
    finding->numbers[0] = (struct od_number){.name = "inf_bytes", .value = 1e300 * 1e300};
    struct od_conflict conflict = {.code = "x", .message = evil};
    od_vec_push(&f->c.conflicts, conflict);
    add_setting(f, evil, evil);
    add_setting(f, OD_VIEW("batch_size"), evil);
    f->c.closed = 1U << OD_LIST_SETTINGS;
}

static void make_sources(struct od_fixture *f)
{
    f->report.nsources = 3;
    f->sources[1].name = "rank1.log";
    f->sources[2].name = "-";
    f->sources[2].complete = false;
    f->sources[2].unreadable_lines = 12;
    for (unsigned i = 0; i < 6; i++) {
        fragmented_dump(f, 100 + 1000 * i)->dump.at.source = i % 3;
        struct od_incident *incident =
            add_incident(f, i % 2 ? OD_INC_SOFT_WARNING : OD_INC_DEVICE_ALLOC_FAILED,
                         line_of(i % 3, 1000 * i + 990));
        incident->requested = od_bytes_exact(1400 * MiB + 100);
        incident->device = OD_VIEW("GPU:3");
        incident->count = i + 1;
        incident->dump = i + 1;
        incident->rank = od_count_of(i);
        add_evidence(incident, incident->at, OD_VIEW("ran out of memory trying to allocate"));
    }
    f->c.allocators.items[4]->dump.interleaved = true;
    f->failure.run.outcome = OD_OUTCOME_MEMORY_FAILURE;
    f->failure.run.ended = f->failure.incident = &f->c.incidents.items[4];
    for (unsigned i = 0; i < 5; i++)
        add_finding(f, (enum od_cause)i, OD_POSSIBLE, 0.3)->summary = "A sentence that explains.";
}

static void make_cut(struct od_fixture *f)
{
    struct od_allocator *a = fragmented_dump(f, 1);
    a->chunks_complete = a->complete = false;
    a->dump.has_header = false;
    a->dump.cut_tail = true;
    a->dump.chunk_limit_hit = true;
    a->dump.chunks_lost = 5;
    a->pool = (struct od_count){0};
    add_incident(f, OD_INC_SOFT_WARNING, line_of(0, 1))->dump = 1;
    f->failure.run.outcome = OD_OUTCOME_UNKNOWN;
    f->failure.run.why = "The log ends inside a dump.";
}

static void make_survived(struct od_fixture *f)
{
    struct od_incident *incident = add_incident(f, OD_INC_SOFT_WARNING, line_of(0, 7));
    incident->count = 10;
    incident->requested =
        (struct od_bytes){.n = 2469606195, .lo = 2460000000, .hi = 2470000000, .known = true};
    incident->free = od_bytes_exact(1 * MiB);
    incident->producer = OD_VIEW("tensorflow");
    add_evidence(incident, incident->at,
                 OD_VIEW("The caller indicates that this is not a failure"));
    f->failure.run.outcome = OD_OUTCOME_SURVIVED;
    f->failure.run.why = "Only warnings, and steps were printed after the last of them.";
    f->failure.run.at = line_of(0, 90);
    add_finding(f, OD_CAUSE_SURVIVED, OD_CERTAIN, 1)->summary = "It went on for 83 lines.";
}

static void make_other(struct od_fixture *f)
{
    f->failure.run.outcome = OD_OUTCOME_OTHER_FAILURE;
    f->failure.run.why = "ValueError: shapes do not match";
    f->failure.run.at = line_of(0, 88);
    add_finding(f, OD_CAUSE_NOT_MEMORY, OD_LIKELY, 0.9)->summary =
        "The last error is a ValueError.";
}

static void make_empty(struct od_fixture *f)
{
    f->sources[0].bytes = f->sources[0].lines = 0;
    f->sources[0].format = "empty";
    f->failure.run.outcome = OD_OUTCOME_NO_FAILURE;
}

static void (*const makers[OD_FIXTURES])(struct od_fixture *) = {
    [OD_FIX_FRAGMENTED] = make_fragmented, [OD_FIX_EXHAUSTED] = make_exhausted,
    [OD_FIX_UNKNOWN] = make_unknown,       [OD_FIX_HOSTILE] = make_hostile,
    [OD_FIX_SOURCES] = make_sources,       [OD_FIX_CUT] = make_cut,
    [OD_FIX_SURVIVED] = make_survived,     [OD_FIX_OTHER] = make_other,
    [OD_FIX_EMPTY] = make_empty,
};

struct od_fixture *od_fixture_new(enum od_fixture_kind kind)
{
    struct od_fixture *f = od_mem_alloc(1, sizeof *f);
    f->arena = od_arena_new();
    for (size_t i = 0; i < 3; i++) {
        f->sources[i] = (struct od_source){.name = "train.log",
                                           .digest = "xxh3:00112233445566778899aabbccddeeff",
                                           .bytes = 123456,
                                           .lines = 2345,
                                           .format = "text",
                                           .complete = true};
        f->source_list[i] = &f->sources[i];
    }
    f->report = (struct od_report){.version = "1.2.3",
                                   .sources = f->source_list,
                                   .nsources = 1,
                                   .c = &f->c,
                                   .diagnosis = &f->diagnosis,
                                   .complete = true};
    makers[kind](f);
    f->profile = (struct od_profile){.c = &f->c, .failure = &f->failure};
    f->diagnosis.profile = f->failure.profile = &f->profile;
    f->diagnosis.failure = &f->failure;
    if (!f->failure.incident && f->c.incidents.n > 0)
        f->failure.incident = &f->c.incidents.items[0];
    if (f->failure.incident && f->failure.incident->dump > 0)
        f->failure.dump = f->c.allocators.items[f->failure.incident->dump - 1];
    f->report.attribution = od_attribute(&f->c, NULL, f->arena);
    return f;
}

static void free_dump(struct od_dump *dump)
{
    od_vec_done(&dump->chunks);
    od_vec_done(&dump->regions);
}

void od_fixture_free(struct od_fixture *f)
{
    for (size_t i = 0; i < f->c.allocators.n; i++)
        free_dump(&f->c.allocators.items[i]->dump);
    for (size_t i = 0; i < f->c.incidents.n; i++)
        od_vec_done(&f->c.incidents.items[i].evidence);
    od_vec_done(&f->c.allocators);
    od_vec_done(&f->c.incidents);
    od_vec_done(&f->c.settings);
    od_vec_done(&f->c.conflicts);
    od_vec_done(&f->diagnosis.findings);
    od_arena_free(f->arena);
    od_mem_free(f);
}

struct od_buf od_fixture_render(enum od_fixture_kind kind, const char *format,
                                const struct od_report_options *options)
{
    struct od_buf buf = {0};
    struct od_fixture *f = od_fixture_new(kind);
    od_format_report(od_format_find(od_view_of(format)), &f->report, options, &buf);
    od_fixture_free(f);
    return buf;
}
