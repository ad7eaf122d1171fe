#include "advise/remedies.h"
#include "base/num.h"
#include "base/version.h"
#include "tests/unit/advise/suites.h"
#include "tests/unit/diagnose/case_maker.h"
#include "tests/unit/suite.h"

#include <string.h>

/* --- versions --- */

static const struct {
    const char *version;
    const char *wanted;
    enum od_tri answer;
} versions[] = {
    {"2.3", "2.3", OD_YES},
    {"2.3.1", "2.3", OD_YES},
    {"2.2.9", "2.3", OD_NO},
    {"2.10", "2.3", OD_YES},
    {"1.9.1", "1.10", OD_NO},
    {"1.10.0+cu113", "1.10", OD_YES},
    {"v1.14.0-rc1", "1.14", OD_YES},
    {"3", "2.3", OD_YES},
    {"2", "2.3", OD_CANNOT_TELL},
    {"2", "2.0", OD_YES},
    {"2.3", "2.3.1", OD_CANNOT_TELL},
    {"", "2.3", OD_CANNOT_TELL},
    {"nightly", "2.3", OD_CANNOT_TELL},
    {"99999999999999999999.1", "2.3", OD_CANNOT_TELL},
};

START_TEST(versions_compare_by_their_numbers)
{
    ck_assert_int_eq(od_version_at_least(od_view_of(versions[_i].version), versions[_i].wanted),
                     versions[_i].answer);
}
END_TEST

/* --- selection --- */

/* "version >= V and unless set(NAME, VALUE)" */
#define SINCE(v)                                              \
    {.op = OD_WHEN_LESS, .fact = OD_FACT_VERSION, .text = v}, \
    {                                                         \
        .op = OD_WHEN_NOT                                     \
    }
#define NOT_SET(name, value)                         \
    {.op = OD_WHEN_TRUE,                             \
     .fact = OD_FACT_SET,                            \
     .text = name,                                   \
     .options = (const char *const[]){value, NULL}}, \
    {                                                \
        .op = OD_WHEN_UNLESS                         \
    }
#define AND               \
    {                     \
        .op = OD_WHEN_AND \
    }
#define WHEN(list) .when = {"", list, OD_COUNT_OF(list), 0}
static const struct od_when_step async[] = {SINCE("2.5"),
                                            NOT_SET("allocator_options", "cuda_malloc_async"), AND};
static const struct od_when_step old[] = {
    {.op = OD_WHEN_LESS, .fact = OD_FACT_VERSION, .text = "2.0"}};
static const struct od_when_step half[] = {SINCE("1.10"), NOT_SET("precision", "16"), AND};
static const struct od_when_step one[] = {NOT_SET("batch_size", "=1")};
static const struct od_advice_how ways[] = {
    {.framework = "tensorflow", WHEN(async), .text = "tf"},
    {.framework = "tensorflow", WHEN(old), .text = "tf1"},
    {.framework = "pytorch", WHEN(half), .text = "torch"},
    {.framework = "huggingface", .text = "hf"},
    {.framework = "slurm", .text = "slurm"},
    {.framework = "any", WHEN(one), .text = "any"},
};
static const char *const of_a_batch[] = {"batch", NULL};
static const struct od_advice_remedy fragmented[] = {
    {.id = "reduce_batch",
     .title = "B",
     .cost = "c",
     .source = "s",
     .about = of_a_batch,
     .how = &ways[5],
     .nhow = 1},
    {.id = "defragment",
     .title = "D",
     .cost = "c",
     .figures = "{capacity} of {limit}\n{capacity} in {progress}",
     .source = "s",
     .how = ways,
     .nhow = OD_COUNT_OF(ways)},
};
static const struct od_when_step at_once[] = {
    {.op = OD_WHEN_LESS, .fact = OD_FACT_PROGRESS, .bits = 1}};
static const struct od_advice_remedy batch[] = {
    {.id = "accumulate",
     .about = of_a_batch,
     .title = "A",
     .cost = "c",
     .source = "s",
     .helps = {"", at_once, OD_COUNT_OF(at_once), 0},
     .how = &ways[5],
     .nhow = 1},
    {.id = "defragment", .title = "D", .cost = "c", .source = "s", .how = &ways[5], .nhow = 1},
};
static const struct od_useless_remedy vain[] = {{"empty", "because", "pytorch"}, {"x", "y", "any"}};
static const struct od_advice of_fragmented = {.cause = "fragmented",
                                               .remedies = fragmented,
                                               .nremedies = OD_COUNT_OF(fragmented),
                                               .useless = vain,
                                               .nuseless = OD_COUNT_OF(vain)};
