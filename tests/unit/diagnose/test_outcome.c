#include "diagnose/diagnose.h"

#include "tests/unit/diagnose/case_maker.h"
#include "tests/unit/diagnose/suites.h"
#include "tests/unit/fit_of.h"
#include "tests/unit/suite.h"

/*
 * A course of a run, one letter for each event:
 *   > start    p progress    s soft warning    r hard refusal
 *   e op error e! as exception (E)    M exception that names memory    x other exception
 *   q exception of a service that names another resource
 *   c crash    d driver refused       0 good end    1 bad end    k killed by the kernel
 *   w worker killed  h shared memory is full    H the same in an exception's words, an echo
 */
struct outcome_row {
    const char *course;
    enum od_outcome outcome;
    uint64_t decided_at; /* line; 0 = not looked at */
    uint32_t failure;    /* incident id */
};

static const struct outcome_row outcome_rows[] = {
    {"", OD_OUTCOME_NO_FAILURE, 0, 0},          {"p", OD_OUTCOME_NO_FAILURE, 0, 0},
    {">pp0", OD_OUTCOME_NO_FAILURE, 4, 0},      {"x", OD_OUTCOME_OTHER_FAILURE, 1, 0},
    {"ppx", OD_OUTCOME_OTHER_FAILURE, 3, 0},    {"xpp", OD_OUTCOME_NO_FAILURE, 0, 0},
    {"pc", OD_OUTCOME_OTHER_FAILURE, 2, 0},     {"p1", OD_OUTCOME_UNKNOWN, 2, 0},
    {"x>p0", OD_OUTCOME_NO_FAILURE, 0, 0},      {"p>x", OD_OUTCOME_OTHER_FAILURE, 3, 0},
    {"s", OD_OUTCOME_SURVIVED, 1, 0},           {"sp", OD_OUTCOME_SURVIVED, 0, 0},
    {"pss", OD_OUTCOME_SURVIVED, 0, 0},         {"sc", OD_OUTCOME_OTHER_FAILURE, 2, 0},
    {"sx", OD_OUTCOME_OTHER_FAILURE, 2, 0},     {"r", OD_OUTCOME_UNKNOWN, 1, 0},
    {"pr", OD_OUTCOME_UNKNOWN, 2, 0},           {"rp", OD_OUTCOME_SURVIVED, 2, 0},
    {"rrp0", OD_OUTCOME_SURVIVED, 0, 0},        {"rx", OD_OUTCOME_OTHER_FAILURE, 2, 0},
    {"rrc1", OD_OUTCOME_OTHER_FAILURE, 0, 0},   {"xr", OD_OUTCOME_UNKNOWN, 2, 0},
    {"rM", OD_OUTCOME_MEMORY_FAILURE, 2, 1},    {"re", OD_OUTCOME_MEMORY_FAILURE, 2, 2},
    {"e", OD_OUTCOME_MEMORY_FAILURE, 1, 1},     {"ppe", OD_OUTCOME_MEMORY_FAILURE, 3, 1},
    {"ep", OD_OUTCOME_SURVIVED, 2, 0},          {"e0", OD_OUTCOME_SURVIVED, 2, 0},
    {"Ep", OD_OUTCOME_MEMORY_FAILURE, 1, 1},    {"exp", OD_OUTCOME_MEMORY_FAILURE, 1, 1},
    {"xe", OD_OUTCOME_MEMORY_FAILURE, 2, 1},    {"E>p0", OD_OUTCOME_MEMORY_FAILURE, 1, 1},
    {">p0>E", OD_OUTCOME_MEMORY_FAILURE, 5, 1}, {"ee1", OD_OUTCOME_MEMORY_FAILURE, 1, 1},
    {"M", OD_OUTCOME_MEMORY_FAILURE, 1, 0},     {"D", OD_OUTCOME_UNKNOWN, 1, 0},
    {"Dp", OD_OUTCOME_SURVIVED, 0, 0},          {"ds", OD_OUTCOME_SURVIVED, 0, 0},
    {"Dx", OD_OUTCOME_OTHER_FAILURE, 2, 0},     {"de", OD_OUTCOME_MEMORY_FAILURE, 2, 1},
    {"pk", OD_OUTCOME_MEMORY_FAILURE, 2, 1},    {"kp", OD_OUTCOME_MEMORY_FAILURE, 1, 1},
    {"pw", OD_OUTCOME_UNKNOWN, 2, 0},           {"r>p", OD_OUTCOME_UNKNOWN, 1, 0},
    {"r1", OD_OUTCOME_MEMORY_FAILURE, 1, 1},    {"rx1", OD_OUTCOME_OTHER_FAILURE, 2, 0},
    {"hp", OD_OUTCOME_SURVIVED, 2, 0},          {"hpH", OD_OUTCOME_MEMORY_FAILURE, 3, 1},
    {"q", OD_OUTCOME_OTHER_FAILURE, 1, 0},
};

