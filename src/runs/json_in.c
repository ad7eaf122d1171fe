#include "runs/json_in.h"

#include "runs/run.h"

enum { DEPTH_MAX = 64 };

/* Rejects deep nesting, because jansson's recursion follows it (up to 2048). */
static bool nests_too_deep(struct od_view text)
{
    size_t depth = 0;
    bool quoted = false;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (quoted) {
            if (c == '\\')
                i++;
            quoted = c != '"';
        } else if (c == '"') {
            quoted = true;
        } else if (c == '{' || c == '[') {
            if (++depth > DEPTH_MAX)
                return true;
        } else if ((c == '}' || c == ']') && depth > 0) {
            depth--;
        }
    }
    return false;
}

json_t *od_json_in_parse(struct od_view text)
{
    return nests_too_deep(text)
               ? NULL
               : json_loadb(text.p ? text.p : "", text.n, JSON_REJECT_DUPLICATES, NULL);
}

json_t *od_json_in_load(struct od_view text, const char *name, struct od_diags *diags)
{
    json_error_t error;
    if (nests_too_deep(text)) {
        od_diags_say(diags, OD_ERROR, "%s nests deeper than %d levels", name, DEPTH_MAX);
        return NULL;
    }
    json_t *root = json_loadb(text.p ? text.p : "", text.n, JSON_REJECT_DUPLICATES, &error);
    if (!root) {
        od_diags_say(diags, OD_ERROR, "%s:%d:%d: not valid JSON: %s", name, error.line,
                     error.column, error.text);
        return NULL;
    }
    if (!json_is_object(root)) {
        od_diags_say(diags, OD_ERROR, "%s does not contain a JSON object", name);
        json_decref(root);
        return NULL;
    }
    return root;
}

struct od_count od_json_in_count(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return (struct od_count){0};
    return od_count_of((uint64_t)json_integer_value(value));
}

const char *od_json_in_string(const json_t *string, struct od_arena *arena)
{
    if (!json_is_string(string))
        return NULL;
    struct od_view text = {.p = json_string_value(string), .n = json_string_length(string)};
    return od_arena_str(arena, od_view_head(text, OD_RUN_TEXT_MAX));
}

const char *od_json_in_text(const json_t *object, const char *key, struct od_arena *arena)
{
    return od_json_in_string(json_object_get(object, key), arena);
}

struct od_real od_json_in_real(const json_t *value)
{
    double number = json_number_value(value);
    bool known = json_is_number(value) && number < 9e18 && number > -9e18;
    return (struct od_real){.n = known ? number : 0, .known = known};
}

static struct od_shape shape_of(const json_t *list)
{
    struct od_shape shape = {.known = json_is_array(list)};
    for (size_t n = json_array_size(list); shape.n < n && shape.n < OD_SHAPE_MAX; shape.n++) {
        const json_t *dim = json_array_get(list, shape.n);
        bool known = json_is_integer(dim) && json_integer_value(dim) >= 0;
        shape.dims[shape.n] = known ? (uint64_t)json_integer_value(dim) : OD_DIM_UNKNOWN;
    }
    return shape;
}

static void read_field(const json_t *object, const struct od_row_field *field,
                       struct od_arena *arena, void *to)
{
    const json_t *value = json_object_get(object, field->key);
    const char *text = od_json_in_string(value, arena);
    struct od_count count = od_json_in_count(object, field->key);
    switch (field->kind) {
    case OD_KIND_TEXT:
        *(struct od_view *)to = od_view_of(text);
        break;
    case OD_KIND_WORD:
    case OD_KIND_NAME:
        *(const char **)to = text ? text : "";
        break;
    case OD_KIND_COUNT:
    case OD_KIND_LINE:
        *(struct od_count *)to = count;
        break;
    case OD_KIND_BYTES:
        *(struct od_bytes *)to = count.known ? od_bytes_exact(count.n) : (struct od_bytes){0};
        break;
    case OD_KIND_NUMBER:
        *(struct od_real *)to = od_json_in_real(value);
        break;
    case OD_KIND_TRI:
        *(enum od_tri *)to = !json_is_boolean(value) ? OD_CANNOT_TELL
                             : json_is_true(value)   ? OD_YES
                                                     : OD_NO;
        break;
    case OD_KIND_SHAPE:
        *(struct od_shape *)to = shape_of(value);
        break;
    }
}

void od_json_in_row(const json_t *object, const struct od_row_field *fields, struct od_arena *arena,
                    void *ret_row)
{
    for (; fields->key; fields++)
        read_field(object, fields, arena, (char *)ret_row + fields->at);
}
