#include "diagnose/diagnose.h"

#include "tests/unit/diagnose/case_maker.h"
#include "tests/unit/diagnose/suites.h"
#include "tests/unit/fit_of.h"
#include "tests/unit/suite.h"

#include <string.h>

#define GIB UINT64_C(1073741824)
#define MIB UINT64_C(1048576)

/* Each cause: a case in which it is the first finding, and a near miss in which it is not there,
 * or is no more than a possibility behind another. */
struct finding_row {
    const char *name;
    void (*make)(struct case_maker *maker);
    enum od_cause cause;
    bool first; /* else: must not be first, nor certain */
    enum od_certainty certainty;
};

static const uint64_t plain_sizes[] = {300 * MIB, 12, 150 * MIB, 20, 4 * MIB, 40, 256, 200, 0};

static void full(struct case_maker *m, const char *shape, const char *op, uint64_t need)
{
    case_maker_failure(m, shape, op);
    case_maker_dump(m, &(struct dump_numbers){.need = need,
                                              .limit = 8 * GIB,
                                              .pool = 8 * GIB,
                                              .in_use = 8 * GIB - 20 * MIB,
                                              .free = 20 * MIB,
                                              .largest_free = 15 * MIB,
                                              .allocations = 900,
                                              .verdict = OD_VERDICT_EXHAUSTED,
                                              .sizes = plain_sizes});
}

static void batch(struct case_maker *m)
{
    case_maker_setting(m, "batch_size", "96");
    full(m, "[96,64,112,112]", "net/conv2/Relu", 308281344);
}

static void batch_of_one(struct case_maker *m)
{
    case_maker_setting(m, "batch_size", "1");
    full(m, "[1,64,112,112]", "net/conv2/Relu", 3211264);
}

static void weights(struct case_maker *m)
{
    full(m, "[50000,2048]", "embed/embeddings/Initializer/random_uniform/mul", 409600000);
}

static void input(struct case_maker *m)
{
    full(m, "[2,64,300,128,128]", "net/conv3d_1/Relu", 2516582400);
}

static void input_of_many(struct case_maker *m)
{
    full(m, "[64,64,56,56]", "net/conv2/Relu", 51380224);
}

static void holes(struct case_maker *m, uint64_t need)
{
    static const uint64_t sizes[] = {400 * MIB, 10, 90 * MIB, 9, 0};
    case_maker_failure(m, "[16,64,320,320]", "net/conv4/Relu");
    case_maker_dump(m, &(struct dump_numbers){.need = need,
                                              .limit = 6 * GIB,
                                              .pool = 6 * GIB,
                                              .in_use = 5 * GIB,
                                              .free = GIB,
                                              .largest_free = 390 * MIB,
                                              .allocations = 90,
                                              .verdict = OD_VERDICT_FRAGMENTED,
                                              .sizes = sizes});
}

static void fragmented(struct case_maker *m)
{
    holes(m, 419430400);
}

static void barely_fits(struct case_maker *m)
{
    holes(m, GIB - 256);
}

static void refused(struct case_maker *m, uint64_t pool)
{
    case_maker_driver(m, 31);
    case_maker_failure(m, "[48,64,112,112]", "net/conv2/Relu");
    case_maker_dump(m, &(struct dump_numbers){.need = 154140672,
                                              .limit = 7 * GIB,
                                              .pool = pool,
                                              .in_use = pool - 40 * MIB,
                                              .free = 40 * MIB,
                                              .largest_free = 30 * MIB,
                                              .allocations = 300,
                                              .verdict = pool < 6 * GIB ? OD_VERDICT_DEVICE_REFUSED
                                                                        : OD_VERDICT_EXHAUSTED,
                                              .sizes = plain_sizes});
}

static void driver(struct case_maker *m)
{
    refused(m, 2 * GIB);
}

static void driver_pool_full(struct case_maker *m)
{
    refused(m, 7 * GIB);
}

static void device(struct case_maker *m, uint64_t capacity, uint64_t free_bytes)
{
    struct od_device *d = case_maker_device(m);
    d->device = OD_VIEW("GPU:0");
    d->capacity = od_bytes_exact(capacity);
    d->free = od_bytes_exact(free_bytes);
}

static void small_dump(struct case_maker *m, uint64_t limit, uint64_t need)
{
    case_maker_failure(m, "[32,128,64,64]", "net/conv2/Relu");
    case_maker_dump(m, &(struct dump_numbers){.need = need,
                                              .limit = limit,
                                              .pool = limit,
                                              .in_use = limit - 2 * MIB,
                                              .free = 2 * MIB,
                                              .largest_free = MIB,
                                              .allocations = 30,
                                              .verdict = OD_VERDICT_EXHAUSTED});
}

