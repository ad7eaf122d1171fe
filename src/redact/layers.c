#include "redact/layers.h"

#include "base/ansi.h"
#include "base/ascii.h"
#include "base/num.h"

#include <string.h>

static const char esc = '\x1b';

/* What an escape stands for: its length, and up to four bytes. */
struct escape {
    size_t length; /* 0 = there is none */
    char bytes[4];
    size_t n;
};

static unsigned hex_value(char c)
{
    return od_is_digit(c) ? (unsigned)(c - '0') : (unsigned)(od_lower(c) - 'a' + 10);
}

static bool take_hex(struct od_view v, size_t digits, unsigned *ret_value)
{
    *ret_value = 0;
    for (size_t i = 0; i < digits; i++) {
        if (i >= v.n || !od_is_hex(v.p[i]))
            return false;
        *ret_value = *ret_value * 16 + hex_value(v.p[i]);
    }
    return true;
}

static struct escape escape_of(size_t length, unsigned code)
{
    struct escape e = {.length = length, .n = 1};
    if (code < 0x80) {
        e.bytes[0] = (char)code;
    } else if (code < 0x800) {
        e.n = 2;
        e.bytes[0] = (char)(0xC0 | code >> 6);
        e.bytes[1] = (char)(0x80 | (code & 0x3F));
    } else {
        e.n = 3;
        e.bytes[0] = (char)(0xE0 | code >> 12);
        e.bytes[1] = (char)(0x80 | (code >> 6 & 0x3F));
        e.bytes[2] = (char)(0x80 | (code & 0x3F));
    }
    return e;
}

static struct escape one_byte(size_t length, unsigned byte)
{
    return (struct escape){.length = length, .bytes = {(char)byte}, .n = 1};
}

/* Behind a backslash. */
static struct escape backslash(struct od_view v)
{
    unsigned code;
    if (v.n < 2)
        return (struct escape){0};
    switch (v.p[1]) {
    case 'n':
    case 'r':
        return escape_of(2, '\n');
    case 't':
        return escape_of(2, '\t');
    case '"':
    case '\'':
    case '\\':
    case '/':
        return one_byte(2, (unsigned char)v.p[1]);
    case 'e':
        return od_view_starts(od_view_from(v, 2), OD_VIEW("[")) ? escape_of(2, 0x1b)
                                                                : (struct escape){0};
    case '0':
        return od_view_starts(v, OD_VIEW("\\033")) ? escape_of(4, 0x1b) : (struct escape){0};
    case 'x':
        return take_hex(od_view_from(v, 2), 2, &code) ? one_byte(4, code) : (struct escape){0};
    case 'u':
        return take_hex(od_view_from(v, 2), 4, &code) ? escape_of(6, code) : (struct escape){0};
    default:
        return (struct escape){0};
    }
}

static struct escape entity(struct od_view v)
{
    static const struct {
        const char *text;
        size_t n;
        char is;
    } named[] = {{"&quot;", 6, '"'}, {"&amp;", 5, '&'},   {"&lt;", 4, '<'},
                 {"&gt;", 4, '>'},   {"&apos;", 6, '\''}, {"&nbsp;", 6, ' '}};
    for (size_t i = 0; i < OD_COUNT_OF(named); i++) {
        if (od_view_starts(v, (struct od_view){named[i].text, named[i].n}))
            return escape_of(named[i].n, (unsigned char)named[i].is);
    }
    bool hex = od_view_starts(v, OD_VIEW("&#x"));
    size_t at = hex ? 3 : 2;
    unsigned code = 0;
    if (!od_view_starts(v, OD_VIEW("&#")))
        return (struct escape){0};
    while (at < v.n && at < 8 && (hex ? od_is_hex(v.p[at]) : od_is_digit(v.p[at])))
        code = code * (hex ? 16 : 10) + hex_value(v.p[at++]);
    return at < v.n && v.p[at] == ';' && code > 0 && code < 0x10000 ? escape_of(at + 1, code)
                                                                    : (struct escape){0};
}

static struct escape escape_at(struct od_view v)
{
    unsigned code;
    if (v.p[0] == '\\')
        return backslash(v);
    if (v.p[0] == '&')
        return entity(v);
    if (v.p[0] == '%' && take_hex(od_view_from(v, 1), 2, &code) && code > 0)
        return code == '\r' ? escape_of(3, '\n') : one_byte(3, code);
    return (struct escape){0};
}

