#include "cgi/form.h"

static const char too_many[] = "the form has too many fields";
static const char broken[] = "the body is not a form as browsers send it";

/* Decodes "+" and "%41" in place; keeps an invalid "%". */
static struct od_view decode(char *text, size_t n)
{
    size_t to = 0;
    for (size_t at = 0; at < n; at++) {
        char c = text[at];
        if (c == '+') {
            c = ' ';
        } else if (c == '%' && n - at > 2 && od_hex_value(text[at + 1]) >= 0 &&
                   od_hex_value(text[at + 2]) >= 0) {
            c = (char)(od_hex_value(text[at + 1]) << 4 | od_hex_value(text[at + 2]));
            at += 2;
        }
        text[to++] = c;
    }
    return (struct od_view){text, to};
}

static struct od_form_field *add_field(struct od_form *form)
{
    return form->n < OD_FORM_FIELDS ? &form->fields[form->n++] : NULL;
}

static size_t length_until(const char *text, size_t n, char c)
{
    const char *end = n > 0 ? memchr(text, c, n) : NULL;
    return end ? (size_t)(end - text) : n;
}

const char *od_form_parse_query(char *query, size_t n, struct od_form *form)
{
    form->n = 0;
    while (n > 0) {
        size_t length = length_until(query, n, '&');
        size_t name = length_until(query, length, '=');
        struct od_form_field *field = length > 0 ? add_field(form) : NULL;
        if (length > 0 && !field)
            return too_many;
        if (name > 3 * (size_t)OD_FORM_NAME)
            return broken;
        if (field)
            *field = (struct od_form_field){.name = decode(query, name)};
        if (field && name < length)
            field->value = decode(query + name + 1, length - name - 1);
        size_t step = length < n ? length + 1 : n;
        query += step;
        n -= step;
    }
    return NULL;
}

