#include "advise/remedies.h"

#include "advise/answers.h"
#include "advise/hint.h"
#include "advise/requested.h"
#include "advise/score.h"
#include "advise/slots.h"
#include "advise/vain.h"
#include "advise/ways.h"
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
    bool more;    /* what is improbable, as there is little else */
    bool anybody; /* what is for some sorts of programs, in the words for all */
    bool service; /* a program that nobody knows runs on for hours, without steps */
    struct od_use use;
};

static bool is_listed(const struct selection *s, const char *id)
{
    for (size_t i = 0; i < s->n; i++)
        if (strcmp(s->list[i].advice->id, id) == 0)
            return true;
    return false;
}

static bool needs(const struct od_advice_remedy *advice, const char *what)
{
    return advice->needs && strcmp(advice->needs, what) == 0;
}

/* Does the finding say that this remedy is the first? */
static bool is_meant(const struct od_finding *finding, const char *id)
{
    return finding->first && strcmp(finding->first, id) == 0;
}

/* The steps that a program remembers are no data set that could be read in pieces. */
static bool is_of_what_is_kept(const struct od_advice_remedy *advice,
                               const struct od_finding *finding)
{
    if (needs(advice, "cause") && !is_meant(finding, advice->id))
        return false;
    /* The request is not what fills the limit: nothing that makes it smaller helps. */
    if (is_meant(finding, "beside_count") && !is_meant(finding, advice->id))
        return strcmp(advice->id, "found_here") == 0 || strcmp(advice->id, "advised_here") == 0 ||
               (!advice->knobs && od_remedy_is_about(advice, "answer"));
    return !is_meant(finding, "smaller_buffer") || !od_remedy_is_about(advice, "data");
}

static bool sets_something(const struct od_case *c)
{
    for (size_t i = 0; i < c->settings.n; i++)
        if (c->settings.items[i].id != OD_SETTING_FOUND_WORKED &&
            c->settings.items[i].id != OD_SETTING_FOUND_FAILED &&
            !od_view_eq_str(c->settings.items[i].name, "made_tensor"))
            return true;
    return false;
}

/* Is it a script of the user's own that failed, or something that has a batch? */
static bool is_a_script(const struct selection *s, const struct od_finding *finding)
{
    const struct od_answer *answer = s->q->answer;
    const struct od_case *c = s->q->c;
    const struct od_incident *failure = s->q->diagnosis->failure->run.ended;
    bool ran =
        !od_remedy_is_for_host(s->q) && (c->allocators.n > 0 || sets_something(c) ||
                                         c->models.n > 0 || (failure && failure->nframes > 0));
    return s->q->diagnosis->failure->stack.own || (answer && answer->batch.known) ||
           ((ran || finding->certainty != OD_POSSIBLE) && !s->q->diagnosis->failure->stack.nothing);
}

/* What the log says of its error, in the failure's own lines; of another failure than memory's
 * nothing else is known. */
static bool is_when(const struct selection *s, const struct od_advice_remedy *advice)
{
    enum { NEAR = 40 };
    const struct od_diagnosis *diagnosis = s->q->diagnosis;
    if (!advice->when)
        return diagnosis->failure->run.outcome != OD_OUTCOME_OTHER_FAILURE ||
               od_remedy_is_about(advice, "answer");
    OD_FOR_EACH (const struct od_setting, setting, s->q->c->settings) {
        if (od_view_eq_str(setting->name, advice->when) && diagnosis->failure->run.at.line > 0 &&
            od_prov_distance(&setting->said.at, &diagnosis->failure->run.at) <= NEAR)
            return true;
    }
    return false;
}

