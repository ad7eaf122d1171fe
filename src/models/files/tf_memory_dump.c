/*
 * The file that a BFC allocator writes when memory runs out and TF_BFC_MEMORY_DUMP is set: the
 * message MemoryDump of tensorflow/core/protobuf/bfc_memory_map.proto, with its fields in numeric
 * order. It has the same data as a printed dump except the request and the limit.
 */
#include "models/file_reader.h"

#include "models/files/protobuf.h"

#include <stdio.h>

enum { BINS = 21, FIRST_BIN_BYTES = 256, NAME_MOST = 128, EVIDENCE_BYTES = 4 };

/* Field numbers. */
enum { DUMP_NAME = 1, DUMP_BIN, DUMP_CHUNK, DUMP_SNAP_SHOT, DUMP_STATS };
enum { BIN_BIN = 1, BIN_IN_USE, BIN_BYTES, BIN_CHUNKS_IN_USE, BIN_CHUNKS };
enum {
    CHUNK_ADDRESS = 1,
    CHUNK_SIZE,
    CHUNK_REQUESTED,
    CHUNK_BIN,
    CHUNK_OP,
    CHUNK_FREED_AT,
    CHUNK_ACTION,
    CHUNK_IN_USE,
    CHUNK_STEP,
    CHUNK_END
};
enum { STATS_ALLOCS = 1, STATS_IN_USE, STATS_PEAK, STATS_LARGEST, STATS_FRAGMENTATION };

/* ---- recognition: protocol buffers have no magic number, so the structure is checked ---- */

/* Bit sets of the fields of each part that are numbers, texts or floats. */
static const struct {
    unsigned numbers, texts, floats;
} parts[] = {
    [DUMP_BIN] = {0x3e, 0, 0},
    [DUMP_CHUNK] = {0x3de, 0x20, 0},
    [DUMP_SNAP_SHOT] = {0x06, 0, 0},
    [DUMP_STATS] = {0x1e, 0, 0x20},
};

static bool field_fits(uint32_t part, const struct od_proto_field *field)
{
    unsigned bit = field->number < 32 ? 1U << field->number : 0;
    switch (field->type) {
    case OD_PROTO_VARINT:
        return (parts[part].numbers & bit) != 0;
    case OD_PROTO_BYTES:
        return (parts[part].texts & bit) != 0;
    case OD_PROTO_32:
        return (parts[part].floats & bit) != 0;
    case OD_PROTO_64:
        break;
    }
    return false;
}

/* Does the part have only known fields of the right types? cut: the part is incomplete. */
static bool part_fits(const struct od_proto_field *part, bool cut)
{
    if (part->number < DUMP_BIN || part->number > DUMP_STATS || part->type != OD_PROTO_BYTES)
        return false;
    struct od_view rest = part->bytes;
    struct od_proto_field field;
    for (;;) {
        switch (od_proto_next(&rest, &field)) {
        case OD_PROTO_FIELD:
            if (!field_fits(part->number, &field))
                return false;
            continue;
        case OD_PROTO_END:
            return true;
        case OD_PROTO_CUT:
            return cut && (field.number == 0 || field_fits(part->number, &field));
        case OD_PROTO_BAD:
            return false;
        }
    }
}

static bool is_name(struct od_view text)
{
    if (text.n == 0 || text.n > NAME_MOST)
        return false;
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] <= ' ' || text.p[i] > '~')
            return false;
    }
    return true;
}

static const char *bids(struct od_view head)
{
    struct od_proto_field field;
    size_t whole = 0;
    if (od_proto_next(&head, &field) != OD_PROTO_FIELD || field.number != DUMP_NAME ||
        field.type != OD_PROTO_BYTES || !is_name(field.bytes))
        return NULL;
    enum od_proto_result result;
    while ((result = od_proto_next(&head, &field)) == OD_PROTO_FIELD) {
        if (!part_fits(&field, false))
            return NULL;
        whole++;
    }
    if (result == OD_PROTO_BAD)
        return NULL;
    bool cut_fits = result == OD_PROTO_END || field.number == 0 || part_fits(&field, true);
    bool enough = whole > 0 || field.bytes.n >= EVIDENCE_BYTES;
    return cut_fits && enough ? "tensorflow memory dump" : NULL;
}

