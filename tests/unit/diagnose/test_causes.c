/* Causes on a device, outside of TensorFlow's dumps: PyTorch's message, compilers, servers. */
#include "base/num.h"

#include "tests/unit/diagnose/cause_row.h"
#include "tests/unit/diagnose/suites.h"
#include "tests/unit/fit_of.h"
#include "tests/unit/suite.h"

static struct od_incident *torch(struct case_maker *m, uint64_t need, uint64_t in_use,
                                 uint64_t reserved, uint64_t unused)
{
    return case_maker_torch(m, &(struct torch_numbers){.need = need,
                                                       .capacity = 40 * GIB,
                                                       .in_use = in_use,
                                                       .reserved = reserved,
                                                       .free = unused});
}

static void tenants(struct case_maker *m)
{
    struct od_incident *inc = torch(m, GIB, 11 * GIB, 12 * GIB, 300 * MIB);
    case_maker_other(inc, 4001, 20 * GIB);
    case_maker_other(inc, 4002, 7 * GIB);
}

/* The only process that is named is this one, as containers have it. */
static void only_self(struct case_maker *m)
{
    struct od_incident *inc = torch(m, GIB, 38 * GIB, 38 * GIB + 600 * MIB, 300 * MIB);
    case_maker_other(inc, 4001, 39 * GIB + 500 * MIB);
}

static void small_neighbour(struct case_maker *m)
{
    case_maker_setting(m, "batch_size", "64");
    struct od_incident *inc = torch(m, GIB, 37 * GIB, 37 * GIB + 600 * MIB, 900 * MIB);
    case_maker_other(inc, 4001, 700 * MIB);
}

static void unnamed_tenant(struct case_maker *m)
{
    torch(m, 500 * MIB, 3 * GIB, 3 * GIB + 200 * MIB, 90 * MIB);
}

static struct od_incident *full(struct case_maker *m)
{
    return torch(m, 500 * MIB, 38 * GIB, 38 * GIB + 200 * MIB, 90 * MIB);
}

static void whole_device(struct case_maker *m)
{
    (void)full(m);
}

static void pieces(struct case_maker *m)
{
    torch(m, 2 * GIB, 25 * GIB, 38 * GIB, 700 * MIB);
}

static void usual_waste(struct case_maker *m)
{
    case_maker_setting(m, "batch_size", "64");
    torch(m, 600 * MIB, 37 * GIB, 38 * GIB, 300 * MIB);
}

static void pieces_of_a_small_pool(struct case_maker *m)
{
    torch(m, 30 * MIB, 100 * MIB, 160 * MIB, 20 * MIB);
}

static void allowed(struct case_maker *m)
{
    case_maker_torch(m, &(struct torch_numbers){.need = GIB,
                                                .capacity = 40 * GIB,
                                                .in_use = 19 * GIB,
                                                .reserved = 19 * GIB + 800 * MIB,
                                                .free = 18 * GIB,
                                                .limit = 20 * GIB});
}

/* The log states a limit, but the device itself was full. */
static void allowed_but_full(struct case_maker *m)
{
    case_maker_torch(m, &(struct torch_numbers){.need = GIB,
                                                .capacity = 40 * GIB,
                                                .in_use = 34 * GIB,
                                                .reserved = 35 * GIB,
                                                .free = 600 * MIB,
                                                .limit = 38 * GIB});
}

static void refused_with_room(struct case_maker *m)
{
    torch(m, 50 * MIB, 2 * GIB, 2 * GIB + 20 * MIB, 30 * GIB);
}

static void bucket(struct case_maker *m)
{
    case_maker_setting(m, "reduce_bucket_size", "3.000000e+09");
    torch(m, UINT64_C(6000000000), 33 * GIB, 33 * GIB + 90 * MIB, 4 * GIB);
}

static void other_bucket(struct case_maker *m)
{
    case_maker_setting(m, "reduce_bucket_size", "5e8");
    torch(m, UINT64_C(6000000000), 33 * GIB, 33 * GIB + 90 * MIB, 4 * GIB);
}

static void loading(struct case_maker *m)
{
    case_maker_frame(m, full(m), LIBRARY "torch/nn/modules/module.py", "_apply");
}

