/*
 * Bytes of a log -> UTF-8. A file that several programs appended to may change its encoding: each
 * stretch is decoded by what it is, UTF-16 of either byte order or bytes that are taken as they
 * are.
 */
#pragma once

#include "base/base.h"

enum od_encoding { OD_ENCODING_BYTES, OD_ENCODING_UTF16LE, OD_ENCODING_UTF16BE };

/* More than a few control bytes among them: not text. Long runs of NULs are holes of a file
 * that was truncated while it was written, and do not count unless there is nothing else. */
bool od_bytes_are_binary(struct od_view sample);

typedef OD_VEC(uint64_t) od_offsets;

/* A position in bytes that come in pieces. Zeroed is the beginning of a file. */
struct od_decoder {
    enum od_encoding encoding;
    uint64_t offset; /* of the first byte of pending */
    bool in_line;    /* the last character is no LF */
    bool begun;
    unsigned met;  /* bit of each encoding of which there were bytes */
    uint16_t high; /* first half of a surrogate pair, 0 = none */
    struct od_buf pending;
};

/* Might bytes that begin so need decoding? Those of which it is false can be taken as they are. */
bool od_decoder_wanted(struct od_view bytes, bool at_start);

/* Appends the UTF-8 of all that is decided by now, at the end of the file of everything, to `to`,
 * and the offset after each LF to starts. */
void od_decode(struct od_decoder *decoder, struct od_view piece, bool end, struct od_buf *to,
               od_offsets *starts);

void od_decoder_done(struct od_decoder *decoder);
