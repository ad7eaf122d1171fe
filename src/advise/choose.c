#include "advise/choose.h"

#include "advise/first_value.h"
#include "advise/gain.h"
#include "advise/knob.h"
#include "advise/proposal.h"
#include "advise/remedy.h"
#include "advise/room.h"
#include "advise/slots.h"
#include "advise/ways.h"
#include "facts/trace.h"
#include "failure/found.h"

enum { REMEDIES_MAX = 64, VAIN_MAX = 32 };

enum refusal {
    ACCEPTED,
#define OD_REFUSAL(constant, text) NOT_##constant,
#include "advise/refusals.def"
#undef OD_REFUSAL
};

static const char *const refusals[] = {
    NULL,
#define OD_REFUSAL(constant, text) text,
#include "advise/refusals.def"
#undef OD_REFUSAL
};

void od_choice_init(struct od_choice *choice, const struct od_advise_question *question,
                    struct od_arena *arena)
{
    *choice = (struct od_choice){.q = question, .arena = arena};
    choice->list = OD_NEW_N(arena, REMEDIES_MAX, struct od_remedy);
    choice->score = OD_NEW_N(arena, REMEDIES_MAX, double);
    choice->vain = OD_NEW_N(arena, VAIN_MAX, const struct od_advice_vain *);
}

bool od_choice_has(const struct od_choice *choice, const char *id)
{
    for (size_t i = 0; i < choice->n; i++)
        if (strcmp(choice->list[i].advice->id, id) == 0)
            return true;
    return false;
}

bool od_choice_has_answers(const struct od_choice *choice)
{
    for (size_t i = 0; i < choice->n; i++)
        if (choice->list[i].by)
            return true;
    return false;
}

/* --- judging an offer by itself --- */

/* Does the evidence of the cause recommend this remedy first? */
static bool is_asked_for(const struct od_finding *finding, const char *id)
{
    return finding->first && strcmp(finding->first, id) == 0;
}

static bool is_asked_not_for(const struct od_finding *finding, const char *id)
{
    return finding->vain && strcmp(finding->vain, id) == 0;
}

static bool quotes_the_text(const struct od_advice_remedy *advice)
{
    static const char *const ids[] = {"found_here", "released_here", "advised_here", NULL};
    return od_is_among(advice->id, ids);
}

static bool is_of_a_message(const struct od_advice_remedy *advice)
{
    return od_when_test_of(&advice->when, OD_FACT_SAID, NULL) != NULL;
}

/* Does the remedy change the memory that ran out? A failure of another kind is fixed by what its
 * own error names. Settings of memory that the program counts do not help if other memory fills its
 * limit, and a smaller request does not help if the request is not what fills it. */
static bool changes_what_was_short(const struct od_choice *choice, const struct od_offer *offer)
{
    const struct od_failure *failure = choice->q->diagnosis->failure;
    const struct od_advice_remedy *advice = offer->advice;
    const struct od_finding *finding = offer->finding;
    bool answer = od_remedy_is_about(advice, "answer");
    if (failure->run.outcome == OD_OUTCOME_OTHER_FAILURE && !answer && !quotes_the_text(advice) &&
        !is_of_a_message(advice))
        return false;
    if (od_account_is_beside_count(&failure->account) && advice->knobs)
        return false;
    return !is_asked_for(finding, "beside_count") || is_asked_for(finding, advice->id) ||
           quotes_the_text(advice) || (answer && !advice->knobs);
}

static struct od_proposal proposal_of(const struct od_choice *choice, const struct od_offer *offer)
{
    return (struct od_proposal){.q = choice->q,
                                .finding = offer->finding,
                                .remedy = offer->advice,
                                .answered = offer->turned,
                                .as = choice->as};
}

/* Is it for nothing but a cause that is more likely not the one? What helps whatever filled the
 * memory stays, and so does what people report, a line asks for or developers recommend. */
static bool is_of_suspect_alone(const struct od_choice *choice, const struct od_offer *offer)
{
    const struct od_advice_remedy *advice = offer->advice;
    const struct od_proposal proposal = proposal_of(choice, offer);
    if (offer->finding->probability >= OD_CAUSE_NAMED || offer->finding->told || offer->by ||
        is_of_a_message(advice))
        return false;
    return advice->helps.n == 0 || od_proposal_meets(&proposal, &advice->helps) != OD_YES;
}

bool od_choice_condition_holds(const struct od_choice *choice, const struct od_offer *offer)
{
    const struct od_proposal proposal = proposal_of(choice, offer);
    return od_proposal_meets(&proposal, &offer->advice->when) == OD_YES;
}

/* 1 = the setting was tried with success, -1 = without success. A heap size and a memory limit
 * count as the same setting. */
