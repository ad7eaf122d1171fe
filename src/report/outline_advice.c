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

/* The title, its figures and cost, and the first way; the others only with -v. */
static void add_brief(struct od_outline *outline, struct od_section *section,
                      const struct od_remedy *remedy)
{
    const struct od_remedy_how *how = &remedy->how[0];
    struct od_text *text = od_doc_item(outline->doc, od_doc_list(outline->doc, section));
    od_doc_say(outline->doc, text, OD_STRONG, "%s. ", remedy->advice->title);
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
    if (remedy->figures)
        od_doc_say(outline->doc, text, OD_PLAIN, "%s ", remedy->figures);
    od_doc_say(outline->doc, text, OD_PLAIN, "Cost: %s.", remedy->advice->cost);
    for (size_t i = 0; i < remedy->nhow; i++)
        add_way(outline, section, remedy, &remedy->how[i]);
    od_doc_say(outline->doc, od_doc_text(outline->doc, section), OD_DIM, "Source: %s",
               remedy->advice->source);
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
    struct od_node *list = od_doc_list(outline->doc, section);
    for (size_t i = 0; i < remedies->nvain; i++) {
        struct od_text *text = od_doc_item(outline->doc, list);
        od_doc_say(outline->doc, text, OD_STRONG, "%s: ", remedies->vain[i]->title);
        od_doc_say(outline->doc, text, OD_PLAIN, "%s", remedies->vain[i]->why);
    }
}

void od_outline_advice(struct od_outline *outline)
{
    const struct od_remedies *remedies = outline->report->remedies;
    if (!remedies || remedies->n == 0)
        return;
    struct od_section *section = od_doc_section(outline->doc, "What to do, best first");
    size_t most = remedies_shown(outline);
    for (size_t i = 0; i < remedies->n && (outline->verbose || i < most); i++) {
        if (outline->verbose)
            add_full(outline, section, &remedies->list[i]);
        else
            add_brief(outline, section, &remedies->list[i]);
    }
    if (outline->verbose)
        add_vain(outline, remedies);
}
