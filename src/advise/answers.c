#include "advise/answers.h"

#include "advise/proposal.h"
#include "advise/remedy.h"
#include "advise/ways.h"

/* The memory that ran out, according to the refused request or to the cause. */
static const char *space_of(const struct od_advise_question *q, const struct od_finding *finding)
{
    return od_cause_is_of_host(finding->cause) || od_remedy_is_for_host(q) ? "host" : "device";
}

/* --- an answer as a remedy --- */

/* Which generic remedy has the words for an answer's knob. */
struct wanted {
    const struct od_software_answer *answer;
    const char *space, *sort; /* sort: sort of program; NULL = any */
    bool among;               /* the knob may be any of the remedy's knobs; otherwise it must be
                                 the first one */
};

/* Is the remedy for both kinds of memory, or for this kind? */
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

/* The generic remedy for the answer's knob: of this cause, of the program's settings, or of any
 * cause. */
static const struct od_advice_remedy *words_of(const struct od_advise_question *q,
                                               const struct od_finding *finding,
                                               const struct od_software *of,
                                               const struct od_software_answer *answer)
{
    const struct wanted wanted = {answer, space_of(q, finding), od_sort_words[of->sort], false},
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

static const struct od_advice_remedy *turning(const struct od_advise_question *q,
                                              const struct od_finding *finding,
                                              const struct od_software *of,
                                              const struct od_software_answer *answer,
                                              struct od_arena *arena)
{
    struct od_advice_remedy *remedy = OD_NEW(arena, struct od_advice_remedy);
    const struct od_advice_remedy *words = words_of(q, finding, of, answer);
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
    remedy->needs = answer->needs; /* the program's own row decides */
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

/* A remedy that applies to any program, of this cause or of another one. */
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

struct answers {
    const struct od_advise_question *q;
    const struct od_finding *finding;
    struct od_arena *arena;
    struct od_answered *list;
    size_t n;
};

/* If two settings use the same generic remedy, the second one gets its own title and is a separate
 * remedy. */
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

static void add_of(struct answers *answers, const struct od_software *software)
{
    for (size_t i = 0; software && i < answers->n; i++)
        if (answers->list[i].by == software)
            return;
    const struct od_proposal asked = {
        .q = answers->q, .finding = answers->finding, .remedy = &od_no_remedy, .owner = software};
    /* a language's own error may be that of a program written in it */
    const struct od_software *driver = answers->q->diagnosis->failure->stack.driver;
    bool below = driver && driver != software && software && software->sort == OD_SORT_RUNTIME;
    for (size_t i = 0, first = answers->n;
         software && i < software->nanswers && answers->n < OD_ANSWERS_MAX; i++) {
        const struct od_software_answer *answer = &software->answers[i];
        bool named = od_proposal_is_exact(&asked, answer);
        if (answer->when.text ? od_proposal_meets(&asked, &answer->when) != OD_YES : !named)
            continue;
        const struct od_advice_remedy *advice =
            answer->remedy ? general(answers->q, answers->finding, answer->remedy)
            : answer->turn ? turning(answers->q, answers->finding, software, answer, answers->arena)
                           : saying(answer, answers->n, answers->arena);
        advice = apart(answers, answer, advice);
        answers->list[answers->n++] =
            (struct od_answered){software, advice, .turned = answer->turn != NULL};
        bool exact = named && !below;
        for (size_t k = first; exact && k < answers->n; k++)
            answers->list[k].exact = true;
    }
}

/* Is it a program that the driver is not built on but that ended the driver: a launcher, an
 * offloading library? */
static bool is_beside(const struct od_advise_question *q, const struct od_stack_part *part)
{
    static const double its_own = 10; /* two marks in the failure itself */
    return part->software->sort == OD_SORT_LIBRARY && part->near >= its_own &&
           !od_software_stands_on(part->software, q->diagnosis->failure->stack.driver);
}

/* For a user's own script, written in a language or without a driver: is it the library or what
 * runs its trials, whose lines are in the failure? */
static bool is_of_script(const struct od_advise_question *q, const struct od_stack_part *part)
{
    static const unsigned called = 1u << OD_SORT_LIBRARY | 1u << OD_SORT_ENGINE |
                                   1u << OD_SORT_ARRAY | 1u << OD_SORT_ORCHESTRATOR;
    const struct od_software *driver = q->diagnosis->failure->stack.driver;
    bool script = !driver || od_software_stands_on(part->software, driver);
    bool near = part->near > 0 || !q->diagnosis->failure->incident; /* of another failure */
    return script && (called >> part->software->sort & 1) != 0 && near &&
           od_ways_apply(q, part->software->name);
}

/* Does no other program of the failure build on it, as pandas builds on NumPy? */
static bool has_no_dependent(const struct od_stack *stack, const struct od_stack_part *part)
{
    for (size_t i = 0; i < stack->n; i++)
        if (stack->parts[i].software != part->software && stack->parts[i].near > 0 &&
            od_software_stands_on(stack->parts[i].software, part->software))
            return false;
    return true;
}

/* Adds systems and services that report the failure: what killed a process, a full page file. */
static void add_those_who_tell(struct answers *answers)
{
    const struct od_stack *stack = &answers->q->diagnosis->failure->stack;
    for (size_t i = 0; od_remedy_is_for_host(answers->q) && i < stack->n; i++)
        if (stack->parts[i].software->sort == OD_SORT_PLATFORM && stack->parts[i].near > 0)
            add_of(answers, stack->parts[i].software);
}

/* A request to the place in which the program runs is one remedy with words for each place. */
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
                 od_software_knob(driver, knobs[0])) /* it has its own setting for this */
            answered->by = driver;
    }
}

size_t od_answers_of(const struct od_advise_question *question, const struct od_finding *finding,
                     struct od_arena *arena, struct od_answered ret_answers[static OD_ANSWERS_MAX])
{
    const struct od_stack *stack = &question->diagnosis->failure->stack;
    struct answers answers = {question, finding, arena, ret_answers, 0};
    for (size_t i = 0; i < stack->n; i++)
        if (is_of_script(question, &stack->parts[i]) && has_no_dependent(stack, &stack->parts[i]))
            add_of(&answers, stack->parts[i].software);
    for (size_t i = 0; i < stack->n; i++)
        if (is_of_script(question, &stack->parts[i]))
            add_of(&answers, stack->parts[i].software);
    for (size_t i = 0; od_remedy_is_for_host(question) && i < stack->n; i++)
        if (od_stack_holds(&question->diagnosis->failure->account, stack->parts[i].software))
            add_of(&answers, stack->parts[i].software);
    add_of(&answers, stack->driver);
    for (size_t i = 0; i < stack->n; i++) {
        const struct od_stack_part *part = &stack->parts[i];
        /* the flags of another library are not in its command */
        bool below = stack->driver && part->software->sort == OD_SORT_RUNTIME &&
                     od_software_stands_on(stack->driver, part->software);
        if (below || (stack->driver && is_beside(question, part)))
            add_of(&answers, part->software);
    }
    add_of(&answers, od_stack_surroundings(stack));
    add_those_who_tell(&answers);
    ask_places(&answers);
    return answers.n;
}
