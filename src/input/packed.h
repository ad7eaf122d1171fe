/*
 * Packed input: gzip, xz, zstd, bzip2, zip, tar, recognized by the first bytes. Contents are read
 * member by member. A compressed text counts as an archive with one nameless member. Nested
 * archives are not opened; compressed texts in an archive are.
 *
 * Output and ratio have limits; reaching one ends the member and the archive.
 */
#pragma once

#include "input/input.h"
#include "input/stream.h"

/* Loads the libraries for packed input. Call this before a process is locked and can load no more.
 * False if they are not available. */
bool od_packed_prepare(void);

/* Name of the packed format that starts like this ("gzip", "zip"); NULL = none. */
const char *od_packed_word(struct od_view head);

/* Name of a packed format that cannot be read here ("7-Zip"); NULL = none. */
const char *od_packed_foreign(struct od_view head);

enum od_packed_end { OD_PACKED_MEMBER, OD_PACKED_END, OD_PACKED_ERROR };

enum od_packed_stop { OD_PACKED_NO_STOP, OD_PACKED_BYTES, OD_PACKED_RATIO, OD_PACKED_BROKEN };

struct od_packed;

/* Reads the stream from its beginning. It must outlive the result; limits must be set (not 0). */
struct od_packed *od_packed_new(struct od_stream *stream, const struct od_input_limits *limits);
void od_packed_free(struct od_packed *packed);

/* Advances to the next member that is a file. */
enum od_packed_end od_packed_next(struct od_packed *packed);

/* Name of the member, "" for a compressed text. Valid until the next member. */
const char *od_packed_member(const struct od_packed *packed);

/* Decompresses a member that is itself compressed. False if it is an archive or cannot be read.
 * Call this after od_packed_look and before od_packed_read. */
bool od_packed_unpack(struct od_packed *packed);

/* Names of formats: "gzip", "zip", "gzip tar", "tar gzip". Valid as long as packed. */
const char *od_packed_format(struct od_packed *packed);

/* Reads bytes of the member; the signature is that of a feed (input/stream.h). od_packed_look
 * returns the first bytes without consuming them. */
ssize_t od_packed_read(void *packed, char *to, size_t room);
struct od_view od_packed_look(struct od_packed *packed);

/* Why reading ended early. */
enum od_packed_stop od_packed_why(const struct od_packed *packed);

/* The unpacker's error message. */
const char *od_packed_error(const struct od_packed *packed);
