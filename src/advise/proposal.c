#include "advise/proposal.h"

#include "advise/gain.h"
#include "advise/remedy.h"
#include "advise/room.h"
#include "base/daytime.h"
#include "base/version.h"
#include "failure/found.h"
#include "failure/remarks.h"
#include "rules/slots.h"

const struct od_advice_remedy od_no_remedy = {.id = ""};

/* Is the owner's version at least that one, according to lines that only some versions print? */
static enum od_tri is_since(const struct od_advise_question *q, const struct od_software *owner,
                            const char *since)
{
    const struct od_incident *failure = q->diagnosis->failure->run.ended;
    OD_FOR_EACH_OF (const struct od_software_wording, one, owner->wordings, owner->nwordings) {
        if (!failure || !od_remark_find(q->c, failure, one->remark))
            continue;
        if (one->from && od_version_at_least(od_view_of(one->from), since) == OD_YES)
            return OD_YES;
        if (one->before && od_version_at_least(od_view_of(since), one->before) == OD_YES)
            return OD_NO;
    }
    return OD_CANNOT_TELL;
}

/* Raises *latest to the date in text, in seconds since 1970. Ignores times without a date and dates
 * of an unset clock. */
static void note(struct od_view text, double *latest)
{
    static const double years_before_these = 1420070400; /* start of 2015 */
    double seconds;
    if (od_daytime_head(text, &seconds) && seconds > years_before_these && seconds > *latest)
        *latest = seconds;
}

static double last_day(const struct od_case *c, const struct od_incident *incident)
{
    double latest = 0;
    note(incident->stamp, &latest);
    for (size_t i = 0; i < incident->evidence.n; i++)
        note(incident->evidence.items[i].text, &latest);
    for (size_t i = 0; i < c->seen.n; i++)
        if (c->seen.items[i].said.at.source == incident->at.source)
            note(c->seen.items[i].said.text, &latest);
    return latest;
}

/* Was the log of the incident printed before the release of that version? False if the lines have
 * no date or the row lacks the version. */
static bool is_before_release(const struct od_case *c, const struct od_incident *incident,
                              const struct od_software *software, const char *version)
{
    double day, latest = last_day(c, incident);
    OD_FOR_EACH_OF (const struct od_software_release, release, software->releases,
                    software->nreleases)
        if (latest > 0 && strcmp(release->version, version) == 0)
            return od_daytime_parse(od_view_of(release->day), &day) && latest < day;
    return false;
}

enum od_tri od_is_older(const struct od_advise_question *q, const struct od_software *owner,
                        const char *than)
{
    const struct od_software_used *stack = &q->diagnosis->failure->stack;
    if (owner && owner->within)
        owner = od_software_find(od_view_of(owner->within));
    if (!owner)
        return OD_CANNOT_TELL;
    struct od_view version = od_software_used_version(q->c, stack, owner);
    enum od_tri since = OD_CANNOT_TELL;
    const struct od_incident *failure = q->diagnosis->failure->run.ended;
    if (version.n > 0) {
        since = od_version_at_least(version, than);
    } else {
        bool later = failure && is_before_release(q->c, failure, owner, than);
        since = later ? OD_NO : is_since(q, owner, than);
    }
    return since == OD_CANNOT_TELL ? since : since == OD_YES ? OD_NO : OD_YES;
}