/* Does it make sense for that sort of program? */
static bool is_of_sort(const struct selection *s, const struct od_advice_remedy *advice,
                       const struct od_finding *finding)
{
    const struct od_stack *stack = &s->q->diagnosis->failure->stack;
    if (!advice->only || (od_stack_arrays(stack) && od_remedy_is_for(advice, "array")))
        return true;
    if (!s->q->diagnosis->failure->batch.known && od_stack_arrays_alone(stack))
        return false; /* there is no network, nor a step of one */
    if (s->anybody)
        return od_remedy_is_for_anybody(advice) && od_remedy_is_for(advice, "own");
    if (stack->driver || s->service)
        return od_remedy_is_for(advice,
                                od_sort_words[s->service ? OD_SORT_SERVER : stack->driver->sort]);
    bool memory = s->q->diagnosis->failure->run.outcome == OD_OUTCOME_MEMORY_FAILURE;
    for (size_t i = 0; i < stack->n; i++) { /* what a script runs on */
        enum od_sort sort = stack->parts[i].software->sort;
        bool own = sort == OD_SORT_LIBRARY && memory && od_ways_is_its_error(&stack->parts[i]);
        if ((sort == OD_SORT_SIMULATOR || own) && od_remedy_is_for(advice, od_sort_words[sort]))
            return true;
    }
    bool given = od_remedy_is_for_host(s->q) && od_ways_shown(s->q->c, advice);
    if (od_remedy_is_for(advice, "platform") || (given && od_remedy_is_for(advice, "tool")))
        return true; /* a tool that nobody knows is told by what its command gives it */
    given &= finding->cause == OD_CAUSE_WORKERS_HOST_MEMORY || od_remedy_is_about(advice, "jobs");
    return od_remedy_is_for(advice, "own") &&
           (given || is_a_script(s, finding) || od_remedy_is_for_anybody(advice));
}

static bool is_of_machine(const struct od_incident *incident)
{
    return od_incident_kind_is_host(incident->kind) ||
           (incident->kind == OD_INC_SOFT_WARNING && od_view_eq_str(incident->device, "CPU"));
}

/* What a run survived has no incident of its own: the first one stands for all. */
static bool is_of_space(const struct od_advice_remedy *advice, const struct od_finding *finding,
                        const struct od_case *c)
{
    uint32_t id = finding->cause == OD_CAUSE_SURVIVED ? 1 : finding->incident;
    bool host = id > 0 && id <= c->incidents.n && is_of_machine(&c->incidents.items[id - 1]);
    return !advice->space || strcmp(advice->space, host ? "host" : "device") == 0;
}

/* Its first setting was tried in vain, or with success, as the text is quoted already. */
static bool is_tried(const struct selection *s, const struct od_advice_remedy *advice)
{
    const struct od_software *driver = s->q->diagnosis->failure->stack.driver;
    const char *knob = advice->knobs ? advice->knobs[0] : NULL;
    int found =
        knob ? od_found_of(s->q->c, knob, driver ? od_software_knob(driver, knob) : NULL) : 0;
    return found < 0 || (found > 0 && is_listed(s, "found_here"));
}

