/* What to do, and what does not help. */
#include "report/options_table.h"
#include "report/outline_parts.h"
#include "report/words.h"

#include <math.h>

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
    if (how->needs)
        od_doc_say(outline->doc, text, OD_DIM, "%s: ", how->needs);
    else if (remedy->nhow > 1 && how->title[0] != '\0')
        od_doc_say(outline->doc, text, OD_DIM, "%s: ", how->title);
}

/* "Line 12: " in front of what is changed there */
static void say_text(struct od_outline *outline, struct od_text *text,
                     const struct od_remedy_how *how)
{
    if (how->edit.from)
        od_doc_say(outline->doc, text, OD_PLAIN,
                   "Line %llu: ", (unsigned long long)how->edit.at.line);
    od_doc_say(outline->doc, text, OD_PLAIN, "%s", how->text);
}

static void add_way(struct od_outline *outline, struct od_section *section,
                    const struct od_remedy *remedy, const struct od_remedy_how *how)
{
    struct od_text *text = od_doc_item(outline->doc, od_doc_list(outline->doc, section));
    say_for_whom(outline, text, remedy, how);
    say_text(outline, text, how);
    if (how->code)
        od_doc_code(outline->doc, section, how->code);
}

/* "Reduce the batch size to 80" */
static const char *title_of(const struct od_outline *outline, size_t i)
{
    struct od_slot slot; /* {what} */
    const struct od_remedy *remedy = &outline->report->remedies->list[i];
    const char *named = remedy->advice->named, *what = remedy->action.what;
    if (!what)
        return remedy->advice->title;
    if (!named || !od_slot_find(named, &slot))
        return od_arena_printf(outline->arena, "%s: %s", remedy->advice->title, what);
    return od_arena_printf(outline->arena, "%.*s%s%s", (int)(slot.begin - named), named, what,
                           slot.end);
}

/* What it gives, as far as that is known, and what it costs. */
static void say_worth(struct od_outline *outline, struct od_text *text, size_t i)
{
    const char *figures = outline->report->remedies->list[i].figures;
    if (figures)
        od_doc_say(outline->doc, text, OD_PLAIN, "%s ", figures);
    od_doc_say(outline->doc, text, OD_PLAIN, "Cost: %s.", outline->report->remedies->list[i].cost);
}

/* The first way of a row of the table: the table has its title and what it gives. */
static void add_way_of_row(struct od_outline *outline, struct od_section *section, size_t i)
{
    const struct od_remedy *remedy = &outline->report->remedies->list[i];
    const struct od_remedy_how *how = &remedy->how[0];
    struct od_text *text = od_doc_text(outline->doc, section);
    say_for_whom(outline, text, remedy, how);
    say_text(outline, text, how);
    od_doc_say(outline->doc, text, OD_PLAIN, " Cost: %s.", remedy->cost);
    if (shows_code(outline, how->code))
        od_doc_code(outline->doc, section, how->code);
}

/* A bullet: the title, the first way, what it gives and costs. */
static void add_told(struct od_outline *outline, struct od_section *section, size_t i)
{
    const struct od_remedy *remedy = &outline->report->remedies->list[i];
    const struct od_remedy_how *how = &remedy->how[0];
    struct od_text *text = od_doc_item(outline->doc, od_doc_list(outline->doc, section));
    od_doc_say(outline->doc, text, OD_STRONG, "%s. ", title_of(outline, i));
    if (outline->squeeze < OD_SQUEEZE_SHORT) {
        say_for_whom(outline, text, remedy, how);
        say_text(outline, text, how);
        od_doc_say(outline->doc, text, OD_PLAIN, " ");
        say_worth(outline, text, i);
    } else {
        od_doc_say(outline->doc, text, OD_PLAIN, "Cost: %s.", remedy->cost);
    }
    if (shows_code(outline, how->code))
        od_doc_code(outline->doc, section, how->code);
}

/* A bullet: the title and the setting to turn, or else the cost; what it gives stands in the table,
 * where there is one. */
static void add_named(struct od_outline *outline, struct od_section *section, size_t i, bool table)
{
    enum { SHORT = 60 }; /* bytes: on the line of the title, or little more */
    const struct od_remedy *remedy = &outline->report->remedies->list[i];
    struct od_text *text = od_doc_item(outline->doc, od_doc_list(outline->doc, section));
    od_doc_say(outline->doc, text, OD_STRONG, "%s. ", title_of(outline, i));
    if (remedy->how[0].turned && strlen(remedy->how[0].text) <= SHORT)
        say_text(outline, text, &remedy->how[0]);
    else if (table)
        od_doc_say(outline->doc, text, OD_PLAIN, "Cost: %s.", remedy->cost);
    else
        say_worth(outline, text, i);
}

