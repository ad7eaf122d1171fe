/* Every knob of a workload turns the peak the way it must, on three kinds of model. */
#include "layers.h"
#include "model_file.h"
#include "suites.h"

#include "../suite.h"
#include "base/num.h"
#include "estimate/estimate.h"

static const char gated[] =
    "{\"model_type\":\"llama\",\"hidden_size\":2048,\"num_hidden_layers\":24,"
    "\"num_attention_heads\":16,\"num_key_value_heads\":4,\"intermediate_size\":5632,"
    "\"vocab_size\":50000,\"architectures\":[\"LlamaForCausalLM\"]}";
static const char plain[] =
    "{\"model_type\":\"gpt2\",\"n_embd\":1024,\"n_layer\":24,\"n_head\":16,\"n_positions\":1024,"
    "\"vocab_size\":30000,\"resid_pdrop\":0.1,\"attn_pdrop\":0.1,"
    "\"_attn_implementation\":\"eager\",\"architectures\":[\"GPT2LMHeadModel\"]}";
static const struct row stack[] = {
    {"Conv2d", OD_LAYER_CONV, "[-1,64,64,64]", 1792, 0, NULL},
    {"ReLU", OD_LAYER_RELU, "[-1,64,64,64]", 0, 0, NULL},
    {"Conv2d", OD_LAYER_CONV, "[-1,64,64,64]", 36928, 0, NULL},
    {"BatchNorm2d", OD_LAYER_BATCH_NORM, "[-1,64,64,64]", 128, 0, NULL},
    {"ReLU", OD_LAYER_RELU, "[-1,64,64,64]", 0, 0, NULL},
    {"MaxPool2d", OD_LAYER_MAX_POOL, "[-1,64,32,32]", 0, 0, NULL},
    {"Conv2d", OD_LAYER_CONV, "[-1,256,32,32]", 147712, 0, NULL},
    {"ReLU", OD_LAYER_RELU, "[-1,256,32,32]", 0, 0, NULL},
    {"Conv2d", OD_LAYER_CONV, "[-1,256,32,32]", 590080, 0, NULL},
    {"ReLU", OD_LAYER_RELU, "[-1,256,32,32]", 0, 0, NULL},
    {"AdaptiveAvgPool2d", OD_LAYER_AVG_POOL, "[-1,256,1,1]", 0, 0, NULL},
    {"Flatten", OD_LAYER_VIEW, "[-1,256]", 0, 0, NULL},
    {"Linear", OD_LAYER_LINEAR, "[-1,1000]", 257000, 0, NULL},
    {NULL, 0, NULL, 0, 0, NULL},
};

enum { MODELS = 3, LAYERED = 2 };

static uint64_t peak_of(const struct od_workload *w)
{
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    struct od_estimate e;
    ck_assert(od_estimate(w, arena, diags, &e));
    ck_assert(e.peak.lo <= e.peak.n && e.peak.n <= e.peak.hi);
    od_arena_free(arena);
    od_diags_free(diags);
    return e.peak.n;
}

static struct od_model model_at(int i)
{
    if (i == LAYERED)
        return layers_model(OD_MODEL_TORCHSUMMARY, stack);
    struct model_file m = model_file_read(od_view_of(i == 0 ? gated : plain));
    ck_assert(m.emitted);
    od_diags_free(m.diags);
    return m.model;
}

static void done(struct od_model *model, int i)
{
    if (i == LAYERED)
        od_model_done(model);
}

static void selective(struct od_workload *w)
{
    w->checkpointing = OD_CKPT_SELECTIVE;
}

static void full(struct od_workload *w)
{
    w->checkpointing = OD_CKPT_FULL;
    w->checkpoint_every = 1;
}

static void every_2(struct od_workload *w)
{
    w->checkpointing = OD_CKPT_EVERY;
    w->checkpoint_every = 2;
}

static void zero_1(struct od_workload *w)
{
    w->zero_stage = 1;
}

static void zero_2(struct od_workload *w)
{
    w->zero_stage = 2;
}

static void zero_3(struct od_workload *w)
{
    w->zero_stage = 3;
}

static void fsdp(struct od_workload *w)
{
    w->fsdp = true;
}

