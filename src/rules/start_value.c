#include "rules/start_value.h"

#include <assert.h>

static const char *const facts[] = {"limit", "machine", "device", "free", "request", "used"};
static_assert(OD_COUNT_OF(facts) == OD_START_END, "a word for each fact");

static enum od_start_fact take_fact(struct od_view *text)
{
    struct od_view word = *text, rest;
    size_t end = od_view_find_char(*text, ' ', 0);
    if (end != OD_VIEW_NONE)
        word = od_view_head(*text, end);
    rest = od_view_from(*text, word.n);
    for (size_t i = 0; i < OD_COUNT_OF(facts); i++)
        if (od_view_eq_str(word, facts[i])) {
            *text = rest;
            return (enum od_start_fact)i;
        }
    return OD_START_NONE;
}

bool od_start_take(struct od_view *text, struct od_start *ret_start)
{
    struct od_view next, rest = *text;
    size_t other = od_view_find(rest, OD_VIEW(" or "), 0);
    next = other == OD_VIEW_NONE ? rest : od_view_head(rest, other);
    *ret_start = (struct od_start){.fact = take_fact(&next), .of = OD_START_NONE, .factor = 1};
    if (ret_start->fact == OD_START_NONE)
        return false;
    if (od_view_take(&next, OD_VIEW(" of "))) {
        ret_start->of = take_fact(&next);
        if (ret_start->of == OD_START_NONE)
            return false;
    } else if (od_view_take(&next, OD_VIEW(" x "))) {
        if (!od_num_parse_double(next, &ret_start->factor) || ret_start->factor <= 0)
            return false;
        next.n = 0;
    }
    *text = other == OD_VIEW_NONE ? (struct od_view){0} : od_view_from(rest, other + 4);
    return next.n == 0;
}

bool od_start_is_valid(struct od_view text)
{
    struct od_start start;
    bool valid = text.n > 0;
    while (valid && text.n > 0)
        valid = od_start_take(&text, &start);
    return valid;
}