/* Bytes of a sequence that a terminal would obey and not show; 0 = none. */
static size_t unseen(struct od_view v)
{
    if (v.p[0] == esc)
        return 1 + od_ansi_sequence(od_view_from(v, 1));
    if (od_view_starts(v, OD_VIEW("#033["))) /* what syslog daemons write for one */
        return 4 + od_ansi_sequence(od_view_from(v, 4));
    return 0;
}

static bool has_unseen(struct od_view text)
{
    if (od_view_find_char(text, esc, 0) != OD_VIEW_NONE)
        return true;
    for (size_t at = 0; (at = od_view_find_char(text, '#', at)) != OD_VIEW_NONE; at++) {
        if (od_view_starts(od_view_from(text, at), OD_VIEW("#033[")))
            return true;
    }
    return false;
}

static void push(struct od_layer *layer, char c, uint32_t start, uint32_t end)
{
    od_vec_push(&layer->text, c);
    od_vec_push(&layer->start, start);
    od_vec_push(&layer->end, end);
}

/* From a layer, or from the text itself: one kind of escapes goes. */
static bool make(const struct od_layers *layers, struct od_layer *to, bool escapes)
{
    struct od_view from = od_layers_text(layers);
    bool changed = false;
    to->text.n = to->start.n = to->end.n = 0;
    for (size_t at = 0; at < from.n;) {
        struct od_view rest = od_view_from(from, at);
        struct escape e = escapes ? escape_at(rest) : (struct escape){.length = unseen(rest)};
        size_t length = e.length > 0 ? e.length : 1;
        struct od_view source = od_layers_source(layers, at, at + length);
        uint32_t start = (uint32_t)(source.p - layers->text.p);
        uint32_t end = start + (uint32_t)source.n;
        changed = changed || e.length > 0;
        if (e.length == 0)
            push(to, from.p[at], start, end);
        for (size_t i = 0; i < e.n; i++)
            push(to, e.bytes[i], start, end);
        at += length;
    }
    return changed;
}

static void take(struct od_layers *layers)
{
    layers->n++;
    layers->is_plain = false;
}

void od_layers_start(struct od_layers *layers, struct od_view text)
{
    layers->n = 0;
    layers->text = text;
    layers->is_plain = true;
    if (has_unseen(text) && make(layers, &layers->made[0], false))
        take(layers);
}

static bool has_escape(struct od_view text)
{
    static const char marks[] = {'\\', '%', '&'};
    for (size_t i = 0; i < OD_COUNT_OF(marks); i++) {
        for (size_t at = 0; (at = od_view_find_char(text, marks[i], at)) != OD_VIEW_NONE; at++) {
            if (escape_at(od_view_from(text, at)).length > 0)
                return true;
        }
    }
    return false;
}

bool od_layers_next(struct od_layers *layers)
{
    struct od_view text = od_layers_text(layers);
    if (layers->n >= OD_LAYERS_MOST)
        return false;
    bool escapes = has_escape(text);
    if (escapes && make(layers, &layers->made[layers->n % 2], true)) {
        take(layers);
        return true;
    }
    if (layers->n == 0 || !has_unseen(text) || !make(layers, &layers->made[layers->n % 2], false))
        return false;
    take(layers);
    return true;
}

struct od_view od_layers_text(const struct od_layers *layers)
{
    const struct od_layer *layer = &layers->made[(layers->n + 1) % 2];
    return layers->is_plain ? layers->text : (struct od_view){layer->text.items, layer->text.n};
}

struct od_view od_layers_source(const struct od_layers *layers, size_t start, size_t end)
{
    const struct od_layer *layer = &layers->made[(layers->n + 1) % 2];
    if (layers->is_plain)
        return od_view_head(od_view_from(layers->text, start), end - start);
    size_t from = layer->start.items[start];
    return od_view_head(od_view_from(layers->text, from), layer->end.items[end - 1] - from);
}

void od_layers_done(struct od_layers *layers)
{
    for (size_t i = 0; i < OD_COUNT_OF(layers->made); i++) {
        od_vec_done(&layers->made[i].text);
        od_vec_done(&layers->made[i].start);
        od_vec_done(&layers->made[i].end);
    }
}
