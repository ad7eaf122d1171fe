#include "input/peel.h"

static bool take_hex(struct od_view text, size_t digits, uint32_t *ret_code)
{
    uint32_t code = 0;
    if (text.n < digits)
        return false;
    for (size_t i = 0; i < digits; i++) {
        int value = od_hex_value(text.p[i]);
        if (value < 0)
            return false;
        code = code * 16 + (uint32_t)value;
    }
    *ret_code = code;
    return true;
}

static size_t put_utf8(uint32_t code, char *to)
{
    if (code < 0x80) {
        to[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        to[0] = (char)(0xC0 | code >> 6);
        to[1] = (char)(0x80 | (code & 0x3F));
        return 2;
    }
    if (code < 0x10000) {
        to[0] = (char)(0xE0 | code >> 12);
        to[1] = (char)(0x80 | (code >> 6 & 0x3F));
        to[2] = (char)(0x80 | (code & 0x3F));
        return 3;
    }
    to[0] = (char)(0xF0 | code >> 18);
    to[1] = (char)(0x80 | (code >> 12 & 0x3F));
    to[2] = (char)(0x80 | (code >> 6 & 0x3F));
    to[3] = (char)(0x80 | (code & 0x3F));
    return 4;
}

/* Reads "uXXXX" and the other half of a surrogate pair; returns its length. */
static size_t take_unicode(struct od_view text, uint32_t *ret_code)
{
    uint32_t code;
    uint32_t low;
    if (!take_hex(od_view_from(text, 1), 4, &code))
        return 0;
    *ret_code = code;
    if (code < 0xD800 || code > 0xDFFF)
        return 5;
    *ret_code = 0xFFFD;
    if (code >= 0xDC00 || !od_view_starts(od_view_from(text, 5), OD_VIEW("\\u")) ||
        !take_hex(od_view_from(text, 7), 4, &low) || low < 0xDC00 || low > 0xDFFF)
        return 5;
    *ret_code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    return 11;
}

/* Decodes the escape after a backslash to *to. Returns its length; 0 = not an escape. */
static size_t take_escape(struct od_view text, char *to, size_t *ret_written)
{
    static const char from[] = "nrtbfav\"'/\\";
    static const char into[] = "\n\r\t\b\f\a\v\"'/\\";
    uint32_t code;
    *ret_written = 1;
    if (text.n == 0 || text.p[0] == '\0')
        return 0;
    const char *at = strchr(from, text.p[0]);
    if (at) {
        *to = into[at - from];
        return 1;
    }
    if (text.p[0] == 'u') {
        size_t n = take_unicode(text, &code);
        if (n > 0)
            *ret_written = put_utf8(code, to);
        return n;
    }
    /* bytes in b'' are copied unchanged */
    if (text.p[0] == 'x' && take_hex(od_view_from(text, 1), 2, &code)) {
        *to = (char)(unsigned char)code;
        return 3;
    }
    if (od_view_starts(text, OD_VIEW("033"))) {
        *to = '\x1b';
        return 3;
    }
    return 0;
}

struct od_view od_peel_unescape(struct od_peel *peel, struct od_view text)
{
    if (od_view_find_char(text, '\\', 0) == OD_VIEW_NONE)
        return text;
    char *out = od_arena_alloc(peel->arena, text.n, 1);
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++) {
        size_t written = 0;
        size_t length =
            text.p[i] == '\\' ? take_escape(od_view_from(text, i + 1), out + n, &written) : 0;
        if (length == 0) {
            out[n++] = text.p[i];
            continue;
        }
        n += written;
        i += length;
    }
    return (struct od_view){.p = out, .n = n};
}

/* ---- quotes of mail and Markdown ---- */

bool od_peel_quote(struct od_peel *peel)
{
    struct od_view v = peel->text;
    if (!od_view_take(&v, OD_VIEW("> ")) && !od_view_eq_str(v, ">"))
        return false;
    peel->text = v.n < peel->text.n ? v : od_view_from(v, 1);
    return true;
}

