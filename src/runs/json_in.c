#include "runs/json_in.h"

#include "runs/run.h"

enum { DEPTH_MAX = 64 };

/* jansson recurses as deep as the text nests, up to 2048. */
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
