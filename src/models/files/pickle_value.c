/*
 * Access to the values of a pickle.
 */
#include "models/files/pickle.h"

bool od_pickle_is(const struct od_pickle_value *value, enum od_pickle_kind kind)
{
    return value && value->kind == kind;
}

size_t od_pickle_count(const struct od_pickle_value *value)
{
    bool container = od_pickle_is(value, OD_PICKLE_LIST) || od_pickle_is(value, OD_PICKLE_TUPLE) ||
                     od_pickle_is(value, OD_PICKLE_DICT);
    return container && value->as.items ? value->as.items->n : 0;
}

const struct od_pickle_value *od_pickle_item(const struct od_pickle_value *value, size_t i)
{
    return &value->as.items->items[i];
}

const struct od_pickle_value *od_pickle_field(const struct od_pickle_value *value, const char *key)
{
    if (!od_pickle_is(value, OD_PICKLE_DICT))
        return NULL;
    for (size_t i = od_pickle_count(value); i >= 2; i -= 2) {
        const struct od_pickle_value *at = od_pickle_item(value, i - 2);
        if (at->kind == OD_PICKLE_TEXT && od_view_eq_str(od_pickle_text(at), key))
            return at + 1;
    }
    return NULL;
}

bool od_pickle_size(const struct od_pickle_value *value, uint64_t *ret_size)
{
    if (od_pickle_is(value, OD_PICKLE_UINT))
        *ret_size = value->as.u;
    else if (od_pickle_is(value, OD_PICKLE_INT) && value->as.i >= 0)
        *ret_size = (uint64_t)value->as.i;
    else
        return false;
    return true;
}

struct od_view od_pickle_text(const struct od_pickle_value *value)
{
    if (!od_pickle_is(value, OD_PICKLE_TEXT))
        return (struct od_view){0};
    return (struct od_view){.p = value->as.p, .n = value->n};
}
