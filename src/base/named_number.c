#include "base/named_number.h"

size_t od_name_before(struct od_view text, size_t at, bool *ret_signs)
{
    size_t name = at;
    *ret_signs = false;
    while (name > 0 && strchr(" :='\"\t", text.p[name - 1]))
        *ret_signs |= !strchr(" \t", text.p[--name]);
    while (name > 0 && (od_is_word(text.p[name - 1]) || strchr("-.@", text.p[name - 1])))
        name--;
    size_t flag = name > 0 && text.p[name - 1] == ':' ? name - 1 : 0; /* "-XX:MaxFoo" of Java */
    while (flag > 0 && od_is_alnum(text.p[flag - 1]))
        flag--;
    return flag > 0 && text.p[flag - 1] == '-' ? flag - 1 : name;
}

/* Do key and name have a word in common, or is one the initials of the other? Examples:
 * "--num-workers" and workers, "-j" and jobs, "bs" and batch_size. */
static bool is_named(struct od_view key, struct od_view name)
{
    enum { STEM = 3 };
    char low[64], initials[8];
    size_t n = 0;
    key = od_view_trim(od_view_lowered(key, low, sizeof low));
    while (key.n > 0 && !od_is_letter(key.p[0]))
        key = od_view_from(key, 1);
    while (key.n > 0 && strchr(" :='\"\t", key.p[key.n - 1]))
        key.n--;
    for (size_t i = 0; i < name.n; i++) {
        bool begins = od_is_letter(name.p[i]) && (i == 0 || !od_is_letter(name.p[i - 1]));
        struct od_view rest = od_view_from(name, i), word = od_view_head(rest, STEM);
        if (!begins)
            continue;
        if (n < sizeof initials)
            initials[n++] = name.p[i];
        if ((word.n == STEM && od_view_find(key, word, 0) != OD_VIEW_NONE) ||
            (key.n > 0 && key.n < STEM && od_view_starts(rest, key)))
            return true;
    }
    return n > 1 && key.n >= n && od_view_starts(key, (struct od_view){initials, n});
}

/* Returns the line from the command on; of a pipeline only the stage with the command. */
static struct od_view part_of(struct od_view line, struct od_view command)
{
    size_t at = od_view_find(line, command, 0);
    struct od_view run = od_view_from(line, at == OD_VIEW_NONE ? 0 : at);
    return od_view_head(run, od_view_find_char(run, '|', 0));
}

bool od_flag_given(struct od_view line, struct od_view command, struct od_view flag,
                   struct od_view *ret_value)
{
    struct od_view rest = part_of(line, command), word;
    while (od_view_cut(&rest, ' ', &word)) {
        while (word.n > flag.n && strchr("`'\"),;", word.p[word.n - 1]))
            word.n--;
        if (!od_view_eq(word, flag))
            continue;
        *ret_value = od_view_head(rest, od_view_find_char(rest, ' ', 0));
        if (od_view_starts(*ret_value, OD_VIEW("-")))
            *ret_value = (struct od_view){0};
        return true;
    }
    *ret_value = (struct od_view){0};
    return od_view_eq(rest, flag);
}

struct od_view od_flag_value(struct od_view line, struct od_view command, struct od_view flag)
{
    static const char ends[] = "|;&>`'\"),";
    struct od_view run = part_of(line, command);
    for (size_t at = 0; (at = od_view_find(run, flag, at)) != OD_VIEW_NONE; at += flag.n) {
        struct od_view rest = od_view_trim(od_view_from(run, at + flag.n));
        size_t n = 0;
        while (n < rest.n && rest.p[n] != ' ' && !strchr(ends, rest.p[n]))
            n++;
        while (n > 0 && rest.p[n - 1] == '.') /* the full stop of a sentence */
            n--;
        if (at > 0 && run.p[at - 1] == ' ' && n > 0 && od_is_digit(rest.p[0]))
            return od_view_head(rest, n);
    }
    return (struct od_view){0};
}

size_t od_number_of(struct od_view text, struct od_view name, struct od_view value)
{
    size_t only = OD_VIEW_NONE, n = 0;
    char low[64];
    name = od_view_lowered(name, low, sizeof low);
    for (size_t at = od_view_find(text, value, 0); value.n > 0 && at != OD_VIEW_NONE;
         at = od_view_find(text, value, at + 1)) {
        size_t end = at + value.n;
        bool signs, part = (at > 0 && (od_is_digit(text.p[at - 1]) || text.p[at - 1] == '.')) ||
                           (end < text.n && od_is_digit(text.p[end]));
        size_t begin = od_name_before(text, at, &signs);
        if (part)
            continue;
        struct od_view key = od_view_trim((struct od_view){text.p + begin, at - begin});
        if (od_view_eq(key, name) || is_named(key, name))
            return at;
        only = at;
        n++;
    }
    return n == 1 ? only : OD_VIEW_NONE;
}

size_t od_number_some(struct od_view text, size_t number)
{
    return od_view_ends(od_view_head(text, number), OD_VIEW("Some(")) ? strlen("Some(") : 0;
}
