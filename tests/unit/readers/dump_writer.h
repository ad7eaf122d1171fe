/*
 * Random allocator dumps and their text in the syntax of every era, for tests, benchmarks and
 * fuzzing. What is printed is consistent: bins, summary, stats, pool and occupancy all follow
 * from the chunks. Deterministic: the same seed gives the same bytes.
 */
#ifndef OD_TESTS_UNIT_READERS_DUMP_WRITER_H
#define OD_TESTS_UNIT_READERS_DUMP_WRITER_H

#include "base/buf.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum dump_era {
    ERA_TF0,     /* Chunk at 0xH of size N; request after the dump; bins of free chunks */
    ERA_TF1,     /* 1.0 - 1.12 */
    ERA_TF113,   /* "Free  at" */
    ERA_TF115,   /* InUse at 0xH next M of size N; Next region; pool */
    ERA_TF2,     /* InUse at H of size N next M */
    ERA_TF2_OPS, /* MEM_DEBUG: by op OP action_count A step S */
    ERA_XLA2026, /* tag, allocation_annotation, memory summary in place of the pool line */
    ERA_END
};

enum { WRITER_BINS = 21, WRITER_CELLS = 100 };

struct random {
    uint64_t state;
};

/* 0 <= value < below; below > 0. */
uint64_t random_below(struct random *random, uint64_t below);

struct written_chunk {
    uint64_t address, bytes, requested;
    uint32_t next; /* UINT32_MAX ends the region */
    bool in_use;
    unsigned op, tag, annotation; /* indices into the writer's lists; 0 = none */
    uint64_t step, action;
};

struct written_region {
    size_t first, n;
    uint64_t bytes;
};

struct written_bin {
    uint64_t chunks, in_use, bytes, bytes_in_use, requested_in_use;
};

struct written_size {
    uint64_t bytes, count;
};

struct written_dump {
    enum dump_era era;
    bool prefix;         /* date, letter and file before the text of a line */
    const char *wrapper; /* put before every line; "" = nothing */
    char allocator[24];
    const char *op;
    uint64_t request;
    OD_VEC(struct written_chunk) chunks;
    OD_VEC(struct written_region) regions;
    OD_VEC(struct written_size) sizes; /* in use, ascending */
    struct written_bin bins[WRITER_BINS];
    uint64_t pool, in_use, max_in_use, allocs, max_alloc, limit, largest_free;
    char cells[WRITER_CELLS + 1];
};

/* A random dump of that many regions of 1..most_chunks chunks; the caller calls written_done. */
void written_make(struct written_dump *dump, struct random *random, enum dump_era era,
                  size_t regions, size_t most_chunks);
void written_done(struct written_dump *dump);

/* Words of the lists that chunks refer to. */
const char *written_op(const struct written_chunk *chunk);
const char *written_tag(const struct written_chunk *chunk);
const char *written_annotation(const struct written_chunk *chunk);

/* Lines, each ended by LF. A message is what the program prints in one go: one line mostly. */
struct written_text {
    struct od_buf buf;
    OD_VEC(size_t) messages; /* where each begins */
};

void written_print(const struct written_dump *dump, struct written_text *to);
void written_text_done(struct written_text *text);

/* The message of that number. */
struct od_view written_message(const struct written_text *text, size_t message);

#endif
