/* Why the run failed: the best finding first, on its own. */
#include "report/outline_parts.h"

#include "report/words.h"

/* "Batch too large (likely, 85 %; OD101). ": the name of a cause, and how sure it is. */
static void say_weight(struct od_outline *outline, struct od_text *text,
                       const struct od_finding *finding)
{
    const char *name = od_cause_words(finding->cause);
    od_say_as(text, OD_STRONG, "%c%s", od_upper(name[0]), name + 1);
    od_say_as(text, OD_DIM, " (%s%s%s; %s). ", od_certainty_name(finding->certainty),
              finding->certainty == OD_CERTAIN ? ": follows from the printed numbers" : ", ",
              finding->certainty == OD_CERTAIN
                  ? ""
                  : od_words_chance(outline->arena, finding->probability),
              od_cause_code(finding->cause));
}

static bool is_quoted(const struct od_outline *outline, struct od_prov at)
{
    const struct od_incident *incident = outline->incident;
    for (size_t i = 0; incident && i < incident->evidence.n; i++)
        if (od_log_line_order(incident->evidence.items[i].at, at) == 0)
            return true;
    return od_doc_quotes(outline->doc, at, (struct od_view){0});
}

/* Adds the lines that support a finding. Plain text quotes lines that no other part quotes. */
static void add_evidence(struct od_outline *outline, struct od_section *section,
                         struct od_text *text, const struct od_finding *finding)
{
    od_outline_said_at(outline, text, finding->evidence, finding->nevidence);
    for (size_t i = 0; outline->verbose && i < finding->nevidence; i++)
        if (!is_quoted(outline, finding->evidence[i].at))
            od_outline_quote(outline, section, &finding->evidence[i]);
}

/* Does the headline already quote an error that is not about memory? Nothing more is known then. */
static bool is_said(const struct od_outline *outline)
{
    const struct od_diagnosis *d = outline->diagnosis;
    return !outline->all && d->failure->run.outcome == OD_OUTCOME_OTHER_FAILURE &&
           d->findings.n == 1 && d->findings.items[0].cause == OD_CAUSE_NOT_MEMORY &&
           d->failure->incident == NULL && od_headline_error(d).n > 0 &&
           !od_doc_adds_amount(outline->doc, od_view_of(d->findings.items[0].summary));
}

static bool is_failure(const struct od_outline *outline)
{
    return outline->diagnosis->failure->run.outcome == OD_OUTCOME_MEMORY_FAILURE;
}

/* The short report explains no cause that the headline does not name. */
static bool is_silent(const struct od_outline *outline)
{
    const struct od_diagnosis *diagnosis = outline->diagnosis;
    bool named = od_diagnosis_names_cause(diagnosis);
    bool claimed = outline->diagnosis->failure->run.reported;
    return !outline->all && (is_failure(outline) || claimed) && !named;
}

/* If nothing more is known of the cause, says what was requested, and when. */
static void say_circumstances(struct od_outline *outline)
{
    const struct od_failure *failure = outline->diagnosis->failure;
    const struct od_product *product = outline->diagnosis->product;
    const char *doing = od_phase_kinds[failure->phase].doing;
    bool exceeds = od_bytes_less(failure->capacity, failure->asked) == OD_YES;
    if ((!product && !doing && !exceeds) || !is_failure(outline))
        return;
    struct od_text *text = od_doc_text(od_doc_section(outline->doc, "Why"));
    if (product)
        od_say(text, "The request is %s: %s.%s", product->factors, product->what, doing ? " " : "");
    if (exceeds)
        od_say(text, "This one request is more than the whole device has.%s", doing ? " " : "");
    if (doing)
        od_say(text, "It failed while %s.", doing);
    od_outline_said_at(outline, text, failure->phase_told, failure->phase_told != NULL);
}

/* Adds what the headline does not say about the first cause. -v adds its name, weight and lines. */
void od_outline_why(struct od_outline *outline)
{
    const struct od_diagnosis *diagnosis = outline->diagnosis;
    if (diagnosis->findings.n == 0 || is_said(outline) || is_silent(outline)) {
        say_circumstances(outline);
        return;
    }
    const struct od_finding *best = &diagnosis->findings.items[0];
    const char *summary = best->summary ? od_outline_after_headline(outline, best) : "";
    if (!*summary && !outline->all) {
        say_circumstances(outline);
        return;
    }
    struct od_section *section = od_doc_section(outline->doc, "Why");
    struct od_text *text = od_doc_text(section);
    if (outline->all && is_failure(outline) && !od_diagnosis_names_cause(diagnosis))
        od_say(text,
               "No cause is likely enough to be named (the log does not show it: %s). First "
               "among the suspects: ",
               od_words_chance(outline->arena, diagnosis->unexplained));
    if (outline->all)
        say_weight(outline, text, best);
    if (outline->c->claim && diagnosis->failure->incident == outline->c->claim)
        od_say(text, "By what the text says: ");
    od_say(text, "%s", summary);
    if (outline->all)
        add_evidence(outline, section, text, best);
}

void od_outline_also(struct od_outline *outline)
{
    if (outline->diagnosis->findings.n < 2)
        return;
    struct od_section *section = od_doc_section(outline->doc, "Other findings, best first");
    struct od_node *list = od_doc_list(section);
    for (size_t i = 1; i < outline->diagnosis->findings.n; i++) {
        const struct od_finding *finding = &outline->diagnosis->findings.items[i];
        if (!outline->folds && i > 1)
            list = od_doc_list(section);
        struct od_text *text = od_doc_item(list);
        say_weight(outline, text, finding);
        od_say(text, "%s", finding->summary ? finding->summary : "");
        add_evidence(outline, section, text, finding);
    }
}
