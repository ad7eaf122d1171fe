#include "redact/layers.h"

#include "base/ansi.h"
#include "redact/found.h"

/* The first bytes of escapes and of terminal sequences. */
static const char marks[2][3] = {{'\x1b', '#', '#'}, {'\\', '%', '&'}};

/* The value of an escape: its length, and up to four bytes. */
struct escape {
    size_t length; /* 0 = no escape */
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

/* Length of a terminal sequence, which is not displayed; 0 = none. */
static size_t unseen(struct od_view v)
{
    if (v.p[0] == marks[0][0])
        return 1 + od_ansi_sequence(od_view_from(v, 1));
    if (od_view_starts(v, OD_VIEW("#033["))) /* an ESC as written by syslog daemons */
        return 4 + od_ansi_sequence(od_view_from(v, 4));
    return 0;
}

/* Offset of the next mark; most blocks of a text have none. */
static size_t next_mark(struct od_view v, size_t at, const char mark[static 3])
{
    enum { BLOCK = 32 };
    const char a = mark[0], b = mark[1], c = mark[2];
    for (; at + BLOCK <= v.n; at += BLOCK) {
        const char *p = v.p + at;
        unsigned char any = 0;
        /* without branches, so that the compiler can vectorize it */
        for (size_t i = 0; i < BLOCK; i++)
            any |= (unsigned char)((p[i] == a) | (p[i] == b) | (p[i] == c));
        if (any)
            break;
    }
    while (at < v.n && v.p[at] != a && v.p[at] != b && v.p[at] != c)
        at++;
    return at;
}

/* Offset of the next escape of one kind; the end if there is none. */
static size_t next_escape(struct od_view v, size_t at, bool escapes, struct escape *ret_escape)
{
    for (; (at = next_mark(v, at, marks[escapes])) < v.n; at++) {
        struct od_view rest = od_view_from(v, at);
        *ret_escape = escapes ? escape_at(rest) : (struct escape){.length = unseen(rest)};
        if (ret_escape->length > 0)
            break;
    }
    return at;
}

/* The run that contains byte `at` of the layer. */
static const struct od_layer_run *run_of(const struct od_layer *layer, size_t at)
{
    size_t low = 0, high = layer->runs.n;
    while (low + 1 < high) {
        size_t middle = low + (high - low) / 2;
        if (layer->runs.items[middle].at <= at)
            low = middle;
        else
            high = middle;
    }
    return &layer->runs.items[low];
}

static size_t end_of(const struct od_layer *layer, const struct od_layer_run *run)
{
    return run + 1 < layer->runs.items + layer->runs.n ? run[1].at : layer->text.n;
}

/* Does the layer equal the text? An escape would be longer than its value. */
static bool is_same(const struct od_layer *layer, const struct od_layer_run *run)
{
    return end_of(layer, run) - run->at == run->length;
}

static void push(struct od_layer *to, struct od_view shown, struct od_view source, const char *text)
{
    struct od_layer_run run = {to->text.n, (size_t)(source.p - text), source.n};
    od_vec_push(&to->runs, run);
    od_buf_add(&to->text, shown);
}

/* Copies bytes of the present layer to the next one, with their runs. */
static void keep(const struct od_layers *layers, struct od_layer *to, size_t start, size_t end)
{
    const struct od_layer *layer = &layers->made[(layers->n + 1) % 2];
    while (start < end) {
        size_t stop = layers->is_plain ? end : end_of(layer, run_of(layer, start));
        stop = stop < end ? stop : end;
        push(to, od_view_part(od_layers_text(layers), start, stop),
             od_layers_source(layers, start, stop), layers->text.p);
        start = stop;
    }
}

/* Makes the next layer by decoding one kind of escapes. False = it has none. */
static bool make(struct od_layers *layers, bool escapes)
{
    struct od_layer *to = &layers->made[layers->n % 2];
    struct od_view from = od_layers_text(layers);
    struct escape e;
    size_t done = 0;
    size_t at = next_escape(from, 0, escapes, &e);
    if (at == from.n)
        return false;
    to->text.n = to->runs.n = 0;
    for (; at < from.n; at = next_escape(from, done, escapes, &e)) {
        keep(layers, to, done, at);
        done = at + e.length;
        if (e.n > 0)
            push(to, (struct od_view){e.bytes, e.n}, od_layers_source(layers, at, done),
                 layers->text.p);
    }
    keep(layers, to, done, from.n);
    layers->n++;
    layers->is_plain = false;
    return true;
}

size_t od_layers_escape(struct od_layers *layers, struct od_view text, size_t at)
{
    struct escape e;
    for (size_t i = 0; i < OD_COUNT_OF(layers->escapes); i++)
        if (at == 0 || layers->escapes[i] < at)
            layers->escapes[i] = next_escape(text, at, i > 0, &e);
    return layers->escapes[0] < layers->escapes[1] ? layers->escapes[0] : layers->escapes[1];
}

void od_layers_plain(struct od_layers *layers, struct od_view text)
{
    layers->n = 0;
    layers->text = text;
    layers->is_plain = true;
    layers->is_ended = false;
}

bool od_layers_start(struct od_layers *layers, struct od_view text)
{
    struct escape e;
    od_layers_plain(layers, text);
    if (make(layers, false))
        return true;
    size_t at = next_escape(text, 0, true, &e);
    layers->is_ended = od_view_starts(od_view_from(text, at), OD_VIEW("\\n\"")) &&
                       next_escape(text, at + 2, true, &e) == text.n;
    if (layers->is_ended)
        (void)make(layers, true);
    return at < text.n;
}

bool od_layers_next(struct od_layers *layers)
{
    return layers->n < OD_LAYERS_MOST &&
           (make(layers, true) || (layers->n > 0 && make(layers, false)));
}

struct od_view od_layers_text(const struct od_layers *layers)
{
    return layers->is_plain ? layers->text : od_buf_view(&layers->made[(layers->n + 1) % 2].text);
}

struct od_view od_layers_source(const struct od_layers *layers, size_t start, size_t end)
{
    const struct od_layer *layer = &layers->made[(layers->n + 1) % 2];
    if (layers->is_plain)
        return od_view_part(layers->text, start, end);
    const struct od_layer_run *first = run_of(layer, start), *last = run_of(layer, end - 1);
    size_t from = first->source + (is_same(layer, first) ? start - first->at : 0);
    size_t to = last->source + (is_same(layer, last) ? end - last->at : last->length);
    return od_view_part(layers->text, from, to);
}

void od_layers_done(struct od_layers *layers)
{
    for (size_t i = 0; i < OD_COUNT_OF(layers->made); i++) {
        od_buf_done(&layers->made[i].text);
        od_vec_done(&layers->made[i].runs);
    }
}