static void add_end(struct case_maker *maker, uint64_t status)
{
    case_maker_moment(maker, OD_EV_RUN_ENDED, "ended")->status = od_count_of(status);
}

static void add_shared_memory(struct case_maker *maker, bool again)
{
    struct od_incident *inc = case_maker_incident(
        maker, OD_INC_SHM_EXHAUSTED, again ? "RuntimeError: a worker: Bus error" : "a bus error");
    inc->echo_of = again ? 1 : 0;
}

/* A case of nothing else has a warning in the place of the refusals. */
static void add_driver(struct case_maker *maker, bool alone)
{
    case_maker_driver(maker, 1);
    maker->line -= alone;
    if (alone)
        case_maker_incident(maker, OD_INC_SOFT_WARNING, "failed to allocate from device");
}

static void add_letter(struct case_maker *maker, char letter)
{
    static const struct {
        char letter;
        enum od_event_kind kind;
        const char *name;
    } moments[] = {{'>', OD_EV_RUN_STARTED, "train"},
                   {'p', OD_EV_PROGRESS, "step"},
                   {'x', OD_EV_EXCEPTION, "ValueError"},
                   {'M', OD_EV_EXCEPTION, "ResourceExhaustedError"},
                   {'q', OD_EV_EXCEPTION, "exceptions.ResourceExhausted: 429 Quota exceeded"},
                   {'c', OD_EV_CRASH, "Segmentation fault"}};
    for (size_t i = 0; i < OD_COUNT_OF(moments); i++)
        if (moments[i].letter == letter)
            case_maker_moment(maker, moments[i].kind, moments[i].name);
    if (letter == 's')
        case_maker_incident(maker, OD_INC_SOFT_WARNING, "not a failure, but may mean");
    else if (letter == 'r')
        case_maker_incident(maker, OD_INC_DEVICE_ALLOC_FAILED, "ran out of memory");
    else if (letter == 'e')
        case_maker_incident(maker, OD_INC_DEVICE_ALLOC_FAILED, "OP_REQUIRES failed")->op_error =
            true;
    else if (letter == 'E')
        case_maker_failure(maker, NULL, NULL);
    else if (letter == 'k')
        case_maker_incident(maker, OD_INC_HOST_OOM_KILL, "Killed process 77 (python)");
    else if (letter == 'w')
        case_maker_incident(maker, OD_INC_WORKER_KILLED, "worker exited");
    else if (letter == 'h' || letter == 'H')
        add_shared_memory(maker, letter == 'H');
    else if (letter == 'd' || letter == 'D')
        add_driver(maker, letter == 'D');
    else if (letter == '0' || letter == '1')
        add_end(maker, letter == '1');
}

