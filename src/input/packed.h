/*
 * Packed input: gzip, xz, zstd, bzip2, zip, tar, recognised by their first bytes. What is inside
 * comes out member by member; a compressed text is an archive with one nameless member.
 * Archives within archives are not opened; a compressed text in an archive is.
 *
 * Output and ratio have limits; a member that hits one ends there, and so does the archive.
 */
#pragma once

#include "input/input.h"
#include "input/stream.h"

/* Loads what packed input needs, which happens by itself when such input comes: for processes that
 * may soon load nothing more. False: it is not there. */
bool od_packed_prepare(void);

/* The word for a packed format that begins so ("gzip", "zip"), NULL for none. */
const char *od_packed_word(struct od_view head);

/* The word for a format that is packed but cannot be read here ("7-Zip"), NULL for none. */
const char *od_packed_foreign(struct od_view head);

enum od_packed_end { OD_PACKED_MEMBER, OD_PACKED_END, OD_PACKED_ERROR };

enum od_packed_stop { OD_PACKED_NO_STOP, OD_PACKED_BYTES, OD_PACKED_RATIO, OD_PACKED_BROKEN };

struct od_packed;

/* The stream is read from its beginning and outlives it; limits are set (not 0). */
struct od_packed *od_packed_new(struct od_stream *stream, const struct od_input_limits *limits);
void od_packed_free(struct od_packed *packed);

/* Goes to the next member that is a file. */
enum od_packed_end od_packed_next(struct od_packed *packed);

/* Of the member: its name, "" for a compressed text; valid until the next one. */
const char *od_packed_member(const struct od_packed *packed);

/* A member that was compressed by itself comes out as what it holds; false where that is an archive
 * or cannot be read. After a look at it, before it is read. */
bool od_packed_unpack(struct od_packed *packed);

/* "gzip", "zip", "gzip tar", "tar gzip"; valid as long as packed. */
const char *od_packed_format(struct od_packed *packed);

/* Bytes of the member: as a feed (input/lines.h). The first of them can be looked at. */
ssize_t od_packed_read(void *packed, char *to, size_t room);
struct od_view od_packed_look(struct od_packed *packed);

/* Why reading ended before the end. */
enum od_packed_stop od_packed_why(const struct od_packed *packed);

/* What the unpacker said about an error. */
const char *od_packed_error(const struct od_packed *packed);
