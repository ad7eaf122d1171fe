#include "advise/proposal.h"

#include "advise/gain.h"
#include "advise/releases.h"
#include "advise/remedy.h"
#include "advise/room.h"
#include "advise/slots.h"
#include "advise/user_setting.h"
#include "base/version.h"
#include "failure/found.h"
#include "failure/remarks.h"

const struct od_advice_remedy od_no_remedy = {.id = ""};

/* The range of versions it can be: from `from` up to but not including `to`. */
struct versions {
    const char *from, *to;
};

/* Version range that follows from the wording of its lines (readers/logs/torch_oom.c,
 * rules/tensorflow.yaml), if no version is printed. */
static struct versions worded(const struct od_advise_question *q, const char *whose)
{
    static const struct {
        const char *whose, *name;
        struct versions versions;
    } wordings[] = {
        {"pytorch", "torch_2.1_to_2.2", {"2.1", "2.3"}},
        {"pytorch", "torch_from_2.2", {"2.2", NULL}},
        {"pytorch", "torch_1.4_to_2.0", {"1.4", "2.1"}},
        {"pytorch", "torch_to_1.4", {"0.4", "1.5"}},
        {"tensorflow", "tensorflow_to_1.1", {NULL, "1.2"}},
    };
    const struct od_incident *failure = q->diagnosis->failure->run.ended;
    for (size_t i = 0; failure && i < OD_COUNT_OF(wordings); i++)
        if (strcmp(wordings[i].whose, whose) == 0 &&
            od_remark_find(q->c, failure, wordings[i].name))
            return wordings[i].versions;
    return (struct versions){0};
}

static enum od_tri is_since(const struct versions *versions, const char *since)
{
    if (versions->from && od_version_at_least(od_view_of(versions->from), since) == OD_YES)
        return OD_YES;
    bool never = versions->to && od_version_at_least(od_view_of(since), versions->to) == OD_YES;
    return never ? OD_NO : OD_CANNOT_TELL;
}

/* Is the owner's version below `than`? For rows of Keras, TensorFlow's version counts. */
static enum od_tri is_older(const struct od_proposal *proposal, const char *than)
{
    const struct od_advise_question *q = proposal->q;
    const struct od_stack *stack = &q->diagnosis->failure->stack;
    const struct od_software *owner = proposal->owner;
    if (owner && strcmp(owner->name, "keras") == 0)
        owner = od_software_find(OD_VIEW("tensorflow"));
    struct od_view version = owner ? od_stack_version(q->c, stack, owner) : (struct od_view){0};
    enum od_tri since = OD_CANNOT_TELL;
    const struct od_incident *failure = q->diagnosis->failure->run.ended;
    if (version.n > 0) {
        since = od_version_at_least(version, than);
    } else if (owner) {
        const struct versions versions = worded(q, owner->name);
        bool later = failure && od_releases_later(q->c, failure, owner->name, than);
        since = later ? OD_NO : is_since(&versions, than);
    }
    return since == OD_CANNOT_TELL ? since : since == OD_YES ? OD_NO : OD_YES;
}

const char *od_when_versions(const struct od_when *when, const char *title, struct od_arena *arena)
{
    const char *since = NULL, *before = NULL;
    const struct od_when_step *step = NULL;
    while ((step = od_when_test_of(when, OD_FACT_VERSION, step)) != NULL) {
        bool from = step + 1 < when->steps + when->n && step[1].op == OD_WHEN_NOT;
        *(from ? &since : &before) = step->text;
    }
    if (since && before)
        return od_arena_printf(arena, "%s %s or newer, before %s", title, since, before);
    if (since)
        return od_arena_printf(arena, "%s %s or newer", title, since);
    return before ? od_arena_printf(arena, "%s before %s", title, before) : NULL;
}

/* --- the cause and the remedy --- */