struct reading {
    const struct od_file *file;
    struct od_dump dump;
    uint64_t next; /* address after the last chunk */
    bool has_stats;
};

/* Numbers of a message by field number. Protocol buffers omit zeros. */
struct numbers {
    uint64_t of[CHUNK_END];
    struct od_view text;
};

/* Reads the numbers of a message. False if it is damaged. Skips unknown fields. */
static bool read_numbers(struct od_view message, struct numbers *ret_numbers)
{
    struct od_proto_field field;
    enum od_proto_result result;
    *ret_numbers = (struct numbers){0};
    while ((result = od_proto_next(&message, &field)) == OD_PROTO_FIELD) {
        if (field.number >= CHUNK_END)
            continue;
        if (field.type == OD_PROTO_VARINT)
            ret_numbers->of[field.number] = field.value;
        else if (field.type == OD_PROTO_BYTES)
            ret_numbers->text = field.bytes;
    }
    return result == OD_PROTO_END;
}

/* Is it a valid count or size? The file's type is signed, but these are never negative. */
static bool is_size(uint64_t n)
{
    return n <= INT64_MAX;
}

static struct od_count size_or_unknown(uint64_t n)
{
    return is_size(n) ? od_count_of(n) : (struct od_count){0};
}

static bool read_bin(struct reading *r, struct od_view message)
{
    struct numbers n;
    if (!read_numbers(message, &n) || n.of[BIN_BIN] >= BINS || !is_size(n.of[BIN_IN_USE]) ||
        !is_size(n.of[BIN_BYTES]) || !is_size(n.of[BIN_CHUNKS_IN_USE]) ||
        !is_size(n.of[BIN_CHUNKS]) || r->dump.bins.n >= BINS)
        return false;
    struct od_bin_row row = {
        .min_bytes = (uint64_t)FIRST_BIN_BYTES << n.of[BIN_BIN],
        .chunks = n.of[BIN_CHUNKS],
        .chunks_in_use = n.of[BIN_CHUNKS_IN_USE],
        .bytes = od_bytes_exact(n.of[BIN_BYTES]),
        .bytes_in_use = od_bytes_exact(n.of[BIN_IN_USE]),
    };
    od_vec_push(&r->dump.bins, row);
    return true;
}

/* Stores data that only some files have. Returns its index + 1; 0 if there is none. */
static uint32_t keep_details(struct reading *r, const struct numbers *n)
{
    /* only debug builds write these three fields, together with the operation's name */
    bool debug = n->text.n > 0;
    if (n->of[CHUNK_REQUESTED] == 0 && !debug)
        return 0;
    struct od_chunk_details details = {.requested = n->of[CHUNK_REQUESTED], .op = n->text};
    if (debug) {
        details.step = od_count_of(n->of[CHUNK_STEP]);
        details.action_count = od_count_of(n->of[CHUNK_ACTION]);
    }
    if (n->of[CHUNK_FREED_AT] > 0)
        details.freed_at_count = od_count_of(n->of[CHUNK_FREED_AT]);
    od_vec_push(&r->dump.details, details);
    return (uint32_t)r->dump.details.n;
}

/* The region that contains the address. Regions are not marked: a new one starts where addresses
 * are not contiguous. */
static struct od_region *region_at(struct reading *r, uint64_t address)
{
    struct od_dump *dump = &r->dump;
    if (dump->regions.n > 0 && address == r->next)
        return &dump->regions.items[dump->regions.n - 1];
    if (dump->regions.n > 0)
        dump->regions.items[dump->regions.n - 1].ended = true;
    struct od_region region = {.address = address, .first_chunk = dump->chunks.n};
    od_vec_push(&dump->regions, region);
    return &dump->regions.items[dump->regions.n - 1];
}

static bool read_chunk(struct reading *r, struct od_view message)
{
    struct numbers n;
    uint64_t end;
    if (!read_numbers(message, &n) || !is_size(n.of[CHUNK_SIZE]) ||
        !is_size(n.of[CHUNK_REQUESTED]) || ckd_add(&end, n.of[CHUNK_ADDRESS], n.of[CHUNK_SIZE]))
        return false;
    if (r->dump.chunks.n >= OD_FILE_CHUNKS) {
        r->dump.chunk_limit_hit = true;
        r->dump.chunks_lost++;
        return true;
    }
    struct od_region *region = region_at(r, n.of[CHUNK_ADDRESS]);
    struct od_chunk chunk = {
        .address = n.of[CHUNK_ADDRESS],
        .bytes = n.of[CHUNK_SIZE],
        .next = OD_HANDLE_UNKNOWN,
        .in_use = n.of[CHUNK_IN_USE] != 0,
        .details = keep_details(r, &n),
    };
    region->nchunks++;
    od_vec_push(&r->dump.chunks, chunk);
    r->next = end;
    return true;
}

