/*
 * What the first bytes say about a text, and UTF-16 turned into UTF-8.
 */
#pragma once

#include "base/base.h"

enum od_encoding { OD_ENCODING_BYTES, OD_ENCODING_UTF16LE, OD_ENCODING_UTF16BE };

/*
 * The encoding of a text that begins so, by its byte order mark or, without one, by the NUL in
 * every other byte. *ret_mark: bytes of the mark (also of a UTF-8 one), to be skipped.
 */
enum od_encoding od_encoding_guess(struct od_view head, size_t *ret_mark);

/* More than a few control bytes among them: not text. Long runs of NULs are holes of a file
 * that was truncated while it was written, and do not count unless there is nothing else. */
bool od_bytes_are_binary(struct od_view sample);

typedef OD_VEC(uint64_t) od_offsets;

/* A position in a UTF-16 text that comes in pieces. Zeroed is its beginning. */
struct od_utf16 {
    bool big_endian;
    bool has_byte; /* half of a unit */
    unsigned char byte;
    uint16_t high;   /* first half of a surrogate pair, 0 = none */
    uint64_t offset; /* of the next byte */
};

/* Appends the UTF-8 of the piece to buf, and to starts the offset behind each LF. */
void od_utf16_decode(struct od_utf16 *state, struct od_view piece, struct od_buf *to,
                     od_offsets *starts);

/* The end of the text: half a character becomes U+FFFD. */
void od_utf16_end(struct od_utf16 *state, struct od_buf *to);
