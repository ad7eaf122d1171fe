#include "advise/slots.h"

#include "rules/advice.h"

const struct od_number *od_slots_number(const struct od_finding *finding, struct od_view name)
{
    for (size_t i = 0; i < finding->nnumbers; i++) {
        if (od_view_eq_str(name, finding->numbers[i].name))
            return &finding->numbers[i];
    }
    return NULL;
}

static void print_number(const struct od_number *number, struct od_buf *to)
{
    char text[OD_BYTES_TEXT];
    static const double beyond = 18446744073709551616.0;
    uint64_t n = number->value < beyond ? (uint64_t)number->value : UINT64_MAX;
    if (od_advice_is_bytes(number->name))
        od_buf_add_str(to, od_bytes_print_u64(n, text));
    else
        od_buf_printf(to, "%llu", (unsigned long long)n);
}

/* Fills into `to`; false at a number that the finding lacks. */
static bool fill(struct od_view rest, const struct od_finding *finding, struct od_buf *to)
{
    for (;;) {
        size_t start = od_view_find_char(rest, '{', 0);
        size_t end = start == OD_VIEW_NONE ? start : od_view_find_char(rest, '}', start);
        if (end == OD_VIEW_NONE)
            break;
        struct od_view name = {rest.p + start + 1, end - start - 1};
        const struct od_number *number = od_slots_number(finding, name);
        if (!number)
            return false;
        od_buf_add(to, od_view_head(rest, start));
        print_number(number, to);
        rest = od_view_from(rest, end + 1);
    }
    od_buf_add(to, rest);
    return true;
}

const char *od_slots_fill(const char *text, const struct od_finding *finding,
                          struct od_arena *arena)
{
    struct od_view rest = od_view_of(text), line;
    const char *filled = NULL;
    while (!filled && od_view_cut(&rest, '\n', &line)) {
        struct od_buf out = {0};
        if (fill(line, finding, &out))
            filled = od_arena_str(arena, od_buf_view(&out));
        od_buf_done(&out);
    }
    return filled;
}

struct od_view od_slots_command(const struct od_case *c, const struct od_prov *at)
{
    enum { LONGEST = 74 }; /* what one line of code holds */
    struct od_view command = {0};
    for (size_t i = 0; i < c->commands.n; i++) {
        const struct od_evidence *said = &c->commands.items[i];
        if (said->at.source == at->source && said->at.line < at->line && said->text.n <= LONGEST)
            command = said->text;
    }
    return command;
}