/* Removes `text` or ```text``` around a whole line: equally many backquotes at both ends. */
bool od_peel_backquotes(struct od_peel *peel)
{
    struct od_view v = od_view_trim(peel->text);
    size_t n = 0;
    while (n < v.n && v.p[n] == '`')
        n++;
    if (n == 0 || n > 3 || v.n <= 2 * n)
        return false;
    struct od_view inner = od_view_from(od_view_head(v, v.n - n), n);
    for (size_t i = 0; i < n; i++)
        if (v.p[v.n - 1 - i] != '`')
            return false;
    if (od_view_find_char(inner, '`', 0) != OD_VIEW_NONE)
        return false;
    peel->text = inner;
    return true;
}

/* ---- entities, and spaces of web pages ---- */

struct entity {
    struct od_view name;
    char c; /* replacement; NUL = remove the entity */
};

static const struct entity entities[] = {
    {{"&gt;", 4}, '>'},          {{"&lt;", 4}, '<'},   {{"&amp;", 5}, '&'},
    {{"&quot;", 6}, '"'},        {{"&#39;", 5}, '\''}, {{"&#x27;", 6}, '\''},
    {{"&apos;", 6}, '\''},       {{"&nbsp;", 6}, ' '}, {{"\xc2\xa0", 2}, ' '}, /* no-break space */
    {{"\xe2\x80\xaf", 3}, ' '},  /* narrow no-break space */
    {{"\xe2\x80\x8b", 3}, '\0'}, /* zero width space */
};

static const struct entity *entity_at(struct od_view text)
{
    if (text.p[0] != '&' && text.p[0] != '\xc2' && text.p[0] != '\xe2')
        return NULL;
    for (size_t i = 0; i < OD_COUNT_OF(entities); i++)
        if (text.n > 1 && text.p[1] == entities[i].name.p[1] &&
            od_view_starts(text, entities[i].name))
            return &entities[i];
    return NULL;
}

/* Does the text have the first bytes of an entity? Progress bars have many bytes e2, and most lines
 * have none of these bytes. */
static bool has_entity(struct od_view text)
{
    static const struct od_view heads[] = {{"&", 1}, {"\xc2\xa0", 2}, {"\xe2\x80", 2}};
    for (size_t i = 0; i < OD_COUNT_OF(heads); i++) {
        size_t at = od_view_find_char(text, heads[i].p[0], 0);
        at = at == OD_VIEW_NONE ? at : od_view_find(text, heads[i], at);
        while (at != OD_VIEW_NONE && !entity_at(od_view_from(text, at)))
            at = od_view_find(text, heads[i], at + 1);
        if (at != OD_VIEW_NONE)
            return true;
    }
    return false;
}

bool od_peel_entities(struct od_peel *peel)
{
    struct od_view v = peel->text;
    if (!has_entity(v))
        return false;
    char *out = od_arena_alloc(peel->arena, v.n, 1);
    size_t n = 0;
    for (size_t i = 0; i < v.n; i++) {
        const struct entity *entity = entity_at(od_view_from(v, i));
        if (!entity || entity->c != '\0')
            out[n++] = entity ? entity->c : v.p[i];
        if (entity)
            i += entity->name.n - 1;
    }
    peel->text = (struct od_view){.p = out, .n = n};
    return true;
}

/* Offset of the quote that closes the one at the start; OD_VIEW_NONE if there is none. */
static size_t closing_quote(struct od_view text)
{
    for (size_t i = 1; i < text.n; i++) {
        if (text.p[i] == '\\')
            i++;
        else if (text.p[i] == text.p[0])
            return i;
    }
    return OD_VIEW_NONE;
}

/* Does the text have a Windows path like C:\new, whose \n is not a line end? */
static bool has_drive(struct od_view text)
{
    for (size_t at = od_view_find(text, OD_VIEW(":\\"), 0); at != OD_VIEW_NONE;
         at = od_view_find(text, OD_VIEW(":\\"), at + 1)) {
        bool letter = at > 0 && od_is_letter(text.p[at - 1]);
        bool alone = at < 2 || !od_is_letter(text.p[at - 2]);
        if (letter && alone && at + 2 < text.n && text.p[at + 2] != '\\')
            return true;
    }
    return false;
}

