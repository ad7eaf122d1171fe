#include "advise/sources.h"

#include "advise/answers.h"
#include "advise/command_number.h"
#include "advise/own_numbers.h"
#include "advise/remedy.h"
#include "base/mask_digits.h"
#include "facts/trace.h"
#include "failure/found.h"
#include "failure/growth.h"

static void consider(struct od_choice *choice, const struct od_advice_remedy *advice,
                     const char *from)
{
    (void)od_choice_consider(
        choice, &(struct od_offer){.advice = advice, .finding = choice->best, .from = from});
}

/* A copy of the generic remedy with that id, without its condition, for that knob (NULL = the same)
 * and, for any program, with that text and code (text NULL = the same). */
static struct od_advice_remedy *words_of(const struct od_choice *choice, const char *id,
                                         const char *knob, const char *text, const char *code)
{
    const struct od_advice_remedy *words = od_advice_remedy_find(choice->settings, id);
    struct od_advice_remedy *remedy = OD_NEW(choice->arena, struct od_advice_remedy);
    struct od_advice_how *how = OD_NEW(choice->arena, struct od_advice_how);
    const char **knobs = OD_NEW_N(choice->arena, 2, const char *);
    *remedy = *words;
    remedy->when = (struct od_when){0};
    knobs[0] = knob;
    if (knob)
        remedy->knobs = knobs;
    *how = (struct od_advice_how){.framework = "any", .text = text, .code = code};
    if (text) {
        remedy->how = how;
        remedy->nhow = 1;
    }
    return remedy;
}

/* --- remarks in the text --- */

/* Is the value a flag or a variable with its value, in a longer sentence? */
static bool is_line(struct od_view value, struct od_view said)
{
    bool flag = value.p[0] == '-', line = od_view_find_char(value, '_', 0) != OD_VIEW_NONE;
    return (flag || (line && od_view_find_char(value, '=', 0) != OD_VIEW_NONE)) &&
           od_has_digit(value) && said.n > 2 * value.n;
}

/* Quotes a line. If it begins with a parenthesis, only the text within is a whole clause. */
static const char *quote(const struct od_choice *choice, uint64_t line, struct od_view said)
{
    size_t close = said.n > 0 && said.p[0] == '(' ? od_view_find_char(said, ')', 0) : OD_VIEW_NONE;
    if (close != OD_VIEW_NONE)
        said = od_view_from(od_view_head(said, close), 1);
    return od_arena_printf(choice->arena, "Line %llu says: \xe2\x80\x9c%.*s\xe2\x80\x9d",
                           (unsigned long long)line, (int)said.n, said.p);
}

/* Remarks of people that something helped, or that recommend something: a setting by name, or a
 * sentence. */
static const struct {
    const char *id;
    enum od_setting_id said;
    const char *named, *from;
} remarks[] = {
    {"found_here", OD_SETTING_FOUND_WORKED, "worked", "told"},
    {"released_here", OD_SETTING_FOUND_RELEASED, "released", "released"},
    {"advised_here", OD_SETTING_FOUND_ADVISED, "advised", "heard"},
};

static void offer_remarks(struct od_choice *choice)
{
    enum od_outcome outcome = choice->q->diagnosis->failure->run.outcome;
    bool open = outcome == OD_OUTCOME_UNKNOWN; /* also for a batch size */
    for (size_t i = 0; i < OD_COUNT_OF(remarks); i++) {
        const struct od_setting *found =
            od_found_said(choice->q->c, choice->q->diagnosis->failure, remarks[i].said, open);
        if (!found ||
            (remarks[i].said == OD_SETTING_FOUND_ADVISED &&
             (outcome == OD_OUTCOME_SURVIVED || od_choice_has(choice, "found_here") ||
              od_tries_refute(choice->q->diagnosis->failure, found->value, &found->said.at))))
            continue;
        struct od_view said = found->said.text, value = found->value;
        bool released = found->id == OD_SETTING_FOUND_RELEASED;
        struct od_advice_remedy *remedy =
            words_of(choice, remarks[i].id, NULL, quote(choice, found->said.at.line, said),
                     !released && is_line(value, said) ? od_arena_str(choice->arena, value) : NULL);
        size_t letter = od_lower(value.p[0]) == 'v';
        if (released && od_has_digit(value))
            remedy->title = od_arena_printf(choice->arena, "Use version %.*s",
                                            (int)(value.n - letter), value.p + letter);
        uint64_t means = od_meanings_of(OD_SUBJECT_SAID, said, (struct od_view){0});
        consider(choice, remedy,
                 /* the cause there may be another one */
                 od_means(means, OD_SAID_WORKED) ? "elsewhere"
                 : od_is_written_name(value)     ? remarks[i].named
                                                 : remarks[i].from);
    }
}