static struct od_fact_value memory(const struct od_proposal *proposal)
{
    const struct od_finding *finding = proposal->finding;
    const struct od_case *c = proposal->q->c;
    /* a survived failure has no incident of its own, so the first one counts */
    uint32_t id = finding->cause == OD_CAUSE_SURVIVED ? 1 : finding->incident;
    const struct od_incident *incident =
        id > 0 && id <= c->incidents.n ? &c->incidents.items[id - 1] : NULL;
    enum od_scope scope = proposal->q->diagnosis->failure->account.scope;
    if (finding->cause == OD_CAUSE_OTHER_LIMIT && scope != OD_SCOPE_COMMIT &&
        scope != OD_SCOPE_ADDRESSES) /* neither kind of memory ran out */
        return (struct od_fact_value){0};
    bool host =
        od_cause_is_of_host(finding->cause) || (incident && od_incident_is_of_machine(incident));
    return od_fact_word(OD_FACT_MEMORY, host ? "host" : "device");
}

static struct od_fact_value grows_in(const struct od_proposal *proposal)
{
    static const char *const words[] = {[OD_SERIES_PHASE_NONE] = NULL,
                                        [OD_SERIES_PHASE_TRAIN] = "training",
                                        [OD_SERIES_PHASE_VALIDATION] = "validation",
                                        [OD_SERIES_PHASE_LOAD] = "load",
                                        [OD_SERIES_PHASE_CHECKPOINT] = "checkpoint"};
    return od_fact_word(OD_FACT_GROWS_IN, words[proposal->finding->grows_in]);
}

static struct od_fact_value cause(const struct od_proposal *proposal)
{
    return od_fact_word(OD_FACT_CAUSE, od_cause_name(proposal->finding->cause));
}

static struct od_fact_value first_cause(const struct od_proposal *proposal)
{
    return od_fact_word(OD_FACT_FIRST_CAUSE, od_cause_name(od_first_cause(proposal->q->diagnosis)));
}

static struct od_fact_value certainty(const struct od_proposal *proposal)
{
    const struct od_diagnosis *diagnosis = proposal->q->diagnosis;
    return od_fact_word(OD_FACT_CERTAINTY,
                        diagnosis->findings.n > 0
                            ? od_certainty_name(diagnosis->findings.items[0].certainty)
                            : NULL);
}

static struct od_fact_value meant(const struct od_proposal *proposal)
{
    return od_fact_truth(od_is_called(proposal->finding->first, proposal->remedy->id));
}

static struct od_fact_value vain(const struct od_proposal *proposal)
{
    return od_fact_truth(od_is_called(proposal->finding->vain, proposal->remedy->id));
}

/* Is its cause more likely not the one, and known by measurements alone? */
static struct od_fact_value suspected(const struct od_proposal *proposal)
{
    return od_fact_truth(proposal->finding->probability < OD_CAUSE_NAMED &&
                         !proposal->finding->told);
}

static struct od_fact_value helps(const struct od_proposal *proposal)
{
    const struct od_when *when = &proposal->remedy->helps;
    return od_fact_truth(when->n > 0 && od_proposal_meets(proposal, when) == OD_YES);
}

static struct od_fact_value adjusts(const struct od_proposal *proposal)
{
    return od_fact_truth(proposal->remedy->knobs);
}

/* A heap and a memory limit count as the same setting, and so does a limit that is raised without
 * a name. */
static struct od_fact_value tried(const struct od_proposal *proposal)
{
    static const char *const limits[] = {"memory_limit", "heap", NULL};
    const struct od_advice_remedy *remedy = proposal->remedy;
    const char *const own[] = {remedy->knobs ? remedy->knobs[0] : NULL, NULL};
    bool limit =
        own[0] ? od_is_among(own[0], limits) : remedy->more && od_remedy_is_about(remedy, "named");
    bool tried = false;
    for (const char *const *knob = limit ? limits : own; *knob && !tried; knob++) {
        const struct od_software *driver = proposal->q->diagnosis->failure->stack.driver;
        tried = od_found_of(proposal->q->c, *knob, driver ? od_software_knob(driver, *knob) : NULL);
    }
    return od_fact_truth(tried);
}

static struct od_fact_value no_room(const struct od_proposal *proposal)
{
    const struct od_advice_remedy *remedy = proposal->remedy;
    return od_fact_truth(!remedy->more && remedy->knobs &&
                         od_room_for_request(proposal->q, remedy->knobs[0]) < 0);
}

