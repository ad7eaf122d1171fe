#include "advise/score.h"

#include "answer/options.h"

bool od_remedy_is_about(const struct od_advice_remedy *advice, const char *subject)
{
    return advice->about && od_is_among(subject, advice->about);
}

bool od_remedy_is_for_host(const struct od_advise_question *question)
{
    const struct od_incident *failure = question->diagnosis->failure->run.ended;
    return failure && od_incident_kind_is_host(failure->kind);
}

bool od_remedy_only_delays(const struct od_diagnosis *diagnosis,
                           const struct od_advice_remedy *advice)
{
    enum od_cause cause = od_first_cause(diagnosis);
    return advice->more && (cause == OD_CAUSE_HOST_LEAK || cause == OD_CAUSE_DEVICE_LEAK);
}

/* Terms of a remedy's score. */
static const double own_words = 20, it_fits = 20, it_does_not = -60, no_workers = -50,
                    it_is_shown = 16, a_doubt = 16;

static bool has_workers(const struct od_advise_question *q, const struct od_finding *finding)
{
    bool died =
        finding->cause == OD_CAUSE_WORKERS_HOST_MEMORY || finding->cause == OD_CAUSE_SHM_TOO_SMALL;
    return died || od_case_setting(q->c, OD_SETTING_WORKERS).n > 0 ||
           od_case_setting(q->c, OD_SETTING_JOBS).n > 0;
}

bool od_remedy_is_shown(const struct od_remedy *remedy)
{
    for (size_t i = 0; i < remedy->nhow; i++)
        if (remedy->how[i].edit.from || remedy->how[i].on)
            return true;
    return false;
}

/* Is it a remedy for parallel work although nothing shows any? For a language that means a server;
 * most tools use one thread by default. */
static bool is_for_unseen_workers(const struct od_advise_question *q,
                                  const struct od_remedy *remedy)
{
    const struct od_advice_remedy *advice = remedy->advice;
    const struct od_software *driver = q->diagnosis->failure->stack.driver;
    bool server = driver && driver->sort == OD_SORT_RUNTIME;
    bool single = driver && driver->sort == OD_SORT_TOOL && !od_remedy_is_shown(remedy) &&
                  od_remedy_is_about(advice, "threads");
    return single || ((od_remedy_is_about(advice, "workers") ||
                       (server && od_remedy_is_about(advice, "jobs"))) &&
                      !has_workers(q, remedy->finding));
}

/* Is it a setting of the array library that failed, or an answer of its developers? */
static bool is_turned_of_arrays(const struct od_advise_question *q, const struct od_remedy *remedy)
{
    const struct od_software *arrays = od_stack_arrays(&q->diagnosis->failure->stack);
    for (size_t i = 0; i < remedy->nhow; i++)
        if (arrays && remedy->how[i].turned && strcmp(remedy->how[i].framework, arrays->name) == 0)
            return true;
    return arrays && remedy->by == arrays;
}

/* Does it have a setting of the program, lines to paste, or words of the program's developers? */
static bool is_concrete(const struct od_remedy *remedy)
{
    for (size_t i = 0; i < remedy->nhow; i++)
        if (remedy->how[i].turned || remedy->how[i].code)
            return true;
    return od_remedy_is_about(remedy->advice, "answer");
}

static bool is_for_training(const struct od_advice_remedy *advice)
{
    const struct od_when_step *test = od_when_test_of(&advice->when, OD_FACT_WORK, NULL);
    return test && test->bits == od_fact_bit(OD_FACT_WORK, "training");
}

/* Doubts: remedies for several devices, of which the log may show none or fewer than are used;
 * remedies for training if a program is known and nothing shows that it trains. */
static double doubt(const struct od_advise_question *q, const struct od_remedy *remedy)
{
    const struct od_advice_remedy *advice = remedy->advice;
    static const enum od_setting_id devices[] = {
        OD_SETTING_WORLD_SIZE,           OD_SETTING_NPROC_PER_NODE, OD_SETTING_ZERO_STAGE,
        OD_SETTING_TENSOR_PARALLEL_SIZE, OD_SETTING_SHARDING,       OD_SETTING_NONE};
    const struct od_failure *failure = q->diagnosis->failure;
    bool seen = failure->run.ended && (failure->run.ended->nframes > 0 || failure->stack.driver);
    bool batch = failure->batch.known || (q->answer && q->answer->batch.known);
    bool none =
        seen && !q->diagnosis->failure->use.trains && !q->diagnosis->failure->use.infers && !batch;
    double doubts = 0;
    if (od_remedy_is_about(advice, "devices") &&
        (!od_case_sets_any(q->c, devices) || od_remedy_is_shown(remedy)))
        doubts += q->diagnosis->failure->use.trains ? a_doubt / 2 : a_doubt;
    if (none && !remedy->by && /* its developers know what it does */
        (od_remedy_is_about(advice, "batch") || is_for_training(advice)))
        doubts += a_doubt;
    return doubts;
}

/* Is it one of several changes that only fit together? Its own price does not show that. */
static bool is_one_of_several(const struct od_answer *answer, const struct od_remedy *remedy)
{
    const struct od_plan_option *together = od_answer_together(answer);
    return together && remedy->action.option &&
           od_answer_includes(answer, together, remedy->action.option);
}

double od_remedy_score(const struct od_advise_question *q, const struct od_remedy *remedy,
                       double place, bool first)
{
    bool none_fits = q->answer && q->answer->largest.known && q->answer->largest.n == 0;
    bool together = none_fits && is_one_of_several(q->answer, remedy);
    bool hopeless = !together && od_answer_action_hardly_fits(&remedy->action);
    double score = first && !hopeless ? 100 : -place * OD_A_PLACE;
    /* the user may not have more devices */
    bool devices = od_remedy_is_about(remedy->advice, "devices");
    if (q->diagnosis->failure->stack.driver ||
        (od_remedy_is_about(remedy->advice, "place") && remedy->how[0].turned))
        score += is_concrete(remedy) ? own_words : -own_words;
    if (is_turned_of_arrays(q, remedy))
        score += own_words;
    if (od_remedy_is_shown(remedy) && remedy->action.fits < 0 && !devices)
        score += od_remedy_is_for_host(q) ? it_is_shown / 2 : it_is_shown;
    if (!first)
        score -= doubt(q, remedy);
    if (together || (remedy->action.fits >= 0.5 && !devices && none_fits))
        score += it_fits + 100;
    if (od_when_test_of(&remedy->advice->when, OD_FACT_SAID, NULL) &&
        od_remedy_is_about(remedy->advice, "named") &&
        remedy->finding == q->diagnosis->findings.items) /* for the best finding */
        score += OD_ABOVE_ALL + 100;
    if (hopeless || od_remedy_only_delays(q->diagnosis, remedy->advice))
        score += it_does_not;
    if (!first && !remedy->by && is_for_unseen_workers(q, remedy))
        score += no_workers;
    return score;
}