static void tenant_proven(struct case_maker *m)
{
    device(m, 11 * GIB, 400 * MIB);
    small_dump(m, 360 * MIB, 67108864);
}

static void tenant_likely(struct case_maker *m)
{
    device(m, 11 * GIB, 900 * MIB);
    small_dump(m, 800 * MIB, 67108864);
}

static void no_tenant(struct case_maker *m)
{
    device(m, 11 * GIB, 11 * GIB - 300 * MIB);
    small_dump(m, 10 * GIB, 67108864);
}

static void cap_proven(struct case_maker *m)
{
    device(m, 11 * GIB, 11 * GIB - 300 * MIB);
    small_dump(m, 2 * GIB, 67108864);
}

static void cap_tiny(struct case_maker *m)
{
    small_dump(m, 200 * MIB, 4096);
}

static void dataset_constant(struct case_maker *m)
{
    case_maker_setting(m, "batch_size", "32");
    case_maker_failure(m, NULL, "_EagerConst");
    case_maker_dump(m, &(struct dump_numbers){.need = 5 * GIB,
                                              .limit = 3 * GIB,
                                              .pool = 3 * GIB,
                                              .in_use = 40 * MIB,
                                              .free = 3 * GIB - 40 * MIB,
                                              .largest_free = 2 * GIB,
                                              .allocations = 90,
                                              .verdict = OD_VERDICT_EXHAUSTED});
}

static void dataset_chunks(struct case_maker *m)
{
    static const uint64_t sizes[] = {
        UINT64_C(9700000000), 2, UINT64_C(2400000000), 2, 300 * MIB, 11, 4 * MIB, 40, 0};
    case_maker_failure(m, "[32,64,180,180]", "twin/conv2d/Relu");
    case_maker_dump(m, &(struct dump_numbers){.need = 265420800,
                                              .limit = 28 * GIB,
                                              .pool = 28 * GIB,
                                              .in_use = UINT64_C(27900000000),
                                              .free = 100 * MIB,
                                              .largest_free = 90 * MIB,
                                              .allocations = 3000,
                                              .verdict = OD_VERDICT_EXHAUSTED,
                                              .sizes = sizes});
}

/* Large activations of a large picture: as many, but each in proportion to its batch. */
static void no_dataset_chunks(struct case_maker *m)
{
    static const uint64_t sizes[] = {2048 * MIB, 5, 1024 * MIB, 4, 0};
    case_maker_failure(m, "[32,64,512,512]", "unet/conv2d/Relu");
    case_maker_dump(m, &(struct dump_numbers){.need = UINT64_C(2147483648),
                                              .limit = 15 * GIB,
                                              .pool = 15 * GIB,
                                              .in_use = 14 * GIB,
                                              .free = GIB,
                                              .largest_free = GIB,
                                              .allocations = 300,
                                              .verdict = OD_VERDICT_EXHAUSTED,
                                              .sizes = sizes});
}

static void whole_test_set(struct case_maker *m)
{
    case_maker_moment(m, OD_EV_PROGRESS, "step 900");
    full(m, "[8000,1,32,32]", "Reshape", 32768000);
}

static void whole_training_set(struct case_maker *m)
{
    case_maker_failure(m, "[14000,128,128,3]", "");
    case_maker_dump(m, &(struct dump_numbers){.need = UINT64_C(2752512000),
                                              .limit = 2 * GIB,
                                              .pool = 2 * GIB,
                                              .in_use = MIB,
                                              .free = 2 * GIB - MIB,
                                              .largest_free = 2 * GIB - MIB,
                                              .allocations = 9,
                                              .verdict = OD_VERDICT_EXHAUSTED});
}

static void absurd(struct case_maker *m)
{
    case_maker_failure(m, NULL, "Mul_3")->requested = od_bytes_exact(UINT64_C(1) << 61);
}

static void piled(struct case_maker *m, uint64_t allocations)
{
    static const uint64_t sizes[] = {21 * MIB, 90, 130 * MIB, 2, 4096, 100, 0};
    case_maker_failure(m, "[32,256,56,56]", "net/conv3/Relu");
    case_maker_dump(m, &(struct dump_numbers){.need = 102760448,
                                              .limit = 2300 * MIB,
                                              .pool = 2300 * MIB,
                                              .in_use = 2250 * MIB,
                                              .free = 50 * MIB,
                                              .largest_free = 20 * MIB,
                                              .allocations = allocations,
                                              .verdict = OD_VERDICT_EXHAUSTED,
                                              .sizes = sizes});
}

