/*
 * PyTorch memory snapshots (torch.cuda.memory._dump_snapshot): segments of the caching allocator
 * become regions, blocks become chunks, and each device gives a dump. Older versions only have the
 * list of segments, and blocks without addresses or frames.
 */
#include "models/files/torch_snapshot.h"

#include <stdio.h>

enum { DEVICES = 256, LARGEST = 16 };

/* ---- recognition ---- */

static bool is_pickle(struct od_view head)
{
    static const char first[] = "\x95}](c\x8cX)NKMJ\x8a";
    if (head.n < 3 || head.p[0] != '\x80' || head.p[1] < 2 || head.p[1] > 5)
        return false;
    return od_view_find_char((struct od_view){first, sizeof first - 1}, head.p[2], 0) !=
           OD_VIEW_NONE;
}

static const char *bids(struct od_view head)
{
    if (!is_pickle(head))
        return NULL;
    bool snapshot = od_view_has(head, OD_VIEW("segments")) ||
                    od_view_has(head, OD_VIEW("segment_type")) ||
                    od_view_has(head, OD_VIEW("device_traces"));
    return snapshot ? "pytorch snapshot" : "python pickle";
}

/* A large block whose stack can be displayed. */
struct large {
    const struct od_pickle_value *frames;
    uint64_t address, bytes;
};

struct device {
    uint64_t index;
    struct large largest[LARGEST]; /* in descending order of size */
    size_t nlargest;
    struct od_torch_failure failure; /* the failure at which the snapshot was taken */
    struct od_dump dump;
    /* sums over segments (reserved, active), and over blocks in use (held) */
    uint64_t reserved, active, held;
    bool active_said; /* every segment has its active bytes */
    uint64_t pending_bytes, pending_blocks;
    uint64_t unread; /* number of invalid blocks and segments */
};

/* Returns the last record of a block's history, which old versions have instead of fields. */
static const struct od_pickle_value *newest_history(struct od_torch_snapshot *s,
                                                    const struct od_pickle_value *block)
{
    const struct od_pickle_value *history = od_torch_field(s, block, "history");
    return od_pickle_is(history, OD_PICKLE_LIST) && od_pickle_count(history) > 0
               ? od_pickle_item(history, 0)
               : NULL;
}

/* Adds a block in use to the largest ones. Of equal blocks the first is kept. */
static void keep_large(struct device *d, const struct od_chunk *chunk,
                       const struct od_pickle_value *frames)
{
    size_t at = d->nlargest;
    while (at > 0 && d->largest[at - 1].bytes < chunk->bytes)
        at--;
    if (at == LARGEST)
        return;
    size_t after = (d->nlargest < LARGEST ? d->nlargest : LARGEST - 1) - at;
    memmove(&d->largest[at + 1], &d->largest[at], after * sizeof d->largest[0]);
    d->largest[at] =
        (struct large){.frames = frames, .address = chunk->address, .bytes = chunk->bytes};
    d->nlargest = at + after + 1;
}

/* Adds the largest blocks that have a recorded stack. Sizes are reported elsewhere. */
static void add_blocks(struct od_torch_snapshot *s, struct device *d)
{
    for (size_t i = 0; i < d->nlargest; i++) {
        struct od_large_block block = {.address = d->largest[i].address,
                                       .bytes = d->largest[i].bytes,
                                       .first_call = d->dump.calls.n};
        block.ncalls = od_torch_calls(s, d->largest[i].frames, &d->dump);
        od_vec_push(&d->dump.blocks, block);
    }
    if (d->dump.calls.n == 0)
        d->dump.blocks.n = 0;
}

static void read_details(struct od_torch_snapshot *s, struct device *d,
                         const struct od_pickle_value *block, struct od_chunk *chunk)
{
    struct od_chunk_details details = {0};
    struct od_view state = od_pickle_text(od_torch_field(s, block, "state"));
    const struct od_pickle_value *history = newest_history(s, block);
    const struct od_pickle_value *frames = od_torch_field(s, block, "frames");
    if (!od_torch_size(s, block, "requested_size", &details.requested))
        (void)od_torch_size(s, history, "real_size", &details.requested);
    chunk->in_use = od_view_starts(state, OD_VIEW("active"));
    if (!chunk->in_use) /* the content of a free block no longer exists */
        return;
    d->held += chunk->bytes;
    frames = frames ? frames : od_torch_field(s, history, "frames");
    details.op = od_torch_place(s, frames);
    keep_large(d, chunk, frames);
    if (!od_view_eq_str(state, "active_allocated")) {
        details.tag = state;
        d->pending_bytes += chunk->bytes;
        d->pending_blocks++;
    }
    if (details.requested == 0 && details.op.n == 0 && details.tag.n == 0)
        return;
    od_vec_push(&d->dump.details, details);
    chunk->details = (uint32_t)d->dump.details.n;
}

/* Can the segment not serve the failed request? Requests up to 1 MiB and larger ones have separate
 * pools, and so has each stream. The private pool of a CUDA graph only serves the graph. */
