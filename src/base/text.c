#include "base/base.h"

static const uint32_t replacement = 0xFFFD;

/* Number of bytes after a lead byte, and the smallest code point that needs so many bytes. */
static size_t tail_length(unsigned char lead, uint32_t *ret_code, uint32_t *ret_least)
{
    if (lead >= 0xC2 && lead <= 0xDF) {
        *ret_code = lead & 0x1FU;
        *ret_least = 0x80;
        return 1;
    }
    if ((lead & 0xF0) == 0xE0) {
        *ret_code = lead & 0x0FU;
        *ret_least = 0x800;
        return 2;
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        *ret_code = lead & 0x07U;
        *ret_least = 0x10000;
        return 3;
    }
    return 0;
}

/* Decodes a code point that takes more than one byte. */
size_t od_text_decode_wide(struct od_view bytes, uint32_t *ret_code)
{
    unsigned char lead = (unsigned char)bytes.p[0];
    uint32_t code = 0;
    uint32_t least = 0;
    *ret_code = replacement;
    size_t tail = tail_length(lead, &code, &least);
    if (tail == 0 || tail >= bytes.n)
        return 1;
    for (size_t i = 1; i <= tail; i++) {
        unsigned char c = (unsigned char)bytes.p[i];
        if ((c & 0xC0) != 0x80)
            return 1;
        code = code << 6 | (c & 0x3FU);
    }
    if (code < least || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
        return 1;
    *ret_code = code;
    return tail + 1;
}

void od_text_encode(uint32_t code, struct od_buf *to)
{
    if (code < 0x80) {
        od_buf_add_char(to, (char)code);
    } else if (code < 0x800) {
        od_buf_add_char(to, (char)(0xC0 | code >> 6));
        od_buf_add_char(to, (char)(0x80 | (code & 0x3F)));
    } else if (code < 0x10000) {
        od_buf_add_char(to, (char)(0xE0 | code >> 12));
        od_buf_add_char(to, (char)(0x80 | (code >> 6 & 0x3F)));
        od_buf_add_char(to, (char)(0x80 | (code & 0x3F)));
    } else {
        od_buf_add_char(to, (char)(0xF0 | code >> 18));
        od_buf_add_char(to, (char)(0x80 | (code >> 12 & 0x3F)));
        od_buf_add_char(to, (char)(0x80 | (code >> 6 & 0x3F)));
        od_buf_add_char(to, (char)(0x80 | (code & 0x3F)));
    }
}

/* Does a terminal act on the code point: a C1 control, or a mark of text direction? */
static bool is_obeyed(uint32_t code)
{
    return (code >= 0x80 && code < 0xA0) || code == 0x200E || code == 0x200F || code == 0x61C ||
           (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

uint32_t od_text_obeyed(struct od_view text, size_t *ret_length)
{
    uint32_t code;
    size_t length = od_text_decode(text, &code);
    if (length < 2 || !is_obeyed(code))
        return 0;
    *ret_length = length;
    return code;
}

static uint32_t visible(uint32_t code)
{
    if (code == '\t')
        return code;
    if (code < 0x20)
        return 0x2400 + code; /* the Unicode pictures of control characters */
    if (code == 0x7F)
        return 0x2421;
    bool noncharacter = (code & 0xFFFE) == 0xFFFE || (code >= 0xFDD0 && code <= 0xFDEF);
    return is_obeyed(code) || noncharacter ? replacement : code;
}

/* Is this the rest of a command to a build service: "##[error]", "##vso[task...]"? */
static bool is_command(struct od_view bytes)
{
    size_t i = 2;
    if (bytes.n < 3 || bytes.p[0] != '#' || bytes.p[1] != '#')
        return false;
    while (i < bytes.n && bytes.p[i] >= 'a' && bytes.p[i] <= 'z')
        i++;
    return i < bytes.n && bytes.p[i] == '[';
}

/* Number of bytes at the start that can be shown unchanged. */
static size_t plain_bytes(struct od_view bytes)
{
    size_t n = 0;
    while (n < bytes.n && bytes.p[n] >= ' ' && bytes.p[n] <= '~' && bytes.p[n] != '#')
        n++;
    return n;
}

void od_text_uri_path(struct od_view path, struct od_buf *to)
{
    for (size_t i = 0; i < path.n; i++)
        if (od_is_alnum(path.p[i]) || strchr("-._~/", path.p[i]))
            od_buf_add_char(to, path.p[i]);
        else
            od_buf_printf(to, "%%%02X", (unsigned)(unsigned char)path.p[i]);
}

void od_text_visible(struct od_view bytes, struct od_buf *to)
{
    while (bytes.n > 0) {
        uint32_t code;
        size_t plain = plain_bytes(bytes);
        od_buf_add(to, od_view_head(bytes, plain));
        bytes = od_view_from(bytes, plain);
        if (bytes.n == 0)
            return;
        const char *after = is_command(bytes) ? " " : "";
        bytes = od_view_from(bytes, od_text_decode(bytes, &code));
        od_text_encode(visible(code), to);
        od_buf_add_str(to, after);
    }
}

void od_text_utf8(struct od_view bytes, struct od_buf *to)
{
    while (bytes.n > 0) {
        uint32_t code;
        bytes = od_view_from(bytes, od_text_decode(bytes, &code));
        od_text_encode(code, to);
    }
}

size_t od_text_columns(struct od_view text)
{
    size_t columns = 0;
    while (text.n > 0) {
        uint32_t code;
        text = od_view_from(text, od_text_decode(text, &code));
        columns++;
    }
    return columns;
}

static const char *entity_of(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void od_markup_text(struct od_buf *to, struct od_view text)
{
    struct od_buf visible = {0};
    od_text_visible(text, &visible);
    for (size_t i = 0; i < visible.n; i++) {
        const char *entity = entity_of(visible.p[i]);
        if (entity)
            od_buf_add_str(to, entity);
        else
            od_buf_add_char(to, visible.p[i]);
    }
    od_buf_done(&visible);
}

size_t od_text_close(struct od_view text, size_t *depth)
{
    bool quoted = false;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (quoted && c == '\\')
            i++;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && (c == '{' || c == '['))
            ++*depth;
        else if (!quoted && (c == '}' || c == ']') && *depth > 0 && --*depth == 0)
            return i + 1;
    }
    return OD_VIEW_NONE;
}