/* Removes the sentence about a remedy that helped if another remedy sets the value in it. */
static void drop_told_twice(struct od_choice *choice)
{
    const struct od_failure *failure = choice->q->diagnosis->failure;
    const struct od_setting *told =
        od_found_said(choice->q->c, failure, OD_SETTING_FOUND_WORKED, false);
    bool twice = false;
    for (size_t i = 0; told && i < choice->n; i++)
        twice = twice || choice->list[i].how->worked == told->said.at.line;
    for (size_t i = 0; twice && i < choice->n; i++)
        if (strcmp(choice->list[i].advice->id, "found_here") == 0) {
            memmove(&choice->list[i], &choice->list[i + 1],
                    (--choice->n - i) * sizeof *choice->list);
            return;
        }
}

/* --- the error itself --- */

/* A setting that the failing program's own message recommends to change. */
struct hint {
    const struct od_setting *said; /* its value is the name as printed on the line */
    const char *title;             /* "Lower"; NULL = the value is in words of prose */
    const char *knob;              /* knob of a program in the stack; NULL = none */
    /* the name includes the value, "--limit 2000" (not "--x to 2") */
    bool whole;
    bool more;
};

/* Settings named by the failing program (rules/hints.yaml): recommended after the failure, or named
 * in its line or the next one. */
static const struct {
    enum od_setting_id setting;
    const char *title;
    bool more;
    unsigned above, below; /* maximum distance in lines from the failure */
} hints[] = {
    {OD_SETTING_ADVISED_LOWER, "Lower", false, 0, 6},
    {OD_SETTING_ADVISED_RAISE, "Raise", true, 0, 6},
    {OD_SETTING_SAID_LOWER, "Lower", false, 0, 1},
    {OD_SETTING_SAID_RAISE, "Raise", true, 0, 1},
    {OD_SETTING_SAID_USE, "Use", true, 0, 1},
    {OD_SETTING_SAID_DO, NULL, false, 0, 1},
    /* an exception may follow the message with the reason */
    {OD_SETTING_SAID_LEAST, "Do what the error asks for:", true, 3, 1},
};

static const struct od_setting *hint_of(const struct od_advise_question *q, size_t which)
{
    const struct od_incident *failure = q->diagnosis->failure->incident;
    for (size_t i = 0; failure && i < q->c->settings.n; i++) {
        const struct od_setting *setting = &q->c->settings.items[i];
        const struct od_prov *at = &setting->said.at;
        if (setting->id == hints[which].setting && at->source == failure->at.source &&
            at->line + hints[which].above >= failure->at.line &&
            at->line <= failure->last.line + hints[which].below)
            return setting;
    }
    return NULL;
}

/* The knob with that name, of the user's program or of one on which it is built; NULL = none. */
static const char *knob_called(const struct od_advise_question *q, struct od_view name)
{
    const struct od_software_used *stack = &q->diagnosis->failure->stack;
    while (name.n > 1 && strchr("`'\"", name.p[0]))
        name = od_view_from(name, 1);
    name.n = od_back_any(name, name.n, "`'\"");
    /* removes the value: "--limit 20000" */
    name = od_view_head(name, od_view_find_char(name, ' ', 0));
    for (size_t i = 0; i < stack->n; i++) {
        const struct od_software *software = stack->parts[i].software;
        OD_FOR_EACH_OF (const struct od_knob, knob, software->knobs, software->nknobs)
            if (od_knob_is_called(knob, name))
                return knob->name;
    }
    return NULL;
}

/* Finds the setting. False if none is named. Texts live as long as the case. */
static bool find_hint(const struct od_advise_question *question, struct hint *ret_hint)
{
    const struct od_setting *found = NULL;
    for (size_t i = 0; !found && i < OD_COUNT_OF(hints); i++) {
        found = hint_of(question, i);
        *ret_hint = (struct hint){.title = hints[i].title, .more = hints[i].more};
    }
    if (!found)
        return false;
    ret_hint->said = found;
    ret_hint->knob = knob_called(question, found->value);
    size_t blank = od_view_find_char(found->value, ' ', 0);
    ret_hint->whole =
        found->id != OD_SETTING_SAID_LEAST && found->value.p[0] == '-' &&
        od_is_digit(found->value.p[found->value.n - 1]) &&
        (blank == OD_VIEW_NONE || od_view_find_char(found->value, ' ', blank + 1) == OD_VIEW_NONE);
    return true;
}

