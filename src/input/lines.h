/*
 * Lines: the bytes of one source, in pieces -> blocks of whole physical lines, in one rolling
 * buffer. Bytes are read straight into it and handed out as they lie; only UTF-16, wrapped
 * stretches and files whose lines end with CR alone are rewritten.
 *
 * Bounded memory: the buffer holds a block, or one line up to the limit. A longer line is given in
 * pieces, each a block with the number of that line.
 */
#pragma once

#include "input/decode.h"
#include "input/input.h"
#include "input/label.h"
#include "input/stream.h"
#include "input/wrap.h"

enum { OD_BLOCK_BYTES = 256 * 1024 };

struct od_lines_limits {
    size_t block_bytes;
    size_t line_bytes;
};

struct od_lines;

struct od_lines *od_lines_new(const struct od_lines_limits *limits);
void od_lines_free(struct od_lines *lines);
void od_lines_set_watcher(struct od_lines *lines, struct od_text_watcher watcher);

/* Begins with a source. */
void od_lines_start(struct od_lines *lines, struct od_feed feed);

/* The next block but for its source; false at the end. Valid until the next call. */
bool od_lines_next(struct od_lines *lines, struct od_block *ret_block);

/*
 * Instead of the above: the whole source as one block, whatever is in it; format is what its result
 * is called. What goes beyond limit bytes is not read, and the result says so. False when the
 * source is empty. Valid until the next call.
 */
bool od_lines_whole(struct od_lines *lines, const char *format, size_t limit,
                    struct od_block *ret_block);

/*
 * The whole source that was given last is no such file, or a log follows it: the text at its end,
 * from byte *from on, is given as lines by od_lines_next; *from becomes where that text begins.
 * False where there is none.
 */
bool od_lines_give_back(struct od_lines *lines, size_t *from);

/* What became of the source, after the last block. */
struct od_lines_result {
    char digest[40];
    uint64_t bytes;
    uint64_t lines;
    const char *format;
    bool failed;            /* reading ended with an error */
    bool whole_cut;         /* a whole source is longer than the limit */
    uint64_t cut_lines;     /* longer than the limit: given in pieces */
    uint64_t first_cut;     /* number of the first of them */
    uint64_t torn_lines;    /* of them those cut between words, maybe within a message */
    uint64_t binary_lines;  /* not text */
    uint64_t wrapped_lines; /* physical lines that were joined to the one before */
    size_t wrap_width;      /* of the last stretch joined */
    struct od_clock clock;
};
struct od_lines_result od_lines_result(const struct od_lines *lines);