static int tried(const struct od_choice *choice, const char *knob)
{
    static const char *const limits[] = {"memory_limit", "heap", NULL};
    const struct od_software *driver = choice->q->diagnosis->failure->stack.driver;
    int found = od_found_of(choice->q->c, knob, driver ? od_software_knob(driver, knob) : NULL);
    for (size_t i = 0; od_is_among(knob, limits) && found == 0 && limits[i]; i++)
        found = od_found_of(choice->q->c, limits[i],
                            driver ? od_software_knob(driver, limits[i]) : NULL);
    return found;
}

/* Was it tried without success, or with a success that the report already quotes? */
static bool is_tried(const struct od_choice *choice, const struct od_advice_remedy *advice)
{
    int found = advice->knobs ? tried(choice, advice->knobs[0]) : 0;
    return found < 0 || (found > 0 && od_choice_has(choice, "found_here"));
}

/* --- judging an offer against the chosen ones --- */

static bool is_opposite(const struct od_advice_remedy *one, const struct od_advice_remedy *other)
{
    return one->knobs && other->knobs && one->more != other->more &&
           strcmp(one->knobs[0], other->knobs[0]) == 0;
}

/* Does it change a setting in the opposite direction of a chosen remedy or of the most probable
 * cause (even if that setting is already at its maximum), or repeat a setting that the error
 * names? */
static bool is_contrary(const struct od_choice *choice, const struct od_advice_remedy *advice)
{
    const struct od_diagnosis *diagnosis = choice->q->diagnosis;
    enum od_cause cause = od_first_cause(diagnosis);
    const struct od_advice *of =
        cause < OD_CAUSE_END ? od_advice_find(choice->q->advice, od_cause_name(cause)) : NULL;
    for (size_t i = 0; of && i < of->nremedies && advice != &of->remedies[i]; i++)
        if (of->remedies[i].more && is_opposite(&of->remedies[i], advice) &&
            !is_asked_not_for(diagnosis->findings.items, of->remedies[i].id))
            return true;
    for (size_t i = 0; i < choice->n; i++) {
        const struct od_advice_remedy *other = choice->list[i].advice;
        bool again = od_remedy_is_about(other, "named") && other->knobs && advice->knobs &&
                     strcmp(other->knobs[0], advice->knobs[0]) == 0;
        if (again || is_opposite(other, advice))
            return true;
    }
    return false;
}

/* A limit of the program itself was reached, and this remedy reduces memory outside of that limit:
 * threads and direct buffers are not part of a heap. */
static bool is_beside_limit(const struct od_choice *choice, const struct od_remedy *remedy)
{
    const struct od_remedy_how *how = remedy->how;
    const struct od_remedy_how *first = choice->n > 0 ? choice->list[0].how : NULL;
    const struct od_software *of = od_software_find(od_view_of(how->framework));
    if (od_first_cause(choice->q->diagnosis) != OD_CAUSE_RUNTIME_LIMIT || remedy->advice->more ||
        remedy->by || !how->turned || !first || !choice->list[0].advice->more)
        return false;
    bool own =
        od_remedy_is_about(remedy->advice, "heap") && !od_remedy_is_about(remedy->advice, "jobs");
    return (own && !od_remedy_is_shown(remedy)) ||
           (of && of->sort == OD_SORT_RUNTIME && strcmp(first->framework, how->framework) == 0);
}

/* Is it a request to the place in which the program ran: a container, a job? */
static bool asks_the_place(const struct od_advice_remedy *advice)
{
    static const char *const places[] = {"container_memory", "job_memory", NULL};
    return advice->knobs && od_is_among(advice->knobs[0], places);
}

/* Do both remedies raise the same limit: that of the place, or the same setting? */
static bool raises_the_same(const struct od_advice_remedy *one,
                            const struct od_advice_remedy *other)
{
    bool same = asks_the_place(one) && asks_the_place(other);
    for (size_t i = 0; !same && one->more && other->more && one->knobs && one->knobs[i]; i++)
        same = other->knobs && od_is_among(one->knobs[i], other->knobs);
    return same;
}

/* "export RATIO=N" after "export RATIO=0.0", the same setting of the program as in a chosen remedy,
 * or more of a limit that is already raised. */
static bool sets_again(const struct od_choice *choice, const struct od_remedy *remedy)
{
    const struct od_remedy_how *how = remedy->how;
    const char *code = how->code;
    const char *sign = code && strncmp(code, "export ", 7) == 0 ? strchr(code, '=') : NULL;
    for (size_t i = 0; i < choice->n; i++) {
        const struct od_remedy_how *other = choice->list[i].how;
        const char *its = other->code;
        bool same = code && its ? strcmp(its, code) == 0 : strcmp(other->text, how->text) == 0;
        if ((same && how->turned && other->turned) ||
            (sign && its && strncmp(its, code, (size_t)(sign - code) + 1) == 0) ||
            raises_the_same(choice->list[i].advice, remedy->advice))
            return true;
    }
    return false;
}