/* The peak against the limit. */
static void add_gauge(struct od_outline *outline, struct od_section *card, size_t i)
{
    const struct od_answer_action *action = &outline->report->remedies->list[i].action;
    const struct od_answer *answer = outline->report->answer;
    struct od_bytes limit = action->limit.known || !answer ? action->limit : answer->limit;
    if (!action->peak.known || !limit.known || limit.n == 0)
        return;
    double part = (double)action->peak.n / (double)limit.n, width = fmax(part, 1) * 1.05;
    struct od_bar *bar = od_doc_bar(outline->doc, card);
    bar->small = true;
    bar->whole = 1 / width;
    bar->title = od_arena_printf(
        outline->arena, "peak %s of %s%s%s", od_words_short(outline->arena, action->peak.n),
        od_words_short(outline->arena, limit.n), action->fits >= 0 ? ", fits with " : "",
        action->fits >= 0 ? od_words_chance(outline->arena, action->fits) : "");
    od_doc_bar_part(outline->doc, bar,
                    &(struct od_bar_part){.fill = part > 1 ? OD_FILL_OTHERS : OD_FILL_USED,
                                          .length = part / width});
}

static void add_full(struct od_outline *outline, struct od_section *in, size_t i)
{
    const struct od_remedy *remedy = &outline->report->remedies->list[i];
    const char *title = od_arena_printf(outline->arena, "%zu. %s", i + 1, title_of(outline, i));
    struct od_section *section = od_doc_card(outline->doc, in, title);
    add_gauge(outline, section, i);
    say_worth(outline, od_doc_text(outline->doc, section), i);
    add_way(outline, section, remedy, &remedy->how[0]);
    struct od_section *more = section;
    if (outline->folds)
        more = od_doc_details(outline->doc, section,
                              remedy->nhow > 1 ? "Other ways, and the source" : "Source");
    for (size_t k = 1; k < remedy->nhow; k++)
        add_way(outline, more, remedy, &remedy->how[k]);
    struct od_text *source = od_doc_text(outline->doc, more);
    od_doc_say(outline->doc, source, OD_DIM, "Source: ");
    od_doc_say(outline->doc, source, OD_CODE, "%s", od_remedy_source(remedy));
}

static void add_vain(struct od_outline *outline, const struct od_remedies *remedies)
{
    if (remedies->nvain == 0)
        return;
    struct od_section *section = od_doc_section(outline->doc, "What does not help");
    section->folded = true;
    struct od_node *list = od_doc_list(outline->doc, section);
    for (size_t i = 0; i < remedies->nvain; i++) {
        struct od_text *text = od_doc_item(outline->doc, list);
        od_doc_say(outline->doc, text, OD_STRONG, "%s: ", remedies->vain[i]->title);
        od_doc_say(outline->doc, text, OD_PLAIN, "%s", remedies->vain[i]->why);
    }
}

static struct od_view in_unit(struct od_outline *outline, struct od_bytes bytes, unsigned unit)
{
    return bytes.known ? od_words_size_in(outline->arena, bytes.n, unit) : (struct od_view){0};
}

static bool is_priced(const struct od_answer_action *action)
{
    return action->peak.known || action->saves.known || action->fits >= 0;
}

static void add_price(struct od_outline *outline, struct od_table *table, size_t i, unsigned unit)
{
    const struct od_answer_action *action = &outline->report->remedies->list[i].action;
    struct od_row *row = od_doc_row(outline->doc, table);
    row->cells[0].text = od_view_of(title_of(outline, i));
    row->cells[1].text = in_unit(outline, action->saves, unit);
    row->cells[2].text = in_unit(outline, action->peak, unit);
    if (action->fits < 0)
        return;
    row->cells[3].text = od_view_of(od_words_chance(outline->arena, action->fits));
    row->cells[3].tone = action->fits >= 0.9 ? OD_GOOD : action->fits < 0.1 ? OD_BAD : OD_PLAIN;
}

static size_t count_priced(const struct od_outline *outline, uint64_t *ret_largest)
{
    size_t priced = 0;
    *ret_largest = 0;
    for (size_t i = 0; i < outline->report->remedies->n; i++) {
        const struct od_answer_action *action = &outline->report->remedies->list[i].action;
        priced += is_priced(action);
        if (action->peak.known && action->peak.n > *ret_largest)
            *ret_largest = action->peak.n;
    }
    return priced;
}

/* "peak, now 7.96": what each row's saving and peak sum to, where they agree as printed. */
static const char *peak_title(const struct od_outline *outline, unsigned unit)
{
    struct od_view now = {0};
    bool agree = true;
    for (size_t i = 0; i < outline->report->remedies->n; i++) {
        const struct od_answer_action *action = &outline->report->remedies->list[i].action;
        struct od_bytes sum = od_bytes_add(action->peak, action->saves);
        struct od_view text =
            sum.known ? od_words_size_in(outline->arena, sum.n, unit) : (struct od_view){0};
        agree = agree && (now.n == 0 || text.n == 0 || od_view_eq(now, text));
        now = text.n > 0 ? text : now;
    }
    if (!agree || now.n == 0)
        return od_arena_printf(outline->arena, "peak, %s", od_bytes_unit_name(unit));
    return od_arena_printf(outline->arena, "peak, now %.*s", (int)now.n, now.p);
}

