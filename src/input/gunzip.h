/*
 * A gzip file unpacked up to its last readable byte. libarchive keeps back the block in which such
 * a file ends too early, and of a log that was cut that is the end of the run. Files written one
 * behind the other are one text; what follows the last and is none (padding, say) is left alone.
 */
#ifndef OD_INPUT_GUNZIP_H
#define OD_INPUT_GUNZIP_H

#include "input/stream.h"

#include <stddef.h>
#include <stdint.h>

struct od_gunzip;

/* The stream is read from its beginning and outlives it. */
struct od_gunzip *od_gunzip_new(struct od_stream *stream);
void od_gunzip_free(struct od_gunzip *gunzip);

/* Up to room bytes; 0 at the end, which may not be the true one: od_gunzip_error. */
size_t od_gunzip_read(struct od_gunzip *gunzip, char *to, size_t room);

/* What keeps the rest from being read; NULL when nothing does. */
const char *od_gunzip_error(const struct od_gunzip *gunzip);

/* Bytes of the packed file that were read. */
uint64_t od_gunzip_taken(const struct od_gunzip *gunzip);

#endif