/* Does it change the killed program although that program held almost nothing, or although swap was
 * turned off? */
static bool is_of_victim(const struct od_choice *choice, const struct od_remedy *remedy)
{
    const struct od_failure *failure = choice->q->diagnosis->failure;
    bool innocent = failure->account.swapoff || od_account_small_victim(&failure->account);
    return failure->run.ended && innocent &&
           (remedy->how[0].turned || (od_when_test_of(&remedy->advice->when, OD_FACT_SORT, NULL) &&
                                      od_remedy_is_for(remedy->advice, "own")));
}

/* --- pricing --- */

static void add_vain(struct od_choice *choice, const struct od_advice_vain *vain)
{
    bool listed = choice->nvain == VAIN_MAX;
    for (size_t i = 0; i < choice->nvain; i++)
        listed = listed || strcmp(choice->vain[i]->title, vain->title) == 0 ||
                 strcmp(choice->vain[i]->why, vain->why) == 0;
    if (!listed)
        choice->vain[choice->nvain++] = vain;
}

void od_choice_add_known_vain(struct od_choice *choice)
{
    const struct od_diagnosis *diagnosis = choice->q->diagnosis;
    const struct od_advice *advice =
        od_advice_find(choice->q->advice, od_cause_name(od_first_cause(diagnosis)));
    for (size_t i = 0; advice && i < advice->nvain; i++)
        if (od_ways_apply(&diagnosis->failure->stack, diagnosis, advice->vain[i].framework))
            add_vain(choice, &advice->vain[i]);
}

/* Fills in the numbers of a remedy. False if they show that it does not help, which the report then
 * states. */
static bool price(struct od_choice *choice, struct od_remedy *remedy)
{
    const struct od_advise_question *q = choice->q;
    const struct od_advice_remedy *advice = remedy->advice;
    remedy->cost = advice->cost;
    if (q->diagnosis->failure->use.infers && advice->inference_cost)
        remedy->cost = advice->inference_cost;
    if (od_gain_is_delay(q, advice))
        remedy->cost = "it only delays the failure: what grows fills any limit";
    if (advice->figures)
        remedy->figures = od_slots_fill(advice->figures, remedy->finding, choice->arena);
    if (!od_host_action_of(q->host, advice->id, choice->arena, &remedy->action))
        remedy->action = od_answer_action_of(q->answer, advice->id);
    const char *limit = NULL;
    if (advice->more && od_remedy_is_about(advice, "place") && !remedy->action.what)
        limit = od_slots_limit(remedy->finding, od_start_needs(q, choice->arena), choice->arena);
    remedy->limit_needed = limit != NULL;
    if (limit)
        remedy->action.what = limit;
    const char *short_by = od_gain_share_is_short(q, remedy, choice->arena);
    if (short_by)
        remedy->action.figures = short_by;
    if (remedy->action.figures)
        remedy->figures = remedy->action.figures;
    if (!remedy->action.vain && !short_by)
        return true;
    struct od_advice_vain *vain = OD_NEW(choice->arena, struct od_advice_vain);
    vain->title = advice->title;
    vain->why = remedy->action.figures;
    add_vain(choice, vain);
    return false;
}

/* --- the verdict --- */

/* Judges an offer before its steps are known. */
static enum refusal judge(const struct od_choice *choice, const struct od_offer *offer)
{
    const struct od_advice_remedy *advice = offer->advice;
    if (choice->n == REMEDIES_MAX)
        return NOT_FULL;
    if (is_asked_not_for(offer->finding, advice->id))
        return NOT_CAUSE;
    if (is_of_suspect_alone(choice, offer))
        return NOT_SUSPECT;
    if (od_choice_has(choice, advice->id))
        return NOT_CHOSEN;
    if (!changes_what_was_short(choice, offer))
        return NOT_NOT_SHORT;
    if (!od_choice_condition_holds(choice, offer))
        return NOT_CONDITION;
    const struct od_proposal proposal = proposal_of(choice, offer);
    if (!od_proposal_relieves(&proposal))
        return NOT_KIND;
    if (!advice->more && advice->knobs && od_room_for_request(choice->q, advice->knobs[0]) < 0)
        return NOT_ROOM;
    if (is_tried(choice, advice))
        return NOT_TRIED;
    if (is_contrary(choice, advice))
        return NOT_OPPOSITE;
    return od_remedy_is_about(advice, "network") && od_choice_has(choice, "own_allocation")
               ? NOT_OWN_TENSOR
               : ACCEPTED;
}

