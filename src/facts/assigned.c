#include "facts/assigned.h"

#include "base/code_line.h"
#include "facts/meaning.h"
#include "facts/number.h"

#include <math.h>

enum { LINE_MOST = 600 };

/* The word before a large number that a command takes by its place: "join.lua 3000000". */
static bool is_placed(struct od_view line, const struct od_number *number, struct od_view *ret_name)
{
    enum { LARGE = 4 }; /* digits */
    size_t end = number->start > 0 ? number->start - 1 : 0, start = end;
    while (start > 0 && line.p[start - 1] != ' ')
        start--;
    *ret_name = (struct od_view){line.p + start, end - start};
    size_t call = od_view_find_char(*ret_name, '(', 0); /* "build(5000, 6000)" */
    *ret_name = od_view_head(*ret_name, call == 0 ? OD_VIEW_NONE : call);
    return end > start && line.p[end] == ' ' && line.p[start] != '-' &&
           number->digits_end - number->start >= LARGE && od_is_command_line(line);
}

static void read_line(struct od_assigned_list *list, struct od_prov at, struct od_view line)
{
    struct od_number number;
    struct od_number_name name;
    struct od_view text = od_view_head(line, LINE_MOST);
    for (size_t i = 0; list->n < OD_ASSIGNED_MOST && od_number_next(text, &i, &number);) {
        if (!(od_number_name(text, number.start, &name) || is_placed(text, &number, &name.name)) ||
            (od_view_find_char(name.name, '.', 0) != OD_VIEW_NONE &&
             text.p[number.start - 1] == ':')) /* "MemorySpace.cpp:26" */
            continue;
        list->items[list->n++] = (struct od_assigned){
            .at = at,
            .line = od_view_trim(text),
            .name = od_name_bare(name.name),
            .value = {text.p + number.start, number.end - number.start},
            .bytes = number.bytes.known
                         ? number.bytes
                         : od_number_in_unit((struct od_view){text.p + number.start,
                                                              number.digits_end - number.start},
                                             od_unit_in(name.name))};
    }
}

const struct od_assigned_list *od_assigned_of(const struct od_around *around, uint32_t source,
                                              struct od_arena *arena)
{
    struct od_assigned_list *list = OD_NEW(arena, struct od_assigned_list);
    list->around = around;
    list->source = source;
    list->objects = OD_NEW(arena, uint64_t);
    struct od_around_walk walk = od_around_walk(around, source);
    struct od_view line, head = {0};
    while (od_around_next(&walk, &line))
        read_line(list, walk.at, od_number_row(line, &head, arena));
    return list;
}

bool od_assigned_has_object(const struct od_assigned_list *list, unsigned object)
{
    static const uint64_t read = UINT64_C(1) << 63;
    struct od_around_walk walk = od_around_walk(list->around, list->source);
    struct od_view line;
    while (!(*list->objects & read) && od_around_next(&walk, &line))
        *list->objects |=
            od_meanings_of(OD_SUBJECT_OBJECT, od_view_head(line, LINE_MOST), (struct od_view){0});
    *list->objects |= read;
    return od_means(*list->objects, object);
}

bool od_assigned_is_of(const struct od_assigned *assigned, const char *lever)
{
    struct od_view rest = od_view_of(lever), first = od_word_at(rest, 0), word;
    while (od_view_cut(&rest, ' ', &word)) {
        word = od_name_bare(word);
        if (od_view_eq(word, assigned->name) &&
            (word.n > 1 || (first.n > 1 && od_view_has(assigned->line, first))))
            return true;
    }
    return false;
}

/* A plain number counts in the unit in which it is what was used ("-M 8000" beside "Max Memory :
 * 8000 MB"); one in the millions is one of bytes. */
static struct od_bytes size_of(const struct od_assigned *one, struct od_bytes used)
{
    enum { PLAIN = 1 << 20 };
    static const double near = 0.01;
    struct od_view value = one->value;
    uint64_t n;
    if (one->bytes.known || !od_num_take_u64(&value, &n) || value.n > 0 || n == 0)
        return one->bytes;
    for (uint64_t unit = 1024; used.known && unit <= UINT64_C(1) << 30; unit *= 1024)
        if (fabs((double)used.n / (double)unit / (double)n - 1) <= near)
            return od_bytes_exact(n * unit);
    return n >= PLAIN ? od_bytes_exact(n) : (struct od_bytes){0};
}

struct od_bytes od_assigned_limit(const struct od_assigned_list *list, const char *lever,
                                  struct od_bytes used, const struct od_prov *failure)
{
    struct od_bytes above = {0}, below = {0};
    for (size_t i = 0; list && i < list->n; i++) {
        struct od_bytes size = size_of(&list->items[i], used);
        bool before = od_prov_cmp(&list->items[i].at, failure) <= 0;
        if (!size.known || !od_assigned_is_of(&list->items[i], lever) ||
            od_bytes_less(size, used) == OD_YES)
            continue;
        if (before)
            above = size;
        else
            below = below.known ? below : size;
    }
    return above.known ? above : below;
}
