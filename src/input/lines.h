/*
 * Splits the bytes of one source into blocks of whole physical lines, in one rolling buffer. Bytes
 * are read directly into it and passed on in place; only UTF-16, wrapped lines and files with CR
 * line ends are rewritten.
 *
 * Bounded memory: the buffer holds a block, or one line up to the limit. A longer line is split
 * into pieces, each of them a block with the number of that line.
 */
#pragma once

#include "input/block_prefix.h"
#include "input/decode.h"
#include "input/input.h"
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

/* Starts a source. */
void od_lines_start(struct od_lines *lines, struct od_feed feed);

/* The next block without its source number. False at the end. Valid until the next call. */
bool od_lines_next(struct od_lines *lines, struct od_block *ret_block);

/* Returns the whole source as one block, whatever it contains; format is the format in its result.
 * Bytes beyond limit are not read, which the result reports. False if the source is empty. Valid
 * until the next call. */
bool od_lines_whole(struct od_lines *lines, const char *format, size_t limit,
                    struct od_block *ret_block);

/* Undoes od_lines_whole, because the source is no file of this kind, or because a log follows it.
 * od_lines_next then returns the text at its end, after byte *from, as lines; *from is set to the
 * start of that text. False if there is none. */
bool od_lines_give_back(struct od_lines *lines, size_t *from);

/* The result for a source after its last block. */
struct od_lines_result {
    char digest[40];
    uint64_t bytes;
    uint64_t lines;
    const char *format;
    bool failed;            /* a read error ended reading */
    bool whole_cut;         /* a whole source is longer than the limit */
    uint64_t cut_lines;     /* number of lines that were longer than the limit and were split */
    uint64_t first_cut;     /* number of the first split line */
    uint64_t torn_lines;    /* number of lines split between words, possibly within a message */
    uint64_t binary_lines;  /* number of lines that are not text */
    uint64_t wrapped_lines; /* physical lines that were joined to the previous one */
    struct od_clock clock;
};
struct od_lines_result od_lines_result(const struct od_lines *lines);