/* Judges a remedy with its steps. */
static enum refusal judge_ways(struct od_choice *choice, struct od_remedy *remedy)
{
    if (remedy->nhow == 0)
        return remedy->on ? NOT_ON : NOT_NO_WAY;
    if (is_beside_limit(choice, remedy))
        return NOT_BESIDE_LIMIT;
    if (sets_again(choice, remedy))
        return NOT_SET_ALREADY;
    if (is_of_victim(choice, remedy))
        return NOT_VICTIM;
    return price(choice, remedy) ? ACCEPTED : NOT_PRICE;
}

static void find_ways(const struct od_choice *choice, struct od_remedy *remedy)
{
    struct od_remedy_how how[OD_WAYS_MAX];
    remedy->nhow = od_ways_of(choice->q, remedy, choice->arena, how);
    struct od_remedy_how *kept = OD_NEW_N(choice->arena, remedy->nhow + 1, struct od_remedy_how);
    remedy->how = memcpy(kept, how, remedy->nhow * sizeof *kept);
}

static void note(const struct od_choice *choice, const struct od_offer *offer, enum refusal refusal)
{
    const struct od_trace *trace = choice->q->c->trace;
    struct od_buf text = {0};
    if (!trace)
        return;
    od_buf_printf(&text, "for %s, %s", od_cause_name(offer->finding->cause), refusals[refusal]);
    if (refusal == NOT_CONDITION) {
        const struct od_proposal proposal = proposal_of(choice, offer);
        od_buf_add_str(&text, ": ");
        od_proposal_misses(&proposal, &offer->advice->when, &text);
    }
    od_trace_note(trace, OD_TRACE_REMEDY, offer->advice->id, "ruled out", od_buf_str(&text));
    od_buf_done(&text);
}

/* Points by the rows of the order (rules/advice/settings.yaml); more points come first. */
static double score_of(const struct od_advise_question *question, const struct od_remedy *remedy,
                       double place)
{
    const struct od_advice *settings = od_advice_find(question->advice, OD_ADVICE_OF_KNOBS);
    const struct od_proposal proposal = {.q = question,
                                         .finding = remedy->finding,
                                         .remedy = remedy->advice,
                                         .owner = remedy->by,
                                         .made = remedy};
    double score = -place * OD_A_PLACE;
    for (size_t i = 0; settings && i < settings->norder; i++) {
        const struct od_advice_order *row = &settings->order[i];
        if (od_proposal_meets(&proposal, &row->when) == OD_YES)
            score += (double)row->worth - (double)row->costs;
    }
    return score;
}

void od_choice_consider(struct od_choice *choice, const struct od_offer *offer)
{
    struct od_remedy remedy = {.advice = offer->advice, .finding = offer->finding, .by = offer->by};
    enum refusal refusal = judge(choice, offer);
    if (refusal == ACCEPTED) {
        find_ways(choice, &remedy);
        refusal = judge_ways(choice, &remedy);
    }
    if (refusal != ACCEPTED) {
        note(choice, offer, refusal);
        return;
    }
    bool known = remedy.advice->knobs || od_remedy_is_about(remedy.advice, "named") ||
                 od_choice_has_answers(choice);
    double place = known && is_of_a_message(remedy.advice) ? -OD_ANSWERED_ABOVE - 1 : offer->place;
    bool first = offer->finding == choice->q->diagnosis->findings.items &&
                 is_asked_for(offer->finding, remedy.advice->id) &&
                 !od_answer_action_hardly_fits(&remedy.action);
    choice->score[choice->n] = score_of(choice->q, &remedy, first ? 0 : place);
    choice->list[choice->n++] = remedy;
}

/* --- ordering --- */

static void move(struct od_choice *choice, size_t from, size_t to)
{
    struct od_remedy remedy = choice->list[from];
    double score = choice->score[from];
    for (; from > to; from--) {
        choice->list[from] = choice->list[from - 1];
        choice->score[from] = choice->score[from - 1];
    }
    choice->list[to] = remedy;
    choice->score[to] = score;
}

/* Orders by score. A smaller batch is not the first remedy if the batch is not the cause. Remedies
 * of the best cause that help regardless of what filled the memory are among the first three. */
void od_choice_order(struct od_choice *choice)
{
    enum { SEEN = 3 };
    for (size_t i = 1; i < choice->n; i++) {
        size_t to = i;
        while (to > 0 && choice->score[i] > choice->score[to - 1])
            to--;
        move(choice, i, to);
    }
    const struct od_remedy *first = choice->list;
    if (choice->n > 1 && od_first_cause(choice->q->diagnosis) != OD_CAUSE_BATCH_TOO_LARGE &&
        od_remedy_is_about(first->advice, "batch") &&
        !is_asked_for(first->finding, first->advice->id))
        move(choice, 1, 0);
    for (size_t i = 0; i < choice->n; i++) {
        if (!choice->list[i].advice->in_sight || choice->list[i].finding != first->finding)
            continue;
        if (i >= SEEN)
            move(choice, i, SEEN - 1);
        return;
    }
}