static struct od_fact_value others(const struct od_proposal *proposal)
{
    bool others = false;
    OD_FOR_EACH (const struct od_finding, finding, proposal->q->diagnosis->findings)
        others = others || finding->cause == OD_CAUSE_OTHER_TENANT;
    return od_fact_truth(others);
}

static struct od_fact_value figures(const struct od_proposal *proposal)
{
    const char *figures = proposal->remedy->figures;
    return od_fact_truth(!figures || od_slots_can_fill(figures, proposal->finding));
}

static struct od_fact_value batch(const struct od_proposal *proposal)
{
    const struct od_advise_question *q = proposal->q;
    return q->answer && q->answer->batch.known
               ? od_fact_count(q->answer->batch)
               : q->diagnosis->failure->profile->values[OD_FACT_BATCH];
}

static struct od_fact_value sort(const struct od_proposal *proposal)
{
    const struct od_advise_question *q = proposal->q;
    struct od_fact_value value = q->diagnosis->profile->values[OD_FACT_SORT];
    if (proposal->as)
        return od_fact_word(OD_FACT_SORT, proposal->as);
    /* With a cause that is shown, or with a batch, an unknown program is a script. */
    bool shows =
        proposal->finding->certainty != OD_POSSIBLE && !q->diagnosis->failure->stack.nothing;
    bool open = (value.bits & OD_FACT_UNKNOWN) != 0;
    if (open && (shows || (q->answer && q->answer->batch.known)))
        value.bits |= od_fact_bit(OD_FACT_SORT, "own");
    return value;
}

static struct od_fact_value own_knob(const struct od_proposal *proposal)
{
    const struct od_software *driver = proposal->q->diagnosis->failure->stack.driver;
    const struct od_advice_remedy *remedy = proposal->remedy;
    return od_fact_truth(driver && remedy->knobs && od_software_knob(driver, remedy->knobs[0]));
}

static struct od_fact_value holds(const struct od_proposal *proposal)
{
    const struct od_failure *failure = proposal->q->diagnosis->failure;
    return od_fact_truth(proposal->owner && od_stack_holds(&failure->account, proposal->owner));
}

static struct od_fact_value shown(const struct od_proposal *proposal)
{
    return od_fact_truth(od_remedy_is_for_host(proposal->q) &&
                         od_user_setting_shown(proposal->q->c, proposal->remedy));
}

static struct od_fact_value cure(const struct od_proposal *proposal)
{
    const char *word = proposal->made ? od_gain_of(proposal->q, proposal->made) : NULL;
    return od_fact_word(OD_FACT_CURE, word);
}

static struct od_fact_value way(const struct od_proposal *proposal)
{
    const struct od_remedy *made = proposal->made;
    struct od_fact_value value = {.known = made != NULL};
    if (!made)
        return value;
    const struct od_software *arrays = od_stack_arrays(&proposal->q->diagnosis->failure->stack);
    bool of_arrays = arrays && made->by == arrays;
    if (od_remedy_is_shown(made))
        value.bits |= od_fact_bit(OD_FACT_WAY, "shown");
    for (size_t i = 0; i < made->nhow; i++) {
        const struct od_remedy_how *how = &made->how[i];
        value.bits |= how->turned ? od_fact_bit(OD_FACT_WAY, "setting") : 0;
        value.bits |= how->code ? od_fact_bit(OD_FACT_WAY, "code") : 0;
        of_arrays |= arrays && how->turned && strcmp(how->framework, arrays->name) == 0;
    }
    value.bits |= of_arrays ? od_fact_bit(OD_FACT_WAY, "array") : 0;
    return value;
}

static struct od_fact_value about(const struct od_proposal *proposal)
{
    const char *const *subjects = proposal->remedy->about;
    struct od_fact_value value = {.known = true};
    for (size_t i = 0; subjects && subjects[i]; i++)
        value.bits |= od_fact_bit(OD_FACT_ABOUT, subjects[i]);
    return value;
}

