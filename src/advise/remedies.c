#include "advise/remedies.h"

#include "advise/answers.h"
#include "advise/hint.h"
#include "advise/knob.h"
#include "advise/own_numbers.h"
#include "advise/proposal.h"
#include "advise/requested.h"
#include "advise/score.h"
#include "advise/slots.h"
#include "advise/ways.h"
#include "facts/trace.h"
#include "failure/found.h"
#include "failure/growth.h"
#include "failure/use.h"

/* --- selection --- */

enum { REMEDIES_MAX = 64, VAIN_MAX = 32 };

struct selection {
    const struct od_advise_question *q;
    struct od_arena *arena;
    struct od_remedy *list; /* REMEDIES_MAX */
    double *score;
    size_t n;
    const struct od_advice_vain **vain;
    size_t nvain;
    bool more;      /* what is improbable, as there is little else */
    bool anybody;   /* what is for some sorts of programs, in the words for all */
    const char *as; /* the sort of program that is supposed to have failed; NULL = the one shown */
    struct od_use use;
};

static bool is_listed(const struct selection *s, const char *id)
{
    for (size_t i = 0; i < s->n; i++)
        if (strcmp(s->list[i].advice->id, id) == 0)
            return true;
    return false;
}

/* Does the finding say that this remedy is the first? */
static bool is_meant(const struct od_finding *finding, const char *id)
{
    return finding->first && strcmp(finding->first, id) == 0;
}

/* What somebody says that it helped, or advises, in the same text. */
static bool is_said_here(const struct od_advice_remedy *advice)
{
    return strcmp(advice->id, "found_here") == 0 || strcmp(advice->id, "advised_here") == 0;
}

/* Of another failure than memory's only what its own error says is known. Settings of what the
 * program counts do not help where other memory fills its limit, and where the request is not what
 * fills it nothing helps that makes it smaller. */
static bool may_help(const struct od_advise_question *q, const struct od_advice_remedy *advice,
                     const struct od_finding *finding)
{
    const struct od_failure *failure = q->diagnosis->failure;
    bool answer = od_remedy_is_about(advice, "answer");
    if (failure->run.outcome == OD_OUTCOME_OTHER_FAILURE && !answer && !is_said_here(advice) &&
        !od_when_test_of(&advice->when, OD_FACT_SAID, NULL))
        return false;
    if (od_account_is_beside_count(&failure->account) && advice->knobs)
        return false;
    return !is_meant(finding, "beside_count") || is_meant(finding, advice->id) ||
           is_said_here(advice) || (answer && !advice->knobs);
}

static struct od_proposal proposed(const struct selection *s, const struct od_answered *answered,
                                   const struct od_finding *finding)
{
    return (struct od_proposal){.q = s->q,
                                .finding = finding,
                                .remedy = answered->advice,
                                .answered = answered->turned,
                                .as = s->as};
}

/* Does its condition hold for this cause? Settings that a program's people name are for its
 * failures whatever they are; in the words for anybody a remedy is for scripts. */
static bool is_for(const struct selection *s, const struct od_answered *answered,
                   const struct od_finding *finding)
{
    const struct od_proposal proposal = proposed(s, answered, finding);
    return (!s->anybody || od_remedy_is_for_anybody(answered->advice)) &&
           may_help(s->q, answered->advice, finding) &&
           od_proposal_meets(&proposal, &answered->advice->when) == OD_YES;
}

static const char no_condition[] = "its condition does not hold";

/* Notes for a trace why a remedy is not given for that cause. */
static void note_out(const struct selection *s, const struct od_answered *answered,
                     const struct od_finding *finding, const char *why)
{
    const struct od_trace *trace = s->q->c->trace;
    struct od_buf text = {0};
    if (!trace)
        return;
    od_buf_printf(&text, "for %s, %s", od_cause_name(finding->cause), why);
    const struct od_proposal proposal = proposed(s, answered, finding);
    if (why == no_condition) {
        od_buf_add_str(&text, ": ");
        od_proposal_misses(&proposal, &answered->advice->when, &text);
    }
    od_trace_note(trace, OD_TRACE_REMEDY, answered->advice->id, "ruled out", od_buf_str(&text));
    od_buf_done(&text);
}

/* Was that setting tried: 1 with success, -1 in vain? A heap and a memory limit are the same limit
 * in other words. */
static int tried(const struct selection *s, const char *knob)
{
    static const char *const limits[] = {"memory_limit", "heap", NULL};
    const struct od_software *driver = s->q->diagnosis->failure->stack.driver;
    int found = od_found_of(s->q->c, knob, driver ? od_software_knob(driver, knob) : NULL);
    for (size_t i = 0; od_is_among(knob, limits) && found == 0 && limits[i]; i++)
        found =
            od_found_of(s->q->c, limits[i], driver ? od_software_knob(driver, limits[i]) : NULL);
    return found;
}

