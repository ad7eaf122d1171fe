/*
 * An allocator dump as printed, passed from a reader to the case. Nothing here is computed from
 * other parts of it; the case compares the parts (case/allocator.h).
 *
 * Terms of the allocator's source: a region is one block from the driver; chunks tile a region; a
 * chunk is in use or free; free chunks are kept in bins by size. Sizes are bytes. Ownership: a dump
 * owns its arrays (od_dump_done); texts are allocated in the arena it was made with.
 */
#pragma once

#include "facts/place.h"
#include "facts/prov.h"

/* `next` of the last chunk of a region, and of a chunk whose line says none. */
#define OD_HANDLE_END UINT32_MAX
#define OD_HANDLE_UNKNOWN (UINT32_MAX - 1)

/* Chunks are multiples of these: kMinAllocationSize of tsl/framework/bfc_allocator.h, kMinBlockSize
 * of c10/cuda/CUDACachingAllocator.cpp. */
enum { OD_BFC_UNIT = 256, OD_TORCH_UNIT = 512 };

/* The size of a request after the BFC allocator's rounding. */
static inline uint64_t od_bfc_rounded(uint64_t bytes)
{
    return (bytes + OD_BFC_UNIT - 1) / OD_BFC_UNIT * OD_BFC_UNIT;
}

/* A chunk line, stored in 32 bytes. */
struct od_chunk {
    uint64_t address;
    uint64_t bytes;
    uint32_t next;    /* handle of the next chunk */
    uint32_t line;    /* relative to the dump's first line */
    uint32_t details; /* index + 1 in od_dump.details; 0 = none */
    bool in_use;
};

/* Data about a chunk that only some dumps print (MEM_DEBUG builds, XLA of 2026). */
struct od_chunk_details {
    uint64_t requested; /* 0 = not printed */
    struct od_view op;
    struct od_view tag;
    struct od_view annotation;
    struct od_count step;
    struct od_count action_count;
    struct od_count freed_at_count;
};

struct od_region {
    uint64_t address;          /* address of its first chunk */
    struct od_bytes announced; /* "Next region of size N"; unknown if the dump does not mark
                                  regions */
    size_t first_chunk;        /* index in od_dump.chunks; the chunks of a region are contiguous */
    size_t nchunks;
    uint64_t line; /* line of the line that announces it, otherwise of its first chunk */
    bool ended;    /* closed by a chunk with next == OD_HANDLE_END, or because its size was
                      reached */
    bool barred;   /* belongs to another stream or pool, so its free chunks cannot serve the
                      dump's request */
};

struct od_bin_row {
    uint64_t min_bytes;
    uint64_t chunks;
    uint64_t chunks_in_use;
    struct od_bytes bytes; /* allocated for chunks */
    struct od_bytes bytes_in_use;
    struct od_bytes requested_in_use;
    struct od_bytes requested; /* only in old dumps */
    uint64_t line;
    bool free_only; /* the row counts free chunks only (old form) */
};

/* A row "k Chunks of size N totalling T". */
struct od_summary_row {
    uint64_t count;
    uint64_t bytes;
    struct od_bytes total;
    uint64_t line;
};

struct od_allocator_stats {
    struct od_count limit;
    struct od_count in_use;
    struct od_count max_in_use;
    struct od_count num_allocs;
    struct od_count max_alloc;
    struct od_count reserved;
    struct od_count peak_reserved;
    struct od_count largest_free_block;
    bool rounded;  /* sizes have few digits ("189.10MiB"), so each is off by half of the last one */
    uint64_t line; /* line of the first number; 0 = none */
};

/* Can InUse as printed mean that many bytes? */
static inline bool od_stats_in_use_is(const struct od_allocator_stats *stats, uint64_t bytes)
{
    uint64_t off = stats->rounded ? stats->in_use.n / 200 : 0; /* "1.00" means 0.995 or more */
    return stats->in_use.known && bytes >= stats->in_use.n - off && bytes <= stats->in_use.n + off;
}

/* One call of a stack trace. */
struct od_call {
    struct od_view file;
    struct od_view function;
    struct od_count line;
};

/* A large block in use and the stack that allocated it, innermost call first. */
struct od_large_block {
    uint64_t address;
    uint64_t bytes;
    size_t first_call, ncalls; /* range in od_dump.calls */
};

/* One point of an allocator's recorded history. */
enum { OD_HISTORY_PLACES = 5, OD_HISTORY_POINTS = 240 };
struct od_history_point {
    uint64_t event; /* number of the event, from 1 */
    uint64_t allocated, reserved;
    uint64_t held[OD_HISTORY_PLACES]; /* part of `allocated` held by each of the places */
};

/* The allocator's rules. */
enum od_family {
    OD_FAMILY_BFC,  /* TensorFlow, XLA: 256-byte units, bins; any free chunk serves any request */
    OD_FAMILY_TORCH /* PyTorch's caching allocator: 512-byte units, no bins; regions are segments
                       of one stream and pool, and a free chunk only serves requests of both */
};

struct od_dump {
    enum od_family family;
    bool from_file;    /* read from a file of its own; all its line numbers are 0 */
    struct od_prov at; /* first line; nlines extends to its last line */
    uint32_t lane;
    const struct od_place *place; /* of the lane; lives as long as the input */
    struct od_view allocator;     /* "GPU_0_bfc"; empty = not printed */
    struct od_bytes requested;    /* of the header line */
    struct od_bytes rounded;
    struct od_view op;
    struct od_view stamp; /* time of the header as printed */

    OD_VEC(struct od_chunk) chunks;
    OD_VEC(struct od_chunk_details) details;
    OD_VEC(struct od_region) regions;
    OD_VEC(struct od_bin_row) bins;
    OD_VEC(struct od_summary_row) summary;
    OD_VEC(struct od_large_block)
    blocks; /* the largest blocks in use, largest first; only those with stacks */
    OD_VEC(struct od_call) calls;
    OD_VEC(struct od_history_point) history; /* the highest point of each stretch of events */
    struct od_view history_places[OD_HISTORY_PLACES]; /* the places that held most at the peak,
                                                         most first */
    uint64_t history_events;

    struct od_bytes bin_for;   /* "Bin for S was ..." */
    struct od_bytes sum_total; /* "Sum Total of in-use chunks" */
    uint64_t sum_total_line;
    struct od_count pool; /* bytes that the allocator has from the driver */
    struct od_count memory_limit;
    struct od_count available;
    uint64_t pool_line;
    struct od_allocator_stats stats;
    struct od_view occupancy; /* the line of 100 '*', 'x', '_' */
    uint64_t occupancy_line;

    bool has_header;      /* its first line was seen */
    bool chunk_limit_hit; /* our limit ended the chunk table; chunks_lost more were dropped */
    uint64_t chunks_lost;
    bool interleaved; /* its lines are mixed with those of other dumps: only its start is known */
    bool cut_tail;    /* the input ended, or another dump started, before its last line */
};

void od_dump_done(struct od_dump *dump);
