/*
 * Untrusted bytes made fit to be shown. Logs are bytes; only here, at the last step, do they
 * become text: bad UTF-8 turns into U+FFFD, control characters (C0, DEL, C1) are made visible,
 * so that no ANSI code of a log reaches a terminal.
 */
#pragma once

#include "base/buf.h"
#include "base/view.h"

#include <stddef.h>
#include <stdint.h>

/* Valid UTF-8 without control characters; tabs stay. */
void od_text_visible(struct od_view bytes, struct od_buf *to);

/* Valid UTF-8, control characters as they are (for JSON, which escapes them itself). */
void od_text_utf8(struct od_view bytes, struct od_buf *to);

/* One code point from the start of bytes: its length; 0xFFFD and 1 for a bad byte. n > 0. */
size_t od_text_decode_wide(struct od_view bytes, uint32_t *ret_code);
static inline size_t od_text_decode(struct od_view bytes, uint32_t *ret_code)
{
    *ret_code = (unsigned char)bytes.p[0];
    return *ret_code < 0x80 ? 1 : od_text_decode_wide(bytes, ret_code);
}

/* The code point at the start of valid UTF-8 (not empty) that a terminal may obey though it is no
 * ASCII (C1 controls, marks of direction), and its length; 0 = none, and the length stays. */
uint32_t od_text_obeyed(struct od_view text, size_t *ret_length);

/* UTF-8 of one code point. */
void od_text_encode(uint32_t code, struct od_buf *to);

/* Columns that valid UTF-8 takes on a terminal, one a code point. */
size_t od_text_columns(struct od_view text);

/* Untrusted text in HTML and XML. */
/* Escapes text for element contents and quoted attributes. Control characters, which XML cannot
 * represent, become visible. */
void od_markup_text(struct od_buf *to, struct od_view text);