/* Its first setting was tried in vain, or with success, as the text is quoted already. */
static bool is_tried(const struct selection *s, const struct od_advice_remedy *advice)
{
    int found = advice->knobs ? tried(s, advice->knobs[0]) : 0;
    return found < 0 || (found > 0 && is_listed(s, "found_here"));
}

static bool is_opposite(const struct od_advice_remedy *one, const struct od_advice_remedy *other)
{
    return one->knobs && other->knobs && one->more != other->more &&
           strcmp(one->knobs[0], other->knobs[0]) == 0;
}

/* The first setting that one remedy raises is lowered by no other, nor what the cause would rather
 * have raised, be it as high as it goes; and what the error itself names is not said again. */
static bool is_contrary(const struct selection *s, const struct od_advice_remedy *advice)
{
    enum od_cause cause = od_first_cause(s->q->diagnosis);
    const struct od_advice *of =
        cause < OD_CAUSE_END ? od_advice_find(s->q->advice, od_cause_name(cause)) : NULL;
    const char *vain = of ? s->q->diagnosis->findings.items[0].vain : NULL;
    for (size_t i = 0; of && i < of->nremedies && advice != &of->remedies[i]; i++)
        if (of->remedies[i].more && is_opposite(&of->remedies[i], advice) &&
            !(vain && strcmp(vain, of->remedies[i].id) == 0))
            return true;
    for (size_t i = 0; i < s->n; i++) {
        const struct od_advice_remedy *other = s->list[i].advice;
        bool again = od_remedy_is_about(other, "named") && other->knobs && advice->knobs &&
                     strcmp(other->knobs[0], advice->knobs[0]) == 0;
        if (again || is_opposite(other, advice))
            return true;
    }
    return false;
}

/* A limit of its own was reached, and this lowers what the same program takes beside it: threads
 * and direct buffers are no part of a heap. */
static bool is_beside_limit(const struct selection *s, const struct od_remedy *remedy)
{
    const struct od_remedy_how *how = remedy->how, *first = s->n > 0 ? s->list[0].how : NULL;
    const struct od_software *of = od_software_find(od_view_of(how->framework));
    if (od_first_cause(s->q->diagnosis) != OD_CAUSE_RUNTIME_LIMIT || remedy->advice->more ||
        remedy->by || !how->turned || !first || !s->list[0].advice->more)
        return false;
    bool own =
        od_remedy_is_about(remedy->advice, "heap") && !od_remedy_is_about(remedy->advice, "jobs");
    return (own && !od_remedy_is_shown(remedy)) ||
           (of && of->sort == OD_SORT_RUNTIME && strcmp(first->framework, how->framework) == 0);
}

/* "export RATIO=N" behind "export RATIO=0.0"; the same setting of the program as before. */
static bool sets_again(const struct selection *s, const struct od_remedy *remedy)
{
    const struct od_remedy_how *how = remedy->how;
    const char *code = how->code;
    const char *sign = code && strncmp(code, "export ", 7) == 0 ? strchr(code, '=') : NULL;
    for (size_t i = 0; i < s->n; i++) {
        const struct od_remedy_how *other = s->list[i].how;
        const char *its = other->code;
        bool same = code && its ? strcmp(its, code) == 0 : strcmp(other->text, how->text) == 0;
        if ((same && how->turned && other->turned) ||
            (sign && its && strncmp(its, code, (size_t)(sign - code) + 1) == 0))
            return true;
    }
    return false;
}

/* A setting or habit of the program that was killed, where it held next to nothing, or where swap
 * was switched off below it. */
static bool is_of_victim(const struct selection *s, const struct od_remedy *remedy)
{
    const struct od_failure *failure = s->q->diagnosis->failure;
    bool innocent = failure->account.swapoff || od_account_small_victim(&failure->account);
    return failure->run.ended && innocent &&
           (remedy->how[0].turned || (od_when_test_of(&remedy->advice->when, OD_FACT_SORT, NULL) &&
                                      od_remedy_is_for(remedy->advice, "own")));
}

static bool leaks(const struct od_diagnosis *diagnosis)
{
    enum od_cause cause = od_first_cause(diagnosis);
    return cause == OD_CAUSE_HOST_LEAK || cause == OD_CAUSE_DEVICE_LEAK;
}

