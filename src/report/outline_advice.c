/* What to do, and what does not help. */
#include "report/outline_parts.h"

#include "diagnose/who.h"

#include <math.h>
#include <string.h>

static size_t code_lines(const char *code)
{
    size_t lines = code ? 1 : 0;
    for (; code && *code; code++)
        lines += *code == '\n';
    return lines;
}

static bool shows_code(const struct od_outline *outline, const char *code)
{
    enum { SHORT = 3 };
    return code && (outline->squeeze < OD_SQUEEZE_CODE || code_lines(code) <= SHORT);
}

/* "PyTorch 2.1 or newer: ", "PyTorch: " where others stand beside it */
static void say_for_whom(struct od_outline *outline, struct od_text *text,
                         const struct od_remedy *remedy, const struct od_remedy_how *how)
{
    const char *title = od_who_title(how->advice->framework);
    if (how->needs)
        od_doc_say(outline->doc, text, OD_DIM, "%s: ", how->needs);
    else if (remedy->nhow > 1 && title[0] != '\0')
        od_doc_say(outline->doc, text, OD_DIM, "%s: ", title);
}

static void add_way(struct od_outline *outline, struct od_section *section,
                    const struct od_remedy *remedy, const struct od_remedy_how *how)
{
    struct od_text *text = od_doc_item(outline->doc, od_doc_list(outline->doc, section));
    say_for_whom(outline, text, remedy, how);
    od_doc_say(outline->doc, text, OD_PLAIN, "%s", how->advice->text);
    if (how->advice->code)
        od_doc_code(outline->doc, section, how->advice->code);
}

/* What it gives here, else the advice's own sentence with its numbers; NULL = neither. */
static const char *figures_of(const struct od_outline *outline, const struct od_remedy *remedy)
{
    const struct od_answer *answer = outline->report->answer;
    size_t i = (size_t)(remedy - outline->report->remedies->list);
    if (answer && answer->actions[i].figures)
        return answer->actions[i].figures;
    return outline->verbose ? remedy->figures : NULL;
}

/* The title, what it gives, and the first way; the others only with -v. */
static void add_brief(struct od_outline *outline, struct od_section *section,
                      const struct od_remedy *remedy)
{
    const char *figures = figures_of(outline, remedy);
    const struct od_remedy_how *how = &remedy->how[0];
    struct od_text *text = od_doc_item(outline->doc, od_doc_list(outline->doc, section));
    od_doc_say(outline->doc, text, OD_STRONG, "%s. ", remedy->advice->title);
    if (figures)
        od_doc_say(outline->doc, text, OD_PLAIN, "%s ", figures);
    say_for_whom(outline, text, remedy, how);
    od_doc_say(outline->doc, text, OD_PLAIN, "%s", how->advice->text);
    if (shows_code(outline, how->advice->code))
        od_doc_code(outline->doc, section, how->advice->code);
}

static void add_full(struct od_outline *outline, struct od_section *section,
                     const struct od_remedy *remedy)
{
    struct od_text *text = od_doc_text(outline->doc, section);
    od_doc_say(outline->doc, text, OD_STRONG, "%s. ", remedy->advice->title);
    if (figures_of(outline, remedy))
        od_doc_say(outline->doc, text, OD_PLAIN, "%s ", figures_of(outline, remedy));
    od_doc_say(outline->doc, text, OD_PLAIN, "Cost: %s.", remedy->advice->cost);
    for (size_t i = 0; i < remedy->nhow; i++)
        add_way(outline, section, remedy, &remedy->how[i]);
    od_doc_say(outline->doc, od_doc_text(outline->doc, section), OD_DIM, "Source: %s",
               remedy->advice->source);
}

/* Beside a table of all of them, one is told at length. */
static size_t remedies_shown(const struct od_outline *outline, bool table)
{
    if (outline->squeeze >= OD_SQUEEZE_FEWER)
        return table ? 1 : 2;
    return outline->squeeze >= OD_SQUEEZE_REMEDIES ? 3 : 4;
}

static void add_vain(struct od_outline *outline, const struct od_remedies *remedies)
{
    if (remedies->nvain == 0)
        return;
    struct od_section *section = od_doc_section(outline->doc, "What does not help");
    struct od_node *list = od_doc_list(outline->doc, section);
    for (size_t i = 0; i < remedies->nvain; i++) {
        struct od_text *text = od_doc_item(outline->doc, list);
        od_doc_say(outline->doc, text, OD_STRONG, "%s: ", remedies->vain[i]->title);
        od_doc_say(outline->doc, text, OD_PLAIN, "%s", remedies->vain[i]->why);
    }
}