/* Does the mark belong to the failed program or, for a script, to the platform of its device? */
static bool is_of_failed(const struct od_choice *choice, const struct od_seen *seen)
{
    const struct od_failure *failure = choice->q->diagnosis->failure;
    const struct od_software *driver = failure->stack.driver, *software = seen->sign->software;
    return (driver && od_software_stands_on(driver, software)) ||
           od_prov_distance(&seen->said.at, &failure->run.ended->at) == 0;
}

/* Offers the setting that caused the error according to the catalogue: preferably that of the
 * program itself, otherwise of its runtime. */
static void offer_named(struct od_choice *choice)
{
    const struct od_software *driver = choice->q->diagnosis->failure->stack.driver;
    const struct od_seen *named = NULL;
    OD_FOR_EACH (const struct od_seen, seen, choice->q->c->seen) {
        bool own = seen->sign->software == driver;
        if (seen->sign->mark && seen->sign->mark->knob && is_of_failed(choice, seen) &&
            (!named || (own && named->sign->software != driver)))
            named = seen;
    }
    if (!named)
        return;
    const struct od_software_mark *mark = named->sign->mark;
    const char *id = mark->more ? "raise_named" : "reduce_named";
    const struct od_software *of = named->sign->software;
    (void)od_choice_consider(
        choice, &(struct od_offer){.advice = words_of(choice, id, mark->knob, NULL, NULL),
                                   .finding = choice->best,
                                   .by = driver && od_software_stands_on(driver, of) ? NULL : of,
                                   .from = of->sort == OD_SORT_RUNTIME ? "runtime" : "message"});
}

/* Offers the setting that the failure's message recommends to change. */
static void offer_hint(struct od_choice *choice, const struct hint *hint)
{
    struct od_view name = hint->said->value;
    const char *code = hint->whole ? od_arena_str(choice->arena, name) : NULL;
    struct od_advice_remedy *named =
        words_of(choice, hint->more ? "raise_named" : "reduce_named", hint->knob,
                 quote(choice, hint->said->said.at.line, hint->said->said.text), code);
    named->title = hint->title
                       ? od_arena_printf(choice->arena, "%s %.*s", hint->title, (int)name.n, name.p)
                       : od_arena_printf(choice->arena, "%c%.*s", od_upper(name.p[0]),
                                         (int)name.n - 1, name.p + 1);
    named->knobs = hint->knob ? named->knobs : NULL;
    /* the program's own setting may already be at its limit */
    const struct od_software *driver = choice->q->diagnosis->failure->stack.driver;
    named->nhow = hint->knob && driver && od_software_knob(driver, hint->knob) && !code ? 0 : 1;
    if (!hint->more || hint->said->id == OD_SETTING_SAID_USE)
        named->cost = ""; /* a limit, or another mode: the log does not show which */
    named->more = hint->more;
    consider(choice, named, "message");
}

/* Offers a smaller value of the setting that allows a program more memory than there is, if that is
 * the cause. */
static void offer_less(struct od_choice *choice)
{
    const struct od_failure *failure = choice->q->diagnosis->failure;
    const struct od_set_amount *allowed = &failure->account.allowed;
    const struct od_software *driver = failure->stack.driver;
    if (!allowed->knob || !od_is_called(choice->best->first, "smaller_share"))
        return;
    struct od_advice_remedy *less =
        words_of(choice, "smaller_share", allowed->knob->name, NULL, NULL);
    less->title = allowed->knob->copies ? "Run fewer of them at once" : less->title;
    (void)od_choice_consider(
        choice, &(struct od_offer){.advice = less,
                                   .finding = choice->best,
                                   .by = driver == allowed->software ? NULL : allowed->software,
                                   .turned = true,
                                   .from = "cause"});
}

/* Offers the setting named in the error. An option with its value is preferred to the catalogue's
 * knob, and that to a name alone. */
static void offer_what_the_error_names(struct od_choice *choice)
{
    struct hint hint;
    bool hinted = find_hint(choice->q, &hint);
    size_t before = choice->n;
    if (choice->q->diagnosis->failure->run.ended && !(hinted && hint.whole))
        offer_named(choice);
    if (hinted && choice->n == before)
        offer_hint(choice, &hint);
}

