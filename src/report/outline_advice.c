/* The sections on what to do, and on what does not help. */
#include "report/outline_parts.h"
#include "report/plan.h"
#include "report/words.h"

#include <math.h>

/* "PyTorch 2.1 or newer: "; "PyTorch: " if there are other programs */
static void say_for_whom(struct od_text *text, const struct od_remedy *remedy,
                         const struct od_remedy_how *how)
{
    if (how->needs)
        od_say_as(text, OD_DIM, "%s: ", how->needs);
    else if (remedy->nhow > 1 && how->title[0] != '\0')
        od_say_as(text, OD_DIM, "%s: ", how->title);
}

/* Adds "Line 12: " before the change of that line, and the step's sentence. */
static void say_text(struct od_outline *outline, struct od_text *text,
                     const struct od_remedy_how *how)
{
    if (how->edit.from) {
        od_doc_refer(text, how->edit.at,
                     how->edit.place ? how->edit.place
                                     : od_arena_printf(outline->arena, "Line %llu",
                                                       (unsigned long long)how->edit.at.line));
        od_say(text, ": ");
    }
    od_say(text, "%s", how->text);
}

/* Is the sentence a repetition of the title, or of the code, as "Turn on --xformers." before
 * "--xformers"? */
static bool is_said(const struct od_outline *outline, const struct od_remedy *remedy,
                    const struct od_remedy_how *how)
{
    static const char *const verbs[] = {"Turn on", "Use"};
    bool same =
        !how->edit.from &&
        strcmp(od_arena_printf(outline->arena, "%s.", remedy->advice->title), how->text) == 0;
    for (size_t i = 0; how->code && !how->edit.from && i < OD_COUNT_OF(verbs); i++)
        same = same || strcmp(od_arena_printf(outline->arena, "%s %s.", verbs[i], how->code),
                              how->text) == 0;
    return same;
}

static const char *title_of(const struct od_outline *outline, size_t i)
{
    return od_remedy_title(&outline->report->remedies->list[i], outline->arena);
}

static bool is_free(const char *cost)
{
    return cost[0] == '\0' || strcmp(cost, "none") == 0;
}

/* "peak 0.11 of 2.68 GiB, 95 % likely to fit", "1.20 GiB less, not enough alone"; NULL if unknown.
 */
static const char *gain_of(const struct od_outline *outline, size_t i)
{
    const struct od_answer_action *action = &outline->report->remedies->list[i].action;
    const struct od_answer *answer = outline->report->answer;
    struct od_bytes limit = action->limit.known || !answer ? action->limit : answer->limit;
    const char *fits = action->fits < 0 ? NULL : od_words_chance(outline->arena, action->fits);
    if (!action->peak.known)
        return fits ? od_arena_printf(outline->arena, "%s likely to fit", fits) : NULL;
    if (limit.known && action->peak.n > limit.n && limit.n > 0) {
        static const double surely_not = 0.05;
        return action->saves.n == 0 ? "almost nothing"
               : action->saves.n > limit.n
                   ? "not enough alone"
                   : od_arena_printf(outline->arena, "%s less, %snot enough alone",
                                     od_bytes_text_u64(outline->arena, action->saves.n),
                                     action->fits > surely_not ? "probably " : "");
    }
    const char *peak = od_bytes_text_u64(outline->arena, action->peak.n);
    if (limit.known && limit.n > 0)
        peak = od_arena_printf(outline->arena, "%s of %s", peak,
                               od_bytes_text_u64(outline->arena, limit.n));
    return od_arena_printf(
        outline->arena, fits ? "peak %s, %s likely to fit" : "peak %s at this request", peak, fits);
}

/* Adds the peak against the limit if the medium has pictures; false if it is unknown. */
static bool add_gauge(struct od_outline *outline, struct od_section *card, size_t i)
{
    const struct od_answer_action *action = &outline->report->remedies->list[i].action;
    const struct od_answer *answer = outline->report->answer;
    struct od_bytes limit = action->limit.known || !answer ? action->limit : answer->limit;
    if (!outline->folds || !action->peak.known || !limit.known || limit.n == 0)
        return false;
    double part = (double)action->peak.n / (double)limit.n, width = fmax(part, 1) * 1.05;
    struct od_bar *bar = od_doc_bar(card);
    bar->small = true;
    bar->whole = 1 / width;
    bar->title = od_arena_printf(
        outline->arena, "peak %s of %s%s%s", od_bytes_text(outline->arena, action->peak),
        od_bytes_text(outline->arena, limit), action->fits >= 0 ? ", fits with " : "",
        action->fits >= 0 ? od_words_chance(outline->arena, action->fits) : "");
    od_doc_bar_part(bar, &(struct od_bar_part){.fill = part > 1 ? OD_FILL_OTHERS : OD_FILL_USED,
                                               .length = part / width});
    return true;
}