static bool is_phase(const struct od_advice_remedy *advice, const char *phase)
{
    return advice->phase && strcmp(advice->phase, phase) == 0;
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
           (remedy->how[0].turned || od_remedy_is_for(remedy->advice, "own"));
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

static void add_remedy_by(struct selection *s, const struct od_software *by,
                          const struct od_advice_remedy *advice, const struct od_finding *finding,
                          double place)
{
    struct od_remedy_how how[OD_WAYS_MAX];
    bool vain = finding->vain && strcmp(finding->vain, advice->id) == 0;
    bool of_batch = s->more && od_remedy_is_about(advice, "batch");
    if (s->n == REMEDIES_MAX || vain || is_listed(s, advice->id) ||
        !is_of_what_is_kept(advice, finding) || !is_of_sort(s, advice, finding) ||
        !is_when(s, advice) || !is_of_space(advice, finding, s->q->c) ||
        (!by && (of_batch || od_remedy_is_vain_for_batch(s->q, advice))) ||
        od_remedy_is_vain(s->q, advice) || is_tried(s, advice) || is_contrary(s, advice) ||
        (od_remedy_is_about(advice, "network") && is_listed(s, "own_allocation")))
        return;
    struct od_remedy remedy = {
        .advice = advice, .finding = finding, .by = by, .cost = advice->cost};
    if (s->use.infers && advice->inference_cost)
        remedy.cost = advice->inference_cost;
    if (advice->more && leaks(s->q->diagnosis))
        remedy.cost = "it only delays the failure: what grows fills any limit";
    remedy.nhow = od_ways_of(s->q, &remedy, s->arena, how);
    if (remedy.nhow == 0)
        return;
    struct od_remedy_how *kept = OD_NEW_N(s->arena, remedy.nhow, struct od_remedy_how);
    remedy.how = memcpy(kept, how, remedy.nhow * sizeof *kept);
    if (is_beside_limit(s, &remedy) || sets_again(s, &remedy) || is_of_victim(s, &remedy))
        return;
    if (advice->figures)
        remedy.figures = od_slots_fill(advice->figures, finding, s->arena);
    if (!remedy.figures && needs(advice, "figures"))
        return;
    if (!od_host_action_of(s->q->host, advice->id, s->arena, &remedy.action))
        remedy.action = od_answer_action_of(s->q->answer, advice->id);
    const char *short_by = od_remedy_falls_short(s->q, &remedy, s->arena);
    if (short_by)
        remedy.action.figures = short_by;
    if (remedy.action.vain || short_by) {
        add_priced_vain(s, &remedy);
        return;
    }
    if (remedy.action.figures)
        remedy.figures = remedy.action.figures;
    bool shown = advice->knobs || od_remedy_is_about(advice, "named") || has_answers(s);
    if (advice->when && shown) /* the log itself shows what it is for */
        place = -OD_ANSWERED_ABOVE - 1;
    bool best = s->q->diagnosis->findings.n > 0 && finding == s->q->diagnosis->findings.items;
    bool first = best && is_meant(finding, advice->id);
    s->score[s->n] = od_remedy_score(s->q, &remedy, place, first);
    s->list[s->n++] = remedy;
}

static void add_remedy(struct selection *s, const struct od_advice_remedy *advice,
                       const struct od_finding *finding, double place)
{
    add_remedy_by(s, NULL, advice, finding, place);
}

/* What a validation gathers does not grow in training; what weights load into holds no gradients.
 */
static bool is_of_phase(const struct od_advice_remedy *advice, const struct od_finding *finding)
{
    switch (finding->grows_in) {
    case OD_SERIES_PHASE_TRAIN:
        return !is_phase(advice, "validation");
    case OD_SERIES_PHASE_VALIDATION:
        return is_phase(advice, "validation");
    case OD_SERIES_PHASE_LOAD:
        return !is_phase(advice, "training");
    case OD_SERIES_PHASE_NONE:
    case OD_SERIES_PHASE_CHECKPOINT:
        break;
    }
    return true;
}

/* Weights did not fit as they came, and nothing trains: what makes them smaller may be for it. */
static bool may_infer(const struct selection *s)
{
    const struct od_incident *failure = s->q->diagnosis->failure->run.ended;
    return !s->use.trains && failure && od_incident_calls(failure, OD_FRAME_LOAD);
}

/* Smaller samples, where it is known that weights and their states do not fit. */
static bool is_of_samples(const struct selection *s, const struct od_advice_remedy *advice)
{
    static const char *const knobs[] = {
        "image_size",    "sequence_length", "frames",         "points",
        "checkpointing", "max_sequences",   "prefill_tokens", NULL};
    bool weights = od_first_cause(s->q->diagnosis) == OD_CAUSE_MODEL_TOO_LARGE &&
                   s->q->diagnosis->findings.items[0].certainty != OD_POSSIBLE;
    return weights && advice->knobs && od_is_among(advice->knobs[0], knobs);
}

/* Nothing says that it trains, and it loads a model, or an engine runs one. */
static bool is_for_no_training(const struct selection *s, const struct od_advice_remedy *advice)
{
    const struct od_failure *failure = s->q->diagnosis->failure;
    const struct od_software *driver = failure->stack.driver;
    bool batch = failure->batch.known || (s->q->answer && s->q->answer->batch.known);
    bool runs = driver && driver->sort == OD_SORT_ENGINE;
    return is_phase(advice, "training") && !s->use.trains && !batch && (runs || may_infer(s));
}

/* Is it for what the run does with its model? */
static bool is_of_use(const struct selection *s, const struct od_advice_remedy *advice)
{
    bool guarded = s->use.guarded && od_remedy_is_about(advice, "gradients");
    bool other = s->use.infers ? is_phase(advice, "training")
                               : is_phase(advice, "inference") && !may_infer(s);
    const struct od_failure *failure = s->q->diagnosis->failure;
    const struct od_software *driver = failure->stack.driver;
    bool its_own = driver && advice->knobs && od_software_knob(driver, advice->knobs[0]);
    bool layers = failure->incident && od_remedy_is_about(advice, "network") &&
                  !failure->of_network && !failure->of_arrays && !its_own;
    bool text = !failure->works_on || strcmp(failure->works_on, "text") == 0;
    bool convolves = !its_own && od_remedy_is_about(advice, "attention") && failure->incident &&
                     !text && !od_incident_calls(failure->incident, OD_FRAME_SCORES);
    return !guarded && !other && !layers && !convolves && !is_for_no_training(s, advice) &&
           !is_of_samples(s, advice);
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
        if (is_of_use(s, answers[i].advice))
            add_remedy_by(s, answers[i].by, answers[i].advice, finding, place);
    }
    const struct od_advice *of = od_advice_find(s->q->advice, od_cause_name(finding->cause));
    const struct od_advice_remedy *raise = limit ? od_advice_remedy_find(of, "raise_limit") : NULL;
    if (raise)
        add_remedy_by(s, NULL, raise, finding, raised);
}

