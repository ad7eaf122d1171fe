#include "advise/choose.h"

#include "advise/gain.h"
#include "advise/proposal.h"
#include "advise/remedy.h"
#include "advise/slots.h"
#include "advise/ways.h"
#include "facts/argv.h"
#include "facts/trace.h"
#include "rules/slots.h"

enum { REMEDIES_MAX = 64, USELESS_MAX = 32 };

/* Reasons that depend on the chosen remedies or the steps. All others are rows of `never` in
 * rules/advice/settings.yaml. */
static const char chosen_already[] = "it is chosen already",
                  condition[] = "its condition does not hold",
                  no_kind[] = "the memory that it makes smaller is not what was short",
                  opposite[] = "it turns a setting of another remedy the other way",
                  is_on[] = "it is on already, or was tried",
                  no_way[] = "no way of doing it applies to the software of the failure",
                  other_part[] =
                      "its setting is for another part of the run than the one that failed",
                  set_already[] = "another remedy sets the same",
                  not_there[] = "the log shows nothing of what it is about",
                  no_gain[] = "its numbers show that it does not help";

void od_choice_init(struct od_choice *choice, const struct od_advise_question *question,
                    struct od_arena *arena)
{
    *choice = (struct od_choice){
        .q = question, .arena = arena, .best = question->diagnosis->findings.items};
    choice->settings = od_advice_find(question->advice, OD_ADVICE_OF_KNOBS);
    choice->list = OD_NEW_N(arena, REMEDIES_MAX, struct od_remedy);
    choice->useless = OD_NEW_N(arena, USELESS_MAX, const struct od_useless_remedy *);
}

bool od_choice_has(const struct od_choice *choice, const char *id)
{
    return od_remedies_have(choice->list, choice->n, id);
}

/* --- comparison with the chosen remedies --- */

/* Limits of the program itself count as one setting, whatever their names. */
static bool is_opposite(const struct od_advise_question *q, const struct od_advice_remedy *one,
                        const struct od_advice_remedy *other)
{
    if (!other->knobs || one->more == other->more)
        return false;
    const struct od_advice_kind *limit = od_remedy_limit(q, one->knobs[0]);
    bool own = limit && strcmp(limit->name, "own") == 0;
    return strcmp(one->knobs[0], other->knobs[0]) == 0 ||
           (own && limit == od_remedy_limit(q, other->knobs[0]));
}

/* Does the remedy change a setting in the opposite direction of a chosen remedy or of the most
 * probable cause, even if that setting is already at its maximum? */
static bool is_contrary(const struct od_choice *choice, const struct od_advice_remedy *advice)
{
    enum od_cause cause = od_first_cause(choice->q->diagnosis);
    const struct od_advice *of =
        cause < OD_CAUSE_END ? od_advice_find(choice->q->advice, od_cause_name(cause)) : NULL;
    if (!advice->knobs)
        return false;
    for (size_t i = 0; of && i < of->nremedies && advice != &of->remedies[i]; i++)
        if (of->remedies[i].more && is_opposite(choice->q, advice, &of->remedies[i]) &&
            !od_is_called(choice->best->useless, of->remedies[i].id))
            return true;
    for (size_t i = 0; i < choice->n; i++)
        if (is_opposite(choice->q, advice, choice->list[i].advice))
            return true;
    return false;
}

/* Do both remedies raise the same limit: that of the environment of the program (a container, a
 * job), or the same setting? */
static bool raises_the_same(const struct od_choice *choice, const struct od_advice_remedy *one,
                            const struct od_advice_remedy *other)
{
    if (!one->knobs || !other->knobs)
        return false;
    const struct od_advice_kind *limit = od_remedy_limit(choice->q, one->knobs[0]);
    bool same = limit && strcmp(limit->name, "place") == 0 &&
                limit == od_remedy_limit(choice->q, other->knobs[0]);
    for (size_t i = 0; !same && one->more && other->more && one->knobs[i]; i++)
        same = od_is_among(one->knobs[i], other->knobs);
    return same;
}

/* The setting that a step changes: a setting of its program, or "RATIO" of "export RATIO=0.0" and
 * "--long" of "--long=25". Empty = none. */
static struct od_view setting_of(const struct od_remedy_how *how)
{
    struct od_view code = od_view_of(how->code ? how->code : "");
    bool exports = od_view_take(&code, OD_VIEW("export "));
    bool flag = how->setting.n == 0 && code.n > 0 && code.p[0] == '-';
    return exports || flag ? od_view_head(code, strcspn(code.p, "= ")) : how->setting;
}