static void add_vain(struct selection *s, const struct od_advice_vain *vain)
{
    bool listed = s->nvain == VAIN_MAX;
    for (size_t i = 0; i < s->nvain; i++)
        listed = listed || strcmp(s->vain[i]->title, vain->title) == 0 ||
                 strcmp(s->vain[i]->why, vain->why) == 0;
    if (!listed)
        s->vain[s->nvain++] = vain;
}

/* What the numbers of this run show to be of no use. */
static void add_priced_vain(struct selection *s, const struct od_remedy *remedy)
{
    struct od_advice_vain *vain = OD_NEW(s->arena, struct od_advice_vain);
    vain->title = remedy->advice->title;
    vain->why = remedy->action.figures;
    add_vain(s, vain);
}

static bool has_answers(const struct selection *s)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->list[i].by)
            return true;
    return false;
}

/* Of a larger share of the device: what it gains, where that is less than is missing; else NULL. */
static const char *falls_short(const struct od_advise_question *question,
                               const struct od_remedy *remedy, struct od_arena *arena)
{
    double missing = od_slots_bytes(remedy->finding, "missing_bytes"), share;
    double size = od_slots_bytes(remedy->finding, "capacity_bytes");
    const struct od_advice_remedy *advice = remedy->advice;
    struct od_view said = od_case_setting(question->c, OD_SETTING_GPU_MEMORY_UTILIZATION);
    bool raises = advice->more && advice->knobs && strcmp(advice->knobs[0], "memory_fraction") == 0;
    if (!raises || !od_num_parse_double(said, &share) || share <= 0 || share > OD_MOST_SHARE)
        return NULL;
    double gain = (OD_MOST_SHARE - share) * size;
    if (size <= 0 || gain >= missing)
        return NULL;
    return od_arena_printf(
        arena, "A share of %.2f instead of %.*s gives %s more, and %s is missing.", OD_MOST_SHARE,
        (int)said.n, said.p, od_bytes_text_u64(arena, (uint64_t)gain),
        od_bytes_text_u64(arena, (uint64_t)missing));
}

/* Why a remedy is not considered further; NULL = it is. */
static const char *ruled_out(const struct selection *s, const struct od_answered *answered,
                             const struct od_finding *finding)
{
    const struct od_advice_remedy *advice = answered->advice;
    if (s->n == REMEDIES_MAX)
        return "the list is full";
    if (finding->vain && strcmp(finding->vain, advice->id) == 0)
        return "the numbers of the cause show that it does not help";
    if (s->more && !answered->by && od_remedy_is_about(advice, "batch"))
        return "the cause is too uncertain for advice on the batch";
    if (is_listed(s, advice->id))
        return "it is chosen already";
    if (!may_help(s->q, advice, finding))
        return "it does not change what was short";
    if (s->anybody && !od_remedy_is_for_anybody(advice))
        return "it has no words that are for any program";
    if (!is_for(s, answered, finding))
        return no_condition;
    if (is_tried(s, advice))
        return "the text reports that it was tried";
    if (is_contrary(s, advice))
        return "it turns a setting of another remedy the other way";
    return od_remedy_is_about(advice, "network") && is_listed(s, "own_allocation")
               ? "the refused tensor is the program's own, not the network's"
               : NULL;
}

/* Why a remedy is dropped once it is known how it is carried out; NULL = it is not. */
static const char *ruled_out_as_told(const struct selection *s, const struct od_remedy *remedy)
{
    if (remedy->nhow == 0)
        return "no way of doing it applies to the software of the failure";
    if (is_beside_limit(s, remedy))
        return "it lowers memory outside the limit that was reached";
    if (sets_again(s, remedy))
        return "another remedy sets the same";
    return is_of_victim(s, remedy) ? "the killed program held little of the memory" : NULL;
}

/* Fills in the numbers of a remedy. Why they show that it does not help; NULL = they do not. */
static const char *price(const struct selection *s, struct od_remedy *remedy)
{
    const struct od_advice_remedy *advice = remedy->advice;
    if (advice->figures)
        remedy->figures = od_slots_fill(advice->figures, remedy->finding, s->arena);
    if (!od_host_action_of(s->q->host, advice->id, s->arena, &remedy->action))
        remedy->action = od_answer_action_of(s->q->answer, advice->id);
    const char *short_by = falls_short(s->q, remedy, s->arena);
    if (short_by)
        remedy->action.figures = short_by;
    if (remedy->action.figures)
        remedy->figures = remedy->action.figures;
    return remedy->action.vain || short_by ? "its numbers show that it does not help" : NULL;
}