/* Offers a smaller tensor in the failing line if its size is the cause, and the user's code made
 * it, not a kernel of a network. */
static void offer_own_allocation(struct od_choice *choice)
{
    const struct od_incident *failure = choice->q->diagnosis->failure->run.ended;
    const struct od_setting *made = od_found_made(choice->q->c, failure);
    enum od_cause cause = choice->best->cause;
    if (!made || (cause != OD_CAUSE_INPUT_TOO_LARGE && cause != OD_CAUSE_ACCIDENTAL_SHAPE))
        return;
    const char *text = od_arena_printf(
        choice->arena,
        "Line %llu asks for all of it: %.*s. Make it smaller, of a smaller type or in parts.",
        (unsigned long long)made->said.at.line, (int)made->value.n, made->value.p);
    consider(choice, words_of(choice, "own_allocation", NULL, text, NULL), "message");
}

/* --- answers of developers --- */

/* Offers the answers in their order. Their distance in points is small, so that settings shown in
 * the log may come first. */
static void offer_answers(struct od_choice *choice)
{
    static const double apart = 1.5;
    const struct od_finding *finding = choice->best;
    struct od_answered answers[OD_ANSWERS_MAX];
    size_t n = od_answers_of(choice->q, finding, choice->arena, answers);
    for (size_t i = 0; i < n; i++)
        (void)od_choice_consider(choice,
                                 &(struct od_offer){.advice = answers[i].advice,
                                                    .finding = finding,
                                                    .by = answers[i].by,
                                                    .turned = answers[i].turned,
                                                    .from = answers[i].exact ? "error" : "answer",
                                                    .below = apart * (double)i});
}

/* --- the advice of a cause --- */

/* Offers the remedies of an advice in order, each with `apart` points less than the one before it.
 * offer: the first one. */
static void offer_advice(struct od_choice *choice, const struct od_advice *advice,
                         struct od_offer offer, double apart)
{
    OD_FOR_EACH_OF (const struct od_advice_remedy, remedy, advice->remedies, advice->nremedies) {
        offer.advice = remedy;
        bool holds = od_choice_consider(choice, &offer);
        if (holds || !od_when_test_of(&remedy->when, OD_FACT_WORK, NULL))
            offer.below += apart;
    }
}

/* Does more of the exhausted memory help, whatever filled it? */
static bool is_boundary(const struct od_finding *finding)
{
    return finding->cause == OD_CAUSE_GROUP_LIMIT || finding->cause == OD_CAUSE_HOST_EXHAUSTED;
}

/* Distance in points between two causes, and between two remedies of one cause. */
static const double a_finding = 25, a_remedy = 3;

/* Offers the advice of all causes with at least that probability. */
static void offer_causes(struct od_choice *choice, double least)
{
    const struct od_diagnosis *diagnosis = choice->q->diagnosis;
    /* no amount of memory is enough for a corrupted size */
    bool mistaken = od_first_cause(diagnosis) == OD_CAUSE_ACCIDENTAL_SHAPE;
    bool short_of = od_first_cause(diagnosis) != OD_CAUSE_NOT_MEMORY;
    for (size_t i = 0; i < diagnosis->findings.n && (i == 0 || !mistaken); i++) {
        const struct od_finding *finding = &diagnosis->findings.items[i];
        const struct od_advice *of =
            od_advice_find(choice->q->advice, od_cause_name(finding->cause));
        if ((i == 0 || finding->probability >= least || (short_of && is_boundary(finding))))
            offer_advice(choice, of,
                         (struct od_offer){
                             .finding = finding, .from = "cause", .below = (double)i * a_finding},
                         a_remedy);
    }
}

/* For an uncertain failure: also offers the advice of less probable causes. */
static void offer_more(struct od_choice *choice)
{
    if (choice->n < 3)
        offer_causes(choice, 0);
}

/* --- the user's own settings and numbers --- */

