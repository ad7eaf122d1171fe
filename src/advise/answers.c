#include "advise/answers.h"

#include "advise/proposal.h"
#include "advise/remedy.h"
#include "advise/ways.h"

struct answers {
    const struct od_advise_question *q;
    const struct od_finding *finding;
    struct od_arena *arena;
    struct od_answered *list;
    size_t n;
    const char *memory; /* memory that an answer assumes to have run out; NULL = as in the log */
};

/* The two kinds of memory of which a person may not say which one ran out. */
static const struct {
    const char *memory, *condition;
} either[] = {{"device", "If GPU memory ran out"}, {"host", "If RAM ran out"}};

enum { BOTH = 3 }; /* a bit for each kind of memory */

/* The kind of memory that ran out, according to the refused request or to the cause. */
static const char *space_of(const struct answers *answers)
{
    bool host = od_cause_is_of_host(answers->finding->cause) || od_remedy_is_for_host(answers->q);
    return answers->memory ? answers->memory : host ? "host" : "device";
}

/* --- an answer as a remedy --- */

/* Describes the generic remedy whose texts an answer of a program's developers uses. */
struct wanted {
    const struct od_software_answer *answer;
    const char *space, *sort; /* sort: sort of program; NULL = any */
    /* the knob may be any of the remedy's knobs; otherwise it must be the first */
    bool among;
};

/* Does the remedy apply to this kind of memory? */
static bool is_of_space(const struct od_advice_remedy *advice, const char *space)
{
    const struct od_when_step *test = od_when_test_of(&advice->when, OD_FACT_MEMORY, NULL);
    return !test || (test->bits & od_fact_bit(OD_FACT_MEMORY, space)) != 0;
}

static bool turns(const struct od_advice_remedy *advice, const struct wanted *wanted)
{
    const struct od_software_answer *answer = wanted->answer;
    return advice->knobs &&
           (wanted->among ? od_is_among(answer->turn, advice->knobs)
                          : strcmp(advice->knobs[0], answer->turn) == 0) &&
           advice->more == answer->more && !od_when_test_of(&advice->when, OD_FACT_SAID, NULL) &&
           !od_remedy_is_about(advice, "named") && is_of_space(advice, wanted->space) &&
           (!wanted->sort || od_remedy_is_for(advice, wanted->sort));
}

static const struct od_advice_remedy *find(const struct od_advice *of, const struct wanted *wanted)
{
    for (size_t i = 0; of && i < of->nremedies; i++)
        if (turns(&of->remedies[i], wanted))
            return &of->remedies[i];
    return NULL;
}

/* The generic remedy with the texts for the answer's knob: of this cause, of the program's
 * settings, or of any cause. */
static const struct od_advice_remedy *words_of(const struct answers *answers,
                                               const struct od_software *of,
                                               const struct od_software_answer *answer)
{
    const struct od_advise_question *q = answers->q;
    const struct od_finding *finding = answers->finding;
    const struct wanted wanted = {answer, space_of(answers), od_sort_words[of->sort], false},
                        loose = {answer, wanted.space, wanted.sort, true};
    const struct od_advice *cause = od_advice_find(q->advice, od_cause_name(finding->cause));
    const struct od_advice_remedy *words = find(cause, &wanted);
    if (!words)
        words = find(od_advice_find(q->advice, OD_ADVICE_OF_KNOBS), &wanted);
    if (!words)
        words = find(cause, &loose);
    for (size_t i = 0; !words && q->advice[i]; i++)
        words = find(q->advice[i], &wanted);
    for (size_t i = 0; !words && q->advice[i]; i++)
        words = find(q->advice[i], &(struct wanted){answer, wanted.space, NULL, false});
    return words;
}

static const char *const is_an_answer[] = {"answer", NULL};

static const struct od_advice_remedy *turning(const struct answers *answers,
                                              const struct od_software *of,
                                              const struct od_software_answer *answer)
{
    struct od_arena *arena = answers->arena;
    struct od_advice_remedy *remedy = OD_NEW(arena, struct od_advice_remedy);
    const struct od_advice_remedy *words = words_of(answers, of, answer);
    const char **knobs = OD_NEW_N(arena, 2, const char *);
    knobs[0] = answer->turn;
    if (words)
        *remedy = *words;
    else
        *remedy = (struct od_advice_remedy){
            .id = od_arena_printf(arena, "turn_%s", answer->turn),
            .title = "Change its setting",
            .cost = "",
            .source = "rules/software",
            .more = answer->more,
        };
    remedy->title = answer->title ? answer->title : remedy->title;
    remedy->named = answer->title ? NULL : remedy->named;
    remedy->cost = answer->cost ? answer->cost : remedy->cost;
    remedy->source = answer->source ? answer->source : remedy->source;
    remedy->needs = answer->needs; /* the conditions are those of the program's own row */
    remedy->knobs = knobs;
    remedy->nhow = 0;
    return remedy;
}