/* Does the code set the setting, like "--memory" in "tool run --memory 8g", to another value than
 * `now`? */
static bool names(const char *code, struct od_view setting, struct od_view now)
{
    struct od_view rest = od_view_of(code ? code : ""), word;
    while (setting.n > 1 && od_view_cut(&rest, ' ', &word))
        if (od_view_take(&word, setting) && (word.n == 0 || od_view_take(&word, OD_VIEW("="))))
            return now.n == 0 ||
                   !od_word_has(word.n > 0 ? word
                                           : od_view_head(rest, od_view_find_char(rest, ' ', 0)),
                                now);
    return false;
}

/* Do both remedies change the same setting, give the same lines, or have the same title? */
static bool is_same(const struct od_choice *choice, const struct od_remedy *one,
                    const struct od_remedy *remedy)
{
    const struct od_remedy_how *how = remedy->how, *other = one->how;
    struct od_view setting = setting_of(how);
    const char *its = other->code;
    bool same =
        how->code && its ? strcmp(its, how->code) == 0 : strcmp(other->text, how->text) == 0;
    return (same && how->turned) || (setting.n > 0 && od_view_eq(setting, setting_of(other))) ||
           names(its, setting, how->edit.value) ||
           names(how->code, setting_of(other), (struct od_view){0}) ||
           strcmp(one->advice->title, remedy->advice->title) == 0 ||
           raises_the_same(choice, one->advice, remedy->advice);
}

/* Does a chosen remedy do the same? If it has no value, it takes the step that has one. */
static bool sets_again(struct od_choice *choice, const struct od_remedy *remedy)
{
    for (size_t i = 0; i < choice->n; i++) {
        struct od_remedy *one = &choice->list[i];
        if (!is_same(choice, one, remedy))
            continue;
        if (!one->how->code && one->how->turned && remedy->how->code) {
            one->how = remedy->how;
            one->nhow = remedy->nhow;
        }
        return true;
    }
    return false;
}

static void add_useless(struct od_choice *choice, const struct od_useless_remedy *useless)
{
    bool listed = choice->nuseless == USELESS_MAX;
    for (size_t i = 0; i < choice->nuseless; i++)
        listed = listed || strcmp(choice->useless[i]->why, useless->why) == 0;
    if (!listed)
        choice->useless[choice->nuseless++] = useless;
}

void od_choice_add_known_useless(struct od_choice *choice)
{
    const struct od_diagnosis *diagnosis = choice->q->diagnosis;
    const struct od_advice *advice =
        od_advice_find(choice->q->advice, od_cause_name(od_first_cause(diagnosis)));
    for (size_t i = 0; i < advice->nuseless; i++)
        if (od_ways_apply(choice->q, advice->useless[i].framework))
            add_useless(choice, &advice->useless[i]);
}

/* Fills in the numbers of a remedy. False if they show that it does not help, which the report then
 * says. */
static bool price(struct od_choice *choice, struct od_remedy *remedy)
{
    const struct od_advise_question *q = choice->q;
    const struct od_advice_remedy *advice = remedy->advice;
    remedy->cost =
        od_gain_is_delay(q, advice) ? "it only delays the failure: what grows fills any limit"
        : q->diagnosis->failure->use.infers && advice->inference_cost ? advice->inference_cost
                                                                      : advice->cost;
    if (advice->figures)
        remedy->figures = od_slots_print(advice->figures, od_profile_print, q->diagnosis->profile,
                                         choice->arena, NULL);
    if (!od_host_action_of(q->host, advice->id, choice->arena, &remedy->action))
        remedy->action = od_answer_action_of(q->answer, advice->id);
    const char *limit = NULL;
    if (od_remedy_is_about(advice, "place"))
        limit = od_slots_limit(remedy->finding, choice->arena);
    remedy->limit_needed = limit != NULL;
    if (limit)
        remedy->action.what = limit;
    const char *short_by = od_gain_share_is_short(q, remedy, choice->arena);
    if (short_by)
        remedy->action.figures = short_by;
    if (remedy->action.figures)
        remedy->figures = remedy->action.figures;
    if (!remedy->action.does_not_help && !short_by)
        return true;
    struct od_useless_remedy *useless = OD_NEW(choice->arena, struct od_useless_remedy);
    *useless = (struct od_useless_remedy){.title = advice->title, .why = remedy->action.figures};
    add_useless(choice, useless);
    return false;
}

static struct od_proposal proposal_of(const struct od_choice *choice,
                                      const struct od_remedy *remedy)
{
    return (struct od_proposal){.q = choice->q,
                                .finding = remedy->finding,
                                .remedy = remedy->advice,
                                .owner = remedy->by,
                                .chosen = choice->list,
                                .nchosen = choice->n,
                                .made = remedy->how ? remedy : NULL};
}

