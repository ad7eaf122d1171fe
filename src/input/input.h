/*
 * Input: names -> streams -> unpacked bytes -> blocks of whole physical lines. One input is one
 * run; it has one or more sources (a file, standard input, a member of an archive).
 *
 * Compression and archives are recognised by their first bytes (gzip, xz, zstd, bzip2, zip, tar),
 * never by name; UTF-16 is turned into UTF-8; a source that a console wrapped hard at a fixed
 * width is joined again. Every limit has a name and, when hit, is said in the diagnostics and in
 * the source's record.
 *
 * Ownership: a block is valid until the next od_input_next. Records and their texts live as long
 * as the input.
 */
#pragma once

#include "base/diag.h"
#include "base/err.h"
#include "facts/place.h"
#include "facts/prov.h"
#include "input/clock.h"

struct od_input_limits {
    uint64_t unpacked_bytes; /* of one packed file, all members together; 0 = default (16 GiB) */
    uint64_t ratio;          /* unpacked : packed, once 64 MiB are out; 0 = default (1000) */
    size_t line_bytes;       /* longer lines are read in pieces; 0 = default (8 MiB) */
    size_t sources;          /* members of archives and files together; 0 = default (4096) */
    size_t whole_bytes;      /* of a source that is given whole; 0 = default (1 GiB) */
};

/* What became of one source; final once the input has been read to its end. */
struct od_source {
    const char *name;   /* as given; "bundle.zip:rank0.log" for a member; "-" for standard input */
    char digest[40];    /* "xxh3:" and 32 hex digits of the unpacked bytes; "" until read */
    uint64_t bytes;     /* unpacked */
    uint64_t lines;     /* physical; a last one without a line end counts */
    const char *format; /* "text", "utf-16le", "utf-16be", "binary", "empty"; packed: "gzip text";
                           that of a source given whole as its taker calls it */
    bool binary;        /* no text, packed or not */
    bool complete;      /* read to its end, within all limits, no error of the medium */
    uint64_t unreadable_lines; /* cut between words, or not text */
    struct od_clock clock;     /* what its lines say of the time */
};

/*
 * Line labels that look like ordinary text ("3: ", "[3]: ", "worker-3  | ") and so count as labels
 * only where most lines have one.
 */
enum od_labels {
    OD_LABELS_NONE,
    OD_LABELS_NUMBER,   /* "3: text", srun -l */
    OD_LABELS_BRACKET,  /* "[3]: text" and "[3] text", torchrun, Intel MPI */
    OD_LABELS_BAR,      /* "worker-3  | text", docker compose */
    OD_LABELS_COLLECTED /* "2026-01-02 03:04:05,678 INFO text", where every line has it */
};

/* Whole physical lines of one source, or all of a source that has no lines. */
struct od_block {
    struct od_view bytes;
    uint32_t source;
    uint64_t line;           /* number of the first */
    uint64_t offset;         /* of the first byte, in unpacked bytes (before UTF-16 is turned) */
    const uint32_t *spans;   /* physical lines that each line of the block spans; NULL = one each */
    const uint64_t *offsets; /* of each line; NULL = offset plus its place in bytes */
    enum od_labels labels;
    const char *whole; /* NULL: lines; else what kind of file this is, all of it */
};

/* A line of a block, without its line end. */
struct od_raw_line {
    struct od_view bytes;
    struct od_prov at;
    enum od_labels labels;
};

/* A position between lines of a block. */
struct od_cursor {
    const struct od_block *block;
    size_t at;     /* byte of the block */
    size_t index;  /* line of the block */
    uint64_t line; /* physical line number */
};

struct od_input;

/* limits may be NULL. diags outlives the input. */
struct od_input *od_input_new(const struct od_input_limits *limits, struct od_diags *diags);
void od_input_free(struct od_input *input);

/*
 * Adds a source by name; "-" is standard input. OD_EINPUT with a diagnostic when it cannot be
 * opened or is a directory; the input stays usable.
 */
enum od_err od_input_add(struct od_input *input, const char *name) OD_MUST_USE;

/* Adds bytes in memory (not copied, must outlive the input). */
enum od_err od_input_add_bytes(struct od_input *input, const char *name,
                               struct od_view bytes) OD_MUST_USE;

/*
 * Who takes files that are no logs. word looks at the first bytes of a source (at least 512, where
 * it has as many) and says what it is when it wants it whole, as one block; else NULL. It is asked
 * right before that block is given.
 */
struct od_whole_taker {
    const char *(*word)(void *self, struct od_view head);
    void *self;
};
void od_input_set_taker(struct od_input *input, struct od_whole_taker taker);

/* Who sees the text of each source as it is read: unpacked, as UTF-8, whole lines. It may be called
 * by the thread that reads. */
struct od_text_watcher {
    void (*text)(void *self, struct od_view text); /* NULL = nobody watches */
    void *self;
};
void od_input_set_watcher(struct od_input *input, struct od_text_watcher watcher);

/*
 * What the taker made of the whole block given last: it used so many bytes, and the text after them
 * is given as lines; *used becomes where that begins. Where err is not OD_OK, the source does not
 * count as complete and the status gets no better than that, unless all of it is text. True where
 * lines follow.
 */
bool od_input_taken(struct od_input *input, enum od_err err, size_t *used);

/* The next block; false at the end of the last source. Empty blocks are never given. */
bool od_input_next(struct od_input *input, struct od_block *ret_block);

/*
 * The same within the source that gave the last block: false at its end, which od_input_next then
 * deals with. It may be called by another thread: it leaves the records of the sources alone.
 */
bool od_input_next_of_source(struct od_input *input, struct od_block *ret_block);

/* Sources are numbered in the order they are read; the count is final after the last block. */
size_t od_input_count(const struct od_input *input);
const struct od_source *od_input_source(const struct od_input *input, size_t i);

/* The worst that happened while reading: OD_OK, OD_LOST, OD_ELIMIT or OD_EINPUT. */
enum od_err od_input_status(const struct od_input *input);

struct od_cursor od_cursor_start(const struct od_block *block);

/* The line at the cursor, which moves behind it; false at the end of the block. */
bool od_cursor_next(struct od_cursor *cursor, struct od_raw_line *ret_line);

/* The same where its line end is known to end at that byte of the block. */
void od_cursor_take(struct od_cursor *cursor, size_t end, struct od_raw_line *ret_line);

/* Passes so many lines, which make so many bytes, in a block without spans. */
void od_cursor_pass(struct od_cursor *cursor, size_t bytes, uint64_t lines);

/* Moves to the start of the line that holds that byte of the block, which is not before it. */
void od_cursor_skip_to(struct od_cursor *cursor, size_t byte);