static void tensor(struct od_workload *w)
{
    w->tensor_parallel = 4;
}

static void tensor_sequence(struct od_workload *w)
{
    w->tensor_parallel = 4;
    w->sequence_parallel = true;
}

static void pipeline(struct od_workload *w)
{
    w->pipeline_parallel = 4;
}

static void lora(struct od_workload *w)
{
    w->lora_rank = 16;
}

/* Of many tokens the inputs that packed matrices may keep outgrow what packing saves. */
static void lora_short(struct od_workload *w)
{
    w->lora_rank = 16;
    w->batch = 1;
    w->sequence = 16;
}

static void qlora(struct od_workload *w)
{
    lora_short(w);
    w->quantize_bits = 4;
}

static void lora_8(struct od_workload *w)
{
    w->lora_rank = 16;
    w->quantize_bits = 8;
}

static void offload_states(struct od_workload *w)
{
    w->offload_optimizer = true;
}

static void offload_weights(struct od_workload *w)
{
    w->offload_optimizer = w->offload_params = true;
}

static void offload_saved(struct od_workload *w)
{
    w->offload_activations = true;
}

static void chunked(struct od_workload *w)
{
    w->chunked_loss = true;
}

static void in_backward(struct od_workload *w)
{
    w->optimizer_in_backward = true;
}

static void compiled(struct od_workload *w)
{
    w->compile = true;
}

static void served(struct od_workload *w)
{
    w->inference = true;
}

/* Of very many tokens the products, in 32-bit integers, are more than 8 bits save of a small
 * model's weights. */
static void served_short(struct od_workload *w)
{
    w->inference = true;
    w->sequence = w->sequence > 128 ? 128 : w->sequence;
}

static void served_4(struct od_workload *w)
{
    w->inference = true;
    w->quantize_bits = 4;
}

static void served_8(struct od_workload *w)
{
    w->inference = true;
    w->quantize_bits = 8;
}

static void eight_bit_states(struct od_workload *w)
{
    w->optimizer = OD_OPT_ADAM8BIT;
}

static void factored(struct od_workload *w)
{
    w->optimizer = OD_OPT_ADAFACTOR;
}

static void no_states(struct od_workload *w)
{
    w->optimizer = OD_OPT_SGD;
}

static void bare(struct od_workload *w)
{
    w->precision = OD_PREC_BF16_TRUE;
}

/* What each is held against; NULL = the workload as it is. */
static const struct {
    const char *name;
    void (*before)(struct od_workload *w);
    void (*turn)(struct od_workload *w);
} knobs[] = {
    {"checkpointing selective", NULL, selective},
    {"checkpointing full", NULL, full},
    {"checkpointing every:2", NULL, every_2},
    {"zero 1", NULL, zero_1},
    {"zero 2 after 1", zero_1, zero_2},
    {"fsdp", NULL, fsdp},
    {"zero 3 after none", NULL, zero_3},
    {"tp", NULL, tensor},
    {"sp after tp", tensor, tensor_sequence},
    {"pp", NULL, pipeline},
    {"lora", NULL, lora},
    {"quantize 4 after lora", lora_short, qlora},
    {"lora and quantize 8", NULL, lora_8},
    {"quantize 8 served", served_short, served_8},
    {"quantize 4 after 8", served_8, served_4},
    {"offload optimizer", NULL, offload_states},
    {"offload params", offload_states, offload_weights},
    {"offload activations", NULL, offload_saved},
    {"chunked loss", NULL, chunked},
    {"optimizer in backward", NULL, in_backward},
    {"compile", NULL, compiled},
    {"inference", NULL, served},
    {"adam8bit", NULL, eight_bit_states},
    {"adafactor", NULL, factored},
    {"sgd", NULL, no_states},
    {"bf16_true", NULL, bare},
};

static const struct {
    enum od_precision precision;
    enum od_metric metric;
    uint64_t batch, world;
} bases[] = {
    {OD_PREC_FLOAT32, OD_METRIC_ALLOCATED, 1, 8}, {OD_PREC_FLOAT32, OD_METRIC_DEVICE, 16, 8},
    {OD_PREC_AMP_BF16, OD_METRIC_DEVICE, 4, 8},   {OD_PREC_BF16, OD_METRIC_RESERVED, 4, 16},
    {OD_PREC_BF16, OD_METRIC_DEVICE, 64, 8},
};

