/*
 * Input: names -> streams -> unpacked bytes -> blocks of whole physical lines. An input is a run
 * with one or more sources (a file, standard input, a member of an archive).
 *
 * Compression and archives are recognized by their first bytes (gzip, xz, zstd, bzip2, zip, tar),
 * never by name; UTF-16 is converted to UTF-8; lines that a console wrapped at a fixed width are
 * joined again. Every limit has a name; reaching it is reported in the diagnostics and in the
 * source's record.
 *
 * Ownership: a block is valid until the next od_input_next. Records and their texts live as long as
 * the input.
 */
#pragma once

#include "base/diag.h"
#include "base/err.h"
#include "facts/place.h"
#include "facts/prov.h"
#include "input/clock.h"

struct od_input_limits {
    /* limit of unpacked bytes of a packed file with all members; 0 = default (16 GiB) */
    uint64_t unpacked_bytes;
    uint64_t ratio;     /* limit of unpacked / packed bytes, after 64 MiB; 0 = default (1000) */
    size_t line_bytes;  /* longer lines are split; 0 = default (8 MiB) */
    size_t sources;     /* files and members of archives together; 0 = default (4096) */
    size_t whole_bytes; /* longest source passed as a whole, in bytes; 0 = default (1 GiB) */
};

/* The result for one source, final when the input was read to its end. */
struct od_source {
    const char *name; /* given name; "bundle.zip:rank0.log" for a member; "-" for standard input */
    char digest[40];  /* "xxh3:" and 32 hex digits over the unpacked bytes; "" until read */
    uint64_t bytes;   /* number of unpacked bytes */
    uint64_t lines;   /* number of physical lines, including a last one without line end */
    /* "text", "utf-16le", "utf-16be", "binary", "empty"; packed: "gzip text"; for a source
     * passed as a whole, the name from its taker */
    const char *format;
    bool binary;   /* the unpacked bytes are not text */
    bool complete; /* the source was read to its end, without reaching limits or read errors */
    uint64_t unreadable_lines; /* number of lines that were split between words or are not text */
    struct od_clock clock;     /* times printed in the source */
};

/* Labels of lines that look like ordinary text ("3: ", "[3]: ") ; they count if most lines have
 * one. */
enum od_block_prefixes {
    OD_BLOCK_PREFIX_NONE,
    OD_BLOCK_PREFIX_NUMBER,   /* "3: text", srun -l */
    OD_BLOCK_PREFIX_BRACKET,  /* "[3]: text" and "[3] text", torchrun, Intel MPI */
    OD_BLOCK_PREFIX_COLLECTED /* "2026-01-02 03:04:05,678 INFO text", if every line has it */
};

/* Whole physical lines of a source, or a complete source without lines. */
struct od_block {
    struct od_view bytes;
    uint32_t source;
    uint64_t line;   /* number of the block's first line */
    uint64_t offset; /* offset of the block's first unpacked byte, before UTF-16 was decoded */
    const uint32_t *spans;   /* physical lines in each line of the block; NULL = one in each */
    const uint64_t *offsets; /* offset of each line; NULL = offset plus its position in bytes */
    enum od_block_prefixes labels;
    const char *whole; /* kind of a file that is all in `bytes`; NULL = lines */
};

/* A line of a block, without its line end. */
struct od_raw_line {
    struct od_view bytes;
    struct od_prov at;
    enum od_block_prefixes labels;
};

/* A position between two lines of a block. */
struct od_cursor {
    const struct od_block *block;
    size_t at;     /* offset of a byte in the block */
    size_t index;  /* index of a line in the block */
    uint64_t line; /* physical line number */
};

struct od_input;

/* limits may be NULL. diags must outlive the input. */
struct od_input *od_input_new(const struct od_input_limits *limits, struct od_diags *diags);
void od_input_free(struct od_input *input);

/* Adds a source by name, "-" for standard input. OD_EINPUT with a diagnostic if it cannot be opened
 * or is a directory; the input stays usable. */
enum od_err od_input_add(struct od_input *input, const char *name) OD_MUST_USE;

/* Adds a source in memory. The bytes are not copied and must outlive the input. */
enum od_err od_input_add_bytes(struct od_input *input, const char *name,
                               struct od_view bytes) OD_MUST_USE;

/* Receives files that are not logs. word gets the first bytes of a source (at least 512 if it has
 * as many). It returns the kind of the file if it accepts the whole source as one block, otherwise
 * NULL. It is called directly before that block is returned. */
struct od_whole_taker {
    const char *(*word)(void *self, struct od_view head);
    void *self;
};
void od_input_set_taker(struct od_input *input, struct od_whole_taker taker);

/* Receives the text of each source while it is read: unpacked, as UTF-8, whole lines. text may be
 * called from the reading thread. */
struct od_text_watcher {
    void (*text)(void *self, struct od_view text); /* may be NULL */
    void *self;
};
void od_input_set_watcher(struct od_input *input, struct od_text_watcher watcher);

/* Reports how much of the last whole block its taker used. *used bytes were used; the text after
 * them is returned as lines, and *used is set to its start. If err is not OD_OK, the source does
 * not count as complete and the status becomes at least that bad, unless all of it is text. True if
 * lines follow. */
bool od_input_taken(struct od_input *input, enum od_err err, size_t *used);

/* Returns the next block. False at the end of the last source. Blocks are never empty. */
bool od_input_next(struct od_input *input, struct od_block *ret_block);

/* Number of sources, final after the last block. Sources are numbered in the order of reading. */
size_t od_input_count(const struct od_input *input);
const struct od_source *od_input_source(const struct od_input *input, size_t i);

/* The worst result so far: OD_OK, OD_LOST, OD_ELIMIT or OD_EINPUT. */
enum od_err od_input_status(const struct od_input *input);

struct od_cursor od_cursor_start(const struct od_block *block);

/* Returns the line at the cursor and advances; false at the end of the block. */
bool od_cursor_next(struct od_cursor *cursor, struct od_raw_line *ret_line);

/* Returns the next line, whose end must be at that byte of the block, and advances. */
void od_cursor_take(struct od_cursor *cursor, size_t end, struct od_raw_line *ret_line);

/* Skips a number of lines, which have that many bytes together, in a block without spans. */
void od_cursor_pass(struct od_cursor *cursor, size_t bytes, uint64_t lines);

/* Advances to the start of the line that contains a byte of the block. */
void od_cursor_skip_to(struct od_cursor *cursor, size_t byte);