/* A remedy of a phase that nothing shows: nothing failed, or a program of others leaks. */
static bool is_of_unseen(const struct selection *s, const struct od_advice_remedy *advice,
                         const struct od_finding *finding)
{
    bool others = is_meant(finding, "restart_before");
    if (s->q->diagnosis->failure->run.outcome == OD_OUTCOME_UNKNOWN &&
        !s->q->diagnosis->failure->evaluates && is_phase(advice, "validation"))
        return true;
    return (others || s->q->diagnosis->failure->run.outcome == OD_OUTCOME_NO_FAILURE) &&
           !s->use.trains && finding->grows_in == OD_SERIES_PHASE_NONE &&
           (is_phase(advice, "validation") || is_phase(advice, "training"));
}

/* Where the first of an advice's remedies stands, and how far the next one from it. */
struct places {
    double next, step;
};

/* A program's settings of the machine's memory come in the order of its row, behind a device's. */
static double place_of(const struct selection *s, const struct od_advice_remedy *advice,
                       double place, double host, double step)
{
    const struct od_software *driver = s->q->diagnosis->failure->stack.driver;
    const struct od_knob *knob =
        driver && advice->knobs && advice->space && strcmp(advice->space, "host") == 0
            ? od_software_knob(driver, advice->knobs[0])
            : NULL;
    return knob ? host + step * (double)(knob - driver->knobs) : place;
}

/* In the order of the advice; what fits the phase that grows comes first. */
static void add_remedies(struct selection *s, const struct od_advice *advice,
                         const struct od_finding *finding, struct places places)
{
    double place = places.next, host = place + places.step * (double)advice->nremedies / 2;
    for (int turn = 0; turn < 2; turn++) {
        for (size_t i = 0; i < advice->nremedies; i++) {
            if (!is_of_use(s, &advice->remedies[i]) ||
                is_of_unseen(s, &advice->remedies[i], finding) ||
                is_of_phase(&advice->remedies[i], finding) != (turn == 0))
                continue;
            add_remedy(s, &advice->remedies[i], finding,
                       place_of(s, &advice->remedies[i], place, host, places.step));
            place += places.step;
        }
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
        named->only = NULL;
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
    remedy->only = NULL;
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
    if (!worked || s->q->diagnosis->failure->run.outcome != OD_OUTCOME_OTHER_FAILURE)
        here->when = NULL;
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
    own->when = NULL;
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

/* Where it ended, whatever filled the memory: more of it helps in any case. */
static bool is_boundary(const struct od_finding *finding)
{
    return finding->cause == OD_CAUSE_GROUP_LIMIT || finding->cause == OD_CAUSE_HOST_EXHAUSTED ||
           finding->cause == OD_CAUSE_RUNTIME_LIMIT;
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

/* Nothing failed, but memory grows: what a leak that ends in a failure gets. */
static const struct od_remedies *select_for_growth(struct selection *s)
{
    static const double much = 1.0 / 3; /* of what it came to, as for a cause */
    const struct od_series *grows = od_growth_unfailed(s->q->c, much);
    bool cache = grows && grows->metric == OD_SERIES_HOST_USED && od_growth_beside(s->q->c, grows);
    if (!grows || cache)
        return NULL;
    s->service = is_service(s, grows);
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
    if (s->n < ENOUGH)
        add_causes(s, 0);
    s->more = s->anybody = false;
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
    if (diagnosis->failure->run.outcome == OD_OUTCOME_NO_FAILURE)
        return select_for_growth(&s);
    if (diagnosis->findings.n == 0)
        return NULL;
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