static struct od_workload base_at(size_t i, const struct od_model *model)
{
    struct od_workload w = od_workload_defaults(model);
    w.precision = bases[i].precision;
    w.metric = bases[i].metric;
    w.batch = bases[i].batch;
    w.world_size = bases[i].world;
    w.sequence = model->transformer.known ? 1024 : 0;
    return w;
}

START_TEST(no_knob_that_saves_costs)
{
    for (int m = 0; m < MODELS; m++) {
        struct od_model model = model_at(m);
        for (size_t i = 0; i < OD_COUNT_OF(bases); i++) {
            struct od_workload w = base_at(i, &model);
            if (knobs[_i].before)
                knobs[_i].before(&w);
            uint64_t before = peak_of(&w);
            knobs[_i].turn(&w);
            uint64_t after = peak_of(&w);
            /* Where gradients are not at the peak, the pool's share is of a little more. */
            ck_assert_msg(after <= before + before / 1000, "%s: model %d, base %zu: %llu to %llu",
                          knobs[_i].name, m, i, (unsigned long long)before,
                          (unsigned long long)after);
        }
        done(&model, m);
    }
}
END_TEST

/* Where the largest moment is that of the saved activations, equal steps of the batch cost the
 * same; below, never less. */
START_TEST(linear_in_the_batch)
{
    struct od_model model = model_at(_i);
    for (size_t i = 0; i < OD_COUNT_OF(bases); i++) {
        struct od_workload w = base_at(i, &model);
        uint64_t last = 0;
        for (w.batch = 1; w.batch <= 4096; w.batch *= 2) {
            uint64_t peak = peak_of(&w);
            ck_assert_uint_ge(peak, last);
            last = peak;
        }
        w.batch = 2000;
        double first = (double)peak_of(&w);
        w.batch = 3000;
        double second = (double)peak_of(&w);
        w.batch = 4000;
        double third = (double)peak_of(&w);
        ck_assert_double_gt(second, first);
        ck_assert_double_eq_tol(third - second, second - first, 1e-3 * (second - first));
    }
    done(&model, _i);
}
END_TEST

START_TEST(grows_with_the_input)
{
    struct od_model model = model_at(_i);
    for (size_t i = 0; i < OD_COUNT_OF(bases); i++) {
        for (int serving = 0; serving < 2; serving++) {
            struct od_workload w = base_at(i, &model);
            uint64_t last = 0;
            w.inference = serving > 0;
            for (uint64_t side = 32; side <= 1024; side += 32) {
                if (model.transformer.known)
                    w.sequence = side;
                else
                    w.image_h = w.image_w = side;
                uint64_t peak = peak_of(&w);
                ck_assert_uint_ge(peak, last);
                last = peak;
            }
        }
    }
    done(&model, _i);
}
END_TEST

/* A server's cache: with how many run, with what they have, never less than in whole blocks. */
START_TEST(grows_with_what_runs)
{
    struct od_model model = model_at(_i);
    struct od_workload w = base_at(2, &model);
    w.inference = true;
    w.kv_block = 16;
    uint64_t last = 0;
    for (w.mean_sequence = 16; w.mean_sequence <= 1024; w.mean_sequence += 16) {
        uint64_t peak = peak_of(&w);
        ck_assert_uint_ge(peak, last);
        last = peak;
    }
    w.mean_sequence = 300;
    last = 0;
    for (w.batch = 1; w.batch <= 1024; w.batch *= 2) {
        uint64_t peak = peak_of(&w);
        ck_assert_uint_gt(peak, last);
        last = peak;
    }
}
END_TEST

Suite *od_directions_suite(void)
{
    Suite *suite = od_suite_loop("directions", no_knob_that_saves_costs, OD_COUNT_OF(knobs));
    TCase *tcase = tcase_create("growth");
    tcase_add_loop_test(tcase, linear_in_the_batch, 0, MODELS);
    tcase_add_loop_test(tcase, grows_with_the_input, 0, MODELS);
    tcase_add_loop_test(tcase, grows_with_what_runs, 0, LAYERED);
    suite_add_tcase(suite, tcase);
    return suite;
}
