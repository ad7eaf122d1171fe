#include "facts/bounds.h"

#include "facts/number.h"
#include "facts/setting_number.h"

#include <math.h>

struct od_stated_value od_stated_read(struct od_view text)
{
    struct od_number number = {.start = text.n};
    size_t at = 0, end = 0;
    if (!od_number_next(text, &at, &number))
        number.start = text.n;
    struct od_view noun = od_view_last_word(text);
    if (number.start == 0 && !number.bytes.known && noun.n > 3 && od_is_letter(noun.p[0]))
        return (struct od_stated_value){noun, od_view_head(text, number.digits_end)}; /* "4 jobs" */
    while (end < number.start && !strchr("= (:`\"'", text.p[end]))
        end++;
    return (struct od_stated_value){
        od_view_head(text, end + (end < number.start && text.p[end] == '(')),
        od_view_from(text, number.start)};
}

void od_bounds_add(struct od_bounds *bounds, enum od_bound kind, struct od_view value,
                   const char *unit, uint64_t line)
{
    const struct od_bound_value stated = {value, line, od_setting_value(value, unit)};
    struct od_bound_value *least = &bounds->least[kind], *most = &bounds->most[kind];
    if (least->text.n == 0 || stated.n < least->n)
        *least = stated;
    if (most->text.n == 0 || stated.n > most->n)
        *most = stated;
}

static bool is_stated(const struct od_bound_value *stated)
{
    return stated->text.n > 0;
}

static bool is_beyond(bool up, double one, double other)
{
    return up ? one > other : one < other;
}

/* Values beyond the failed one are possible, up to the allowed one. The nearest that worked is
 * best. */
static enum od_bound_verdict judge_amount(const struct od_bounds *b,
                                          const struct od_bound_change *change,
                                          struct od_bound_value *ret_value)
{
    static const double clearly = 1.02;
    bool up = change->up;
    double today = !up && change->today <= 0 ? HUGE_VAL : change->today, to = change->to;
    const struct od_bound_value *little = &b->most[OD_BOUND_LITTLE],
                                *failed =
                                    up ? &b->most[OD_BOUND_FAILED] : &b->least[OD_BOUND_FAILED],
                                *worked =
                                    up ? &b->least[OD_BOUND_WORKED] : &b->most[OD_BOUND_WORKED],
                                *most = &b->least[OD_BOUND_MOST],
                                *refused = &b->least[OD_BOUND_REFUSED],
                                *stands = &b->least[OD_BOUND_STANDS];
    if (up && little->n > failed->n)
        failed = little;
    bool fails = is_stated(failed) && is_beyond(up, failed->n, today);
    bool bounded = up && is_stated(most);
    if (up ? bounded && today > 0 && most->n <= clearly * today
           : (is_stated(stands) && stands->n <= 1) || (fails && failed->n <= 1))
        return OD_BOUND_ENDS;
    *ret_value = *worked;
    if (is_stated(worked) && is_beyond(up, worked->n, today) &&
        (!fails || is_beyond(up, worked->n, failed->n)))
        return OD_BOUND_SET;
    *ret_value = (struct od_bound_value){most->text, 0, most->n}; /* not known to work */
    if (bounded && to > most->n)
        return OD_BOUND_SET;
    if (up ? is_stated(refused) && to >= refused->n : to > 0 && to <= little->n)
        return OD_BOUND_OPEN;
    if (!fails || is_beyond(up, to, failed->n))
        return OD_BOUND_FREE;
    *ret_value = (struct od_bound_value){.n = 2 * failed->n};
    return up && (!bounded || ret_value->n <= most->n) ? OD_BOUND_SET : OD_BOUND_OPEN;
}

/* The best share is between one that was too little and one with which memory ran out. The
 * current share is one of these. */
static enum od_bound_verdict judge_share(const struct od_bounds *b,
                                         const struct od_bound_change *change,
                                         struct od_bound_value *ret_value)
{
    static const double narrow = 0.015; /* a smaller range is not worth another attempt */
    double low = b->most[OD_BOUND_LITTLE].n, high = b->least[OD_BOUND_FAILED].n;
    if (change->up && high <= change->today)
        high = b->most[OD_BOUND_FAILED].n;
    if (change->up && low < change->today)
        low = change->today;
    if (!change->up && (high <= 0 || high > change->today))
        high = change->today;
    *ret_value = (struct od_bound_value){.n = (low + high) / 2};
    bool between = low > 0 && high > low;
    if (between && high - low <= narrow)
        return OD_BOUND_ENDS;
    return between && (change->to <= low || change->to >= high) ? OD_BOUND_SET : OD_BOUND_FREE;
}

enum od_bound_verdict od_bounds_judge(const struct od_bounds *bounds,
                                      const struct od_bound_change *change,
                                      struct od_bound_value *ret_value)
{
    bool between = change->share && !is_stated(&bounds->most[OD_BOUND_WORKED]);
    return (between ? judge_share : judge_amount)(bounds, change, ret_value);
}

/* The name after its last point, without leading dashes. */
static struct od_view last_part(struct od_view name)
{
    for (size_t i = name.n; i > 0; i--)
        if (name.p[i - 1] == '.')
            return od_view_from(name, i);
    return od_name_bare(name);
}

bool od_is_same_setting(struct od_view one, struct od_view other)
{
    one = last_part(one);
    other = last_part(other);
    size_t i = 0;
    bool same = one.n == other.n && one.n > 0;
    for (; same && i < one.n; i++)
        same = od_lower(one.p[i]) == od_lower(other.p[i]) ||
               (strchr("-_", one.p[i]) && strchr("-_", other.p[i]));
    return same;
}

bool od_has_word(struct od_view name, const char *word)
{
    struct od_view part = {0};
    for (size_t i = 0, from = 0; i <= name.n; i++) {
        if (i < name.n && od_is_alnum(name.p[i]))
            continue;
        part = (struct od_view){name.p + from, i - from};
        if (od_is_same_setting(part, od_view_of(word)))
            return true;
        from = i + 1;
    }
    return od_is_same_setting(name, od_view_of(word));
}

bool od_is_written_name(struct od_view name)
{
    for (size_t i = 0; i < name.n; i++)
        if (strchr("_-=(.", name.p[i]))
            return true;
    return false;
}