/* Adds the steps for other programs and versions, with their source. */
static void add_other_ways(struct od_outline *outline, struct od_section *card,
                           const struct od_remedy *remedy)
{
    if (outline->folds)
        card = od_doc_details(card, remedy->nhow > 1 ? "Other ways, and the source" : "Source");
    for (size_t k = 1; k < remedy->nhow; k++) {
        struct od_node *list = od_doc_list(card);
        struct od_text *text = od_doc_item(list);
        say_for_whom(text, remedy, &remedy->how[k]);
        say_text(outline, text, &remedy->how[k]);
        if (remedy->how[k].code)
            od_doc_code(card, remedy->how[k].code);
    }
    struct od_text *source = od_doc_text(card);
    od_say_as(source, OD_DIM, "Source: ");
    od_say_as(source, OD_CODE, "%s", od_remedy_source(remedy));
}

/* Adds a numbered block: the title with its value, a sentence, code, effect and cost. */
static void add_block(struct od_outline *outline, struct od_section *in, size_t i)
{
    const struct od_remedy *remedy = &outline->report->remedies->list[i];
    const struct od_remedy_how *how = &remedy->how[0];
    const char *title = od_arena_printf(outline->arena, "%zu. %s", i + 1, title_of(outline, i));
    struct od_section *card = od_doc_card(in, title);
    card->source = od_remedy_source(remedy);
    const char *gain = gain_of(outline, i);
    bool figured = remedy->figures && (outline->all || !gain);
    const char *figures = figured ? od_outline_new(outline, remedy->figures) : "";
    struct od_text *text = NULL;
    if (add_gauge(outline, card, i))
        gain = NULL; /* its title states it */
    if (!is_said(outline, remedy, how)) {
        text = od_doc_text(card);
        say_for_whom(text, remedy, how);
        say_text(outline, text, how);
    }
    if (*figures) {
        text = text ? text : od_doc_text(card);
        od_say(text, " %s", figures);
    }
    const char *asked = i == 0 ? od_outline_decide_in_block(outline) : NULL;
    if (how->code) {
        od_doc_code(card, asked ? asked : how->code);
        text = NULL;
    }
    if (gain || !is_free(remedy->cost)) {
        const char *gap = text ? " " : "";
        text = text ? text : od_doc_text(card);
        if (gain)
            od_say(text, "%sGives: %s.", gap, gain);
        if (!is_free(remedy->cost))
            od_say(text, "%sCost: %s.", gain ? " " : gap, remedy->cost);
    }
    if (outline->all)
        add_other_ways(outline, card, remedy);
}

static void add_useless(struct od_outline *outline, const struct od_remedies *remedies)
{
    if (remedies->nuseless == 0)
        return;
    struct od_section *section = od_doc_section(outline->doc, "What does not help");
    section->folded = true;
    struct od_node *list = od_doc_list(section);
    for (size_t i = 0; i < remedies->nuseless; i++) {
        struct od_text *text = od_doc_item(list);
        od_say_as(text, OD_STRONG, "%s: ", remedies->useless[i]->title);
        od_say(text, "%s", remedies->useless[i]->why);
    }
}

/* The options table, whose rows are the remedies with a price. */
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

/* Adds the remedies after the first: on one screen the next blocks, and the number of the others. A
 * page folds the others. */
void od_outline_further(struct od_outline *outline)
{
    const struct od_remedies *remedies = outline->report->remedies;
    if (!remedies || remedies->n == 0)
        return;
    struct od_section *section = outline->doc->last;
    if (!outline->all && remedies->n > 1) {
        section = od_doc_section(outline->doc, NULL);
        section->indented = true;
    }
    size_t blocks = outline->all ? remedies->n : OD_OUTLINE_BLOCKS;
    for (size_t i = 1; i < remedies->n && i < blocks; i++) {
        if (outline->folds && i == OD_OUTLINE_BLOCKS) {
            section = od_doc_section(outline->doc, "What else helps");
            section->folded = true;
        }
        add_block(outline, section, i);
    }
    if (!outline->all) {
        if (remedies->n > blocks)
            od_say(od_doc_text(section), "%zu more with -v.", remedies->n - blocks);
        return;
    }
    add_options(outline);
    add_useless(outline, remedies);
}

void od_outline_advice(struct od_outline *outline)
{
    const struct od_remedies *remedies = outline->report->remedies;
    if (!remedies || remedies->n == 0)
        return;
    add_block(outline, od_doc_section(outline->doc, "Do this"), 0);
}
