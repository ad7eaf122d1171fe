/* Why it failed: findings, the best one first and alone. */
#include "report/outline_parts.h"

#include "report/headline.h"
#include "report/words.h"

static const char *about(struct od_outline *outline, double chance)
{
    return chance < 0.01 ? "<1 %" : od_arena_printf(outline->arena, "about %.0f %%", chance * 100);
}

/* "certain", "likely (85 %)": a probability is only said where it is not decided. */
static const char *weight(struct od_outline *outline, const struct od_finding *finding)
{
    const char *certainty = od_certainty_name(finding->certainty);
    if (finding->certainty == OD_CERTAIN)
        return od_arena_printf(outline->arena, "%s: follows from the printed numbers", certainty);
    return od_arena_printf(outline->arena, "%s, %s", certainty,
                           about(outline, finding->probability));
}

static void say_finding(struct od_outline *outline, struct od_text *text,
                        const struct od_finding *finding)
{
    const char *name = od_cause_words(finding->cause);
    char first = name[0] >= 'a' && name[0] <= 'z' ? (char)(name[0] - 'a' + 'A') : name[0];
    od_doc_say(outline->doc, text, OD_STRONG, "%c%s", first, name[0] ? name + 1 : "");
    od_doc_say(outline->doc, text, OD_DIM, " (%s; %s). ", weight(outline, finding),
               od_cause_code(finding->cause));
    if (finding->summary)
        od_doc_say(outline->doc, text, OD_PLAIN, "%s", finding->summary);
    if (outline->folds)
        od_outline_said_at(outline, text, finding->evidence, finding->nevidence);
}

static void quote_all(struct od_outline *outline, struct od_section *section,
                      const struct od_finding *finding)
{
    for (size_t i = 0; outline->verbose && i < finding->nevidence; i++)
        od_outline_quote(outline, section, &finding->evidence[i]);
}

/* An error that is none of memory is the headline; that it is none is all that there is to say. */
static bool is_said(const struct od_outline *outline)
{
    const struct od_diagnosis *d = outline->diagnosis;
    return !outline->all && d->failure->run.outcome == OD_OUTCOME_OTHER_FAILURE &&
           d->findings.n == 1 && d->findings.items[0].cause == OD_CAUSE_NOT_MEMORY &&
           d->failure->incident == NULL && od_headline_error(d).n > 0;
}

static bool is_failure(const struct od_outline *outline)
{
    return outline->diagnosis->failure->run.outcome == OD_OUTCOME_MEMORY_FAILURE;
}

/* On one screen nothing is said twice, and of a cause that is not likely only what the log prints.
 */
static bool is_silent(const struct od_outline *outline)
{
    const struct od_diagnosis *diagnosis = outline->diagnosis;
    enum od_summary_says says = diagnosis->findings.items[0].says;
    bool named = od_diagnosis_names_cause(diagnosis);
    bool claimed = outline->diagnosis->failure->run.reported;
    return !outline->all && (is_failure(outline) || claimed) &&
           (says == OD_SAYS_HEADLINE || (says == OD_SAYS_WHY && !named));
}

/* The first finding, after a headline that has given its cause and how certain it is. */
static void add_short(struct od_outline *outline, const struct od_finding *best)
{
    const char *summary = od_outline_after_headline(outline, best);
    size_t others = outline->diagnosis->findings.n - 1;
    if (!*summary)
        return;
    struct od_text *text = od_doc_text(outline->doc, od_doc_section(outline->doc, "Why"));
    if (outline->diagnosis->failure->incident == outline->c->claim && outline->c->claim)
        od_doc_say(outline->doc, text, OD_PLAIN, "By what the text says: ");
    od_doc_say(outline->doc, text, OD_PLAIN, "%s", summary);
    if (others > 0)
        od_doc_say(outline->doc, text, OD_DIM, " -v shows %s.",
                   od_words_counted(outline->arena, others, "other suspect", "other suspects"));
}

void od_outline_why(struct od_outline *outline)
{
    if (outline->diagnosis->findings.n == 0 || is_said(outline) || is_silent(outline))
        return;
    const struct od_finding *best = &outline->diagnosis->findings.items[0];
    if (!outline->all && best->summary) {
        add_short(outline, best);
        return;
    }
    bool unnamed = is_failure(outline) && !od_diagnosis_names_cause(outline->diagnosis);
    struct od_section *section = od_doc_section(outline->doc, "Why");
    struct od_text *text = od_doc_text(outline->doc, section);
    if (outline->all && unnamed) {
        od_doc_say(outline->doc, text, OD_STRONG, "No cause is likely enough to be named");
        od_doc_say(outline->doc, text, OD_DIM, " (the log does not show it: %s). ",
                   about(outline, outline->diagnosis->unexplained));
        od_doc_say(outline->doc, text, OD_PLAIN, "First among the suspects: ");
    }
    say_finding(outline, text, best);
    quote_all(outline, section, best);
}

void od_outline_also(struct od_outline *outline)
{
    if (outline->diagnosis->findings.n < 2 || !outline->all)
        return;
    struct od_section *section = od_doc_section(outline->doc, "Other findings, best first");
    struct od_node *list = od_doc_list(outline->doc, section);
    for (size_t i = 1; i < outline->diagnosis->findings.n; i++) {
        const struct od_finding *finding = &outline->diagnosis->findings.items[i];
        if (outline->verbose && i > 1)
            list = od_doc_list(outline->doc, section);
        say_finding(outline, od_doc_item(outline->doc, list), finding);
        quote_all(outline, section, finding);
    }
}
