#include "models/files/hf_keys.h"

#include <stdio.h>

enum { NAME_MAX_BYTES = 64 };

/* Removes the first name of "a|b|c". False if there are no more. */
static bool take_name(struct od_view *names, char name[static NAME_MAX_BYTES])
{
    struct od_view word;
    if (names->n == 0)
        return false;
    if (!od_view_cut(names, '|', &word)) {
        word = *names;
        names->n = 0;
    }
    (void)snprintf(name, NAME_MAX_BYTES, "%.*s", (int)word.n, word.p);
    return true;
}

json_t *od_hf_at(const struct od_hf_config *c, const char *keys)
{
    struct od_view left = od_view_of(keys);
    char name[NAME_MAX_BYTES];
    while (take_name(&left, name)) {
        json_t *value = json_object_get(c->top, name);
        if (value && !json_is_null(value))
            return value;
    }
    return NULL;
}

/* The value of all elements of a list with one for each layer; NULL if they differ. */
static json_t *common(json_t *value)
{
    json_t *first = json_array_get(value, 0);
    for (size_t i = 1; i < json_array_size(value); i++)
        if (!json_equal(json_array_get(value, i), first))
            return value;
    return first ? first : value;
}

struct od_count od_hf_number(struct od_hf_config *c, const char *keys)
{
    json_t *value = common(od_hf_at(c, keys));
    if (!value)
        return (struct od_count){0};
    if (json_is_integer(value) && json_integer_value(value) >= 0)
        return od_count_of((uint64_t)json_integer_value(value));
    od_file_say(c->file, OD_WARNING, NULL, "%s is not a number that counts something", keys);
    c->lost = true;
    return (struct od_count){0};
}

bool od_hf_flag(const struct od_hf_config *c, const char *keys, bool otherwise)
{
    json_t *value = od_hf_at(c, keys);
    return json_is_boolean(value) ? json_is_true(value) : otherwise;
}

struct od_view od_hf_text(const struct od_hf_config *c, const char *keys)
{
    json_t *value = od_hf_at(c, keys);
    return json_is_string(value)
               ? (struct od_view){json_string_value(value), json_string_length(value)}
               : (struct od_view){0};
}

double od_hf_real(const struct od_hf_config *c, const char *keys, double otherwise)
{
    json_t *value = od_hf_at(c, keys);
    return json_is_number(value) ? json_number_value(value) : otherwise;
}
