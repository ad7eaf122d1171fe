/*
 * Packed input: gzip, xz, zstd, bzip2, zip, tar, recognized by their first bytes. Contents are read
 * member by member; a compressed text is an archive with one nameless member. Nested archives are
 * not opened; a compressed text in an archive is.
 *
 * Output and ratio have limits; at a limit, the member and the archive end.
 */
#pragma once

#include "input/input.h"
#include "input/stream.h"

/* Loads what packed input needs, which otherwise happens on demand, for processes that may soon be
 * unable to load more. False if it is not available. */
bool od_packed_prepare(void);

/* Name of the packed format that starts like this ("gzip", "zip"), NULL for none. */
const char *od_packed_word(struct od_view head);

/* Name of a packed format that cannot be read here ("7-Zip"), NULL for none. */
const char *od_packed_foreign(struct od_view head);

enum od_packed_end { OD_PACKED_MEMBER, OD_PACKED_END, OD_PACKED_ERROR };

enum od_packed_stop { OD_PACKED_NO_STOP, OD_PACKED_BYTES, OD_PACKED_RATIO, OD_PACKED_BROKEN };

struct od_packed;

/* The stream is read from its beginning and must outlive the result; limits must be set (not 0). */
struct od_packed *od_packed_new(struct od_stream *stream, const struct od_input_limits *limits);
void od_packed_free(struct od_packed *packed);

/* Advances to the next member that is a file. */
enum od_packed_end od_packed_next(struct od_packed *packed);

/* Name of the member, "" for a compressed text; valid until the next member. */
const char *od_packed_member(const struct od_packed *packed);

/* Decompresses a member that is itself compressed; false if it is an archive or cannot be read.
 * Call after od_packed_look and before od_packed_read. */
bool od_packed_unpack(struct od_packed *packed);

/* "gzip", "zip", "gzip tar", "tar gzip"; valid as long as packed. */
const char *od_packed_format(struct od_packed *packed);

/* Bytes of the member, with the signature of a feed (input/lines.h). od_packed_look returns its
 * first bytes. */
ssize_t od_packed_read(void *packed, char *to, size_t room);
struct od_view od_packed_look(struct od_packed *packed);

/* Why reading ended early. */
enum od_packed_stop od_packed_why(const struct od_packed *packed);

/* The unpacker's error message. */
const char *od_packed_error(const struct od_packed *packed);