static const struct od_advice_remedy *saying(const struct od_software_answer *answer, size_t place,
                                             struct od_arena *arena)
{
    struct od_advice_remedy *remedy = OD_NEW(arena, struct od_advice_remedy);
    struct od_advice_how *how = OD_NEW(arena, struct od_advice_how);
    *how = (struct od_advice_how){.framework = "any", .text = answer->say, .code = answer->code};
    *remedy = (struct od_advice_remedy){.id = od_arena_printf(arena, "answer_%zu", place + 1),
                                        .title = answer->title,
                                        .cost = answer->cost,
                                        .source = answer->source,
                                        .relieves = answer->relieves,
                                        .needs = answer->needs,
                                        .about = is_an_answer,
                                        .how = how,
                                        .nhow = 1};
    return remedy;
}

/* A remedy for any program, of this cause or of another one. */
static const struct od_advice_remedy *general(const struct od_advise_question *q,
                                              const struct od_finding *finding, const char *id)
{
    const struct od_advice_remedy *found =
        od_advice_remedy_find(od_advice_find(q->advice, od_cause_name(finding->cause)), id);
    for (size_t i = 0; !found && q->advice[i]; i++)
        found = od_advice_remedy_find(q->advice[i], id);
    return found;
}

/* --- programs whose answers apply --- */

/* Makes a separate remedy with its own title if two settings use the same generic remedy. */
static const struct od_advice_remedy *apart(const struct answers *answers,
                                            const struct od_software_answer *answer,
                                            const struct od_advice_remedy *advice)
{
    for (size_t i = 0; answer->turn && answer->title && i < answers->n; i++) {
        if (strcmp(answers->list[i].advice->id, advice->id) != 0)
            continue;
        struct od_advice_remedy *other = OD_NEW(answers->arena, struct od_advice_remedy);
        *other = *advice;
        other->id = od_arena_printf(answers->arena, "turn_%s", answer->turn);
        return other;
    }
    return advice;
}

/* The kinds of memory, as bits, that can be assumed so that the condition holds; 0 = none. Both if
 * the log shows which memory ran out. */
static unsigned holds_for(const struct od_proposal *asked, const struct od_when *when)
{
    struct od_proposal assumed = *asked;
    unsigned worlds = 0;
    for (unsigned i = 0; i < OD_COUNT_OF(either); i++) {
        assumed.memory = asked->finding->cause == OD_CAUSE_UNNAMED_MEMORY ? either[i].memory : NULL;
        worlds |= (unsigned)(od_proposal_meets(&assumed, when) == OD_YES) << i;
    }
    return worlds;
}

/* Adds the assumption to the title: "If RAM ran out: Use fewer threads". */
static const struct od_advice_remedy *only_if(const struct answers *answers, const char *condition,
                                              const struct od_advice_remedy *advice)
{
    struct od_advice_remedy *remedy = OD_NEW(answers->arena, struct od_advice_remedy);
    *remedy = *advice;
    remedy->title = od_arena_printf(answers->arena, "%s: %s", condition, advice->title);
    return remedy;
}

static const struct od_advice_remedy *remedy_of(struct answers *answers,
                                                const struct od_software *software,
                                                const struct od_software_answer *answer)
{
    const struct od_advice_remedy *advice =
        answer->remedy ? general(answers->q, answers->finding, answer->remedy)
        : answer->turn ? turning(answers, software, answer)
                       : saying(answer, answers->n, answers->arena);
    return apart(answers, answer, advice);
}

static void add_of(struct answers *answers, const struct od_software *software)
{
    for (size_t i = 0; software && i < answers->n; i++)
        if (answers->list[i].by == software)
            return;
    const struct od_proposal asked = {
        .q = answers->q, .finding = answers->finding, .remedy = &od_no_remedy, .owner = software};
    /* an error of a language may be that of a program written in it */
    const struct od_software *driver = answers->q->diagnosis->failure->stack.driver;
    bool below = driver && driver != software && software && software->sort == OD_SORT_RUNTIME;
    bool open = answers->finding->cause == OD_CAUSE_UNNAMED_MEMORY;
    unsigned any = 0; /* kinds of memory for which the program has answers */
    for (size_t i = 0; open && software && i < software->nanswers; i++)
        any |= holds_for(&asked, &software->answers[i].when);
    size_t first = answers->n;
    for (size_t m = 0; software && m < OD_COUNT_OF(either); m++)
        for (size_t i = 0; i < software->nanswers && answers->n < OD_ANSWERS_MAX; i++) {
            const struct od_software_answer *answer = &software->answers[i];
            unsigned of = 1U << m;
            bool named = od_proposal_is_exact(&asked, answer);
            unsigned holds = answer->when.text ? holds_for(&asked, &answer->when)
                             : named           ? BOTH
                                               : 0;
            if ((holds & of) == 0 || (holds & (of - 1)) != 0)
                continue;
            answers->memory = open ? either[m].memory : NULL;
            const struct od_advice_remedy *advice = remedy_of(answers, software, answer);
            if (holds != BOTH && any == BOTH)
                advice = only_if(answers, either[m].condition, advice);
            answers->list[answers->n++] =
                (struct od_answered){software, advice, .turned = answer->turn != NULL};
            for (size_t k = first; named && !below && k < answers->n; k++)
                answers->list[k].exact = true;
        }
    answers->memory = NULL;
}