/* Another process holds half of the device. */
static void loading_beside(struct case_maker *m)
{
    struct od_incident *inc = full(m);
    inc->in_use = od_bytes_exact(inc->capacity.n / 2);
    inc->reserved = inc->in_use;
    case_maker_frame(m, inc, LIBRARY "torch/nn/modules/module.py", "_apply");
}

static void wrapping(struct case_maker *m)
{
    case_maker_setting(m, "batch_size", "8");
    case_maker_frame(m, full(m), LIBRARY "torch/distributed/utils.py", "_sync_module_states");
}

static void optimizing(struct case_maker *m)
{
    case_maker_setting(m, "batch_size", "8");
    case_maker_frame(m, full(m), LIBRARY "torch/optim/adamw.py", "_init_group");
}

static void forward(struct case_maker *m)
{
    case_maker_setting(m, "batch_size", "8");
    case_maker_frame(m, full(m), "/home/ivo/net.py", "forward");
}

static void one_sample(struct case_maker *m)
{
    case_maker_setting(m, "batch_size", "1");
    case_maker_setting(m, "sequence_length", "8192");
    torch(m, 3 * GIB, 36 * GIB, 36 * GIB + 200 * MIB, 2 * GIB);
}

static void many_long_samples(struct case_maker *m)
{
    case_maker_setting(m, "batch_size", "16");
    case_maker_setting(m, "sequence_length", "8192");
    torch(m, 3 * GIB, 36 * GIB, 36 * GIB + 200 * MIB, 2 * GIB);
}

static void last_straw_of_one(struct case_maker *m)
{
    case_maker_setting(m, "batch_size", "1");
    torch(m, 30 * MIB, 38 * GIB, 38 * GIB + 20 * MIB, 20 * MIB);
}

static void compute_buffer(struct case_maker *m)
{
    case_maker_incident(m, OD_INC_DEVICE_ALLOC_FAILED, "ggml_gallocr_reserve_n: failed")->producer =
        OD_VIEW("llamacpp");
    m->c.incidents.items[0].op_error = true;
}

static void loading_again(struct case_maker *m)
{
    case_maker_moment(m, OD_EV_PROGRESS, "step 40");
    loading(m);
}

static void evaluating(struct case_maker *m)
{
    case_maker_setting(m, "batch_size", "8");
    case_maker_setting(m, "optimizer", "adam");
    case_maker_moment(m, OD_EV_PROGRESS, "step 40");
    case_maker_frame(m, full(m), "/home/ivo/run.py", "Trainer.validate");
}

static void evaluating_only(struct case_maker *m)
{
    case_maker_setting(m, "batch_size", "8");
    case_maker_frame(m, full(m), "/home/ivo/run.py", "validate");
}

static void outputs_kept(struct case_maker *m)
{
    case_maker_setting(m, "batch_size", "8");
    case_maker_frame(m, full(m), LIBRARY "transformers/trainer_pt_utils.py", "nested_concat");
}

static void woken(struct case_maker *m)
{
    case_maker_moment(m, OD_EV_PROGRESS, "step 40")->count = 40;
    case_maker_frame(m, full(m), LIBRARY "vllm/worker/gpu_worker.py", "wake_up");
}

static void server(struct case_maker *m)
{
    case_maker_frame(m, full(m), LIBRARY "vllm/worker/model_runner.py", "profile_run");
}

static void share_at_start(struct case_maker *m, uint64_t free_bytes, uint64_t wanted)
{
    struct od_incident *inc = case_maker_incident(m, OD_INC_DEVICE_CONTEXT_FAILED, "on startup");
    inc->producer = OD_VIEW("vllm");
    inc->requested = od_bytes_exact(wanted);
    inc->free = od_bytes_exact(free_bytes);
    inc->capacity = od_bytes_exact(24 * GIB);
}

static void held_at_start(struct case_maker *m)
{
    share_at_start(m, 14 * GIB, 21 * GIB);
}

static void all_at_start(struct case_maker *m)
{
    share_at_start(m, 23 * GIB, 23 * GIB + 500 * MIB);
}

static void trees(struct case_maker *m)
{
    torch(m, 2 * GIB, 37 * GIB, 37 * GIB, GIB);
    m->c.incidents.items[0].producer = OD_VIEW("xgboost");
}

