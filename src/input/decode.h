/*
 * Decodes the bytes of a log to UTF-8. If several programs appended to a file, its encoding may
 * change, so each part is decoded separately: as UTF-16 of either byte order, or unchanged.
 */
#pragma once

#include "base/base.h"

enum od_encoding { OD_ENCODING_BYTES, OD_ENCODING_UTF16LE, OD_ENCODING_UTF16BE };

/* Does the sample contain more than a few control bytes? Long runs of NULs are holes in a file that
 * was truncated while it was written. They only count if there is nothing else. */
bool od_bytes_are_binary(struct od_view sample);

typedef OD_VEC(uint64_t) od_offsets;

/* State of decoding bytes that arrive in pieces. All zero bytes = at the beginning of a file. */
struct od_decoder {
    enum od_encoding encoding;
    uint64_t offset; /* offset of the first byte of pending */
    bool in_line;    /* the last decoded character was not LF */
    bool begun;
    unsigned met;  /* bit set of the encodings that occurred */
    uint16_t high; /* first half of a surrogate pair; 0 = none */
    struct od_buf pending;
};

/* Can bytes that start like this need decoding? If not, they can be used unchanged. */
bool od_decoder_wanted(struct od_view bytes, bool at_start);

/* Appends the decoded UTF-8 to `to`, and the offset after each LF to `starts`. Bytes that cannot be
 * decided yet are appended at the end of the file only. */
void od_decode(struct od_decoder *decoder, struct od_view piece, bool end, struct od_buf *to,
               od_offsets *starts);

void od_decoder_done(struct od_decoder *decoder);
