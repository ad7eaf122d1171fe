/*
 * A compressed file unpacked up to its last readable byte, by the formats' own libraries.
 * libarchive keeps back what it has when a file ends too early, and of a log that was cut that is
 * the end of the run. Files written one after the other are one text, and so is text that was
 * appended to the last one; padding is left alone, and anything else is an error.
 */
#pragma once

#include "input/stream.h"

struct od_codec;

/* For a feed that begins so; NULL where no library is here for it. */
struct od_codec *od_codec_new(struct od_feed feed, struct od_view head);
void od_codec_free(struct od_codec *codec);

/* Loads all the libraries there are: in a process that may soon load nothing more. */
void od_codec_prepare(void);

/* Up to room bytes; 0 at the end, which may not be the true one: od_codec_error. */
size_t od_codec_read(struct od_codec *codec, char *to, size_t room);

/* What keeps the rest from being read; NULL when nothing does. */
const char *od_codec_error(const struct od_codec *codec);

/* "gzip", "xz", "zstd", "bzip2" */
const char *od_codec_word(const struct od_codec *codec);

/* Bytes of the packed file that were read. */
uint64_t od_codec_taken(const struct od_codec *codec);
