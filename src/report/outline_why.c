/* Why the run failed: the best finding first, on its own. */
#include "report/outline_parts.h"

#include "report/words.h"
#include "rules/slots.h"

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

/* Did something fail, if only a process that was killed for an unknown reason? */
static bool has_failed(const struct od_outline *outline)
{
    return is_failure(outline) ||
           (outline->diagnosis->failure->run.outcome == OD_OUTCOME_UNKNOWN && outline->incident);
}

/* The short report explains no cause that the headline does not name. */
static bool is_silent(const struct od_outline *outline)
{
    const struct od_diagnosis *diagnosis = outline->diagnosis;
    bool named = od_diagnosis_names_cause(diagnosis);
    bool claimed = outline->diagnosis->failure->run.reported;
    return !outline->all && (is_failure(outline) || claimed) && !named;
}

/* The program's own explanation is searched in so many lines before and after the failure. */
enum { WHY_ABOVE = 3, WHY_BELOW = 4 };

/* Does that line name a setting to change? The remedy will quote it. */
static bool is_advice(const struct od_outline *outline, struct od_prov at)
{
    OD_FOR_EACH (const struct od_setting, setting, outline->c->settings)
        if (setting->id >= OD_SETTING_ADVISED_LOWER && setting->id <= OD_SETTING_SAID_USE &&
            od_prov_cmp(&setting->said.at, &at) == 0)
            return true;
    return false;
}

/* Adds what the program itself gives as the reason (rules/hints.yaml), in a line that no other part
 * quotes. */
static void say_own_words(struct od_outline *outline, struct od_section *section)
{
    const struct od_incident *failed = is_failure(outline) ? outline->incident : NULL;
    for (size_t i = 0; failed && i < outline->c->settings.n; i++) {
        const struct od_setting *why = &outline->c->settings.items[i];
        if (why->id != OD_SETTING_SAID_WHY || why->said.at.source != failed->at.source ||
            why->said.at.line + WHY_ABOVE < failed->at.line ||
            why->said.at.line > failed->last.line + WHY_BELOW || is_quoted(outline, why->said.at) ||
            is_advice(outline, why->said.at))
            continue;
        struct od_text *text = od_doc_text(section ? section : od_doc_section(outline->doc, "Why"));
        od_say(text, "The program explains in ");
        od_outline_refer(outline, text, why->said.at, why->said.text);
        od_say(text, ": “%.*s”", (int)why->value.n, why->value.p);
        return;
    }
}

/* If nothing more is known of the cause, says when and in what state it failed: the circumstances
 * of rules/advice/settings.yaml. */
static void say_circumstances(struct od_outline *outline)
{
    const struct od_failure *failure = outline->diagnosis->failure;
    const struct od_profile *profile = outline->diagnosis->profile;
    const struct od_advice *advice = od_advice_find(od_shipped_advice, OD_ADVICE_OF_KNOBS);
    const char *said = NULL; /* subject of the last printed circumstance: one for each subject */
    struct od_section *section = NULL;
    struct od_text *text = NULL;
    for (size_t i = 0; has_failed(outline) && i < advice->ncircumstances; i++) {
        const struct od_circumstance *row = &advice->circumstances[i];
        if ((said && strcmp(said, row->subject) == 0) ||
            od_when_holds(&row->when, od_profile_ask, profile) != OD_YES)
            continue;
        struct od_claimed_parts parts;
        const char *sentence =
            od_slots_print(row->say, od_profile_print, profile, outline->arena, &parts);
        sentence = sentence ? od_outline_unstated(outline, sentence, &parts) : "";
        if (!*sentence)
            continue;
        section = section ? section : od_doc_section(outline->doc, "Why");
        text = text ? text : od_doc_text(section);
        od_say(text, "%s%s", said ? " " : "", sentence);
        said = row->subject;
    }
    if (text)
        od_outline_said_at(outline, text, failure->phase_told, failure->phase_told != NULL);
    say_own_words(outline, section);
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
    const char *summary =
        best->summary ? od_outline_unstated(outline, best->summary, &best->said) : "";
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
    say_own_words(outline, section);
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