static struct od_view in_unit(struct od_outline *outline, struct od_bytes bytes, unsigned unit)
{
    char text[OD_BYTES_TEXT];
    if (!bytes.known)
        return (struct od_view){0};
    return od_view_of(
        od_arena_printf(outline->arena, "%s", od_bytes_print_in(bytes.n, unit, text)));
}

static bool is_priced(const struct od_answer_action *action)
{
    return action->peak.known || action->saves.known || action->fits >= 0;
}

/* "A smaller batch: 80": the title to its first comma. */
static struct od_view label_of(struct od_outline *outline, size_t i)
{
    const char *title = outline->report->remedies->list[i].advice->title;
    const char *what = outline->report->answer->actions[i].what;
    int n = (int)strcspn(title, ",");
    if (!what)
        return od_view_of(od_arena_printf(outline->arena, "%.*s", n, title));
    return od_view_of(od_arena_printf(outline->arena, "%.*s: %s", n, title, what));
}

static void add_price(struct od_outline *outline, struct od_table *table, size_t i, unsigned unit)
{
    const struct od_answer_action *action = &outline->report->answer->actions[i];
    struct od_row *row = od_doc_row(outline->doc, table);
    row->cells[0].text = label_of(outline, i);
    row->cells[1].text = in_unit(outline, action->saves, unit);
    row->cells[2].text = in_unit(outline, action->peak, unit);
    if (action->fits < 0)
        return;
    row->cells[3].text =
        od_view_of(od_arena_printf(outline->arena, "%.0f %%", floor(action->fits * 100 + 0.5)));
    row->cells[3].tone = action->fits >= 0.9 ? OD_GOOD : action->fits < 0.1 ? OD_BAD : OD_PLAIN;
}

static size_t count_priced(const struct od_outline *outline, uint64_t *ret_largest)
{
    const struct od_answer *answer = outline->report->answer;
    size_t priced = 0;
    *ret_largest = 0;
    for (size_t i = 0; answer && i < outline->report->remedies->n; i++) {
        const struct od_answer_action *action = &answer->actions[i];
        priced += is_priced(action);
        if (action->peak.known && action->peak.n > *ret_largest)
            *ret_largest = action->peak.n;
    }
    return priced;
}

/* Every remedy with a number, in one table; false when there are fewer than two. */
static bool add_prices(struct od_outline *outline, struct od_section *section)
{
    uint64_t largest;
    size_t priced = count_priced(outline, &largest), rows = 0;
    size_t most = outline->verbose ? priced : outline->squeeze >= OD_SQUEEZE_SIZES ? 5 : 7;
    unsigned unit = od_bytes_unit_for(largest);
    if (priced < 2 || unit == 0)
        return false;
    const char *name = od_bytes_unit_name(unit);
    struct od_table *table = od_doc_table(outline->doc, section);
    od_doc_column(table, "", OD_COLUMN_LEFT);
    od_doc_column(table, od_arena_printf(outline->arena, "saves, %s", name), OD_COLUMN_RIGHT);
    od_doc_column(table, "peak then", OD_COLUMN_RIGHT);
    od_doc_column(table, "fits", OD_COLUMN_RIGHT);
    for (size_t i = 0; i < outline->report->remedies->n && rows < most; i++) {
        if (!is_priced(&outline->report->answer->actions[i]))
            continue;
        add_price(outline, table, i, unit);
        rows++;
    }
    return true;
}

void od_outline_advice(struct od_outline *outline)
{
    const struct od_remedies *remedies = outline->report->remedies;
    if (!remedies || remedies->n == 0)
        return;
    struct od_section *section = od_doc_section(outline->doc, "What to do, best first");
    bool table = add_prices(outline, section);
    size_t most = remedies_shown(outline, table);
    for (size_t i = 0; i < remedies->n && (outline->verbose || i < most); i++) {
        if (outline->verbose)
            add_full(outline, section, &remedies->list[i]);
        else
            add_brief(outline, section, &remedies->list[i]);
    }
    if (outline->verbose)
        add_vain(outline, remedies);
}