static const struct od_advice of_batch = {
    .cause = "batch_too_large", .remedies = batch, .nremedies = OD_COUNT_OF(batch)};
static const struct od_advice *const all[] = {&of_fragmented, &of_batch, NULL};

/* The ways of `defragment` that stay, their texts joined by blanks; "-": the remedy is not there.
 */
static const struct {
    const char *producer, *name, *value, *said;
    const char *left;
} rows[] = {
    /* whose advice */
    {"tensorflow", NULL, NULL, NULL, "tf tf1 any"},
    {"pytorch", NULL, NULL, NULL, "torch any"},
    {"huggingface", NULL, NULL, NULL, "torch hf any"},
    {"jax", NULL, NULL, NULL, "any"},
    {"python", NULL, NULL, NULL, "any"},
    {"slurm", NULL, NULL, NULL, "slurm any"},
    {"docker", NULL, NULL, NULL, "any"},
    /* versions */
    {"tensorflow", "framework_version", "2.4.1", "", "any"},
    {"tensorflow", "framework_version", "2.5.0", "", "tf any"},
    {"tensorflow", "framework_version", "1.15", "", "tf1 any"},
    {"pytorch", "framework_version", "1.9.0", "", "any"},
    {"pytorch", "framework_version", "1.10.0", "", "torch any"},
    /* on already */
    {"tensorflow", "gpu_allocator", "cuda_malloc_async", "", "tf1 any"},
    {"tensorflow", "gpu_allocator", "CUDA_MALLOC_ASYNC", "", "tf1 any"},
    {"tensorflow", "gpu_allocator", "cuda_malloc", "", "tf tf1 any"},
    {"pytorch", "precision", "bf16", "", "any"},
    {"pytorch", "fp16", "True", "", "any"},
    {"pytorch", "fp16", "False", "", "torch any"},
    {"pytorch", "dtype", "float32", "", "torch any"},
    {"pytorch", "batch_size", "1", "", "torch"},
    {"pytorch", "batch_size", "16", "", "torch any"},
    {"pytorch", "other", "bf16", "", "torch any"},
};

struct scene {
    struct case_maker maker;
    struct od_failure failure;
    struct od_diagnosis diagnosis;
    struct od_arena *arena;
};

static void start(struct scene *scene, const char *producer)
{
    *scene = (struct scene){.arena = od_arena_new()};
    case_maker_init(&scene->maker);
    scene->diagnosis.failure = &scene->failure;
    struct od_incident *incident = case_maker_failure(&scene->maker, NULL, NULL);
    incident->producer = od_view_of(producer);
    incident->evidence.n = 0;
    scene->failure.run.outcome = OD_OUTCOME_MEMORY_FAILURE;
    scene->failure.run.ended = scene->failure.incident = incident;
}

static void find(struct scene *scene, enum od_cause cause, double probability)
{
    struct od_finding finding = {.cause = cause, .probability = probability};
    finding.numbers[0] = (struct od_number){"free_bytes", 3221225472.0};
    finding.numbers[1] = (struct od_number){"free_chunks_count", 7};
    finding.nnumbers = cause == OD_CAUSE_FRAGMENTED ? 2 : 0;
    od_vec_push(&scene->diagnosis.findings, finding);
}

static void end(struct scene *scene)
{
    od_vec_done(&scene->diagnosis.findings);
    od_vec_done(&scene->maker.c.seen);
    case_maker_done(&scene->maker);
    od_arena_free(scene->arena);
}

static const struct od_remedies *pick_of(struct scene *scene, const struct od_advice *const *advice)
{
    /* the groups of programs, and what is never a remedy, are those of the shipped advice */
    const struct od_advice *shipped = od_advice_find(od_shipped_advice, OD_ADVICE_OF_KNOBS);
    const struct od_advice settings = {.cause = OD_ADVICE_OF_KNOBS,
                                       .never = shipped->never,
                                       .nnever = shipped->nnever,
                                       .groups = shipped->groups,
                                       .ngroups = shipped->ngroups};
    const struct od_advice *list[8] = {&settings};
    for (size_t i = 0; advice[i]; i++)
        list[i + 1] = advice[i];
    const struct od_case *c = &scene->maker.c;
    const struct od_incident *incident = scene->failure.incident;
    struct od_prov start = od_start_of(c, incident);
    scene->failure.stack =
        od_software_of_failure(c, incident, &scene->failure.account, start, scene->arena);
    scene->failure.use = od_use_of(c, incident, &scene->failure.stack);
    scene->diagnosis.profile = scene->failure.profile =
        od_profile_of(c, &scene->failure, scene->arena);
    struct od_advise_question question = {
        .c = &scene->maker.c, .diagnosis = &scene->diagnosis, .advice = list};
    return od_remedies_select(&question, scene->arena);
}

