#include "facts/assigned.h"

#include "facts/number.h"

static void read_line(struct od_assigned_list *list, struct od_prov at, struct od_view line)
{
    enum { LINE_MOST = 600 };
    struct od_number number;
    struct od_number_name name;
    struct od_view text = od_view_head(line, LINE_MOST);
    for (size_t i = 0; list->n < OD_ASSIGNED_MOST && od_number_next(text, &i, &number);) {
        bool said = od_number_name(text, number.start, &name);
        if (!said || (od_view_find_char(name.name, '.', 0) != OD_VIEW_NONE &&
                      text.p[number.start - 1] == ':')) /* "MemorySpace.cpp:26" */
            continue;
        while (name.name.n > 0 && name.name.p[0] == '-')
            name.name = od_view_from(name.name, 1);
        list->items[list->n++] =
            (struct od_assigned){.at = at,
                                 .line = od_view_trim(text),
                                 .name = name.name,
                                 .value = {text.p + number.start, number.end - number.start},
                                 .bytes = number.bytes};
    }
}

const struct od_assigned_list *od_assigned_of(const struct od_around *around, uint32_t source,
                                              struct od_arena *arena)
{
    struct od_assigned_list *list = OD_NEW(arena, struct od_assigned_list);
    struct od_prov at = {.source = source, .nlines = 1};
    struct od_view rest = od_around_head(around, source), line;
    while (od_view_cut(&rest, '\n', &line)) {
        at.line++;
        read_line(list, at, line);
    }
    while (od_around_next(around, &at, &line))
        read_line(list, at, line);
    return list;
}

bool od_assigned_is_of(const struct od_assigned *assigned, const char *lever)
{
    struct od_view rest = od_view_of(lever), first = od_word_at(rest, 0), word;
    while (od_view_cut(&rest, ' ', &word)) {
        while (word.n > 0 && word.p[0] == '-')
            word = od_view_from(word, 1);
        while (word.n > 0 && strchr("=,", word.p[word.n - 1]))
            word.n--;
        if (od_view_eq(word, assigned->name) &&
            (word.n > 1 || (first.n > 1 && od_view_has(assigned->line, first))))
            return true;
    }
    return false;
}
