#include "facts/assigned.h"

#include "base/code_line.h"
#include "facts/meaning.h"
#include "facts/number.h"
#include "facts/segment.h"

#include <math.h>

enum { LINE_MOST = 600 };

/* The word before a number: "range" of "range(4000", "a.lua" of "a.lua 4", "-i" of "-i 1-4000". */
static struct od_view word_before(struct od_view text, size_t word, size_t number)
{
    size_t end = number, start;
    while (end > word && (strchr("0123456789*-([{,=", text.p[end - 1]) ||
                          (end > 1 && text.p[end - 1] == 'x' && od_is_digit(text.p[end - 2]))))
        end--;
    struct od_view name = od_joined_before(text, end, &start);
    if (end > word && name.n > 0)
        return name;
    end = start = od_back_any(text, word, " '\"");
    while (start > 0 && text.p[start - 1] != ' ')
        start--;
    name = (struct od_view){text.p + start, end - start};
    size_t call = od_view_find_char(name, '(', 0); /* "build(5000, 6000)" */
    return od_view_head(name, call == 0 ? OD_VIEW_NONE : call);
}

/* Is it a large number on a command line that has no name of its own, but a place ("join.lua
 * 3000000"), a call ("range(40000)"), a range ("1-60000"), a size ("9000x6000"), or an option and a
 * unit ("-:hm12m")? */
static bool is_bare(struct od_view text, size_t start, struct od_number *ret_number,
                    struct od_view *ret_name)
{
    enum { LARGE = 4 }; /* digits */
    size_t digits = od_number_digits_end(text, start), word = start;
    size_t end = digits + (digits < text.n && strchr("kKmMgG", text.p[digits]));
    char before = text.p[start - 1], after = end < text.n ? text.p[end] : ' ';
    while (word > 0 && !strchr(" '\"", text.p[word - 1]))
        word--;
    bool option = text.p[word] == '-' && end > digits && od_is_letter(before);
    bool joined = strchr("x*-", before) && od_is_digit(text.p[start - 2]);
    if (!(option || joined || strchr(" ([{,='\"", before)) || !strchr(" )]},;'\"x:", after) ||
        (digits - start < LARGE && !option))
        return false;
    *ret_number = (struct od_number){.start = start, .digits_end = digits, .end = end};
    if (end > digits)
        (void)od_bytes_parse_option((struct od_view){text.p + start, end - start},
                                    (struct od_view){0}, &ret_number->bytes);
    *ret_name =
        option ? (struct od_view){text.p + word, start - word} : word_before(text, word, start);
    return ret_name->n > 0;
}

/* Adds a number unless it is in the list. */
static void add(struct od_assigned_list *list, struct od_prov at, struct od_view text,
                const struct od_number *number, struct od_view name)
{
    const struct od_view digits = {text.p + number->start, number->digits_end - number->start};
    struct od_assigned one = {.at = at,
                              .line = od_view_trim(text),
                              .name = od_name_bare(name),
                              .value = {digits.p, number->end - number->start},
                              .bytes = number->bytes};
    for (size_t i = list->n; i > 0 && od_prov_cmp(&list->items[i - 1].at, &at) == 0; i--)
        if (list->items[i - 1].value.p == digits.p)
            return;
    if (!one.bytes.known)
        one.bytes = od_number_in_unit(digits, od_unit_in(name));
    if (list->n < OD_ASSIGNED_MOST)
        list->items[list->n++] = one;
}

static void read_line(struct od_assigned_list *list, struct od_prov at, struct od_view line)
{
    enum { SHORTEST = 2 }; /* length of a command of one letter and a blank */
    struct od_number number;
    struct od_number_name name;
    struct od_view text = od_view_head(line, LINE_MOST);
    if (od_is_command_of_viewer(text)) /* "dmesg -T | grep -A20 -i kill" */
        return;
    for (size_t i = 0; od_number_next(text, &i, &number);)
        if (od_number_name(text, number.start, &name) &&
            (od_view_find_char(name.name, '.', 0) == OD_VIEW_NONE ||
             text.p[number.start - 1] != ':')) /* "MemorySpace.cpp:26" */
            add(list, at, text, &number, name.name);
    bool command = od_segment_of(text) == OD_SEGMENT_COMMAND;
    for (size_t i = SHORTEST; command && i < text.n; i++)
        if (od_is_digit(text.p[i]) && !od_is_digit(text.p[i - 1]) &&
            is_bare(text, i, &number, &name.name))
            add(list, at, text, &number, name.name);
}

struct od_assigned_list *od_assigned_of(const struct od_around *around, uint32_t source,
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

/* Is its name a word of what sets a limit ("maxmemory", "gap -o")? A flag of one letter counts
 * beside its command. */
static bool assigned_is_of(const struct od_assigned *assigned, const char *lever)
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

/* Bytes of a value. A number without a unit has the unit in which it equals the memory used ("-M
 * 8000" and "Max Memory : 8000 MB"); millions are bytes. */
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
        if (!size.known || !assigned_is_of(&list->items[i], lever) ||
            od_bytes_less(size, used) == OD_YES)
            continue;
        if (before)
            above = size;
        else
            below = below.known ? below : size;
    }
    return above.known ? above : below;
}
