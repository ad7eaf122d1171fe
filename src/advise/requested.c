#include "advise/requested.h"

/* A size in a command: its number, and the letters of the unit after it. */
struct size {
    struct od_view number, unit;
    size_t at;
};

static bool next_size(struct od_view text, size_t from, struct size *ret_size)
{
    for (size_t i = from; i < text.n; i++) {
        bool inside = i > 0 && (od_is_digit(text.p[i - 1]) || text.p[i - 1] == '.');
        if (!od_is_digit(text.p[i]) || inside)
            continue;
        size_t n = 0, unit = 0;
        while (i + n < text.n && od_is_digit(text.p[i + n]))
            n++;
        while (i + n + unit < text.n && od_is_letter(text.p[i + n + unit]))
            unit++;
        bool ends = i + n + unit == text.n || !strchr("._", text.p[i + n + unit]);
        *ret_size = (struct size){{text.p + i, n}, {text.p + i + n, unit}, i};
        if (ends && n > 0)
            return true;
    }
    return false;
}

/* The request may be slightly larger than the setting, by pages or a header. */
static bool is_of_size(struct od_bytes size, struct od_bytes request)
{
    enum { BESIDE = 64 };
    return size.known && size.n <= request.hi && request.lo <= size.n + size.n / BESIDE;
}

static bool asks_for(const struct size *size, struct od_bytes request)
{
    enum { LEAST = 8 << 20 }; /* smaller numbers may be counts */
    static const enum od_unit_base bases[] = {OD_UNIT_BINARY, OD_UNIT_DECIMAL};
    for (size_t i = 0; i < OD_COUNT_OF(bases) && request.lo >= LEAST; i++) {
        struct od_bytes says;
        if (od_bytes_parse_unit(size->number, size->unit, bases[i], &says) &&
            is_of_size(says, request))
            return true;
    }
    return false;
}

/* "1000m" of "2000m", "512m" of "1g". */
static const char *half_of(const struct size *size, struct od_arena *arena)
{
    static const char letters[] = "kmgt";
    uint64_t n;
    if (!od_num_parse_u64(size->number, &n))
        return NULL;
    if (n >= 2)
        return od_arena_printf(arena, "%" PRIu64 "%.*s", n / 2, (int)size->unit.n, size->unit.p);
    const char *at = size->unit.n > 0 ? strchr(letters, od_lower(size->unit.p[0])) : NULL;
    if (!at || at == letters || *at == '\0')
        return NULL;
    char below = od_is_upper(size->unit.p[0]) ? od_upper(at[-1]) : at[-1];
    return od_arena_printf(arena, "512%c%.*s", below, (int)size->unit.n - 1, size->unit.p + 1);
}

static size_t begin_of_word(struct od_view text, size_t at)
{
    while (at > 0 && text.p[at - 1] != ' ')
        at--;
    return at;
}

static void say(const struct od_evidence *said, const struct size *size, const char *half,
                struct od_arena *arena, struct od_remedy_how *ret_how)
{
    struct od_view text = said->text;
    size_t after = size->at + size->number.n + size->unit.n, begin = size->at, end = after;
    begin = begin_of_word(text, begin);
    size_t option = begin > 1 ? begin_of_word(text, begin - 1) : begin;
    if (text.p[option] == '-' && text.p[begin] != '-')
        begin = option;
    while (end < text.n && text.p[end] != ' ')
        end++;
    const char *head = od_arena_str(arena, od_view_head(text, size->at));
    const char *tail = od_arena_str(arena, od_view_from(text, after));
    ret_how->edit = (struct od_edit){
        .at = said->at,
        .from = od_arena_str(arena, text),
        .to = od_arena_printf(arena, "%s%s%s", head, half, tail),
        .paste = od_arena_printf(arena, "%s%s%.*s", head + begin, half, (int)(end - after), tail),
    };
    ret_how->framework = "any";
    ret_how->title = "";
    ret_how->code = ret_how->edit.paste;
    ret_how->text =
        od_arena_printf(arena, "It asks for all of it: %.*s.", (int)(end - begin), text.p + begin);
}

static bool is_changed(const struct od_remedies *known, const struct od_prov *at)
{
    for (size_t i = 0; i < known->n; i++)
        for (size_t k = 0; k < known->list[i].nhow; k++) {
            const struct od_edit *edit = &known->list[i].how[k].edit;
            if (edit->from && od_prov_cmp(&edit->at, at) == 0)
                return true;
        }
    return false;
}

bool od_requested_halve(const struct od_advise_question *question, const struct od_remedies *known,
                        struct od_arena *arena, struct od_remedy_how *ret_how)
{
    const struct od_diagnosis *diagnosis = question->diagnosis;
    struct od_bytes asked = diagnosis->failure->asked;
    if (!asked.known || od_first_cause(diagnosis) != OD_CAUSE_HOST_EXHAUSTED)
        return false;
    for (size_t i = question->c->commands.n; i > 0; i--) {
        const struct od_evidence *said = &question->c->commands.items[i - 1];
        struct size size;
        for (size_t at = 0; next_size(said->text, at, &size); at = size.at + size.number.n) {
            const char *half = asks_for(&size, asked) ? half_of(&size, arena) : NULL;
            if (!half || is_changed(known, &said->at))
                continue;
            say(said, &size, half, arena, ret_how);
            return true;
        }
    }
    return false;
}