static size_t prices_shown(const struct od_outline *outline, size_t priced)
{
    if (outline->all)
        return priced;
    return outline->squeeze >= OD_SQUEEZE_MOST ? 2 : outline->squeeze >= OD_SQUEEZE_FEWER ? 3 : 5;
}

/* Every remedy with a number, in one table; how many. None when there are fewer than two. */
static size_t add_prices(struct od_outline *outline, struct od_section *section)
{
    uint64_t largest;
    size_t priced = count_priced(outline, &largest), rows = 0;
    size_t most = prices_shown(outline, priced);
    unsigned unit = od_bytes_unit_for(largest);
    if (priced < 2 || unit == 0)
        return 0;
    const char *name = od_bytes_unit_name(unit);
    if (outline->folds)
        section = od_doc_details(outline->doc, section, "Compare all remedies");
    struct od_table *table = od_doc_table(outline->doc, section);
    od_doc_column(table, "", OD_COLUMN_LEFT);
    od_doc_column(table, od_arena_printf(outline->arena, "saves, %s", name), OD_COLUMN_RIGHT);
    od_doc_column(table, peak_title(outline, unit), OD_COLUMN_RIGHT);
    od_doc_column(table, "fits", OD_COLUMN_RIGHT);
    for (size_t i = 0; i < outline->report->remedies->n && rows < most; i++) {
        if (!is_priced(&outline->report->remedies->list[i].action))
            continue;
        add_price(outline, table, i, unit);
        rows++;
    }
    od_doc_drop_blank_columns(table);
    return rows;
}

/* A page shows the best ones and folds the others away. */
static void add_all_remedies(struct od_outline *outline, const struct od_remedies *remedies,
                             struct od_section *section)
{
    enum { FIRST_LOOK = 3 };
    for (size_t i = 0; i < remedies->n; i++) {
        if (outline->folds && i == FIRST_LOOK) {
            section = od_doc_section(outline->doc, "What else helps");
            section->folded = true;
        }
        add_full(outline, section, i);
    }
}

/* One at length and those of the table by their cost; without a table a few at length. */
static void add_few_remedies(struct od_outline *outline, const struct od_remedies *remedies,
                             struct od_section *section, size_t rows)
{
    size_t most = outline->squeeze >= OD_SQUEEZE_FIRST      ? 1
                  : outline->squeeze >= OD_SQUEEZE_FEWER    ? 2
                  : outline->squeeze >= OD_SQUEEZE_REMEDIES ? 3
                                                            : 4;
    size_t seen = 0;
    for (size_t i = 0; i < remedies->n; i++) {
        bool in_table = rows > 0 && is_priced(&outline->report->remedies->list[i].action);
        seen += in_table;
        if (i == 0 && in_table)
            add_way_of_row(outline, section, i);
        else if (i == 0 || (rows == 0 && i < most && outline->squeeze < OD_SQUEEZE_TITLES))
            add_told(outline, section, i);
        else if (rows > 0 ? in_table && seen <= rows && outline->squeeze < OD_SQUEEZE_TITLES
                          : i < most)
            add_named(outline, section, i, rows > 0);
    }
}

static void add_remedies(struct od_outline *outline, const struct od_remedies *remedies)
{
    struct od_section *section = od_doc_section(outline->doc, "What to do, best first");
    if (outline->folds) {
        add_all_remedies(outline, remedies, section);
        add_prices(outline, section);
        return;
    }
    size_t rows = add_prices(outline, section);
    if (outline->all)
        add_all_remedies(outline, remedies, section);
    else
        add_few_remedies(outline, remedies, section, rows);
}

/* The table that the remedies with a price are rows of. */
static void add_options(struct od_outline *outline)
{
    const struct od_answer *answer = outline->report->answer;
    if (!answer || answer->noptions < 2)
        return;
    struct od_section *section = od_doc_section(outline->doc, "What could be changed");
    section->folded = true;
    struct od_options_table table = {.options = answer->options,
                                     .n = answer->noptions,
                                     .most = answer->noptions,
                                     .asked = "unchanged",
                                     .device = true};
    od_doc_options(&table, outline->doc, section);
}

void od_outline_advice(struct od_outline *outline)
{
    const struct od_remedies *remedies = outline->report->remedies;
    if (!remedies || remedies->n == 0)
        return;
    add_remedies(outline, remedies);
    if (!outline->all)
        return;
    add_options(outline);
    add_vain(outline, remedies);
}