/* Unwraps a line with one quoted text: b'...', '...', or "..." with a line end or a color in it. */
static bool peel_whole(struct od_peel *peel)
{
    struct od_view v = od_view_trim(peel->text);
    bool bytes = v.n > 2 && strchr("bBuU", v.p[0]) && (v.p[1] == '\'' || v.p[1] == '"');
    if (bytes)
        v = od_view_from(v, 1);
    if (v.n < 2 || (v.p[0] != '\'' && v.p[0] != '"'))
        return false;
    size_t close = closing_quote(v);
    if (close == OD_VIEW_NONE)
        return false;
    struct od_view tail = od_view_from(v, close + 1);
    struct od_view inner = od_view_from(od_view_head(v, close), 1);
    if (tail.n > 0 && !od_view_eq_str(tail, ","))
        return false;
    static const char *const escapes[] = {"\\n", "\\u001b", NULL};
    if (has_drive(inner) || (!bytes && !od_view_has_any(inner, escapes)))
        return false;
    peel->text = od_peel_unescape(peel, inner);
    return true;
}

/* Finds the first quoted text with an escaped line end. */
static bool find_quoted(struct od_view text, size_t *ret_open, size_t *ret_close)
{
    size_t first = od_view_find(text, OD_VIEW("\\n"), 0);
    if (first == OD_VIEW_NONE)
        return false;
    for (size_t i = 0; i < first; i++) {
        /* an escaped quote opens no text, and trying it again would take quadratic time */
        if (text.p[i] == '\\') {
            i++;
            continue;
        }
        if (text.p[i] != '\'' && text.p[i] != '"')
            continue;
        /* an apostrophe within a word opens no text */
        bool word = i > 0 && od_is_letter(text.p[i - 1]) && !strchr("bBuUrR", text.p[i - 1]);
        size_t close = word ? OD_VIEW_NONE : closing_quote(od_view_from(text, i));
        if (close == OD_VIEW_NONE)
            continue;
        if (i + close > first) {
            *ret_open = i;
            *ret_close = i + close;
            return true;
        }
        i += close;
    }
    return false;
}

/* Splits a line at the line ends of a quoted text in it (stderr: b'...\n...'). Removes no text. */
static bool peel_inside(struct od_peel *peel)
{
    struct od_view v = peel->text;
    size_t open;
    size_t close;
    if (!find_quoted(v, &open, &close))
        return false;
    struct od_view inner = od_view_from(od_view_head(v, close), open + 1);
    /* the only argument of a call: `log("no memory\n");` */
    bool code = od_view_find(inner, OD_VIEW("\\n"), 0) + 2 == inner.n &&
                od_view_starts(od_view_from(v, close + 1), OD_VIEW(");"));
    if (has_drive(inner) || code)
        return false;
    struct od_view plain = od_peel_unescape(peel, inner);
    char *out = od_arena_alloc(peel->arena, v.n, 1);
    size_t tail = v.n - close;
    memcpy(out, v.p, open + 1);
    if (plain.n > 0)
        memcpy(out + open + 1, plain.p, plain.n);
    memcpy(out + open + 1 + plain.n, v.p + close, tail);
    peel->text = (struct od_view){.p = out, .n = open + 1 + plain.n + tail};
    return true;
}

bool od_peel_repr(struct od_peel *peel)
{
    if (od_view_find_char(peel->text, '\\', 0) == OD_VIEW_NONE)
        return false;
    /* the text already has several lines, which are handled separately */
    if (od_view_find_char(peel->text, '\r', 0) != OD_VIEW_NONE ||
        od_view_find_char(peel->text, '\n', 0) != OD_VIEW_NONE)
        return false;
    return peel_whole(peel) || peel_inside(peel);
}
