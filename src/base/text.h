/*
 * Converts untrusted bytes for display. Logs are bytes until this last step: invalid UTF-8 becomes
 * U+FFFD, and control characters (C0, DEL, C1) are made visible, so that no ANSI code of a log
 * reaches a terminal.
 */
#pragma once

#include "base/buf.h"
#include "base/view.h"

#include <stddef.h>
#include <stdint.h>

/* Appends valid UTF-8 without control characters; tabs stay. */
void od_text_visible(struct od_view bytes, struct od_buf *to);

/* Appends valid UTF-8 with control characters (for JSON, which escapes them itself). */
void od_text_utf8(struct od_view bytes, struct od_buf *to);

/* Decodes one code point at the start of bytes; returns its length. 0xFFFD and 1 for an invalid
 * byte. n > 0. */
size_t od_text_decode_wide(struct od_view bytes, uint32_t *ret_code);
static inline size_t od_text_decode(struct od_view bytes, uint32_t *ret_code)
{
    *ret_code = (unsigned char)bytes.p[0];
    return *ret_code < 0x80 ? 1 : od_text_decode_wide(bytes, ret_code);
}

/* The code point at the start of valid UTF-8 (not empty) if it is not ASCII and a terminal acts on
 * it (C1 controls, direction marks), and its length. Otherwise 0, and *ret_length is unchanged. */
uint32_t od_text_obeyed(struct od_view text, size_t *ret_length);

/* Appends one code point as UTF-8. */
void od_text_encode(uint32_t code, struct od_buf *to);

/* Number of terminal columns of valid UTF-8, one for each code point. */
size_t od_text_columns(struct od_view text);

/* Offset after the bracket of JSON that closes all open ones, OD_VIEW_NONE if some stay open.
 * *depth is the number of open brackets, updated. */
size_t od_text_close(struct od_view text, size_t *depth);

/* Appends a path as part of a URI: all but letters, digits and "-._~/" is percent-encoded. */
void od_text_uri_path(struct od_view path, struct od_buf *to);

/* Untrusted text in HTML and XML. */
/* Escapes text for element contents and quoted attributes. Control characters, which XML cannot
 * represent, become visible. */
void od_markup_text(struct od_buf *to, struct od_view text);
