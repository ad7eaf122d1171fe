/*
 * Parses one line of a BFC allocator dump into a typed record. Stateless; independent of prefixes
 * (TensorFlow's date and file, glog's letter, a wrapper), because the grammar's own words are
 * searched. Views point into the line.
 *
 * A line of prose that only mentions those words does not match: without the allocator's file name,
 * no word may be directly before or after the grammar.
 */
#pragma once

#include "facts/dump.h"

/* In the order of a dump. */
enum od_bfc_kind {
    OD_BFC_NONE,
    OD_BFC_HEADER,  /* Allocator (N) ran out of memory trying to allocate ... (a real failure) */
    OD_BFC_HINT,    /* continuation lines of the header */
    OD_BFC_NAME,    /* BFCAllocator dump for N */
    OD_BFC_BIN,     /* Bin (S): ... */
    OD_BFC_BIN_FOR, /* Bin for S was S, Chunk State: */
    OD_BFC_STATE,   /* Size: S | Requested Size: S | in_use: 0 ... */
    OD_BFC_REGION,  /* Next region of size N */
    OD_BFC_CHUNK,   /* InUse at, Free at, Chunk at */
    OD_BFC_SUMMARY, /* Summary of in-use Chunks by size: */
    OD_BFC_ROW,     /* k Chunks of size N totalling S */
    OD_BFC_TOTAL,   /* Sum Total of in-use chunks: S */
    OD_BFC_POOL,    /* total_region_allocated_bytes_: ..., or the lines that replaced it in 2026 */
    OD_BFC_STATS,   /* Stats: */
    OD_BFC_STAT,    /* Limit: N and similar lines */
    OD_BFC_OCCUPANCY,
    OD_BFC_LATE /* Ran out of memory trying to allocate S.  See logs (TF 0.x, after the dump) */
};

struct od_bfc_header {
    struct od_view allocator;
    struct od_bytes requested;
    struct od_bytes rounded;
    struct od_view op;
    struct od_view words; /* the line without its prefix */
};

struct od_bfc_chunk {
    struct od_chunk chunk; /* line and details stay 0 */
    bool has_details;
    struct od_chunk_details details;
};

struct od_bfc_pool_line {
    struct od_count pool, limit, available;
};

struct od_bfc_record {
    enum od_bfc_kind kind;
    bool signed_line; /* the allocator's source file precedes it, so the line is certain */
    union {
        struct od_bfc_header header; /* HEADER, LATE */
        struct od_view name;         /* NAME */
        struct od_bin_row bin;
        struct od_bytes bytes; /* BIN_FOR, TOTAL */
        uint64_t region;
        struct od_bfc_chunk chunk;
        struct od_summary_row row;
        struct od_bfc_pool_line pool;
        struct {
            size_t member; /* offset in od_allocator_stats */
            uint64_t value;
            bool rounded;
        } stat;
        struct od_view occupancy; /* empty if it does not have 100 characters */
    } as;
};

/* Parses text; kind is OD_BFC_NONE if it is not a line of a dump. */
void od_bfc_line_read(struct od_view text, struct od_bfc_record *ret_record);