static void one_sample_of_unknown_size(struct case_maker *m)
{
    case_maker_setting(m, "batch_size", "1");
    case_maker_incident(m, OD_INC_DEVICE_ALLOC_FAILED, "CUDA error: out of memory")->op_error =
        true;
}

static void cache_by_numbers(struct case_maker *m)
{
    struct od_incident *inc = case_maker_incident(m, OD_INC_KV_CACHE_TOO_SMALL, "KV cache");
    inc->requested = od_bytes_exact(20 * GIB);
    inc->free = od_bytes_exact(7 * GIB);
}

/* A compiled program, its table beside the refusal. */
static void program(struct case_maker *m, uint64_t total)
{
    struct od_incident *inc = case_maker_incident(m, OD_INC_DEVICE_ALLOC_FAILED, "RuntimeError: X");
    inc->producer = OD_VIEW("jax");
    inc->requested = od_bytes_exact(total / 4);
    inc->fatal = OD_YES;
    struct od_memory_state state = {.producer = OD_VIEW("jax"),
                                    .name = OD_VIEW("total"),
                                    .in_use = od_bytes_exact(total),
                                    .said = {.at = case_maker_next(m)}};
    od_vec_push(&m->c.states, state);
}

static void small_program(struct case_maker *m)
{
    program(m, 16 * MIB);
}

static void large_program(struct case_maker *m)
{
    program(m, 30 * GIB);
}

static void compiled(struct case_maker *m)
{
    struct od_incident *inc = case_maker_incident(m, OD_INC_DEVICE_COMPILE_OOM, "memory space hbm");
    inc->in_use = od_bytes_exact(19 * GIB);
    inc->capacity = od_bytes_exact(16 * GIB);
}

