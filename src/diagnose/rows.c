#include "diagnose/rows.h"

#include "diagnose/finding.h"
#include "failure/remarks.h"
#include "rules/slots.h"

static bool holds(const struct od_cause_facts *facts, const struct od_when *when)
{
    return od_when_holds(when, od_profile_ask, &facts->profile) == OD_YES;
}

static const char *filled(const struct od_diagnosis_context *context,
                          const struct od_cause_facts *facts, const char *text,
                          struct od_claimed_parts *ret_parts)
{
    return text ? od_slots_print(text, od_profile_print, &facts->profile, context->arena, ret_parts)
                : NULL;
}

/* Starts a sentence with a capital if it begins with a slot: "the pod" -> "The pod". Names of
 * programs keep their case. */
static const char *capital(const struct od_diagnosis_context *context, const char *sentence)
{
    bool article =
        sentence && (strncmp(sentence, "the ", 4) == 0 || strncmp(sentence, "its ", 4) == 0);
    return article ? od_arena_printf(context->arena, "%c%s", od_upper(sentence[0]), sentence + 1)
                   : sentence;
}

/* Sets the sentence: of the variant, otherwise of the next variant that has one. */
static void say(struct od_diagnosis_context *context, const struct od_cause_facts *facts,
                const struct od_cause_variant *variant, struct od_finding *finding)
{
    while (!variant->lead && !variant->say)
        variant++;
    struct od_claimed_parts *said = &finding->said;
    const char *lead = capital(context, filled(context, facts, variant->lead, NULL));
    const char *rest = capital(context, filled(context, facts, variant->say, said));
    const char *space = lead && rest ? " " : "";
    size_t before = lead ? strlen(lead) + strlen(space) : 0;
    finding->summary =
        od_arena_printf(context->arena, "%s%s%s", lead ? lead : "", space, rest ? rest : "");
    for (size_t i = 0; i < said->n; i++)
        said->list[i].at += before;
    if (lead && said->n < OD_CLAIMED_PARTS)
        said->list[said->n++] = (struct od_claimed_part){.what = OD_CLAIMED_AMOUNTS, .n = before};
}

/* --- evidence and numbers --- */

/* The line that shows the fact in a test of a condition. */
static const struct od_evidence *line_of(const struct od_cause_facts *facts,
                                         const struct od_when_step *test)
{
    const struct od_incident *incident = facts->profile.failure->incident;
    if (test->fact == OD_FACT_TOLD && incident)
        return od_remark_find(facts->profile.c, incident, test->text);
    return facts->said[test->fact];
}

/* Adds the first line of each complaint. */
static void add_complaints(struct od_finding *finding, const struct od_case *c)
{
    OD_FOR_EACH (const struct od_incident, incident, c->incidents)
        if (incident->evidence.n > 0)
            od_finding_evidence(finding, &incident->evidence.items[0]);
}

static void add_evidence(struct od_finding *finding, const struct od_cause_facts *facts,
                         const struct od_when *when)
{
    for (size_t i = 0; i < when->n; i++) {
        const struct od_when_step *step = &when->steps[i];
        const struct od_evidence *line = NULL;
        enum od_tri shows = step->op == OD_WHEN_UNKNOWN ? OD_NO : OD_YES; /* "x != unknown" */
        if (step->op < OD_WHEN_NOT && od_profile_ask(&facts->profile, step) == shows)
            line = line_of(facts, step);
        size_t n = line && facts->nsaid[step->fact] > 0 ? facts->nsaid[step->fact] : line != NULL;
        for (size_t k = 0; k < n; k++)
            od_finding_evidence(finding, &line[k]);
        if (n == 0 && step->fact == OD_FACT_COMPLAINTS)
            add_complaints(finding, facts->profile.c);
    }
}

static void add_numbers(struct od_finding *finding, const struct od_cause_facts *facts,
                        const char *const *numbers)
{
    for (; numbers && *numbers; numbers++) {
        const struct od_fact_value *value = &facts->profile.values[od_cause_number_fact(*numbers)];
        if (value->known)
            od_finding_bytes(finding, *numbers, value->number);
    }
}

/* The largest memory in use in the message. */
static struct od_bytes largest_use(const struct od_incident *incident)
{
    const struct od_bytes counts[] = {incident->reserved, incident->held, incident->process.rss};
    struct od_bytes most = incident->in_use;
    for (size_t i = 0; i < OD_COUNT_OF(counts); i++)
        if (!most.known || od_bytes_less(most, counts[i]) == OD_YES)
            most = counts[i];
    return most;
}

