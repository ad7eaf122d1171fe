/* What to do, and what does not help. */
#include "report/options_table.h"
#include "report/outline_parts.h"
#include "report/words.h"

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

/* With the batch that is safe here, where the lines name one. */
static const char *code_of(const struct od_outline *outline, const struct od_remedy_how *how)
{
    const struct od_answer *answer = outline->report->answer;
    struct od_count batch = answer ? answer->recommended : (struct od_count){0};
    return od_how_code(how->advice, batch, outline->doc->arena);
}

static void add_way(struct od_outline *outline, struct od_section *section,
                    const struct od_remedy *remedy, const struct od_remedy_how *how)
{
    struct od_text *text = od_doc_item(outline->doc, od_doc_list(outline->doc, section));
    say_for_whom(outline, text, remedy, how);
    od_doc_say(outline->doc, text, OD_PLAIN, "%s", how->advice->text);
    if (how->advice->code)
        od_doc_code(outline->doc, section, code_of(outline, how));
}

/* What it gives here, else the advice's own sentence with its numbers; NULL = neither. */
static const char *figures_of(const struct od_outline *outline, size_t i)
{
    const struct od_answer *answer = outline->report->answer;
    if (answer && answer->actions[i].figures)
        return answer->actions[i].figures;
    return outline->report->remedies->list[i].figures;
}

/* What it gives, as far as that is known, and what it costs. */
static void say_worth(struct od_outline *outline, struct od_text *text, size_t i)
{
    const char *figures = figures_of(outline, i);
    if (figures)
        od_doc_say(outline->doc, text, OD_PLAIN, "%s ", figures);
    od_doc_say(outline->doc, text, OD_PLAIN, "Cost: %s.",
               outline->report->remedies->list[i].advice->cost);
}

/* A bullet: the title, what it gives and costs, and the first way. */
static void add_brief(struct od_outline *outline, struct od_section *section, size_t i)
{
    const struct od_remedy *remedy = &outline->report->remedies->list[i];
    const struct od_remedy_how *how = &remedy->how[0];
    struct od_text *text = od_doc_item(outline->doc, od_doc_list(outline->doc, section));
    bool brief = i > 0 && outline->squeeze >= OD_SQUEEZE_TITLES;
    od_doc_say(outline->doc, text, OD_STRONG, "%s. ", remedy->advice->title);
    if (!brief) {
        say_for_whom(outline, text, remedy, how);
        od_doc_say(outline->doc, text, OD_PLAIN, "%s ", how->advice->text);
    }
    say_worth(outline, text, i);
    if (!brief && shows_code(outline, how->advice->code))
        od_doc_code(outline->doc, section, code_of(outline, how));
}

static void add_full(struct od_outline *outline, struct od_section *section, size_t i)
{
    const struct od_remedy *remedy = &outline->report->remedies->list[i];
    od_doc_say(outline->doc, od_doc_heading(outline->doc, section), OD_STRONG, "%zu. %s", i + 1,
               remedy->advice->title);
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
    od_doc_say(outline->doc, source, OD_CODE, "%s", remedy->advice->source);
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
    row->cells[3].text = od_view_of(od_words_chance(outline->arena, action->fits));
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
    size_t most = outline->squeeze >= OD_SQUEEZE_MOST    ? 3
                  : outline->squeeze >= OD_SQUEEZE_SIZES ? 5
                                                         : 7;
    most = outline->all ? priced : most;
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

/* A page shows the best ones and folds the others away. */
static void add_remedies(struct od_outline *outline, const struct od_remedies *remedies)
{
    enum { FIRST_LOOK = 3 };
    struct od_section *section = od_doc_section(outline->doc, "What to do, best first");
    bool table = add_prices(outline, section);
    size_t most = outline->folds ? FIRST_LOOK : remedies_shown(outline, table);
    for (size_t i = 0; i < remedies->n; i++) {
        if (outline->folds && i == most) {
            section = od_doc_section(outline->doc, "What else helps");
            section->folded = true;
        }
        if (outline->all)
            add_full(outline, section, i);
        else if (i < most)
            add_brief(outline, section, i);
    }
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
                                     .asked = "as it was",
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