static void add_remedy_by(struct selection *s, const struct od_answered *answered,
                          const struct od_finding *finding, double place)
{
    const struct od_software *by = answered->by;
    const struct od_advice_remedy *advice = answered->advice;
    struct od_remedy_how how[OD_WAYS_MAX];
    const char *out = ruled_out(s, answered, finding);
    if (out) {
        note_out(s, answered, finding, out);
        return;
    }
    struct od_remedy remedy = {
        .advice = advice, .finding = finding, .by = by, .cost = advice->cost};
    if (s->use.infers && advice->inference_cost)
        remedy.cost = advice->inference_cost;
    if (advice->more && leaks(s->q->diagnosis))
        remedy.cost = "it only delays the failure: what grows fills any limit";
    remedy.nhow = od_ways_of(s->q, &remedy, s->arena, how);
    struct od_remedy_how *kept = OD_NEW_N(s->arena, remedy.nhow + 1, struct od_remedy_how);
    remedy.how = memcpy(kept, how, remedy.nhow * sizeof *kept);
    out = ruled_out_as_told(s, &remedy);
    if (!out && (out = price(s, &remedy)) != NULL)
        add_priced_vain(s, &remedy);
    if (out) {
        note_out(s, answered, finding, out);
        return;
    }
    bool shown = advice->knobs || od_remedy_is_about(advice, "named") || has_answers(s);
    if (shown && od_when_test_of(&advice->when, OD_FACT_SAID,
                                 NULL)) /* the log itself shows what it is for */
        place = -OD_ANSWERED_ABOVE - 1;
    bool best = s->q->diagnosis->findings.n > 0 && finding == s->q->diagnosis->findings.items;
    bool first = best && is_meant(finding, advice->id);
    s->score[s->n] = od_remedy_score(s->q, &remedy, place, first);
    s->list[s->n++] = remedy;
}

static void add_remedy(struct selection *s, const struct od_advice_remedy *advice,
                       const struct od_finding *finding, double place)
{
    add_remedy_by(s, &(struct od_answered){.advice = advice}, finding, place);
}

/* What the people of the program answer, in their order; behind what raises the limit of a job,
 * which is what it died of, and behind the batch of a script of the user's own. */
static void add_answers(struct selection *s, const struct od_finding *finding)
{
    static const double step = 0.5; /* what the log shows may overtake */
    bool limit = finding->cause == OD_CAUSE_GROUP_LIMIT && finding->certainty != OD_POSSIBLE;
    bool script =
        finding->cause == OD_CAUSE_BATCH_TOO_LARGE && !s->q->diagnosis->failure->stack.driver;
    double below = limit ? 0 : script ? 1 : -OD_ANSWERED_ABOVE, raised = -0.85 * OD_ANSWERED_ABOVE;
    struct od_answered answers[OD_ANSWERS_MAX];
    if (is_listed(s, "found_here") && finding->certainty == OD_POSSIBLE)
        return; /* the asker's own solution says more */
    size_t n = od_answers_of(s->q, finding, s->arena, answers);
    for (size_t i = 0; i < n; i++) {
        double place = limit && !answers[i].by ? raised : below + step * (double)i;
        add_remedy_by(s, &answers[i], finding, place);
    }
    const struct od_advice *of = od_advice_find(s->q->advice, od_cause_name(finding->cause));
    const struct od_advice_remedy *raise = limit ? od_advice_remedy_find(of, "raise_limit") : NULL;
    if (raise)
        add_remedy_by(s, &(struct od_answered){.advice = raise}, finding, raised);
}

/* Where the first of an advice's remedies stands, and how far the next one from it. */
struct places {
    double next, step;
};

/* Is it about the machine's memory alone? */
static bool is_for_host(const struct od_advice_remedy *advice)
{
    const struct od_when_step *test = od_when_test_of(&advice->when, OD_FACT_MEMORY, NULL);
    return test && test->bits == od_fact_bit(OD_FACT_MEMORY, "host");
}

/* A program's settings of the machine's memory come in the order of its row, behind a device's. */
static double place_of(const struct selection *s, const struct od_advice_remedy *advice,
                       double place, double host, double step)
{
    const struct od_software *driver = s->q->diagnosis->failure->stack.driver;
    const struct od_knob *knob = driver && advice->knobs && is_for_host(advice)
                                     ? od_software_knob(driver, advice->knobs[0])
                                     : NULL;
    return knob ? host + step * (double)(knob - driver->knobs) : place;
}

/* Is it about the phase in which memory grows? All are where that is none of its own. */
static bool is_of_growth(const struct od_advice_remedy *advice, const struct od_finding *finding)
{
    return finding->grows_in != OD_SERIES_PHASE_VALIDATION ||
           od_when_test_of(&advice->when, OD_FACT_GROWS_IN, NULL);
}