/* Sets the two amounts that the relation compares; other relations compare none. */
static void take_amounts(const struct od_cause_facts *facts, struct od_assertion *assertion)
{
    const struct od_failure *failure = facts->profile.failure;
    const struct od_incident *incident = failure->incident;
    const enum od_scope scope = failure->account.scope;
    if (assertion->relation == OD_ASSERTS_HELD) {
        struct od_bytes held = facts->profile.values[OD_FACT_HELD_BY_OTHERS].number;
        assertion->amount =
            (struct od_amount){od_bytes_add(held, failure->account.own), OD_SCOPE_DEVICE};
        assertion->against = (struct od_amount){incident->capacity, OD_SCOPE_DEVICE};
    } else if (assertion->relation == OD_ASSERTS_REACHED) {
        assertion->amount =
            (struct od_amount){od_bytes_add(largest_use(incident), incident->requested), scope};
        assertion->against = (struct od_amount){incident->limit, scope};
    }
}

/* The straight line fitted to the growth, for its slope; growth in rounds has none. */
static const struct od_series *line_of_growth(const struct od_finding *finding)
{
    return finding->grown && finding->grown->trend == OD_TREND_LEAK ? finding->grown : NULL;
}

/* Do the numbers allow what the cause asserts? */
static bool is_possible(const struct od_diagnosis_context *context,
                        const struct od_cause_facts *facts, const struct od_finding *finding)
{
    bool possible = true;
    for (unsigned i = 0; context->failure && i < OD_RELATIONS; i++) {
        struct od_assertion assertion = {.relation = (enum od_relation)i,
                                         .cause = od_cause_name(finding->cause),
                                         .series = line_of_growth(finding)};
        if (!od_finding_asserts(finding, assertion.relation))
            continue;
        take_amounts(facts, &assertion);
        possible = od_assertion_holds(&facts->profile, &assertion) && possible;
    }
    return possible;
}

/* Sets the remedy to list first, and one that cannot help, from the variant or from the cause. */
static void add_first(const struct od_diagnosis_context *context, struct od_finding *finding,
                      const struct od_cause_facts *facts, const struct od_cause_row *row,
                      const struct od_cause_variant *variant)
{
    size_t i = 0;
    finding->first = filled(context, facts, variant->first, NULL);
    finding->useless = variant->unhelpful;
    while (i < row->nfirst && !holds(facts, &row->first[i].when))
        i++;
    if (i == row->nfirst || finding->first)
        return;
    finding->first = row->first[i].remedy;
    finding->useless = finding->useless ? finding->useless : row->first[i].unhelpful;
}

/* Does the condition that holds test a remark made by people? */
static bool is_told(const struct od_cause_facts *facts, const struct od_when *when)
{
    const struct od_when_step *test = NULL;
    while ((test = od_when_test_of(when, OD_FACT_TOLD, test)) != NULL)
        if (od_profile_ask(&facts->profile, test) == OD_YES)
            return true;
    test = od_when_test_of(when, OD_FACT_BATCH_DID_NOT_HELP, NULL);
    return test && od_profile_ask(&facts->profile, test) == OD_YES;
}

/* Adds a finding unless the numbers refute what its cause asserts. */
static void add_finding(struct od_diagnosis_context *context, const struct od_cause_facts *facts,
                        const struct od_cause_row *row, const struct od_cause_variant *variant)
{
    struct od_finding *finding = od_finding_new(context, od_cause_named(row->cause));
    enum od_fact series =
        variant->series ? od_fact_named(od_view_of(variant->series)) : OD_FACT_END;
    finding->asserts = row->asserts;
    finding->reported = is_told(facts, &variant->when);
    if (variant->sign)
        od_finding_sign(finding, variant->sign, variant->strength);
    finding->proven = variant->certain.n > 0 && holds(facts, &variant->certain) &&
                      !(context->failure && context->failure->account.conflict);
    say(context, facts, variant, finding);
    finding->clause = filled(context, facts, variant->clause, NULL);
    add_first(context, finding, facts, row, variant);
    if (row->loading.n > 0 && holds(facts, &row->loading))
        finding->grows_in = OD_SERIES_PHASE_LOAD;
    for (size_t i = 0; i < row->nsigns; i++)
        if (holds(facts, &row->signs[i].when))
            od_finding_sign(finding, row->signs[i].sign, row->signs[i].strength);
    if (series < OD_FACT_END && facts->series[series])
        od_finding_growth(finding, facts->series[series]);
    if (context->failure)
        od_finding_failure(finding, context->failure);
    add_numbers(finding, facts, row->numbers);
    add_evidence(finding, facts, &row->evidence);
    add_evidence(finding, facts, &variant->evidence);
    if (!is_possible(context, facts, finding))
        context->diagnosis->findings.n--;
}

void od_rows_look(struct od_diagnosis_context *context, const struct od_cause_row *const *rows)
{
    struct od_cause_facts *facts = OD_NEW(context->arena, struct od_cause_facts);
    od_cause_facts_of(context, facts);
    context->diagnosis->profile = &facts->profile;
    for (; *rows; rows++) {
        const struct od_cause_row *row = *rows;
        size_t i = 0;
        if (!holds(facts, &row->when))
            continue;
        while (i < row->nvariants && !holds(facts, &row->variants[i].when))
            i++;
        if (i < row->nvariants)
            add_finding(context, facts, row, &row->variants[i]);
    }
}