static const struct od_remedies *pick(struct scene *scene)
{
    return pick_of(scene, all);
}

static const char *ways_left(struct scene *scene, const struct od_remedies *remedies)
{
    struct od_buf left = {0};
    for (size_t i = 0; i < remedies->n; i++) {
        const struct od_remedy *remedy = &remedies->list[i];
        for (size_t k = 0; strcmp(remedy->advice->id, "defragment") == 0 && k < remedy->nhow; k++)
            od_buf_printf(&left, "%s%s", left.n > 0 ? " " : "", remedy->how[k].text);
    }
    const char *text = od_arena_str(scene->arena, od_buf_view(&left));
    od_buf_done(&left);
    return text;
}

/* Advice for a program of one's own, for a server of models, for a daemon. */
static const struct od_advice_how owners[] = {
    {.framework = "program", .text = "own"},    {.framework = "python", .text = "py"},
    {.framework = "service", .text = "daemon"}, {.framework = "llamacpp", .text = "llama"},
    {.framework = "pytorch", .text = "torch"},  {.framework = "linux", .text = "linux"},
};
static const struct od_advice_remedy owned[] = {{.id = "defragment",
                                                 .title = "D",
                                                 .cost = "c",
                                                 .source = "s",
                                                 .how = owners,
                                                 .nhow = OD_COUNT_OF(owners)}};
static const struct od_advice of_host = {
    .cause = "host_exhausted", .remedies = owned, .nremedies = OD_COUNT_OF(owned)};
static const struct od_advice *const owned_only[] = {&of_host, NULL};

static const struct {
    const char *producer, *process;
    const char *left;
} owner_rows[] = {
    {"linux", "", "linux"},
    {"linux", "python3", "own py linux"},
    {"linux", "mysqld", "linux"},
    {"linux", "nobody-knows", "linux"},
    {"systemd", "nobody-knows", "daemon linux"},
    {"llamacpp", "", "llama linux"},
    {"pytorch", "", "own py torch linux"},
};

START_TEST(advice_is_for_who_failed)
{
    struct scene scene;
    start(&scene, owner_rows[_i].producer);
    scene.maker.c.incidents.items[0].process.name = od_view_of(owner_rows[_i].process);
    find(&scene, OD_CAUSE_HOST_EXHAUSTED, 0.9);
    const struct od_remedies *remedies = pick_of(&scene, owned_only);
    ck_assert_str_eq(ways_left(&scene, remedies), owner_rows[_i].left);
    end(&scene);
}
END_TEST

START_TEST(only_what_applies_is_left)
{
    struct scene scene;
    start(&scene, rows[_i].producer);
    if (rows[_i].name) {
        case_maker_setting(&scene.maker, rows[_i].name, rows[_i].value);
        struct od_setting *last = &scene.maker.c.settings.items[scene.maker.c.settings.n - 1];
        last->said.text = od_view_of(rows[_i].said);
    }
    find(&scene, OD_CAUSE_FRAGMENTED, 0.9);
    ck_assert_str_eq(ways_left(&scene, pick(&scene)), rows[_i].left);
    end(&scene);
}
END_TEST