/* In the order of the advice; what is about the phase that grows comes first. */
static void add_remedies(struct selection *s, const struct od_advice *advice,
                         const struct od_finding *finding, struct places places)
{
    double place = places.next, host = place + places.step * (double)advice->nremedies / 2;
    for (size_t turn = 0; turn < 2 * advice->nremedies; turn++) {
        const struct od_advice_remedy *remedy = &advice->remedies[turn % advice->nremedies];
        const struct od_answered of_nobody = {.advice = remedy};
        if (is_of_growth(remedy, finding) != (turn < advice->nremedies))
            continue;
        if (od_when_test_of(&remedy->when, OD_FACT_WORK, NULL) && !is_for(s, &of_nobody, finding)) {
            note_out(s, &of_nobody, finding, ruled_out(s, &of_nobody, finding));
            continue;
        }
        add_remedy(s, remedy, finding, place_of(s, remedy, place, host, places.step));
        place += places.step;
    }
}

/* Is it of the program that failed, or of the platform of its device where that is a script? */
static bool is_of_failed(const struct selection *s, const struct od_seen *seen)
{
    const struct od_failure *failure = s->q->diagnosis->failure;
    const struct od_software *driver = failure->stack.driver, *software = seen->sign->software;
    if (driver)
        return od_software_stands_on(driver, software);
    return software->sort == OD_SORT_PLATFORM &&
           od_prov_distance(&seen->said.at, &failure->run.ended->at) == 0;
}

/* The setting that the error itself is about, by the catalogue. */
static void add_named(struct selection *s, const struct od_advice *settings)
{
    const struct od_incident *failure = s->q->diagnosis->failure->run.ended;
    for (size_t i = 0; failure && i < s->q->c->seen.n; i++) {
        const struct od_seen *seen = &s->q->c->seen.items[i];
        const struct od_software_mark *mark = seen->sign->mark;
        if (!mark || !mark->knob || !is_of_failed(s, seen))
            continue;
        const struct od_advice_remedy *words =
            od_advice_remedy_find(settings, mark->more ? "raise_named" : "reduce_named");
        if (!words)
            continue;
        struct od_advice_remedy *named = OD_NEW(s->arena, struct od_advice_remedy);
        const char **knobs = OD_NEW_N(s->arena, 2, const char *);
        knobs[0] = mark->knob;
        *named = *words;
        named->knobs = knobs;
        named->when = (struct od_when){0};
        const struct od_finding *first = &s->q->diagnosis->findings.items[0];
        add_remedy(s, named, first, first->cause == OD_CAUSE_HOST_LEAK ? 1 : -OD_ABOVE_ALL);
        return;
    }
}

/* Those words with that text for anybody. */
static struct od_advice_remedy *worded(const struct selection *s,
                                       const struct od_advice_remedy *words, const char *text)
{
    struct od_advice_remedy *remedy = OD_NEW(s->arena, struct od_advice_remedy);
    struct od_advice_how *how = OD_NEW(s->arena, struct od_advice_how);
    how->framework = "any";
    how->text = text;
    *remedy = *words;
    remedy->when = (struct od_when){0};
    remedy->how = how;
    remedy->nhow = 1;
    return remedy;
}

/* What the failure itself says is to be changed, in its own words. */
static void add_hint(struct selection *s, const struct od_advice *settings,
                     const struct od_hint *hint)
{
    const struct od_advice_remedy *words =
        od_advice_remedy_find(settings, hint->more ? "raise_named" : "reduce_named");
    if (!words)
        return;
    const char *says = od_arena_printf(s->arena, "The error itself says to %s it.", hint->verb);
    struct od_advice_remedy *named = worded(s, words, says);
    named->title =
        od_arena_printf(s->arena, "%s %.*s", hint->title, (int)hint->name.n, hint->name.p);
    const char **knobs = OD_NEW_N(s->arena, 2, const char *);
    knobs[0] = hint->knob;
    named->knobs = hint->knob ? knobs : NULL;
    named->nhow = hint->own ? 0 : named->nhow; /* which may be as far as it goes */
    if (hint->whole) {                         /* "--limit 2000" */
        struct od_advice_how *how = OD_NEW(s->arena, struct od_advice_how);
        *how = named->how[0];
        how->code = od_arena_str(s->arena, hint->name);
        named->how = how;
        named->nhow = 1;
    }
    named->more = hint->more;
    add_remedy(s, named, &s->q->diagnosis->findings.items[0], -OD_ABOVE_ALL);
}