static void leak(struct case_maker *m)
{
    piled(m, 44000);
}

static void first_step(struct case_maker *m)
{
    piled(m, 260);
}

/* Equal layers, and a longer sequence than any before: late, and many chunks of one size. */
static void equal_layers(struct case_maker *m)
{
    static const uint64_t sizes[] = {80 * MIB, 48, 20 * MIB, 130, 2 * MIB, 150, 0};
    case_maker_setting(m, "batch_size", "40");
    case_maker_failure(m, "[40,192,3072]", "encoder/layer_10/Gelu/mul");
    case_maker_dump(m, &(struct dump_numbers){.need = 94371840,
                                              .limit = 7000 * MIB,
                                              .pool = 7000 * MIB,
                                              .in_use = 6960 * MIB,
                                              .free = 40 * MIB,
                                              .largest_free = 20 * MIB,
                                              .allocations = 19000,
                                              .verdict = OD_VERDICT_EXHAUSTED,
                                              .sizes = sizes});
}

/* Nearly nothing was free, and the framework leaves a reserve: no cap. */
static void cap_of_the_rest(struct case_maker *m)
{
    device(m, 11 * GIB, 500 * MIB);
    small_dump(m, 270 * MIB, 67108864);
}

static void cap_told(struct case_maker *m)
{
    case_maker_setting(m, "gpu_memory_fraction", "0.3");
    small_dump(m, 3 * GIB, 67108864);
}

static void small_share(struct case_maker *m)
{
    case_maker_device(m)->capacity = od_bytes_exact(16 * GIB);
    small_dump(m, 700 * MIB, 67108864);
}

static void dataset_copied(struct case_maker *m)
{
    dataset_constant(m);
    struct od_incident *incident = &m->c.incidents.items[0];
    incident->tensor.op = (struct od_view){0};
    struct od_evidence *said = &incident->evidence.items[0];
    said->text = OD_VIEW("InternalError: Dst tensor is not initialized.");
    said->means = od_meanings_of(OD_SUBJECT_SAID, said->text, (struct od_view){0});
}

static void growth(struct case_maker *m)
{
    full(m, "[64,32,70,70]", "gradient_tape/sequential_31/conv2d/Conv2DBackpropInput", 40140800);
}

static void no_growth(struct case_maker *m)
{
    full(m, "[64,32,70,70]", "sequential_1/conv2d_17/Relu", 40140800);
}

static void reload(struct case_maker *m)
{
    case_maker_moment(m, OD_EV_PROGRESS, "Epoch 2/20");
    full(m, "[1024,4096]", "RestoreV2/h_5/mlp/weight", 16777216);
}

static void scratch(struct case_maker *m)
{
    case_maker_setting(m, "batch_size", "2");
    full(m, "[2100000000]", "net/conv2d/Conv2D", 2100000000);
    m->c.incidents.items[0].tensor.dtype = OD_UINT8;
}

static void plan(struct case_maker *m)
{
    case_maker_incident(m, OD_INC_SOFT_WARNING,
                        "Can't reduce memory use below 9.31GiB by rematerialization")
        ->producer = OD_VIEW("jax");
    case_maker_failure(m, NULL, NULL)->requested = od_bytes_exact(9 * GIB);
}

static void survived(struct case_maker *m)
{
    case_maker_incident(m, OD_INC_SOFT_WARNING, "not a failure");
    case_maker_moment(m, OD_EV_PROGRESS, "10 images/sec");
}

static void crashed(struct case_maker *m)
{
    case_maker_moment(m, OD_EV_CRASH, "Segmentation fault");
}

static void kv(struct case_maker *m)
{
    case_maker_incident(m, OD_INC_KV_CACHE_TOO_SMALL, "larger than the available KV cache");
}