START_TEST(order_is_that_of_the_findings_and_the_batch_is_not_first)
{
    struct scene scene;
    start(&scene, "tensorflow");
    find(&scene, OD_CAUSE_FRAGMENTED, 0.9);
    find(&scene, OD_CAUSE_BATCH_TOO_LARGE, 0.3);
    scene.failure.capacity = od_bytes_exact(UINT64_C(3) << 30);
    const struct od_remedies *remedies = pick(&scene);
    static const char *const ids[] = {"defragment", "reduce_batch", "accumulate"};
    ck_assert_uint_eq(remedies->n, OD_COUNT_OF(ids));
    for (size_t i = 0; i < remedies->n; i++)
        ck_assert_str_eq(remedies->list[i].advice->id, ids[i]);
    ck_assert_str_eq(remedies->list[0].figures, "3 GiB in 0");
    ck_assert_uint_eq(remedies->nuseless, 1);
    ck_assert_str_eq(remedies->useless[0]->title, "x");
    scene.diagnosis.findings.items[1].probability = 0.49;
    scene.failure.progress = 1; /* the remedy is for the suspect alone */
    ck_assert_uint_eq(pick(&scene)->n, 2);
    scene.diagnosis.findings.items[1].reported = true;
    ck_assert_uint_eq(pick(&scene)->n, 3);
    scene.diagnosis.findings.items[1].reported = false;
    scene.diagnosis.findings.items[1].probability = 0.5;
    ck_assert_uint_eq(pick(&scene)->n, 3);
    scene.failure.capacity = (struct od_bytes){0};
    ck_assert_ptr_null(pick(&scene)->list[0].figures);
    end(&scene);
}
END_TEST

/* What validation gathers is cleared first only where it grows there. */
START_TEST(remedies_of_the_phase_that_grows_come_first)
{
    static const struct od_when_step validation[] = {
        {.op = OD_WHEN_IN, .fact = OD_FACT_GROWS_IN, .bits = 2 | OD_FACT_UNKNOWN}};
    static const struct od_advice_remedy leaks[] = {
        {.id = "drop_results",
         .title = "V",
         .cost = "c",
         .source = "s",
         .how = ways,
         .nhow = 1,
         WHEN(validation)},
        {.id = "fix_leak", .title = "T", .cost = "c", .source = "s", .how = ways, .nhow = 1},
    };
    static const struct od_advice of_leak = {
        .cause = "host_leak", .remedies = leaks, .nremedies = OD_COUNT_OF(leaks)};
    static const struct od_advice *const advice[] = {&of_leak, NULL};
    static const struct {
        enum od_cause cause;
        enum od_series_phase phase;
        const char *first;
    } phases[] = {{OD_CAUSE_HOST_LEAK, OD_SERIES_PHASE_NONE, "drop_results"},
                  {OD_CAUSE_HOST_LEAK, OD_SERIES_PHASE_VALIDATION, "drop_results"},
                  {OD_CAUSE_HOST_LEAK, OD_SERIES_PHASE_TRAIN, "fix_leak"}};
    struct scene scene;
    start(&scene, "tensorflow");
    find(&scene, OD_CAUSE_HOST_LEAK, 0.9);
    for (size_t i = 0; i < OD_COUNT_OF(phases); i++) {
        scene.diagnosis.findings.items[0].cause = phases[i].cause;
        scene.diagnosis.findings.items[0].grows_in = phases[i].phase;
        const struct od_remedies *remedies = pick_of(&scene, advice);
        ck_assert_uint_ge(remedies->n, 1);
        ck_assert_str_eq(remedies->list[0].advice->id, phases[i].first);
    }
    end(&scene);
}
END_TEST

/* Advice about a bucket is for the failure of one: where its size is not known, it is not given. */
START_TEST(buckets_are_made_smaller_where_one_failed)
{
    static const struct od_when_step figures[] = {{.op = OD_WHEN_TRUE, .fact = OD_FACT_FIGURES}};
    static const struct od_advice_remedy remedy = {.id = "smaller_buckets",
                                                   WHEN(figures),
                                                   .title = "B",
                                                   .cost = "c",
                                                   .figures = "{capacity}",
                                                   .source = "s",
                                                   .how = &ways[5],
                                                   .nhow = 1};
    static const struct od_advice of_workspace = {
        .cause = "workspace", .remedies = &remedy, .nremedies = 1};
    static const struct od_advice *const advice[] = {&of_workspace, NULL};
    struct scene scene;
    start(&scene, "pytorch");
    find(&scene, OD_CAUSE_WORKSPACE, 0.9);
    ck_assert_uint_eq(pick_of(&scene, advice)->n, 0);
    scene.failure.capacity = od_bytes_exact(1048576);
    ck_assert_uint_eq(pick_of(&scene, advice)->n, 1);
    end(&scene);
}
END_TEST

/* --- the program that failed --- */

/* A line of the log that shows the sign of that text, with a value where it is a setting. */
static void show(struct case_maker *maker, const char *text, const char *line, const char *value)
{
    const struct od_sign *sign = od_shipped_signs;
    while (sign->text && strcmp(sign->text, text) != 0)
        sign++;
    ck_assert_ptr_nonnull(sign->text);
    struct od_seen seen = {.sign = sign,
                           .value = od_view_of(value),
                           .said = {.at = case_maker_next(maker), .text = od_view_of(line)}};
    od_vec_push(&maker->c.seen, seen);
}