/* What somebody of the thread says that it helped, or advises, in his words. */
static const struct od_setting *said_of(const struct selection *s, enum od_setting_id what)
{
    bool open = s->q->diagnosis->failure->run.outcome == OD_OUTCOME_UNKNOWN; /* no batch is set */
    return od_found_said(s->q->c, what, open);
}

static void add_said(struct selection *s, const struct od_advice *settings, enum od_setting_id what,
                     double place)
{
    bool worked = what == OD_SETTING_FOUND_WORKED;
    const struct od_setting *found = said_of(s, what);
    const struct od_advice_remedy *words =
        od_advice_remedy_find(settings, worked ? "found_here" : "advised_here");
    if (!found || !words)
        return;
    struct od_view said = found->said.text;
    struct od_advice_remedy *here =
        worded(s, words,
               od_arena_printf(s->arena, "Line %llu says: \xe2\x80\x9c%.*s\xe2\x80\x9d",
                               (unsigned long long)found->said.at.line, (int)said.n, said.p));
    add_remedy(s, here, &s->q->diagnosis->findings.items[0], place);
}

/* What somebody advises is less than what helped, but where that has no name; a flag that is named
 * is more than what follows from the cause alone. */
static void add_advised(struct selection *s, const struct od_advice *settings)
{
    const struct od_setting *worked = said_of(s, OD_SETTING_FOUND_WORKED);
    const struct od_setting *advised = said_of(s, OD_SETTING_FOUND_ADVISED);
    bool named = advised && od_found_is_a_name(advised->value);
    bool vague = worked && advised && od_view_eq_str(worked->value, "change") &&
                 !od_view_eq_str(advised->value, "change");
    if (!is_listed(s, "found_here") || vague)
        add_said(s, settings, OD_SETTING_FOUND_ADVISED, named ? -OD_NAMED_ABOVE : -OD_ABOVE_SAID);
}

/* That tensor first, where its size is the cause: no kernel of a network has made it. */
static void add_made(struct selection *s, const struct od_advice *settings)
{
    const struct od_incident *failure = s->q->diagnosis->failure->run.ended;
    const struct od_setting *made = od_found_made(s->q->c, failure);
    const struct od_advice_remedy *words = od_advice_remedy_find(settings, "own_allocation");
    enum od_cause cause = od_first_cause(s->q->diagnosis);
    if (!made || !words ||
        (cause != OD_CAUSE_INPUT_TOO_LARGE && cause != OD_CAUSE_ACCIDENTAL_SHAPE))
        return;
    struct od_advice_remedy *own = worded(
        s, words,
        od_arena_printf(
            s->arena,
            "Line %llu asks for all of it: %.*s. Make it smaller, of a smaller type or in parts.",
            (unsigned long long)made->said.at.line, (int)made->value.n, made->value.p));
    add_remedy(s, own, &s->q->diagnosis->findings.items[0], -OD_ABOVE_ALL);
}

/* The word of the command that asks for what was refused. */
static void add_requested(struct selection *s, const struct od_advice *settings)
{
    struct od_remedy_how *half = OD_NEW(s->arena, struct od_remedy_how);
    const struct od_remedies known = {.list = s->list, .n = s->n};
    const struct od_advice_remedy *words = od_advice_remedy_find(settings, "reduce_named");
    if (!words || !od_requested_halve(s->q, &known, s->arena, half))
        return;
    struct od_advice_remedy *named = worded(s, words, half->text);
    named->title = "Lower the setting whose size was requested";
    add_remedy(s, named, &s->q->diagnosis->findings.items[0], -OD_ABOVE_ALL);
    if (s->n > known.n)
        s->list[known.n].how = half;
}

/* Where it ended, whatever filled the memory: more of it helps in any case. */
static bool is_boundary(const struct od_finding *finding)
{
    return finding->cause == OD_CAUSE_GROUP_LIMIT || finding->cause == OD_CAUSE_HOST_EXHAUSTED ||
           finding->cause == OD_CAUSE_RUNTIME_LIMIT;
}

/* What the text's own numbers say: first where a person says that it works so, else before what any
 * program gets. */