static const struct cause_row cause_rows[] = {
    {"others are named", tenants, OD_CAUSE_OTHER_TENANT, true, OD_CERTAIN},
    {"the named one is this process", only_self, OD_CAUSE_OTHER_TENANT, false, OD_LIKELY},
    {"small neighbour", small_neighbour, OD_CAUSE_OTHER_TENANT, false, OD_LIKELY},
    {"small neighbour, batch", small_neighbour, OD_CAUSE_BATCH_TOO_LARGE, true, OD_POSSIBLE},
    {"nobody is named", unnamed_tenant, OD_CAUSE_OTHER_TENANT, true, OD_LIKELY},
    {"all is its own", whole_device, OD_CAUSE_OTHER_TENANT, false, OD_LIKELY},
    {"pieces", pieces, OD_CAUSE_FRAGMENTED, true, OD_LIKELY},
    {"usual waste", usual_waste, OD_CAUSE_FRAGMENTED, false, OD_LIKELY},
    {"small pool", pieces_of_a_small_pool, OD_CAUSE_FRAGMENTED, false, OD_LIKELY},
    {"small pool, tenant", pieces_of_a_small_pool, OD_CAUSE_OTHER_TENANT, true, OD_LIKELY},
    {"allowed", allowed, OD_CAUSE_CAPPED, true, OD_CERTAIN},
    {"allowed, but full", allowed_but_full, OD_CAUSE_CAPPED, false, OD_LIKELY},
    {"refused with room", refused_with_room, OD_CAUSE_DRIVER_REFUSED, true, OD_LIKELY},
    {"allowed is no refusal of the driver", allowed, OD_CAUSE_DRIVER_REFUSED, false, OD_LIKELY},
    {"bucket", bucket, OD_CAUSE_WORKSPACE, true, OD_LIKELY},
    {"another bucket", other_bucket, OD_CAUSE_WORKSPACE, false, OD_LIKELY},
    {"loading", loading, OD_CAUSE_MODEL_TOO_LARGE, true, OD_LIKELY},
    {"loading beside others", loading_beside, OD_CAUSE_MODEL_TOO_LARGE, false, OD_LIKELY},
    {"wrapping", wrapping, OD_CAUSE_MODEL_TOO_LARGE, true, OD_LIKELY},
    {"optimizer", optimizing, OD_CAUSE_MODEL_TOO_LARGE, true, OD_LIKELY},
    {"forward", forward, OD_CAUSE_MODEL_TOO_LARGE, false, OD_LIKELY},
    {"one sample", one_sample, OD_CAUSE_INPUT_TOO_LARGE, true, OD_LIKELY},
    {"many long samples", many_long_samples, OD_CAUSE_BATCH_TOO_LARGE, true, OD_POSSIBLE},
    {"last straw", last_straw_of_one, OD_CAUSE_MODEL_TOO_LARGE, true, OD_LIKELY},
    {"last straw is no input", last_straw_of_one, OD_CAUSE_INPUT_TOO_LARGE, false, OD_LIKELY},
    {"compute buffer", compute_buffer, OD_CAUSE_WORKSPACE, true, OD_LIKELY},
    {"loading again", loading_again, OD_CAUSE_MODEL_RELOAD, true, OD_LIKELY},
    {"loading once", loading, OD_CAUSE_MODEL_RELOAD, false, OD_LIKELY},
    {"evaluating", evaluating, OD_CAUSE_EVALUATION_ACCUMULATES, true, OD_LIKELY},
    {"evaluating only", evaluating_only, OD_CAUSE_EVALUATION_ACCUMULATES, false, OD_LIKELY},
    {"outputs kept", outputs_kept, OD_CAUSE_EVALUATION_ACCUMULATES, true, OD_LIKELY},
    {"woken", woken, OD_CAUSE_OTHER_TENANT, true, OD_LIKELY},
    {"woken is no leak", woken, OD_CAUSE_DEVICE_LEAK, false, OD_LIKELY},
    {"server", server, OD_CAUSE_MODEL_TOO_LARGE, true, OD_POSSIBLE},
    {"held at start", held_at_start, OD_CAUSE_OTHER_TENANT, true, OD_LIKELY},
    {"all at start", all_at_start, OD_CAUSE_OTHER_TENANT, true, OD_LIKELY},
    {"trees have no batch", trees, OD_CAUSE_DATASET_ON_DEVICE, true, OD_POSSIBLE},
    {"one sample, no size", one_sample_of_unknown_size, OD_CAUSE_MODEL_TOO_LARGE, false, OD_LIKELY},
    {"cache", cache_by_numbers, OD_CAUSE_KV_CACHE, true, OD_CERTAIN},
    {"no cache", whole_device, OD_CAUSE_KV_CACHE, false, OD_LIKELY},
    {"compiled", compiled, OD_CAUSE_COMPILE_PLAN, true, OD_CERTAIN},
    {"small program", small_program, OD_CAUSE_DRIVER_REFUSED, true, OD_POSSIBLE},
    {"large program", large_program, OD_CAUSE_DRIVER_REFUSED, false, OD_LIKELY},
    {"large program is the batch", large_program, OD_CAUSE_BATCH_TOO_LARGE, true, OD_POSSIBLE},
};

void cause_row_check(const struct cause_row *row)
{
    struct case_maker maker;
    case_maker_init(&maker);
    row->make(&maker);
    const struct od_diagnosis *diagnosis = od_diagnose(fit_of(&maker.c, NULL));
    ck_assert_uint_gt(diagnosis->findings.n, 0);
    for (size_t i = 0; i < diagnosis->findings.n; i++) {
        const struct od_finding *f = &diagnosis->findings.items[i];
        ck_assert_msg(f->summary && f->summary[0], "%s: no words", row->name);
        if (row->first && i == 0) {
            ck_assert_msg(f->cause == row->cause, "%s: first is %s", row->name,
                          od_cause_name(f->cause));
            ck_assert_msg(f->certainty == row->certainty, "%s: certainty %d", row->name,
                          (int)f->certainty);
        } else if (f->cause == row->cause)
            ck_assert_msg(!row->first && i > 0 && f->certainty != OD_CERTAIN, "%s: at %zu",
                          row->name, i);
    }
    od_diagnosis_free(diagnosis);
    case_maker_done(&maker);
}

START_TEST(cause_fires_and_near_miss_does_not)
{
    cause_row_check(&cause_rows[_i]);
}
END_TEST

Suite *od_cause_suite(void)
{
    return od_suite_loop("causes", cause_fires_and_near_miss_does_not,
                         (int)OD_COUNT_OF(cause_rows));
}