static const struct finding_row finding_rows[] = {
    {"batch", batch, OD_CAUSE_BATCH_TOO_LARGE, true, OD_LIKELY},
    {"batch of one", batch_of_one, OD_CAUSE_BATCH_TOO_LARGE, false, OD_LIKELY},
    {"weights", weights, OD_CAUSE_MODEL_TOO_LARGE, true, OD_LIKELY},
    {"no weights", batch, OD_CAUSE_MODEL_TOO_LARGE, false, OD_POSSIBLE},
    {"input", input, OD_CAUSE_INPUT_TOO_LARGE, true, OD_LIKELY},
    {"many small inputs", input_of_many, OD_CAUSE_INPUT_TOO_LARGE, false, OD_LIKELY},
    {"fragmented", fragmented, OD_CAUSE_FRAGMENTED, true, OD_LIKELY},
    {"barely fits", barely_fits, OD_CAUSE_FRAGMENTED, false, OD_POSSIBLE},
    {"driver", driver, OD_CAUSE_DRIVER_REFUSED, true, OD_CERTAIN},
    {"driver, pool full", driver_pool_full, OD_CAUSE_DRIVER_REFUSED, false, OD_LIKELY},
    {"tenant proven", tenant_proven, OD_CAUSE_OTHER_TENANT, true, OD_CERTAIN},
    {"tenant likely", tenant_likely, OD_CAUSE_OTHER_TENANT, true, OD_LIKELY},
    {"no tenant", no_tenant, OD_CAUSE_OTHER_TENANT, false, OD_LIKELY},
    {"cap proven", cap_proven, OD_CAUSE_CAPPED, true, OD_CERTAIN},
    {"cap tiny", cap_tiny, OD_CAUSE_CAPPED, true, OD_LIKELY},
    {"no cap", no_tenant, OD_CAUSE_CAPPED, false, OD_LIKELY},
    {"cap told", cap_told, OD_CAUSE_CAPPED, true, OD_LIKELY},
    {"small share", small_share, OD_CAUSE_OTHER_TENANT, true, OD_LIKELY},
    {"dataset copied", dataset_copied, OD_CAUSE_DATASET_ON_DEVICE, true, OD_LIKELY},
    {"cap of the rest", cap_of_the_rest, OD_CAUSE_CAPPED, false, OD_LIKELY},
    {"dataset constant", dataset_constant, OD_CAUSE_DATASET_ON_DEVICE, true, OD_LIKELY},
    {"dataset shape", whole_training_set, OD_CAUSE_DATASET_ON_DEVICE, true, OD_LIKELY},
    {"dataset chunks", dataset_chunks, OD_CAUSE_DATASET_ON_DEVICE, true, OD_LIKELY},
    {"no dataset", no_dataset_chunks, OD_CAUSE_DATASET_ON_DEVICE, false, OD_LIKELY},
    {"evaluation", whole_test_set, OD_CAUSE_EVALUATION_ACCUMULATES, true, OD_LIKELY},
    {"no evaluation", whole_training_set, OD_CAUSE_EVALUATION_ACCUMULATES, false, OD_LIKELY},
    {"absurd", absurd, OD_CAUSE_ACCIDENTAL_SHAPE, true, OD_LIKELY},
    {"not absurd", dataset_constant, OD_CAUSE_ACCIDENTAL_SHAPE, false, OD_LIKELY},
    {"leak", leak, OD_CAUSE_DEVICE_LEAK, true, OD_LIKELY},
    {"first step", first_step, OD_CAUSE_DEVICE_LEAK, false, OD_LIKELY},
    {"equal layers", equal_layers, OD_CAUSE_DEVICE_LEAK, false, OD_LIKELY},
    {"growth", growth, OD_CAUSE_GRAPH_GROWTH, true, OD_LIKELY},
    {"no growth", no_growth, OD_CAUSE_GRAPH_GROWTH, false, OD_LIKELY},
    {"reload", reload, OD_CAUSE_MODEL_RELOAD, true, OD_LIKELY},
    {"no reload", weights, OD_CAUSE_MODEL_RELOAD, false, OD_LIKELY},
    {"scratch", scratch, OD_CAUSE_WORKSPACE, true, OD_POSSIBLE},
    {"no scratch", batch, OD_CAUSE_WORKSPACE, false, OD_LIKELY},
    {"plan", plan, OD_CAUSE_COMPILE_PLAN, true, OD_LIKELY},
    {"no plan", batch, OD_CAUSE_COMPILE_PLAN, false, OD_LIKELY},
    {"survived", survived, OD_CAUSE_SURVIVED, true, OD_LIKELY},
    {"not survived", batch, OD_CAUSE_SURVIVED, false, OD_LIKELY},
    {"not memory", crashed, OD_CAUSE_NOT_MEMORY, true, OD_LIKELY},
    {"memory", batch, OD_CAUSE_NOT_MEMORY, false, OD_LIKELY},
    {"cache", kv, OD_CAUSE_KV_CACHE, true, OD_LIKELY},
};