START_TEST(outcome_follows_from_the_course)
{
    const struct outcome_row *row = &outcome_rows[_i];
    struct case_maker maker;
    case_maker_init(&maker);
    for (const char *p = row->course; *p; p++)
        add_letter(&maker, *p);
    const struct od_diagnosis *diagnosis = od_diagnose(fit_of(&maker.c, NULL));
    ck_assert_msg(diagnosis->failure->run.outcome == row->outcome, "'%s' gives %s, not %s",
                  row->course, od_outcome_name(diagnosis->failure->run.outcome),
                  od_outcome_name(row->outcome));
    ck_assert_ptr_nonnull(diagnosis->failure->run.why);
    if (row->decided_at)
        ck_assert_uint_eq(diagnosis->failure->run.at.line, row->decided_at);
    ck_assert_uint_eq(diagnosis->failure->run.ended ? diagnosis->failure->run.ended->id : 0,
                      row->failure);
    od_diagnosis_free(diagnosis);
    case_maker_done(&maker);
}
END_TEST

/* A complaint, or a failure whose line gives a reason, is never left without a word, and silence is
 * not disturbed. */
START_TEST(every_complaint_gets_a_finding)
{
    const struct outcome_row *row = &outcome_rows[_i];
    struct case_maker maker;
    case_maker_init(&maker);
    for (const char *p = row->course; *p; p++)
        add_letter(&maker, *p);
    const struct od_diagnosis *diagnosis = od_diagnose(fit_of(&maker.c, NULL));
    bool quiet = row->outcome == OD_OUTCOME_NO_FAILURE || diagnosis->failure->run.bare;
    ck_assert_msg((diagnosis->findings.n == 0) == quiet, "'%s' gives %zu findings", row->course,
                  diagnosis->findings.n);
    od_diagnosis_free(diagnosis);
    case_maker_done(&maker);
}
END_TEST

/* A failure in one source is not undone by another source's progress. */
START_TEST(sources_are_judged_apart)
{
    struct case_maker maker;
    case_maker_init(&maker);
    case_maker_incident(&maker, OD_INC_DEVICE_ALLOC_FAILED, "OP_REQUIRES failed")->op_error = true;
    struct od_run_event *moment = case_maker_moment(&maker, OD_EV_PROGRESS, "step");
    moment->first.source = moment->last.source = 1;
    const struct od_diagnosis *diagnosis = od_diagnose(fit_of(&maker.c, NULL));
    ck_assert_int_eq(diagnosis->failure->run.outcome, OD_OUTCOME_MEMORY_FAILURE);
    od_diagnosis_free(diagnosis);
    case_maker_done(&maker);
}
END_TEST

/* A bar that an error's words follow on its line was there before it. */
START_TEST(a_bar_on_the_line_of_an_error_is_no_life_after_it)
{
    struct case_maker maker;
    case_maker_init(&maker);
    case_maker_incident(&maker, OD_INC_DEVICE_ALLOC_FAILED, "9% | 1/11 THCudaCheck FAIL")
        ->op_error = true;
    maker.line--;
    case_maker_moment(&maker, OD_EV_PROGRESS, "9% | 1/11");
    const struct od_diagnosis *diagnosis = od_diagnose(fit_of(&maker.c, NULL));
    ck_assert_int_eq(diagnosis->failure->run.outcome, OD_OUTCOME_MEMORY_FAILURE);
    od_diagnosis_free(diagnosis);
    case_maker_done(&maker);
}
END_TEST

Suite *od_outcome_suite(void)
{
    int rows = (int)OD_COUNT_OF(outcome_rows);
    Suite *suite = od_suite_loop("outcome", outcome_follows_from_the_course, rows);
    TCase *tcase = tcase_create("findings");
    tcase_add_loop_test(tcase, every_complaint_gets_a_finding, 0, rows);
    tcase_add_test(tcase, sources_are_judged_apart);
    tcase_add_test(tcase, a_bar_on_the_line_of_an_error_is_no_life_after_it);
    suite_add_tcase(suite, tcase);
    return suite;
}