/* The reason of the first row of `never` that applies; NULL = none. */
static const char *ruled_out(const struct od_choice *choice, const struct od_remedy *remedy)
{
    const struct od_proposal proposal = proposal_of(choice, remedy);
    for (size_t i = 0; i < choice->settings->nnever; i++)
        if (od_proposal_meets(&proposal, &choice->settings->never[i].when) == OD_YES)
            return choice->settings->never[i].doc;
    return NULL;
}

/* Judges an offer before its steps are known. Returns the reason to refuse it, or NULL. */
static const char *judge(const struct od_choice *choice, const struct od_proposal *asked,
                         bool holds, const struct od_remedy *remedy)
{
    if (od_choice_has(choice, remedy->advice->id))
        return chosen_already;
    if (!holds)
        return condition;
    if (!od_proposal_relieves(asked))
        return no_kind;
    return is_contrary(choice, remedy->advice) ? opposite : ruled_out(choice, remedy);
}

/* Takes the texts for a setting from the row of its program, if there is one. A setting for one
 * mode names that mode itself. */
static const struct od_advice_remedy *in_its_words(const struct od_choice *choice,
                                                   const struct od_remedy *remedy)
{
    const struct od_remedy_how *how = remedy->how;
    const struct od_software *of = how->knob ? od_software_find(od_view_of(how->framework)) : NULL;
    const struct od_advice_remedy *general =
        od_advice_remedy_find(choice->settings, remedy->advice->id);
    /* the title quotes the error */
    bool quoted = general && general->title != remedy->advice->title;
    if (!of || remedy->by || remedy->advice->named || quoted)
        return remedy->advice;
    struct od_advice_remedy *own = OD_NEW(choice->arena, struct od_advice_remedy);
    *own = *remedy->advice;
    size_t n = strlen(how->text);
    if (strcmp(how->knob, "low_memory_mode") == 0 && remedy->nhow == 1 && n > 0)
        own->title = od_arena_str(choice->arena, od_view_head(od_view_of(how->text), n - 1));
    for (size_t i = of->nanswers; i-- > 0;) {
        const struct od_software_answer *answer = &of->answers[i];
        if (od_is_called(answer->turn, how->knob) && answer->more == own->more && answer->title) {
            own->title = answer->title;
            own->cost = answer->cost ? answer->cost : own->cost;
        }
    }
    return own;
}

/* Finds the steps of a remedy and judges it with them. Returns the reason to refuse it, or NULL. */
static const char *judge_ways(struct od_choice *choice, const struct od_remedy_how *step,
                              struct od_remedy *remedy)
{
    struct od_remedy_how how[OD_WAYS_MAX];
    if (step)
        how[0] = *step;
    size_t n = step ? 1 : od_ways_of(choice->q, remedy, choice->arena, how);
    bool quoted = od_remedy_is_about(remedy->advice, "quoted");
    for (size_t i = 0; i < n; i++) { /* lines that were not judged yet */
        struct od_view code = od_view_of(how[i].code ? how[i].code : "");
        bool refuted =
            !how[i].turned && !quoted && od_tries_refute(choice->q->diagnosis->failure, code, NULL);
        remedy->on |= refuted;
        how[remedy->nhow] = how[i];
        remedy->nhow += !refuted;
    }
    struct od_remedy_how *kept = OD_NEW_N(choice->arena, remedy->nhow + 1, struct od_remedy_how);
    remedy->how = memcpy(kept, how, remedy->nhow * sizeof *kept);
    if (remedy->nhow == 0)
        return remedy->on ? is_on : no_way;
    const struct od_proposal proposal = proposal_of(choice, remedy);
    if (step && !od_proposal_is_for(&proposal, step->setting))
        return other_part;
    remedy->advice = in_its_words(choice, remedy);
    if (sets_again(choice, remedy))
        return set_already;
    const char *reason = ruled_out(choice, remedy);
    return reason || price(choice, remedy) ? reason : no_gain;
}

static void note(const struct od_choice *choice, const struct od_proposal *asked,
                 const char *reason)
{
    struct od_buf text = {0};
    if (!choice->q->c->trace)
        return;
    od_buf_printf(&text, "for %s, %s", od_cause_name(asked->finding->cause), reason);
    if (reason == condition) {
        od_buf_add_str(&text, ": ");
        od_proposal_misses(asked, &asked->remedy->when, &text);
    }
    od_trace_note(choice->q->c->trace, OD_TRACE_REMEDY, asked->remedy->id, "ruled out",
                  od_buf_str(&text));
    od_buf_done(&text);
}