static bool read_stats(struct reading *r, struct od_view message)
{
    struct numbers n;
    if (!read_numbers(message, &n))
        return false;
    struct od_allocator_stats *stats = &r->dump.stats;
    stats->num_allocs = size_or_unknown(n.of[STATS_ALLOCS]);
    stats->in_use = size_or_unknown(n.of[STATS_IN_USE]);
    stats->max_in_use = size_or_unknown(n.of[STATS_PEAK]);
    stats->max_alloc = size_or_unknown(n.of[STATS_LARGEST]);
    r->has_stats = true;
    return true;
}

static bool read_field(struct reading *r, const struct od_proto_field *field)
{
    if (field->type != OD_PROTO_BYTES)
        return field->number > DUMP_STATS;
    switch (field->number) {
    case DUMP_NAME:
        r->dump.allocator = field->bytes;
        return true;
    case DUMP_BIN:
        return read_bin(r, field->bytes);
    case DUMP_CHUNK:
        return read_chunk(r, field->bytes);
    case DUMP_STATS:
        return read_stats(r, field->bytes);
    default: /* the history of sizes, or a field of a later version */
        return true;
    }
}

/* Reads all fields. False if the file is damaged or truncated; earlier fields are kept. */
static bool read_fields(struct reading *r)
{
    struct od_view rest = r->file->bytes;
    struct od_proto_field field;
    enum od_proto_result result;
    struct od_view before = rest;
    while ((result = od_proto_next(&rest, &field)) == OD_PROTO_FIELD) {
        if (!read_field(r, &field)) {
            result = OD_PROTO_BAD;
            break;
        }
        before = rest;
    }
    size_t at = r->file->bytes.n - before.n;
    if (result == OD_PROTO_CUT)
        od_file_say(r->file, OD_WARNING, "the run may have died while it was written",
                    "the memory dump is cut: it ends inside the field at byte %zu", at);
    else if (result == OD_PROTO_BAD)
        od_file_say(r->file, OD_WARNING, NULL,
                    "the memory dump is damaged: what follows byte %zu is not read", at);
    else if (!r->has_stats)
        od_file_say(r->file, OD_WARNING, "the run may have died while it was written",
                    "the memory dump is cut: its statistics, which come last, are missing");
    return result == OD_PROTO_END && r->has_stats;
}

static void emit(struct reading *r)
{
    char words[NAME_MOST * 2];
    struct od_view name = od_view_head(r->dump.allocator, NAME_MOST);
    (void)snprintf(words, sizeof words, "memory dump of allocator %.*s, %zu chunks", (int)name.n,
                   name.p, r->dump.chunks.n);
    const struct od_event event = {
        .kind = OD_EV_DUMP,
        .at = r->dump.at,
        .excerpt = od_view_of(words),
        .rule = "tf_memory_dump",
        .dump = &r->dump,
    };
    od_sink_put(r->file->sink, &event);
}

static enum od_err read(const struct od_file *file)
{
    struct reading r = {
        .file = file,
        .dump = {.at = {.source = file->source}, .from_file = true, .has_header = true}};
    r.dump.cut_tail = !read_fields(&r);
    if (r.dump.regions.n > 0 && !r.dump.cut_tail)
        r.dump.regions.items[r.dump.regions.n - 1].ended = true;
    bool lost = r.dump.cut_tail;
    bool limit = r.dump.chunk_limit_hit;
    if (limit)
        od_file_say(file, OD_WARNING, NULL, "more than %d chunks; %" PRIu64 " are not kept",
                    OD_FILE_CHUNKS, r.dump.chunks_lost);
    emit(&r);
    od_dump_done(&r.dump);
    return lost ? OD_LOST : limit ? OD_ELIMIT : OD_OK;
}

const struct od_file_reader od_file_reader_tf_memory_dump = {
    .name = "tf_memory_dump", .bids = bids, .read = read};