static const char *const kv_knobs[] = {"memory_fraction", NULL};
static const char *const context[] = {"context_length", NULL};
static const struct od_when_step servers[] = {
    {.op = OD_WHEN_IN, .fact = OD_FACT_SORT, .bits = 1 << (OD_SORT_SERVER + 1)}};
static const struct od_advice_remedy of_program[] = {
    {.id = "raise", .title = "R", .cost = "c", .source = "s", .knobs = kv_knobs, .more = true},
    {.id = "shorter", .title = "S", .cost = "c", .source = "s", .knobs = context},
    {.id = "torch", .title = "T", .cost = "c", .source = "s", .how = &ways[2], .nhow = 1},
    {.id = "only",
     .title = "O",
     .cost = "c",
     .source = "s",
     .how = &ways[5],
     .nhow = 1,
     WHEN(servers)},
};
static const struct od_advice program_advice = {
    .cause = "fragmented", .remedies = of_program, .nremedies = OD_COUNT_OF(of_program)};
static const struct od_advice *const program_only[] = {&program_advice, NULL};
static const struct od_advice_remedy lowers[] = {
    {.id = "lower", .title = "L", .cost = "c", .source = "s", .knobs = kv_knobs},
    {.id = "raise", .title = "R", .cost = "c", .source = "s", .knobs = kv_knobs, .more = true},
};
static const struct od_advice lower_advice = {
    .cause = "fragmented", .remedies = lowers, .nremedies = OD_COUNT_OF(lowers)};
static const struct od_advice *const lower_only[] = {&lower_advice, NULL};

/* Settings as the log shows them, and the lines to paste; "-": it is not advised. */
static const struct {
    const char *line, *value;
    const char *raise, *lower;
} settings[] = {
    {"--gpu-memory-utilization 0.90", "0.90", "--gpu-memory-utilization 0.95", NULL},
    {"--gpu-memory-utilization=0.95", "0.95", "-", NULL},
    {NULL, NULL, "--gpu-memory-utilization 0.95", NULL},
};

static const struct od_remedy *listed(const struct od_remedies *remedies, const char *id)
{
    for (size_t i = 0; i < remedies->n; i++)
        if (strcmp(remedies->list[i].advice->id, id) == 0)
            return &remedies->list[i];
    return NULL;
}

static void check_code(const struct od_remedies *remedies, const char *id, const char *code)
{
    const struct od_remedy *remedy = listed(remedies, id);
    if (code && strcmp(code, "-") == 0) {
        ck_assert_ptr_null(remedy);
        return;
    }
    ck_assert_ptr_nonnull(remedy);
    if (code)
        ck_assert_str_eq(remedy->how[0].code, code);
    else
        ck_assert_ptr_null(remedy->how[0].code);
}

START_TEST(a_server_is_told_its_own_settings)
{
    struct scene scene;
    start(&scene, "vllm");
    if (settings[_i].line)
        show(&scene.maker, "--gpu-memory-utilization", settings[_i].line, settings[_i].value);
    find(&scene, OD_CAUSE_FRAGMENTED, 0.9);
    const struct od_remedies *remedies = pick_of(&scene, program_only);
    ck_assert_ptr_nonnull(scene.failure.stack.driver);
    ck_assert_str_eq(scene.failure.stack.driver->name, "vllm");
    check_code(remedies, "raise", settings[_i].raise);
    check_code(remedies, "shorter", NULL);         /* in words: no value is known */
    ck_assert_ptr_null(listed(remedies, "torch")); /* a server has no code to change */
    ck_assert_ptr_nonnull(listed(remedies, "only"));
    remedies = pick_of(&scene, lower_only);
    check_code(remedies, "lower", settings[_i].lower);
    ck_assert_ptr_null(listed(remedies, "raise")); /* what one lowers, no other raises */
    const struct od_remedy *lower = listed(remedies, "lower");
    ck_assert(lower && (lower->how[0].edit.from != NULL) == (settings[_i].line != NULL));
    end(&scene);
}
END_TEST