static void add_own_number(struct selection *s, const struct od_advice *settings)
{
    const struct od_remedies known = {.list = s->list, .n = s->n};
    const struct od_advice_remedy *words = od_advice_remedy_find(settings, "own_number");
    struct od_own_number own = od_own_number_of(s->q, &known, s->arena);
    if (!words || own.reason == OD_OWN_NONE)
        return;
    struct od_advice_remedy *lower = worded(s, words, own.text);
    lower->title = own.title;
    struct od_advice_how *how = OD_NEW(s->arena, struct od_advice_how);
    *how = lower->how[0];
    how->code = own.code;
    lower->how = how;
    lower->nhow = 1;
    const struct od_finding *first = &s->q->diagnosis->findings.items[0];
    double place = OD_ANSWERED_ABOVE; /* after what is for the cause */
    if (own.reason == OD_OWN_WORKED)
        place = -3 * OD_ABOVE_ALL;
    else if (own.reason == OD_OWN_TOO_LARGE || (is_boundary(first) && !has_answers(s)))
        place = -OD_ABOVE_ALL;
    else if (is_boundary(first)) /* after the first answer of the program's people */
        place = 0.25 - OD_ANSWERED_ABOVE;
    add_remedy(s, lower, first, place);
}

static void sort(struct selection *s)
{
    for (size_t i = 1; i < s->n; i++) {
        struct od_remedy remedy = s->list[i];
        double score = s->score[i];
        size_t k = i;
        for (; k > 0 && score > s->score[k - 1]; k--) {
            s->list[k] = s->list[k - 1];
            s->score[k] = s->score[k - 1];
        }
        s->list[k] = remedy;
        s->score[k] = score;
    }
}

/* The best cause's remedies that help whatever filled the memory: the third at the latest. */
static void put_in_sight(struct selection *s)
{
    enum { SEEN = 3 };
    for (size_t i = 0; i < s->n; i++) {
        if (!s->list[i].advice->in_sight || s->list[i].finding != s->list[0].finding)
            continue;
        if (i >= SEEN) {
            struct od_remedy remedy = s->list[i];
            memmove(s->list + SEEN, s->list + SEEN - 1, (i - SEEN + 1) * sizeof remedy);
            s->list[SEEN - 1] = remedy;
        }
        return;
    }
}

/* Where the batch is not the cause, something else comes first. */
static void put_batch_behind(struct selection *s, enum od_cause cause)
{
    bool wrong = s->n > 1 && cause != OD_CAUSE_BATCH_TOO_LARGE &&
                 od_remedy_is_about(s->list[0].advice, "batch") &&
                 !is_meant(s->list[0].finding, s->list[0].advice->id);
    if (!wrong)
        return;
    struct od_remedy first = s->list[0];
    s->list[0] = s->list[1];
    s->list[1] = first;
}

static void add_known_vain(struct selection *s)
{
    const char *first = od_cause_name(od_first_cause(s->q->diagnosis));
    const struct od_advice *advice = od_advice_find(s->q->advice, first);
    for (size_t i = 0; advice && i < advice->nvain; i++)
        if (od_ways_apply(&s->q->diagnosis->failure->stack, s->q->diagnosis,
                          advice->vain[i].framework))
            add_vain(s, &advice->vain[i]);
}

/* Is it of a program that stays, which no line shows to be a script of somebody's own? */
static bool is_service(const struct selection *s, const struct od_series *grows)
{
    static const double hours = 2 * 3600;
    double span = grows->samples[grows->nsamples - 1].x - grows->samples[0].x;
    return s->q->diagnosis->failure->stack.n == 0 && !od_growth_has_steps(s->q->c) &&
           (od_series_metric_is_host(grows->metric) ||
            od_series_metric_is_unowned(grows->metric)) &&
           grows->x == OD_X_SECONDS && span >= hours;
}

/* No line shows a failure, but memory grows: the remedies of a leak. A smaller growth counts where
 * the text reports that memory ran out. */
static const struct od_remedies *select_for_growth(struct selection *s)
{
    bool failed = s->q->diagnosis->failure->run.outcome != OD_OUTCOME_NO_FAILURE;
    const double much = failed ? 0.1 : 1.0 / 3; /* of what it came to, as for a cause */
    const struct od_series *grows = od_growth_unfailed(s->q->c, much);
    bool cache = grows && grows->metric == OD_SERIES_HOST_USED && od_growth_beside(s->q->c, grows);
    if (!grows || cache)
        return NULL;
    s->as = is_service(s, grows) ? od_sort_words[OD_SORT_SERVER] : NULL;
    struct od_finding *leak = OD_NEW(s->arena, struct od_finding);
    leak->cause =
        od_series_metric_is_host(grows->metric) || od_series_metric_is_unowned(grows->metric)
            ? OD_CAUSE_HOST_LEAK
            : OD_CAUSE_DEVICE_LEAK;
    leak->grows_in = grows->phase;
    const struct od_advice *of = od_advice_find(s->q->advice, od_cause_name(leak->cause));
    add_answers(s, leak);
    if (of)
        add_remedies(s, of, leak, (struct places){0, 1});
    sort(s);
    struct od_remedies *remedies = OD_NEW(s->arena, struct od_remedies);
    remedies->list = s->list;
    remedies->n = s->n;
    return s->n > 0 ? remedies : NULL;
}

