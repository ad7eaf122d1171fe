/*
 * Decompresses a file up to its last readable byte, using the formats' own libraries. (libarchive
 * discards buffered output if a file is truncated, which for a log is the end of the run.)
 * Concatenated files are one text, and so is text appended to the last one; padding is skipped, and
 * anything else is an error.
 */
#pragma once

#include "input/stream.h"

struct od_codec;

/* Starts with a feed whose first bytes are head. NULL if the format's library is not available. */
struct od_codec *od_codec_new(struct od_feed feed, struct od_view head);
void od_codec_free(struct od_codec *codec);

/* Loads all available libraries. Call this before a process is locked and can load no more. */
void od_codec_prepare(void);

/* Returns up to room bytes; 0 at the end. od_codec_error tells whether the end is premature. */
size_t od_codec_read(struct od_codec *codec, char *to, size_t room);

/* Why the rest cannot be read, as text; NULL = no error. */
const char *od_codec_error(const struct od_codec *codec);

/* Name of the format: "gzip", "xz", "zstd", "bzip2". */
const char *od_codec_word(const struct od_codec *codec);

/* Number of compressed bytes read. */
uint64_t od_codec_taken(const struct od_codec *codec);