/* The program nearest to the failure failed; an early line of another program does not count. */
START_TEST(the_program_is_that_of_the_failure)
{
    struct scene scene;
    scene = (struct scene){.arena = od_arena_new()};
    case_maker_init(&scene.maker);
    show(&scene.maker, "TensorFlow", "TensorFlow", "");
    for (int i = 0; i < 100; i++)
        (void)case_maker_next(&scene.maker);
    show(&scene.maker, "-packages/torch/", "site-packages/torch/nn", "");
    struct od_incident *incident = case_maker_failure(&scene.maker, NULL, NULL);
    incident->producer = OD_VIEW("pytorch");
    case_maker_frame(&scene.maker, incident, "/home/me/fit.py", "main");
    scene.failure.run.outcome = OD_OUTCOME_MEMORY_FAILURE;
    scene.failure.run.ended = scene.failure.incident = incident;
    scene.diagnosis.failure = &scene.failure;
    struct od_software_used stack =
        od_software_of_failure(&scene.maker.c, incident, &scene.failure.account,
                               od_start_of(&scene.maker.c, incident), scene.arena);
    ck_assert(!stack.driver && stack.own && stack.n == 2);
    ck_assert_str_eq(stack.parts[0].software->name, "pytorch");
    end(&scene);
}
END_TEST

START_TEST(an_unknown_version_is_said_to_be_needed)
{
    struct scene scene;
    start(&scene, "tensorflow");
    find(&scene, OD_CAUSE_FRAGMENTED, 0.9);
    const struct od_remedy *first = &pick(&scene)->list[0];
    ck_assert_str_eq(first->how[0].needs, "TensorFlow 2.5 or newer");
    ck_assert_str_eq(first->how[1].needs, "TensorFlow before 2.0");
    case_maker_setting(&scene.maker, "framework_version", "2.9.0");
    ck_assert_ptr_null(pick(&scene)->list[0].how[0].needs);
    end(&scene);
}
END_TEST

START_TEST(nothing_is_advised_where_memory_did_not_fail)
{
    static const enum od_outcome outcomes[] = {OD_OUTCOME_OTHER_FAILURE, OD_OUTCOME_NO_FAILURE};
    struct scene scene;
    start(&scene, "tensorflow");
    ck_assert_ptr_null(pick(&scene)); /* no finding */
    find(&scene, OD_CAUSE_FRAGMENTED, 0.9);
    ck_assert_ptr_nonnull(pick(&scene));
    for (size_t i = 0; i < OD_COUNT_OF(outcomes); i++) {
        scene.failure.run.outcome = outcomes[i];
        ck_assert_ptr_null(pick(&scene));
    }
    end(&scene);
}
END_TEST

START_TEST(a_setting_that_was_changed_back_is_off)
{
    struct scene scene;
    start(&scene, "tensorflow");
    find(&scene, OD_CAUSE_FRAGMENTED, 0.9);
    case_maker_setting(&scene.maker, "gpu_allocator", "cuda_malloc_async");
    case_maker_setting(&scene.maker, "gpu_allocator", "bfc");
    ck_assert_str_eq(ways_left(&scene, pick(&scene)), "tf tf1 any");
    end(&scene);
}
END_TEST

Suite *od_version_suite(void)
{
    return od_suite_loop("versions", versions_compare_by_their_numbers, (int)OD_COUNT_OF(versions));
}

Suite *od_unless_suite(void)
{
    return od_suite_loop("what applies", only_what_applies_is_left, (int)OD_COUNT_OF(rows));
}

Suite *od_remedy_suite(void)
{
    Suite *suite = suite_create("remedies");
    TCase *tcase = tcase_create("remedies");
    tcase_add_test(tcase, order_is_that_of_the_findings_and_the_batch_is_not_first);
    tcase_add_test(tcase, remedies_of_the_phase_that_grows_come_first);
    tcase_add_test(tcase, buckets_are_made_smaller_where_one_failed);
    tcase_add_loop_test(tcase, a_server_is_told_its_own_settings, 0, (int)OD_COUNT_OF(settings));
    tcase_add_test(tcase, the_program_is_that_of_the_failure);
    tcase_add_test(tcase, an_unknown_version_is_said_to_be_needed);
    tcase_add_test(tcase, nothing_is_advised_where_memory_did_not_fail);
    tcase_add_test(tcase, a_setting_that_was_changed_back_is_off);
    tcase_add_loop_test(tcase, advice_is_for_who_failed, 0, (int)OD_COUNT_OF(owner_rows));
    suite_add_tcase(suite, tcase);
    return suite;
}