/* The advice of the causes that are at least that probable. */
static void add_causes(struct selection *s, double least)
{
    const struct od_diagnosis *diagnosis = s->q->diagnosis;
    /* no memory is enough for a size by mistake */
    bool mistaken = od_first_cause(diagnosis) == OD_CAUSE_ACCIDENTAL_SHAPE;
    bool short_of = od_first_cause(diagnosis) != OD_CAUSE_NOT_MEMORY;
    for (size_t i = 0; i < diagnosis->findings.n && (i == 0 || !mistaken); i++) {
        const struct od_finding *finding = &diagnosis->findings.items[i];
        const struct od_advice *of = od_advice_find(s->q->advice, od_cause_name(finding->cause));
        if (of && (i == 0 || finding->probability >= least || (short_of && is_boundary(finding))))
            add_remedies(s, of, finding, (struct places){(double)i * OD_A_FINDING / OD_A_PLACE, 1});
    }
}

/* Who asks gets more than one thing to try: what is less probable, then what is said for another
 * sort of program, in the words for anybody. */
static void add_more(struct selection *s)
{
    enum { ENOUGH = 3 };
    s->more = true;
    if (s->n < ENOUGH)
        add_causes(s, 0);
    s->anybody = true;
    s->as = "own";
    if (s->n < ENOUGH)
        add_causes(s, 0);
    s->more = s->anybody = false;
    s->as = NULL;
}

const struct od_remedies *od_remedies_select(const struct od_advise_question *question,
                                             struct od_arena *arena)
{
    static const double least = 0.3, settings = 6, in_vain = 20; /* what grows fills any limit */
    const struct od_diagnosis *diagnosis = question->diagnosis;
    if (!question->advice)
        return NULL;
    struct selection s = {.q = question, .arena = arena, .use = diagnosis->failure->use};
    s.list = OD_NEW_N(arena, REMEDIES_MAX, struct od_remedy);
    s.score = OD_NEW_N(arena, REMEDIES_MAX, double);
    s.vain = OD_NEW_N(arena, VAIN_MAX, const struct od_advice_vain *);
    if (diagnosis->failure->run.outcome == OD_OUTCOME_NO_FAILURE || diagnosis->findings.n == 0)
        return select_for_growth(&s);
    struct od_remedies *remedies = OD_NEW(arena, struct od_remedies);
    const struct od_advice *knobs = od_advice_find(question->advice, OD_ADVICE_OF_KNOBS);
    /* a size by mistake is none that a setting governs, and a time limit or a person neither */
    bool settled = knobs && diagnosis->failure->run.outcome != OD_OUTCOME_OTHER_FAILURE &&
                   od_first_cause(diagnosis) != OD_CAUSE_ACCIDENTAL_SHAPE &&
                   od_first_cause(diagnosis) != OD_CAUSE_NOT_MEMORY;
    if (knobs)
        add_said(&s, knobs, OD_SETTING_FOUND_WORKED, -2 * OD_ABOVE_ALL);
    size_t quoted = s.n;
    struct od_hint hint;
    bool hinted = settled && od_hint_find(question, &hint);
    if (settled && !(hinted && hint.whole))
        add_named(&s, knobs);
    if (hinted && s.n == quoted)
        add_hint(&s, knobs, &hint);
    if (knobs) {
        add_made(&s, knobs);
        add_advised(&s, knobs);
    }
    add_answers(&s, &diagnosis->findings.items[0]);
    add_causes(&s, least);
    add_known_vain(&s);
    if (settled) {
        add_remedies(&s, knobs, &diagnosis->findings.items[0],
                     (struct places){leaks(diagnosis) ? in_vain : settings, 0.1});
        add_requested(&s, knobs);
        add_own_number(&s, knobs);
    }
    bool failed = diagnosis->failure->run.outcome == OD_OUTCOME_MEMORY_FAILURE;
    bool unsure = diagnosis->findings.items[0].certainty == OD_POSSIBLE;
    if (s.n == 0 ? diagnosis->failure->run.outcome != OD_OUTCOME_OTHER_FAILURE : unsure && failed)
        add_more(&s);
    sort(&s);
    put_batch_behind(&s, diagnosis->findings.items[0].cause);
    put_in_sight(&s);
    remedies->list = s.list;
    remedies->n = s.n;
    remedies->vain = s.vain;
    remedies->nvain = s.nvain;
    return s.n == 0 && diagnosis->failure->run.outcome == OD_OUTCOME_OTHER_FAILURE ? NULL
                                                                                   : remedies;
}
