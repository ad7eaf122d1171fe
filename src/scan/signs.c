#include "scan/signs.h"

/* Does a word begin there? What begins with a sign of its own always does. */
static bool begins_word(struct od_view text, size_t at, char first)
{
    return at == 0 || !od_is_word(first) || !od_is_word(text.p[at - 1]);
}

/* "-Xmx4g": a flag of one dash is joined to its number. */
static bool is_joined(const struct od_sign *sign, struct od_view text, size_t end)
{
    bool short_flag = sign->text[0] == '-' && sign->text[1] != '-';
    return short_flag && end < text.n && od_is_digit(text.p[end]);
}

static bool ends_word(struct od_view text, size_t end, char last)
{
    return end >= text.n || !od_is_word(last) || (!od_is_word(text.p[end]) && text.p[end] != '-');
}

/* Quotes, brackets and what assigns, between a setting and its value. */
static size_t skip_to_value(struct od_view text, size_t at, bool joined)
{
    enum { MOST = 6 };
    size_t from = at;
    while (at < text.n && at - from < MOST && strchr(" \t'\"`,:=[(", text.p[at]))
        at++;
    return at > from || joined ? at : text.n;
}

static size_t end_of_value(struct od_view text, size_t at)
{
    while (at < text.n && !strchr(" \t'\"`,;)]}>|", text.p[at]))
        at++;
    return at;
}

static bool find_value(struct od_view text, size_t end, bool joined, struct od_view *ret_value)
{
    size_t from = skip_to_value(text, end, joined);
    size_t to = end_of_value(text, from);
    *ret_value = (struct od_view){.p = text.p + from, .n = to - from};
    /* the next flag is no value of this one */
    return to > from && text.p[from] != '-' && text.p[from] != '$' && text.p[from] != '<';
}

/* What lines begin with stands there, or behind a time and a level. */
static bool is_prefix(const struct od_sign *sign)
{
    return sign->mark && sign->mark->kind == OD_MARK_PREFIX;
}

/* "try setting max_split_size_mb", "Use X=0.0 to disable": what a message proposes nobody has set.
 */
static bool is_proposed(struct od_view text, size_t at)
{
    static const char *const words[] = {
        "Use",        "use",      "setting",    "set",    "Set",      "try",     "Try", "increase",
        "increasing", "decrease", "decreasing", "adjust", "lowering", "raising", NULL};
    while (at > 0 && strchr(" \t`'\"", text.p[at - 1]))
        at--;
    size_t from = at;
    while (from > 0 && od_is_letter(text.p[from - 1]))
        from--;
    return od_view_eq_any((struct od_view){text.p + from, at - from}, words);
}

struct signs {
    const struct od_sign *const *list;
    size_t n;
};

/* Where programs run. */
static bool is_place(const struct od_software *software)
{
    return software &&
           (software->sort == OD_SORT_PLATFORM || software->sort == OD_SORT_ORCHESTRATOR ||
            software->sort == OD_SORT_SCHEDULER);
}

/* Do longer words of another place hold these? '"OOMKilled": true' is Docker's alone. */
static bool is_covered(const struct od_sign *sign, const struct signs *all, struct od_view text,
                       size_t at)
{
    struct od_view own = od_view_of(sign->text);
    for (size_t i = 0; is_place(sign->software) && i < all->n; i++) {
        const struct od_sign *other = all->list[i];
        struct od_view longer = od_view_of(other->text);
        size_t within = od_view_find(longer, own, 0);
        if (is_place(other->software) && longer.n > own.n && within != OD_VIEW_NONE &&
            within <= at && !od_software_stands_on(other->software, sign->software) &&
            od_view_starts(od_view_from(text, at - within), longer))
            return true;
    }
    return false;
}

static void tell(const struct od_sign *sign, const struct signs *all, const struct od_line *line,
                 const struct od_sink *sink)
{
    enum { FRONT = 48 };
    struct od_view text = line->text, wanted = od_view_of(sign->text);
    bool setting = !sign->software;
    struct od_event event;
    for (size_t at = 0; (at = od_view_find(text, wanted, at)) != OD_VIEW_NONE; at++) {
        size_t end = at + wanted.n;
        char last = wanted.p[wanted.n - 1];
        struct od_view value = {0};
        if (!begins_word(text, at, wanted.p[0]) || (at > FRONT && is_prefix(sign)) ||
            is_covered(sign, all, text, at))
            continue;
        bool joined = is_joined(sign, text, end);
        if (setting && (!(joined || ends_word(text, end, last)) || is_proposed(text, at)))
            continue;
        if (setting && !find_value(text, end, joined || last == '=', &value)) {
            if (wanted.p[0] != '-') /* a switch may have none */
                continue;
            value = (struct od_view){.p = text.p + end};
        }
        od_event_begin(&event, OD_EV_SIGN, line, "software");
        event.excerpt = od_view_trim(text);
        event.sign = sign;
        if (setting) {
            od_event_set_text(&event, OD_F_VALUE, value);
            event.excerpt.p = text.p + at;
            event.excerpt.n = (size_t)(value.p + value.n - event.excerpt.p);
        }
        od_sink_put(sink, &event);
        return;
    }
}

void od_signs_tell(const struct od_sign *const *signs, size_t n, const struct od_line *line,
                   const struct od_sink *sink)
{
    const struct signs all = {signs, n};
    for (size_t i = 0; i < n; i++)
        tell(signs[i], &all, line, sink);
}