/* Did a program end the driver without being part of it: a launcher, an offloading library? */
static bool is_outside_driver(const struct od_advise_question *q,
                              const struct od_software_part *part)
{
    static const double its_own = 10; /* weight of two marks in the failure itself */
    return part->software->sort == OD_SORT_LIBRARY && part->near >= its_own &&
           !od_software_stands_on(part->software, q->diagnosis->failure->stack.driver);
}

/* For a user's own script, in a language or without a driver: is the program the library, or the
 * service that runs its trials, whose lines are in the failure? */
static bool is_of_script(const struct od_advise_question *q, const struct od_software_part *part)
{
    static const unsigned called = 1u << OD_SORT_LIBRARY | 1u << OD_SORT_ENGINE |
                                   1u << OD_SORT_ARRAY | 1u << OD_SORT_ORCHESTRATOR;
    const struct od_software *driver = q->diagnosis->failure->stack.driver;
    bool script = !driver || od_software_stands_on(part->software, driver);
    /* it belongs to another failure */
    bool near = part->near > 0 || !q->diagnosis->failure->incident;
    return script && (called >> part->software->sort & 1) != 0 && near &&
           od_ways_apply(q, part->software->name);
}

/* Is no other program of the failure built on it, as pandas is on NumPy? */
static bool has_no_dependent(const struct od_software_used *stack,
                             const struct od_software_part *part)
{
    for (size_t i = 0; i < stack->n; i++)
        if (stack->parts[i].software != part->software && stack->parts[i].near > 0 &&
            od_software_stands_on(stack->parts[i].software, part->software))
            return false;
    return true;
}

/* Adds systems and services that report the failure: the one that killed a process, a full page
 * file. */
static void add_those_who_tell(struct answers *answers)
{
    const struct od_software_used *stack = &answers->q->diagnosis->failure->stack;
    for (size_t i = 0; od_remedy_is_for_host(answers->q) && i < stack->n; i++)
        if (stack->parts[i].software->sort == OD_SORT_PLATFORM && stack->parts[i].near > 0)
            add_of(answers, stack->parts[i].software);
}

/* Joins requests to the environment of the program in one remedy with a text for each
 * environment. */
static const struct od_advice_remedy *asked_of_place(const struct answers *answers,
                                                     const struct od_advice_remedy *turning)
{
    const struct od_advice *of =
        od_advice_find(answers->q->advice, od_cause_name(answers->finding->cause));
    for (size_t i = 0; turning->knobs && i < of->nremedies; i++)
        if (od_remedy_is_about(&of->remedies[i], "place") &&
            od_is_among(turning->knobs[0], of->remedies[i].knobs))
            return &of->remedies[i];
    return NULL;
}

static void ask_places(struct answers *answers)
{
    const struct od_software *driver = answers->q->diagnosis->failure->stack.driver;
    for (size_t i = 0; i < answers->n; i++) {
        struct od_answered *answered = &answers->list[i];
        const char *const *knobs = answered->advice->knobs;
        const struct od_knob *knob = knobs ? od_software_knob(answered->by, knobs[0]) : NULL;
        const struct od_advice_remedy *place =
            knob && knob->less == OD_LESS_HIGHER ? asked_of_place(answers, answered->advice) : NULL;
        if (place)
            *answered = (struct od_answered){.advice = place};
        else if (driver && od_software_stands_on(driver, answered->by) && knobs &&
                 od_software_knob(driver, knobs[0])) /* it has its own setting of this kind */
            answered->by = driver;
    }
}

size_t od_answers_of(const struct od_advise_question *question, const struct od_finding *finding,
                     struct od_arena *arena, struct od_answered ret_answers[static OD_ANSWERS_MAX])
{
    const struct od_software_used *stack = &question->diagnosis->failure->stack;
    struct answers answers = {question, finding, arena, ret_answers, 0, NULL};
    for (size_t i = 0; i < stack->n; i++)
        if (is_of_script(question, &stack->parts[i]) && has_no_dependent(stack, &stack->parts[i]))
            add_of(&answers, stack->parts[i].software);
    for (size_t i = 0; i < stack->n; i++)
        if (is_of_script(question, &stack->parts[i]))
            add_of(&answers, stack->parts[i].software);
    for (size_t i = 0; od_remedy_is_for_host(question) && i < stack->n; i++)
        if (od_software_used_holds(&question->diagnosis->failure->account,
                                   stack->parts[i].software))
            add_of(&answers, stack->parts[i].software);
    add_of(&answers, stack->driver);
    for (size_t i = 0; i < stack->n; i++) {
        const struct od_software_part *part = &stack->parts[i];
        /* another library's flags are not in its command */
        bool below = stack->driver && part->software->sort == OD_SORT_RUNTIME &&
                     od_software_stands_on(stack->driver, part->software);
        if (below || (stack->driver && is_outside_driver(question, part)))
            add_of(&answers, part->software);
    }
    add_of(&answers, od_software_used_surroundings(stack));
    add_those_who_tell(&answers);
    ask_places(&answers);
    return answers.n;
}