static struct od_fact_value best(const struct od_proposal *proposal)
{
    return od_fact_truth(proposal->finding == proposal->q->diagnosis->findings.items);
}

static struct od_fact_value recommended(const struct od_proposal *proposal)
{
    return od_fact_truth(proposal->owner);
}

static struct od_fact_value for_training(const struct od_proposal *proposal)
{
    const struct od_when_step *test = od_when_test_of(&proposal->remedy->when, OD_FACT_WORK, NULL);
    return od_fact_truth(test && test->bits == od_fact_bit(OD_FACT_WORK, "training"));
}

static struct od_fact_value of_message(const struct od_proposal *proposal)
{
    return od_fact_truth(od_when_test_of(&proposal->remedy->when, OD_FACT_SAID, NULL));
}

static struct od_fact_value none_fits(const struct od_proposal *proposal)
{
    const struct od_answer *answer = proposal->q->answer;
    return od_fact_truth(answer && answer->largest.known && answer->largest.n == 0);
}

static struct od_fact_value no_network(const struct od_proposal *proposal)
{
    const struct od_failure *failure = proposal->q->diagnosis->failure;
    const struct od_answer *answer = proposal->q->answer;
    bool seen = failure->run.ended && (failure->run.ended->nframes > 0 || failure->stack.driver);
    bool batch = failure->batch.known || (answer && answer->batch.known);
    return od_fact_truth(seen && !failure->use.trains && !failure->use.infers && !batch);
}

/* By what the log or the user states of the memory. */
static struct od_fact_value loader_small(const struct od_proposal *proposal)
{
    const struct od_host_answer *host = proposal->q->host;
    return od_fact_truth(host && host->small && host->name.n == 0);
}

/* Facts that depend on the proposal and not only on the failure. */
typedef struct od_fact_value value_fn(const struct od_proposal *proposal);
static value_fn *const values[OD_FACT_END] = {
    [OD_FACT_MEMORY] = memory,
    [OD_FACT_GROWS_IN] = grows_in,
    [OD_FACT_CAUSE] = cause,
    [OD_FACT_FIRST_CAUSE] = first_cause,
    [OD_FACT_CERTAINTY] = certainty,
    [OD_FACT_MEANT] = meant,
    [OD_FACT_VAIN] = vain,
    [OD_FACT_SUSPECTED] = suspected,
    [OD_FACT_HELPS] = helps,
    [OD_FACT_ADJUSTS] = adjusts,
    [OD_FACT_TRIED] = tried,
    [OD_FACT_NO_ROOM] = no_room,
    [OD_FACT_OTHERS] = others,
    [OD_FACT_FIGURES] = figures,
    [OD_FACT_BATCH] = batch,
    [OD_FACT_SORT] = sort,
    [OD_FACT_OWN_KNOB] = own_knob,
    [OD_FACT_SHOWN] = shown,
    [OD_FACT_HOLDS] = holds,
    [OD_FACT_CURE] = cure,
    [OD_FACT_WAY] = way,
    [OD_FACT_ABOUT] = about,
    [OD_FACT_BEST] = best,
    [OD_FACT_RECOMMENDED] = recommended,
    [OD_FACT_FOR_TRAINING] = for_training,
    [OD_FACT_OF_MESSAGE] = of_message,
    [OD_FACT_NONE_FITS] = none_fits,
    [OD_FACT_NO_NETWORK] = no_network,
    [OD_FACT_LOADER_SMALL] = loader_small,
};

/* Does the failure contain that error of the owner? */
static bool shows(const struct od_proposal *proposal, const char *error)
{
    enum { NEAR = 40 }; /* lines around the error that the program prints */
    const struct od_advise_question *q = proposal->q;
    const struct od_prov *at = &q->diagnosis->failure->run.at;
    OD_FOR_EACH (const struct od_seen, seen, q->c->seen) {
        const struct od_software_mark *mark = seen->sign->mark;
        if (mark && seen->sign->software == proposal->owner && strcmp(mark->text, error) == 0 &&
            od_prov_distance(&seen->said.at, at) <= NEAR)
            return true;
    }
    return false;
}