static void check_shape(const struct od_diagnosis *diagnosis)
{
    for (size_t i = 0; i < diagnosis->findings.n; i++) {
        const struct od_finding *f = &diagnosis->findings.items[i];
        ck_assert(f->probability > 0 && f->probability <= 1);
        ck_assert_ptr_nonnull(f->summary);
        ck_assert_int_ne(f->summary[0], '\0');
        if (i > 0)
            ck_assert(diagnosis->findings.items[i - 1].probability >= f->probability);
        for (size_t j = 0; j < i; j++)
            ck_assert_int_ne(diagnosis->findings.items[j].cause, f->cause);
    }
}

START_TEST(cause_fires_and_near_miss_does_not)
{
    const struct finding_row *row = &finding_rows[_i];
    struct case_maker maker;
    case_maker_init(&maker);
    row->make(&maker);
    const struct od_diagnosis *diagnosis = od_diagnose(fit_of(&maker.c, NULL));
    check_shape(diagnosis);
    ck_assert_uint_gt(diagnosis->findings.n, 0);
    const struct od_finding *first = &diagnosis->findings.items[0];
    if (row->first) {
        ck_assert_msg(first->cause == row->cause, "%s: first is %s", row->name,
                      od_cause_name(first->cause));
        ck_assert_int_eq(first->certainty, row->certainty);
    }
    for (size_t i = 0; !row->first && i < diagnosis->findings.n; i++)
        if (diagnosis->findings.items[i].cause == row->cause) {
            ck_assert_msg(i > 0, "%s: %s is first", row->name, od_cause_name(row->cause));
            ck_assert_int_ne(diagnosis->findings.items[i].certainty, OD_CERTAIN);
        }
    od_diagnosis_free(diagnosis);
    case_maker_done(&maker);
}
END_TEST

/* After life nothing but the survival is more than a possibility. */
START_TEST(survivors_are_not_blamed)
{
    const struct finding_row *row = &finding_rows[_i];
    struct case_maker maker;
    case_maker_init(&maker);
    row->make(&maker);
    for (size_t i = 0; i < maker.c.incidents.n; i++) {
        struct od_incident *incident = &maker.c.incidents.items[i];
        if (incident->kind == OD_INC_DEVICE_ALLOC_FAILED) {
            incident->op_error = false;
            od_vec_done(&incident->evidence);
        }
    }
    case_maker_moment(&maker, OD_EV_PROGRESS, "step 1000");
    const struct od_diagnosis *diagnosis = od_diagnose(fit_of(&maker.c, NULL));
    if (diagnosis->failure->run.outcome == OD_OUTCOME_SURVIVED)
        for (size_t i = 0; i < diagnosis->findings.n; i++) {
            ck_assert_int_eq(i == 0, diagnosis->findings.items[i].cause == OD_CAUSE_SURVIVED);
            ck_assert(i == 0 || diagnosis->findings.items[i].certainty == OD_POSSIBLE);
        }
    od_diagnosis_free(diagnosis);
    case_maker_done(&maker);
}
END_TEST

/* 144 numbers are asked for, in a chunk of 768 bytes: what is said of the request is the request.
 */
START_TEST(request_and_chunk)
{
    struct case_maker maker;
    double asked = 0, chunk = 0;
    case_maker_init(&maker);
    full(&maker, "[144]", "net/norm/FusedBatchNormV3", _i == 0 ? 768 : 1024);
    const struct od_diagnosis *diagnosis = od_diagnose(fit_of(&maker.c, NULL));
    const struct od_finding *f = &diagnosis->findings.items[0];
    for (size_t i = 0; i < f->nnumbers; i++) {
        asked = strcmp(f->numbers[i].name, "request_bytes") == 0 ? f->numbers[i].value : asked;
        chunk = strcmp(f->numbers[i].name, "chunk_bytes") == 0 ? f->numbers[i].value : chunk;
    }
    /* a chunk that is no rounding of the tensor is of another request */
    ck_assert_double_eq_tol(asked, _i == 0 ? 576 : 1024, 0.5);
    ck_assert_double_eq_tol(chunk, _i == 0 ? 768 : 0, 0.5);
    ck_assert(od_view_has(od_view_of(f->summary), OD_VIEW("768 B")) == false);
    od_diagnosis_free(diagnosis);
    case_maker_done(&maker);
}
END_TEST

Suite *od_finding_suite(void)
{
    int rows = (int)OD_COUNT_OF(finding_rows);
    Suite *suite = od_suite_loop("findings", cause_fires_and_near_miss_does_not, rows);
    TCase *tcase = tcase_create("survivors");
    tcase_add_loop_test(tcase, survivors_are_not_blamed, 0, rows);
    tcase_add_loop_test(tcase, request_and_chunk, 0, 2);
    suite_add_tcase(suite, tcase);
    return suite;
}