static bool is_barred(struct od_torch_snapshot *s, const struct device *d,
                      const struct od_pickle_value *segment)
{
    static const uint64_t small_most = 1 << 20;
    struct od_view type = od_pickle_text(od_torch_field(s, segment, "segment_type"));
    const struct od_pickle_value *pool = od_torch_field(s, segment, "segment_pool_id");
    uint64_t n;
    if (!d->failure.known)
        return false;
    if (type.n > 0 && od_view_eq_str(type, "small") != (d->failure.requested.n <= small_most))
        return true;
    for (size_t i = 0; i < od_pickle_count(pool) && i < 2; i++) {
        if (!od_pickle_size(od_pickle_item(pool, i), &n) || n > 0)
            return true;
    }
    return d->failure.stream.known && od_torch_size(s, segment, "stream", &n) &&
           n != d->failure.stream.n;
}

static size_t blocks_most(const struct od_torch_snapshot *s)
{
    size_t written = s->file->bytes.n / OD_TORCH_BYTES_A_BLOCK;
    return written < OD_FILE_CHUNKS ? written : OD_FILE_CHUNKS;
}

/* Reads a block. *address is used if the block has no address of its own; it is then advanced to
 * the next block. */
static void read_block(struct od_torch_snapshot *s, struct device *d,
                       const struct od_pickle_value *block, uint64_t *address)
{
    struct od_chunk chunk = {.address = *address, .next = OD_HANDLE_UNKNOWN};
    (void)od_torch_size(s, block, "address", &chunk.address);
    if (!od_torch_size(s, block, "size", &chunk.bytes) ||
        ckd_add(address, chunk.address, chunk.bytes)) {
        d->unread++;
        return;
    }
    if (d->dump.chunks.n >= blocks_most(s)) {
        d->dump.chunk_limit_hit = true;
        d->dump.chunks_lost++;
        return;
    }
    read_details(s, d, block, &chunk);
    od_vec_push(&d->dump.chunks, chunk);
    d->dump.regions.items[d->dump.regions.n - 1].nchunks++;
}

static void read_segment(struct od_torch_snapshot *s, struct device *d,
                         const struct od_pickle_value *segment)
{
    uint64_t address, total, active;
    const struct od_pickle_value *blocks = od_torch_field(s, segment, "blocks");
    if (!od_torch_size(s, segment, "address", &address) ||
        !od_torch_size(s, segment, "total_size", &total) ||
        ckd_add(&d->reserved, d->reserved, total)) {
        d->unread++;
        return;
    }
    d->active_said = od_torch_size(s, segment, "active_size", &active) &&
                     !ckd_add(&d->active, d->active, active) && d->active_said;
    struct od_region region = {.address = address,
                               .announced = od_bytes_exact(total),
                               .first_chunk = d->dump.chunks.n,
                               .ended = true,
                               .barred = is_barred(s, d, segment)};
    od_vec_push(&d->dump.regions, region);
    size_t n = od_pickle_is(blocks, OD_PICKLE_LIST) ? od_pickle_count(blocks) : 0;
    for (size_t i = 0; i < n && !od_torch_is_spent(s); i++)
        read_block(s, d, od_pickle_item(blocks, i), &address);
}

static void emit(struct od_torch_snapshot *s, struct device *d)
{
    char words[128], name[32];
    (void)snprintf(name, sizeof name, "cuda:%" PRIu64, d->index);
    (void)snprintf(words, sizeof words, "memory snapshot of %s, %zu segments, %zu blocks", name,
                   d->dump.regions.n, d->dump.chunks.n);
    d->dump.allocator = od_view_of(name);
    d->dump.pool = od_count_of(d->reserved);
    d->dump.stats.reserved = d->dump.pool;
    if (d->active_said)
        d->dump.stats.in_use = od_count_of(d->active);
    const struct od_event event = {.kind = OD_EV_DUMP,
                                   .at = d->dump.at,
                                   .excerpt = od_view_of(words),
                                   .rule = "torch_snapshot",
                                   .dump = &d->dump};
    od_sink_put(s->file->sink, &event);
}

static void say_device(struct od_torch_snapshot *s, const struct device *d)
{
    char text[OD_BYTES_TEXT];
    if (d->pending_blocks > 0)
        od_file_say(s->file, OD_NOTE, NULL,
                    "cuda:%" PRIu64 ": %s in %" PRIu64
                    " freed blocks wait for work of another stream "
                    "and count as in use",
                    d->index, od_bytes_print_u64(d->pending_bytes, text), d->pending_blocks);
    if (d->unread > 0)
        od_file_say(s->file, OD_WARNING, NULL,
                    "cuda:%" PRIu64 ": %" PRIu64 " segments or blocks without a size or address "
                    "are not read",
                    d->index, d->unread);
    if (d->dump.chunk_limit_hit)
        od_file_say(s->file, OD_WARNING, NULL,
                    "cuda:%" PRIu64 ": more than %zu blocks; %" PRIu64 " are not kept", d->index,
                    blocks_most(s), d->dump.chunks_lost);
}

