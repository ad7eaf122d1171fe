/* What to do, and what does not help. */
#include "report/outline_parts.h"

#include "diagnose/who.h"

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

/* The index of a remedy in the answer's actions is its own. */
static const struct od_answer_action *action_of(const struct od_outline *outline, size_t i)
{
    const struct od_answer *answer = outline->report->answer;
    return answer && answer->actions ? &answer->actions[i] : NULL;
}

/* What it gives, as far as that is known, and what it costs. */
static void say_worth(struct od_outline *outline, struct od_text *text, size_t i)
{
    const struct od_remedy *remedy = &outline->report->remedies->list[i];
    const struct od_answer_action *action = action_of(outline, i);
    char saved[OD_BYTES_TEXT], peak[OD_BYTES_TEXT];
    if (action && action->figures)
        od_doc_say(outline->doc, text, OD_PLAIN, "%s ", action->figures);
    else if (action && action->saves.known && action->peak.known)
        od_doc_say(outline->doc, text, OD_PLAIN, "Saves %s; the peak would be %s. ",
                   od_bytes_print(action->saves, saved), od_bytes_print(action->peak, peak));
    else if (remedy->figures)
        od_doc_say(outline->doc, text, OD_PLAIN, "%s ", remedy->figures);
    if (action && action->fits >= 0)
        od_doc_say(outline->doc, text, OD_PLAIN, "Fits with probability %.2f. ", action->fits);
    od_doc_say(outline->doc, text, OD_PLAIN, "Cost: %s.", remedy->advice->cost);
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
        od_doc_code(outline->doc, section, how->advice->code);
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

static size_t remedies_shown(const struct od_outline *outline)
{
    if (outline->squeeze >= OD_SQUEEZE_FEWER)
        return 2;
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

/* A page shows the best ones and folds the others away. */
static void add_remedies(struct od_outline *outline, const struct od_remedies *remedies)
{
    enum { FIRST_LOOK = 3 };
    struct od_section *section = od_doc_section(outline->doc, "What to do, best first");
    size_t most = outline->folds ? FIRST_LOOK : remedies_shown(outline);
    od_outline_answer(outline, section);
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

void od_outline_advice(struct od_outline *outline)
{
    const struct od_remedies *remedies = outline->report->remedies;
    if (!remedies || remedies->n == 0)
        return;
    add_remedies(outline, remedies);
    if (outline->all)
        add_vain(outline, remedies);
}