/* Removes a prefix, ignoring case; word is in lower case. */
static bool take_word(struct od_view *text, const char *word)
{
    size_t n = strlen(word);
    if (text->n < n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (od_lower(text->p[i]) != word[i])
            return false;
    *text = od_view_from(*text, n);
    return true;
}

/* Removes a token or a quoted string from the start of the text. */
static bool take_value(struct od_view *text, struct od_view *ret_value)
{
    if (od_view_take(text, OD_VIEW("\""))) {
        size_t end = od_view_find_char(*text, '"', 0);
        if (end == OD_VIEW_NONE)
            return false;
        *ret_value = od_view_head(*text, end);
        *text = od_view_from(*text, end + 1);
        return true;
    }
    size_t end = 0;
    while (end < text->n && !strchr("; \t", text->p[end]))
        end++;
    *ret_value = od_view_head(*text, end);
    *text = od_view_from(*text, end);
    return true;
}

/* The parameters of a header, after its first word: ; name="x"; filename="y". */
struct parameters {
    struct od_view name, file, boundary;
    bool has_name, has_file;
};

static bool read_parameters(struct od_view text, struct parameters *p)
{
    for (;;) {
        od_view_skip_blanks(&text);
        if (text.n == 0)
            return true;
        if (!od_view_take(&text, OD_VIEW(";")))
            return false;
        od_view_skip_blanks(&text);
        struct od_view other = {0};
        struct od_view *to = take_word(&text, "name=")       ? &p->name
                             : take_word(&text, "filename=") ? &p->file
                             : take_word(&text, "boundary=") ? &p->boundary
                                                             : &other;
        if (to == &other) {
            size_t equals = od_view_find_char(text, '=', 0);
            if (equals == OD_VIEW_NONE)
                return true; /* a final ";", or words without a value */
            text = od_view_from(text, equals + 1);
        }
        p->has_name = p->has_name || to == &p->name;
        p->has_file = p->has_file || to == &p->file;
        if (!take_value(&text, to))
            return false;
    }
}

/* Returns the file name without folders; separators may be / or \. */
static struct od_view last_part(struct od_view name)
{
    size_t start = name.n;
    while (start > 0 && name.p[start - 1] != '/' && name.p[start - 1] != '\\')
        start--;
    return od_view_from(name, start);
}

/* Reads the headers of a part. Returns an error, or NULL. */
static const char *read_headers(struct od_view headers, struct od_form_field *field)
{
    struct parameters p = {0};
    struct od_view line;
    bool ok = true;
    while (ok && od_view_cut(&headers, '\n', &line)) {
        line = od_view_trim(line);
        if (!take_word(&line, "content-disposition:"))
            continue;
        od_view_skip_blanks(&line);
        ok = take_word(&line, "form-data") && read_parameters(line, &p);
    }
    if (!ok || !p.has_name || p.name.n > OD_FORM_NAME)
        return broken;
    struct od_view file = last_part(p.file);
    if (file.n > OD_FORM_NAME)
        file = od_view_from(file, file.n - OD_FORM_NAME);
    *field = (struct od_form_field){.name = p.name, .file = file, .is_file = p.has_file};
    return NULL;
}

enum { BOUNDARY_MOST = 70, HEADERS_MOST = 8192 };

/* Finds the next "\r\n--boundary" at or after start. Uses memchr, which is fast for long bodies. */
static size_t find_mark(struct od_view body, struct od_view mark, size_t start)
{
    for (size_t at = start; at < body.n && mark.n <= body.n - at; at++) {
        const char *found = memchr(body.p + at, '\r', body.n - at - mark.n + 1);
        if (!found)
            return OD_VIEW_NONE;
        at = (size_t)(found - body.p);
        if (memcmp(found, mark.p, mark.n) == 0)
            return at;
    }
    return OD_VIEW_NONE;
}

/* Reads a part between two boundaries: headers, an empty line, bytes. Returns an error, or NULL. */
static const char *read_part(struct od_view part, struct od_form *form)
{
    struct od_view head = od_view_head(part, HEADERS_MOST);
    size_t end = od_view_find(head, OD_VIEW("\r\n\r\n"), 0);
    if (end == OD_VIEW_NONE)
        return broken;
    struct od_form_field *field = add_field(form);
    if (!field)
        return too_many;
    const char *why = read_headers(od_view_head(part, end), field);
    field->value = od_view_from(part, end + 4);
    return why;
}

static const char *read_multipart(struct od_view boundary, struct od_view body,
                                  struct od_form *form)
{
    char mark_bytes[BOUNDARY_MOST + 4] = "\r\n--";
    if (boundary.n == 0 || boundary.n > BOUNDARY_MOST)
        return "the form has no usable boundary between its fields";
    memcpy(mark_bytes + 4, boundary.p, boundary.n);
    struct od_view mark = {mark_bytes, boundary.n + 4};
    /* the first boundary may be at the very start, without a line end */
    size_t at = od_view_starts(body, od_view_from(mark, 2)) ? mark.n - 2 : OD_VIEW_NONE;
    if (at == OD_VIEW_NONE && (at = find_mark(body, mark, 0)) != OD_VIEW_NONE)
        at += mark.n;
    while (at != OD_VIEW_NONE) {
        struct od_view rest = od_view_from(body, at);
        if (od_view_starts(rest, OD_VIEW("--")))
            return NULL;
        od_view_skip_blanks(&rest);
        if (!od_view_take(&rest, OD_VIEW("\r\n")))
            return broken;
        size_t start = body.n - rest.n;
        /* the line end of the boundary is also the end of a part without headers */
        size_t end = find_mark(body, mark, start);
        if (end == OD_VIEW_NONE)
            break;
        const char *why = read_part((struct od_view){body.p + start, end - start}, form);
        if (why)
            return why;
        at = end + mark.n;
    }
    return "the form is incomplete: the upload was cut off";
}

const char *od_form_parse(const char *type, char *body, size_t n, struct od_form *form)
{
    struct od_view text = od_view_trim(od_view_of(type));
    struct parameters p = {0};
    form->n = 0;
    if (take_word(&text, "application/x-www-form-urlencoded") &&
        (text.n == 0 || strchr("; \t", text.p[0])))
        return od_form_parse_query(body, n, form);
    text = od_view_trim(od_view_of(type));
    if (!take_word(&text, "multipart/form-data") || !read_parameters(text, &p))
        return "the Content-Type is neither application/x-www-form-urlencoded nor "
               "multipart/form-data";
    return read_multipart(p.boundary, (struct od_view){body, n}, form);
}

struct od_view od_form_value(const struct od_form *form, const char *name)
{
    for (size_t i = form->n; i > 0; i--) {
        const struct od_form_field *field = &form->fields[i - 1];
        if (!field->is_file && od_view_eq_str(field->name, name))
            return od_view_trim(field->value);
    }
    return (struct od_view){0};
}