static enum od_err read_device(struct od_torch_snapshot *s, uint64_t index)
{
    struct device d = {.index = index, .active_said = true};
    d.dump = (struct od_dump){.family = OD_FAMILY_TORCH,
                              .from_file = true,
                              .at = {.source = s->file->source},
                              .has_header = true};
    d.failure = od_torch_trace(s, index);
    d.dump.requested = d.failure.requested;
    d.dump.available = d.failure.free;
    size_t n = od_pickle_count(s->segments);
    for (size_t i = 0; i < n && !od_torch_is_spent(s); i++) {
        const struct od_pickle_value *segment = od_pickle_item(s->segments, i);
        uint64_t device;
        if (od_torch_size(s, segment, "device", &device) && device == index)
            read_segment(s, &d, segment);
    }
    add_blocks(s, &d);
    od_torch_history(s, &(struct od_torch_levels){index, d.held, d.reserved}, &d.dump);
    d.dump.cut_tail = od_torch_is_spent(s) || d.unread > 0;
    bool lost = d.unread > 0;
    bool limit = d.dump.chunk_limit_hit;
    say_device(s, &d);
    if (d.dump.regions.n > 0)
        emit(s, &d);
    od_dump_done(&d.dump);
    return limit ? OD_ELIMIT : lost ? OD_LOST : OD_OK;
}

/* Finds the devices named in segments or traces, in order. False if there are too many. */
static bool find_devices(struct od_torch_snapshot *s, bool seen[static DEVICES])
{
    bool all = true;
    size_t n = od_pickle_count(s->segments);
    for (size_t i = 0; i < n && !od_torch_is_spent(s); i++) {
        uint64_t device;
        if (!od_torch_size(s, od_pickle_item(s->segments, i), "device", &device) ||
            device >= DEVICES)
            all = false;
        else
            seen[device] = true;
    }
    const struct od_pickle_value *traces = od_torch_field(s, s->top, "device_traces");
    n = od_pickle_is(traces, OD_PICKLE_LIST) ? od_pickle_count(traces) : 0;
    for (size_t i = 0; i < n && i < DEVICES; i++)
        seen[i] = seen[i] || od_pickle_count(od_pickle_item(traces, i)) > 0;
    return all;
}

static void worsen(enum od_err *worst, enum od_err err)
{
    if (err > *worst)
        *worst = err;
}

static enum od_err read_devices(struct od_torch_snapshot *s)
{
    enum od_err worst = OD_OK;
    bool seen[DEVICES] = {false};
    if (!find_devices(s, seen)) {
        od_file_say(s->file, OD_WARNING, NULL,
                    "segments without a device, or of a device above %d, are not read",
                    DEVICES - 1);
        worsen(&worst, OD_LOST);
    }
    for (uint64_t i = 0; i < DEVICES; i++) {
        if (seen[i])
            worsen(&worst, read_device(s, i));
    }
    od_torch_settings(s);
    if (od_torch_is_spent(s)) {
        od_file_say(s->file, OD_WARNING, NULL,
                    "the pickle repeats itself too often; not all of it is read");
        worsen(&worst, OD_ELIMIT);
    }
    return worst;
}

static bool looks_like_segments(const struct od_pickle_value *list)
{
    return od_pickle_is(list, OD_PICKLE_LIST) && od_pickle_count(list) > 0 &&
           od_pickle_field(od_pickle_item(list, 0), "blocks") != NULL;
}

static enum od_err read_top(struct od_torch_snapshot *s)
{
    s->segments =
        od_pickle_is(s->top, OD_PICKLE_DICT) ? od_pickle_field(s->top, "segments") : s->top;
    bool traces = od_pickle_field(s->top, "device_traces") != NULL;
    if (!looks_like_segments(s->segments)) {
        if (!traces) {
            od_file_say(s->file, OD_WARNING, NULL,
                        "is a pickle, but no memory snapshot of PyTorch: it has no segments");
            return OD_LOST;
        }
        s->segments = NULL;
    }
    return read_devices(s);
}

static enum od_err read(const struct od_file *file)
{
    struct od_pickle_fault fault;
    struct od_pickle *pickle = od_pickle_read(file->bytes, &fault);
    if (!pickle) {
        od_file_say(file, OD_WARNING,
                    fault.err == OD_EINPUT
                        ? "a memory snapshot (torch.cuda.memory._dump_snapshot) is plain data"
                        : NULL,
                    "%s", fault.message);
        return fault.err == OD_EINPUT ? OD_LOST : fault.err;
    }
    od_file_used(file, od_pickle_used(pickle));
    struct od_torch_snapshot s = {
        .file = file, .arena = od_arena_new(), .top = od_pickle_top(pickle)};
    enum od_err err = read_top(&s);
    od_map_done(&s.places);
    od_arena_free(s.arena);
    od_pickle_free(pickle);
    return err;
}

const struct od_file_reader od_file_reader_torch_snapshot = {
    .name = "torch_snapshot", .bids = bids, .read = read};