/* Offers a change computed from the text's own numbers, before remedies for any program. */
static void offer_own_number(struct od_choice *choice)
{
    const struct od_remedies known = {.list = choice->list, .n = choice->n};
    struct od_own_number own = od_own_number_of(choice->q, &known, choice->arena);
    if (own.reason == OD_OWN_NONE)
        return;
    bool shown =
        own.reason != OD_OWN_LARGEST && (is_boundary(choice->best) || own.reason != OD_OWN_AT_ONCE);
    struct od_advice_remedy *lower = words_of(choice, "own_number", NULL, NULL, NULL);
    lower->title = own.title;
    lower->cost = own.cost ? own.cost : lower->cost;
    (void)od_choice_consider(choice, &(struct od_offer){.advice = lower,
                                                        .finding = choice->best,
                                                        .step = &own.step,
                                                        .from = shown ? "number" : "some_number"});
}

static void offer_settings(struct od_choice *choice)
{
    offer_advice(choice, choice->settings,
                 (struct od_offer){.finding = choice->best, .from = "setting"}, a_remedy / 10);
}

static void offer_probable_causes(struct od_choice *choice)
{
    offer_causes(choice, 0.3);
}

/* When a source is used. */
enum occasion { ALWAYS, ADJUSTABLE, NUMBERED, UNCERTAIN };

/* If two sources offer the same, the earlier one counts. */
static const struct {
    enum occasion when;
    void (*offer)(struct od_choice *choice);
} sources[] = {
    {ALWAYS, offer_remarks},
    {ADJUSTABLE, offer_less},
    {ADJUSTABLE, offer_what_the_error_names},
    {ALWAYS, offer_own_allocation},
    {ALWAYS, offer_answers},
    {ALWAYS, offer_probable_causes},
    {ALWAYS, od_choice_add_known_useless},
    {ADJUSTABLE, offer_settings},
    {NUMBERED, offer_own_number},
    {UNCERTAIN, offer_more},
};

void od_sources_offer(struct od_choice *choice)
{
    enum od_cause cause = od_first_cause(choice->q->diagnosis);
    enum od_outcome outcome = choice->q->diagnosis->failure->run.outcome;
    bool other = outcome == OD_OUTCOME_OTHER_FAILURE;
    /* no setting controls a corrupted size, a time limit or a person's action */
    bool adjustable = !other && cause != OD_CAUSE_ACCIDENTAL_SHAPE && cause != OD_CAUSE_NOT_MEMORY;
    const struct od_product *product = choice->q->diagnosis->product;
    bool numbered = adjustable || (product && product->named) ||
                    od_failure_is_of_threads(choice->q->c, choice->q->diagnosis->failure);
    bool unsure = choice->best->certainty == OD_POSSIBLE && outcome == OD_OUTCOME_MEMORY_FAILURE;
    for (size_t i = 0; i < OD_COUNT_OF(sources); i++)
        if (sources[i].when == ALWAYS || (sources[i].when == ADJUSTABLE ? adjustable
                                          : sources[i].when == NUMBERED ? numbered
                                          : choice->n == 0              ? !other
                                                                        : unsure))
            sources[i].offer(choice);
    drop_told_twice(choice);
}

/* Is it a long-running program that no line shows to be a user's own script? */
static bool is_service(const struct od_choice *choice, const struct od_series *grows)
{
    static const double hours = 2 * 3600;
    double span = grows->samples[grows->nsamples - 1].x - grows->samples[0].x;
    return choice->q->diagnosis->failure->stack.n == 0 && !od_growth_has_steps(choice->q->c) &&
           choice->best->cause == OD_CAUSE_HOST_LEAK && grows->x == OD_X_SECONDS && span >= hours;
}

void od_sources_offer_growth(struct od_choice *choice, const struct od_series *grows,
                             const struct od_evidence *told)
{
    bool host = grows ? od_series_metric_is_host(grows->metric) ||
                            od_series_metric_is_unowned(grows->metric)
                      : !od_means(told->means, OD_SAID_DEVICE_MEMORY);
    struct od_finding *leak = OD_NEW(choice->arena, struct od_finding);
    leak->cause = host ? OD_CAUSE_HOST_LEAK : OD_CAUSE_DEVICE_LEAK;
    leak->grows_in = grows ? grows->phase : OD_SERIES_PHASE_NONE;
    leak->probability = 1; /* the growth is measured */
    choice->best = leak;
    choice->as = !grows || is_service(choice, grows) ? od_sort_words[OD_SORT_SERVER] : NULL;
    const struct od_advice *of = od_advice_find(choice->q->advice, od_cause_name(leak->cause));
    offer_answers(choice);
    offer_advice(choice, of, (struct od_offer){.finding = leak, .from = "cause"}, a_remedy);
}