/* Facts that the row of a program's own answer decides, not the condition of the remedy whose words
 * it uses. */
static bool is_settled(enum od_fact fact)
{
    return fact == OD_FACT_SORT || fact == OD_FACT_MEMORY || fact == OD_FACT_MEANT;
}

static enum od_tri ask(const void *with, const struct od_when_step *test)
{
    const struct od_proposal *proposal = with;
    if (test->fact == OD_FACT_VERSION)
        return is_older(proposal, test->text);
    if (test->fact == OD_FACT_SHOWS)
        return shows(proposal, test->text) ? OD_YES : OD_NO;
    if (test->fact == OD_FACT_ASKS)
        return od_is_called(proposal->finding->first, test->text) ? OD_YES : OD_NO;
    if (test->fact == OD_FACT_CHOSEN)
        return od_remedies_have(proposal->chosen, proposal->nchosen, test->text) ? OD_YES : OD_NO;
    if (proposal->answered && is_settled(test->fact))
        return OD_YES;
    if (!values[test->fact])
        return od_profile_ask(proposal->q->diagnosis->profile, test);
    struct od_fact_value value = values[test->fact](proposal);
    return od_fact_test(&value, test);
}

enum od_tri od_proposal_meets(const struct od_proposal *proposal, const struct od_when *when)
{
    return od_when_holds(when, ask, proposal);
}

static const struct od_advice *settings_of(const struct od_proposal *proposal)
{
    return od_advice_find(proposal->q->advice, OD_ADVICE_OF_KNOBS);
}

static bool is_one_short(const struct od_proposal *proposal, const char *const *kinds)
{
    const struct od_advice *settings = settings_of(proposal);
    for (; kinds && *kinds; kinds++) {
        const struct od_advice_kind *kind = od_advice_kind_find(&settings, 1, *kinds);
        if (!kind || od_proposal_meets(proposal, &kind->when) != OD_NO)
            return true;
    }
    return false;
}

/* For a setting of that name. */
static bool name_relieves(const struct od_proposal *proposal, const char *name)
{
    const struct od_advice *settings = settings_of(proposal);
    bool named = false;
    for (size_t i = 0; i < settings->nkinds; i++) {
        const struct od_advice_kind *kind = &settings->kinds[i];
        bool of = kind->knobs && od_is_among(name, kind->knobs);
        if (of && od_proposal_meets(proposal, &kind->when) != OD_NO)
            return true;
        named = named || of;
    }
    return !named;
}

bool od_proposal_knob_relieves(const struct od_proposal *proposal, const struct od_knob *knob)
{
    if (!settings_of(proposal))
        return true;
    return knob->relieves ? is_one_short(proposal, knob->relieves)
                          : name_relieves(proposal, knob->name);
}

bool od_proposal_is_on(const struct od_proposal *proposal, const char *knob)
{
    const struct od_advice *settings = settings_of(proposal);
    for (size_t i = 0; settings && !proposal->remedy->more && i < settings->non; i++)
        if (od_is_among(knob, settings->on[i].knobs) &&
            od_proposal_meets(proposal, &settings->on[i].when) == OD_YES)
            return true;
    return false;
}

bool od_proposal_relieves(const struct od_proposal *proposal)
{
    const struct od_advice_remedy *remedy = proposal->remedy;
    if (!settings_of(proposal) || remedy->more || (!remedy->relieves && !remedy->knobs))
        return true;
    if (remedy->relieves)
        return is_one_short(proposal, remedy->relieves);
    for (size_t i = 0; remedy->knobs[i]; i++)
        if (name_relieves(proposal, remedy->knobs[i]))
            return true;
    return false;
}

void od_proposal_misses(const struct od_proposal *proposal, const struct od_when *when,
                        struct od_buf *to)
{
    od_when_misses(when, ask, proposal, to);
}

bool od_remedy_is_for(const struct od_advice_remedy *advice, const char *sort)
{
    const struct od_when_step *test = od_when_test_of(&advice->when, OD_FACT_SORT, NULL);
    return !test || (test->bits & od_fact_bit(OD_FACT_SORT, sort)) != 0;
}
