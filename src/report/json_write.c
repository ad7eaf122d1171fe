#include "report/json_write.h"

#include "redact/redact.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

static const double integer_limit = 18446744073709551616.0; /* 2^64 */

static void add_newline(struct od_json *json)
{
    od_buf_add_char(json->to, '\n');
    od_buf_add_repeat(json->to, "  ", json->depth);
}

static bool is_inline(const struct od_json *json)
{
    return !json->pretty || (json->depth > 0 && json->levels[json->depth - 1].inline_);
}

/* May this be the first byte of a code point for which od_text_obeyed() is true? */
static bool may_be_obeyed(char c)
{
    return c == '\xc2' || c == '\xd8' || c == '\xe2';
}

static void add_escaped(struct od_buf *to, struct od_view text)
{
    while (text.n > 0) {
        unsigned char c = (unsigned char)text.p[0];
        size_t n = 1;
        if (c == '#' && text.n > 1 && text.p[1] == '#') {
            od_buf_add_str(to, "\\u0023"); /* some log viewers treat "##[error]" as a command */
        } else if (c == '"' || c == '\\') {
            od_buf_add_char(to, '\\');
            od_buf_add_char(to, (char)c);
        } else if (c == '\n') {
            od_buf_add_str(to, "\\n");
        } else if (c == '\t') {
            od_buf_add_str(to, "\\t");
        } else if (c < 0x20 || c == 0x7F) {
            od_buf_printf(to, "\\u%04x", c);
        } else if (od_text_obeyed(text, &n) > 0) {
            od_buf_printf(to, "\\u%04x", (unsigned)od_text_obeyed(text, &n));
        } else {
            while (n < text.n && (unsigned char)text.p[n] >= 0x20 && text.p[n] != '"' &&
                   text.p[n] != '\\' && text.p[n] != 0x7F && text.p[n] != '#' &&
                   !may_be_obeyed(text.p[n]))
                n++;
            od_buf_add(to, od_view_head(text, n));
        }
        text = od_view_from(text, n);
    }
}

static void add_string(struct od_json *json, struct od_view text)
{
    struct od_buf clean = {0};
    od_text_utf8(text, &clean);
    od_buf_add_char(json->to, '"');
    add_escaped(json->to, od_buf_view(&clean));
    od_buf_add_char(json->to, '"');
    od_buf_done(&clean);
}

/* Adds a value, as opposed to a key. */
static void add_value(struct od_json *json, struct od_view text)
{
    struct od_buf shared = {0};
    if (json->redactor) {
        od_redact(json->redactor, text, &shared);
        text = od_buf_view(&shared);
    }
    add_string(json, text);
    od_buf_done(&shared);
}

/* Writes everything before the value: comma, indentation, key. */
static void begin(struct od_json *json, const char *key)
{
    if (json->depth > 0) {
        bool any = json->levels[json->depth - 1].any;
        json->levels[json->depth - 1].any = true;
        if (any)
            od_buf_add_char(json->to, ',');
        if (!is_inline(json))
            add_newline(json);
        else if (any)
            od_buf_add_char(json->to, ' ');
    }
    if (!key)
        return;
    add_string(json, od_view_of(key));
    od_buf_add_str(json->to, ": ");
}

static void open_level(struct od_json *json, const char *key, const char *brackets, bool one_line)
{
    begin(json, key);
    assert(json->depth < OD_JSON_DEPTH);
    bool parent = is_inline(json);
    od_buf_add_char(json->to, brackets[0]);
    json->levels[json->depth].close = brackets[1];
    json->levels[json->depth].any = false;
    json->levels[json->depth].inline_ = one_line || parent;
    json->depth++;
}

void od_json_object(struct od_json *json, const char *key)
{
    open_level(json, key, "{}", false);
}

void od_json_array(struct od_json *json, const char *key)
{
    open_level(json, key, "[]", false);
}

void od_json_object_inline(struct od_json *json, const char *key)
{
    open_level(json, key, "{}", true);
}

void od_json_array_inline(struct od_json *json, const char *key)
{
    open_level(json, key, "[]", true);
}

void od_json_end(struct od_json *json)
{
    assert(json->depth > 0);
    bool one_line = is_inline(json) || !json->levels[json->depth - 1].any;
    json->depth--;
    if (!one_line)
        add_newline(json);
    od_buf_add_char(json->to, json->levels[json->depth].close);
}

void od_json_null(struct od_json *json, const char *key)
{
    begin(json, key);
    od_buf_add_str(json->to, "null");
}

bool od_json_null_if(struct od_json *json, const char *key, bool unknown)
{
    if (unknown)
        od_json_null(json, key);
    return unknown;
}

void od_json_bool(struct od_json *json, const char *key, bool value)
{
    begin(json, key);
    od_buf_add_str(json->to, value ? "true" : "false");
}

void od_json_u64(struct od_json *json, const char *key, uint64_t value)
{
    char text[21];
    begin(json, key);
    od_buf_add_str(json->to, od_num_print_u64(value, text));
}

void od_json_double(struct od_json *json, const char *key, double value)
{
    if (od_json_null_if(json, key, !isfinite(value)))
        return;
    begin(json, key);
    bool whole = fabs(value) < integer_limit && !(value < floor(value)) && !(value > floor(value));
    od_buf_printf(json->to, whole ? "%.0f" : "%.10g", value);
}

void od_json_text(struct od_json *json, const char *key, struct od_view value)
{
    begin(json, key);
    add_value(json, value);
}

void od_json_text_or_null(struct od_json *json, const char *key, struct od_view value)
{
    if (value.n == 0)
        od_json_null(json, key);
    else
        od_json_text(json, key, value);
}

void od_json_str(struct od_json *json, const char *key, const char *value)
{
    if (value)
        od_json_text(json, key, od_view_of(value));
    else
        od_json_null(json, key);
}

void od_json_count(struct od_json *json, const char *key, struct od_count value)
{
    if (value.known)
        od_json_u64(json, key, value.n);
    else
        od_json_null(json, key);
}

void od_json_tri(struct od_json *json, const char *key, enum od_tri value)
{
    if (value == OD_CANNOT_TELL)
        od_json_null(json, key);
    else
        od_json_bool(json, key, value == OD_YES);
}

void od_json_range(struct od_json *json, const char *key, struct od_bytes value)
{
    if (od_json_null_if(json, key, !value.known))
        return;
    od_json_array_inline(json, key);
    od_json_u64(json, NULL, value.lo);
    od_json_u64(json, NULL, value.hi);
    od_json_end(json);
}

static void add_range(struct od_json *json, const char *key, struct od_bytes value)
{
    char name[64];
    int n = snprintf(name, sizeof name, "%s_range", key);
    assert(n > 0 && (size_t)n < sizeof name);
    (void)n;
    value.hi += value.hi < UINT64_MAX;
    od_json_range(json, name, value);
}

void od_json_bytes(struct od_json *json, const char *key, struct od_bytes value)
{
    if (od_json_null_if(json, key, !value.known))
        return;
    od_json_u64(json, key, value.n);
    if (!od_bytes_is_exact(value))
        add_range(json, key, value);
}