const char *od_when_versions(const struct od_when *when, const char *title, struct od_arena *arena)
{
    const char *since = NULL, *before = NULL;
    const struct od_when_step *step = NULL;
    while ((step = od_when_test_of(when, OD_FACT_VERSION, step)) != NULL) {
        bool last = step + 1 == when->steps + when->n, from = !last && step[1].op == OD_WHEN_NOT;
        if (!last && step[1].op == OD_WHEN_UNLESS)
            continue; /* holds if no version is known */
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
    const struct od_incident *incident =
        finding->incident > 0 ? &c->incidents.items[finding->incident - 1] : NULL;
    enum od_scope scope = proposal->q->diagnosis->failure->account.scope;
    if (finding->cause == OD_CAUSE_OTHER_LIMIT && scope != OD_SCOPE_COMMIT &&
        scope != OD_SCOPE_ADDRESSES) /* neither RAM nor a device's memory ran out */
        return (struct od_fact_value){0};
    if (proposal->memory || finding->cause == OD_CAUSE_UNNAMED_MEMORY)
        return od_fact_word(OD_FACT_MEMORY, proposal->memory);
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

static bool is_shared_with_others(const struct od_diagnosis *diagnosis)
{
    bool others = false;
    OD_FOR_EACH (const struct od_finding, finding, diagnosis->findings)
        others = others || finding->cause == OD_CAUSE_OTHER_TENANT;
    return others;
}

static bool has_no_network(const struct od_proposal *proposal)
{
    const struct od_failure *failure = proposal->q->diagnosis->failure;
    const struct od_answer *answer = proposal->q->answer;
    bool seen = failure->run.ended && (failure->run.ended->nframes > 0 || failure->stack.driver);
    return seen && !failure->use.trains && !failure->use.infers && !(answer && answer->batch.known);
}

static struct od_fact_value sort(const struct od_proposal *proposal)
{
    const struct od_advise_question *q = proposal->q;
    struct od_fact_value value = q->diagnosis->profile->values[OD_FACT_SORT];
    if (proposal->as)
        return od_fact_word(OD_FACT_SORT, proposal->as);
    /* an unknown program is a script if the cause or a batch is shown */
    bool shows =
        proposal->finding->certainty != OD_POSSIBLE && !q->diagnosis->failure->stack.nothing;
    bool open = (value.bits & OD_FACT_UNKNOWN) != 0;
    if (open && (shows || (q->answer && q->answer->batch.known)))
        value.bits |= od_fact_bit(OD_FACT_SORT, "own");
    return value;
}

static struct od_fact_value way(const struct od_proposal *proposal)
{
    const struct od_remedy *made = proposal->made;
    struct od_fact_value value = {.known = made != NULL};
    if (!made)
        return value;
    if (od_remedy_is_shown(made))
        value.bits |= od_fact_bit(OD_FACT_WAY, "shown");
    for (size_t i = 0; i < made->nhow; i++) {
        const struct od_remedy_how *how = &made->how[i];
        value.bits |= how->turned ? od_fact_bit(OD_FACT_WAY, "setting") : 0;
        value.bits |= how->code ? od_fact_bit(OD_FACT_WAY, "code") : 0;
        value.bits |= how->worked > 0 ? od_fact_bit(OD_FACT_WAY, "worked") : 0;
    }
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

/* Is it an error of the owner that the failure shows? */
static bool is_shown(const struct od_proposal *proposal, const struct od_seen *seen)
{
    enum { NEAR = 40 }; /* number of lines around the error that belong to it */
    return seen->sign->mark && seen->sign->software == proposal->owner &&
           od_prov_distance(&seen->said.at, &proposal->q->diagnosis->failure->run.at) <= NEAR;
}

static bool shows(const struct od_proposal *proposal, const char *error)
{
    OD_FOR_EACH (const struct od_seen, seen, proposal->q->c->seen)
        if (is_shown(proposal, seen) && strcmp(seen->sign->mark->text, error) == 0)
            return true;
    return false;
}

bool od_proposal_is_exact(const struct od_proposal *proposal,
                          const struct od_software_answer *answer)
{
    OD_FOR_EACH (const struct od_seen, seen, proposal->q->c->seen)
        if (!answer->when.text && is_shown(proposal, seen) &&
            od_answer_is_named(answer, seen->sign->mark))
            return true;
    const struct od_when_step *test = od_when_test_of(&answer->when, OD_FACT_SHOWS, NULL);
    while (test && !shows(proposal, test->text))
        test = od_when_test_of(&answer->when, OD_FACT_SHOWS, test);
    return test != NULL;
}

static struct od_fact_value offered(const struct od_proposal *proposal)
{
    struct od_fact_value value = {.known = true};
    for (size_t i = 0; i < proposal->nchosen; i++)
        value.bits |= od_fact_bit(OD_FACT_OFFERED, proposal->chosen[i].from);
    return value;
}

/* Are all facts in the slots of a line known? */
static bool can_print(const struct od_diagnosis *diagnosis, const char *lines)
{
    struct od_arena *arena = od_arena_new();
    bool known = od_slots_print(lines, od_profile_print, diagnosis->profile, arena, NULL) != NULL;
    od_arena_free(arena);
    return known;
}

/* The value of a fact that depends on the proposal, not only on the failure. *ret_own = false for
 * any other fact. */
static struct od_fact_value value_of(const struct od_proposal *proposal, enum od_fact fact,
                                     bool *ret_own)
{
    const struct od_advise_question *q = proposal->q;
    const struct od_diagnosis *diagnosis = q->diagnosis;
    const struct od_finding *finding = proposal->finding;
    const struct od_advice_remedy *remedy = proposal->remedy;
    const struct od_software *driver = diagnosis->failure->stack.driver;
    const char *knob = remedy->knobs ? remedy->knobs[0] : NULL;
    const struct od_when_step *work = od_when_test_of(&remedy->when, OD_FACT_WORK, NULL);
    switch ((unsigned)fact) {
    case OD_FACT_MEMORY:
        return memory(proposal);
    case OD_FACT_GROWS_IN:
        return grows_in(proposal);
    case OD_FACT_CAUSE:
        return od_fact_word(fact, od_cause_name(finding->cause));
    case OD_FACT_FIRST_CAUSE:
        return od_fact_word(fact, diagnosis->findings.n > 0
                                      ? od_cause_name(diagnosis->findings.items[0].cause)
                                      : NULL);
    case OD_FACT_CERTAINTY:
        return od_fact_word(fact, diagnosis->findings.n > 0
                                      ? od_certainty_name(diagnosis->findings.items[0].certainty)
                                      : NULL);
    case OD_FACT_MEANT:
        return od_fact_truth(od_is_called(finding->first, remedy->id));
    case OD_FACT_USELESS:
        return od_fact_truth(od_is_called(finding->useless, remedy->id));
    case OD_FACT_SUSPECTED: /* probably not the cause, and only known from measurements */
        return od_fact_truth(finding->probability < OD_CAUSE_NAMED && !finding->reported);
    case OD_FACT_HELPS:
        return od_fact_truth(remedy->helps.n > 0 &&
                             od_proposal_meets(proposal, &remedy->helps) == OD_YES);
    case OD_FACT_CHANGED:
        return od_fact_truth(od_remedy_was_changed(q, remedy));
    case OD_FACT_ADJUSTS:
        return od_fact_truth(knob);
    case OD_FACT_NO_ROOM:
        return od_fact_truth(!remedy->more && knob && od_room_for_request(q, knob) < 0);
    case OD_FACT_OTHERS:
        return od_fact_truth(is_shared_with_others(diagnosis));
    case OD_FACT_FIGURES:
        return od_fact_truth(!remedy->figures || can_print(diagnosis, remedy->figures));
    case OD_FACT_BATCH:
        return q->answer && q->answer->batch.known ? od_fact_count(q->answer->batch)
                                                   : diagnosis->failure->profile->values[fact];
    case OD_FACT_SORT:
        return sort(proposal);
    case OD_FACT_OWN_KNOB:
        return od_fact_truth(driver && knob && od_software_knob(driver, knob));
    case OD_FACT_HOLDS:
        return od_fact_truth(proposal->owner &&
                             od_software_used_holds(&diagnosis->failure->account, proposal->owner));
    case OD_FACT_CURE:
        return od_fact_word(fact, proposal->made ? od_gain_of(q, proposal->made) : NULL);
    case OD_FACT_WAY:
        return way(proposal);
    case OD_FACT_OFFERED:
        return offered(proposal);
    case OD_FACT_FROM:
        return od_fact_word(fact, proposal->made ? proposal->made->from : NULL);
    case OD_FACT_ABOUT:
        return about(proposal);
    case OD_FACT_BEST:
        return od_fact_truth(finding == diagnosis->findings.items);
    case OD_FACT_RECOMMENDED:
        return od_fact_truth(proposal->owner);
    case OD_FACT_FOR_TRAINING:
        return od_fact_truth(work && work->bits == od_fact_bit(OD_FACT_WORK, "training"));
    case OD_FACT_OF_MESSAGE:
        return od_fact_truth(od_when_test_of(&remedy->when, OD_FACT_SAID, NULL));
    case OD_FACT_NONE_FITS:
        return od_fact_truth(q->answer && q->answer->largest.known && q->answer->largest.n == 0);
    case OD_FACT_NO_NETWORK:
        return od_fact_truth(has_no_network(proposal));
    case OD_FACT_LOADER_SMALL: /* according to the memory that the log or the user gives */
        return od_fact_truth(q->host && q->host->small && q->host->name.n == 0);
    default:
        *ret_own = false;
        return (struct od_fact_value){0};
    }
}

/* Is it a fact that the row of a program's own answer decides, and not the condition of the remedy
 * whose texts it uses? */
static bool is_settled(enum od_fact fact)
{
    return fact == OD_FACT_SORT || fact == OD_FACT_MEMORY || fact == OD_FACT_MEANT;
}

static enum od_tri ask(const void *with, const struct od_when_step *test)
{
    const struct od_proposal *proposal = with;
    if (test->fact == OD_FACT_VERSION)
        return od_is_older(proposal->q, proposal->owner, test->text);
    if (test->fact == OD_FACT_SHOWS)
        return shows(proposal, test->text) ? OD_YES : OD_NO;
    if (test->fact == OD_FACT_ASKS)
        return od_is_called(proposal->finding->first, test->text) ? OD_YES : OD_NO;
    if (test->fact == OD_FACT_CHOSEN)
        return od_remedies_have(proposal->chosen, proposal->nchosen, test->text) ? OD_YES : OD_NO;
    if (proposal->answered && is_settled(test->fact))
        return OD_YES;
    bool own = true;
    struct od_fact_value value = value_of(proposal, test->fact, &own);
    return own ? od_fact_test(&value, test) : od_profile_ask(proposal->q->diagnosis->profile, test);
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
        if (od_proposal_meets(proposal, &kind->when) != OD_NO)
            return true;
    }
    return false;
}

/* Does a setting of that name reduce the memory that was short? */
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
    return knob->relieves ? is_one_short(proposal, knob->relieves)
                          : name_relieves(proposal, knob->name);
}

bool od_proposal_is_for(const struct od_proposal *proposal, struct od_view setting)
{
    const struct od_advice *settings = settings_of(proposal);
    const char *const *meanings = od_subject_meanings(OD_SUBJECT_SIZE);
    uint64_t means = od_words_mean(&od_shipped_meanings[OD_SUBJECT_SIZE], setting, true);
    OD_FOR_EACH_OF (const struct od_advice_kind, part, settings->named, settings->nnamed)
        for (unsigned i = 0; meanings[i]; i++)
            if (od_means(means, i) && strcmp(meanings[i], part->name) == 0 &&
                od_proposal_meets(proposal, &part->when) == OD_YES)
                return false;
    return true;
}

bool od_proposal_relieves(const struct od_proposal *proposal)
{
    const struct od_advice_remedy *remedy = proposal->remedy;
    if (remedy->more || (!remedy->relieves && !remedy->knobs))
        return true;
    if (remedy->relieves)
        return is_one_short(proposal, remedy->relieves);
    for (size_t i = 0; remedy->knobs[i]; i++)
        if (name_relieves(proposal, remedy->knobs[i]))
            return true;
    return false;
}

/* The conditions on the object of a remedy: those of its setting's row, otherwise its own,
 * otherwise those of the setting's name. */
static const struct od_when *needs_of(const struct od_proposal *proposal)
{
    const struct od_advice *settings = settings_of(proposal);
    const struct od_advice_remedy *remedy = proposal->remedy;
    const struct od_remedy_how *how = proposal->made->how;
    const struct od_software *of = how->knob ? od_software_find(od_view_of(how->framework)) : NULL;
    const struct od_knob *knob = of ? od_software_knob(of, how->knob) : NULL;
    const char *name = how->knob ? how->knob : remedy->knobs ? remedy->knobs[0] : "";
    if (knob && knob->needs.text)
        return &knob->needs;
    OD_FOR_EACH_OF (const struct od_advice_kind, object, settings->objects, settings->nobjects)
        if (!remedy->needs.text && od_is_among(name, object->knobs))
            return &object->when;
    return &remedy->needs;
}

enum od_tri od_proposal_present(const struct od_proposal *proposal)
{
    if (!proposal->made)
        return OD_CANNOT_TELL;
    bool said = od_remedy_is_shown(proposal->made) || proposal->made->action.what ||
                od_remedy_is_about(proposal->remedy, "named");
    return said ? OD_YES : od_proposal_meets(proposal, needs_of(proposal));
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