/* Points by the rows of the order (rules/advice/settings.yaml). Remedies with more points come
 * first. */
static double score_of(const struct od_choice *choice, const struct od_remedy *remedy)
{
    const struct od_proposal proposal = proposal_of(choice, remedy);
    double score = -remedy->below;
    for (size_t i = 0; i < choice->settings->norder; i++) {
        const struct od_advice_order *row = &choice->settings->order[i];
        if (od_proposal_meets(&proposal, &row->when) == OD_YES)
            score += (double)row->worth - (double)row->costs;
    }
    return score;
}

bool od_choice_consider(struct od_choice *choice, const struct od_offer *offer)
{
    const struct od_advice_remedy *advice = offer->advice;
    struct od_remedy remedy = {.advice = advice,
                               .finding = offer->finding,
                               .by = offer->by,
                               .from = offer->from,
                               .below = offer->below};
    /* the condition of a program's own answer replaces that of the remedy */
    const struct od_proposal asked = {.q = choice->q,
                                      .finding = offer->finding,
                                      .remedy = advice,
                                      .owner = offer->by,
                                      .answered = offer->turned,
                                      .as = choice->as};
    bool holds = od_proposal_meets(&asked, &advice->when) == OD_YES;
    if (choice->n == REMEDIES_MAX)
        return holds;
    const char *reason = judge(choice, &asked, holds, &remedy);
    if (!reason)
        reason = judge_ways(choice, offer->step, &remedy);
    if (reason) {
        note(choice, &asked, reason);
        return holds;
    }
    bool said = (advice->knobs || od_remedy_is_about(advice, "named")) &&
                od_when_test_of(&advice->when, OD_FACT_SAID, NULL);
    bool first = offer->finding == choice->q->diagnosis->findings.items &&
                 od_is_called(offer->finding->first, advice->id);
    if (said || first) /* a remedy for the first cause keeps its place in that cause's file */
        remedy.below = 0;
    choice->list[choice->n++] = remedy;
    return holds;
}

void od_choice_move(struct od_choice *choice, size_t from, size_t to)
{
    struct od_remedy remedy = choice->list[from];
    for (; from > to; from--)
        choice->list[from] = choice->list[from - 1];
    choice->list[to] = remedy;
}

/* Removes remedies whose object the log does not show. The best one stays if all others are
 * purchases. */
static void leave_out_absent(struct od_choice *choice)
{
    size_t kept = 0, absent = 0, most = 1;
    for (size_t i = 0; i < choice->n; i++) {
        const struct od_proposal proposal = proposal_of(choice, &choice->list[i]);
        if (od_proposal_present(&proposal) == OD_YES &&
            !od_remedy_is_about(choice->list[i].advice, "purchase"))
            most = 0;
    }
    for (size_t i = 0; i < choice->n; i++) {
        const struct od_proposal proposal = proposal_of(choice, &choice->list[i]);
        bool present = od_proposal_present(&proposal) == OD_YES;
        absent += !present;
        if (present || absent <= most)
            od_choice_move(choice, i, kept++);
        else
            note(choice, &proposal, not_there);
    }
    choice->n = kept;
}

/* Orders by score. A smaller batch is not the first remedy unless the batch is the cause. Remedies
 * of the best cause that help whatever filled the memory are among the first three. */
void od_choice_order(struct od_choice *choice)
{
    enum { SEEN = 3 };
    for (size_t i = 0; i < choice->n; i++)
        choice->list[i].score = score_of(choice, &choice->list[i]);
    for (size_t i = 1; i < choice->n; i++) {
        size_t to = i;
        while (to > 0 && choice->list[i].score > choice->list[to - 1].score)
            to--;
        od_choice_move(choice, i, to);
    }
    leave_out_absent(choice);
    const struct od_remedy *first = choice->list;
    if (choice->n > 1 && od_first_cause(choice->q->diagnosis) != OD_CAUSE_BATCH_TOO_LARGE &&
        od_remedy_is_about(first->advice, "batch") &&
        !od_remedy_is_about(first[1].advice, "batch") &&
        !od_is_called(first->finding->first, first->advice->id))
        od_choice_move(choice, 1, 0);
    for (size_t i = 0; i < choice->n; i++) {
        if (!choice->list[i].advice->in_sight || choice->list[i].finding != first->finding)
            continue;
        if (i >= SEEN)
            od_choice_move(choice, i, SEEN - 1);
        return;
    }
}
