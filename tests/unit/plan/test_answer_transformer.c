/* What a refused request tells of a transformer's step: the length of sequences, and whether
 * attention keeps its scores. */
#include "fit/facts.h"
#include "tests/unit/diagnose/case_maker.h"
#include "tests/unit/plan/suites.h"
#include "tests/unit/suite.h"

#define MIB(n) ((uint64_t)(n) << 20)
#define MODELING "/lib/transformers/models/some/modeling_some.py"

static const struct row {
    const char *file, *function; /* of the call below "training_step" */
    uint64_t need;
    const char *batch, *seq;  /* as the log says; NULL = it does not */
    const char *name, *value; /* one more setting */
    uint64_t length;
    uint32_t attention; /* OD_TR_EAGER, OD_TR_FUSED; 0 = as the model's family has it */
} rows[] = {
    /* 4 x 2048 x 32000 float32: the head's forward, and the loss */
    {MODELING, "forward", MIB(1000), "4", NULL, NULL, NULL, 2048, 0},
    {"/lib/torch/nn/functional.py", "cross_entropy", MIB(1000), "4", NULL, NULL, NULL, 2048, 0},
    /* its product of 16 bit */
    {"/lib/torch/nn/modules/linear.py", "forward", MIB(500), "4", NULL, "precision", "bf16", 2048,
     0},
    /* an unusual length, the longest in the block */
    {MODELING, "forward", MIB(998), "4", NULL, NULL, NULL, 2043, 0},
    /* a part of the vocabulary */
    {MODELING, "forward", MIB(1000), "4", NULL, "tensor_parallel_size", "2", 0, 0},
    /* some other layer's tensor */
    {"/lib/some/other.py", "forward", MIB(1000), "4", NULL, NULL, NULL, 0, 0},
    /* the log states the length but not the batch */
    {MODELING, "forward", MIB(1000), NULL, NULL, NULL, NULL, 0, 0},
    {MODELING, "forward", MIB(1000), "4", "1024", NULL, NULL, 0, 0},
    /* longer than the model reads: 1 x 5120 x 32000 */
    {MODELING, "forward", MIB(626), "1", NULL, NULL, NULL, 0, 0},
    /* one rounded to a block shared by small ones */
    {MODELING, "forward", MIB(20), "1", NULL, NULL, NULL, 0, 0},
    /* 4 x 32 heads x 1024 x 1024 float32 */
    {"/lib/some/other.py", "forward", MIB(512), "4", "1024", NULL, NULL, 0, OD_TR_EAGER},
    /* 4 x 1024 x 11008 float32 */
    {"/lib/some/other.py", "forward", MIB(172), "4", "1024", NULL, NULL, 0, 0},
    {"/lib/some/other.py", "forward", MIB(172), "4", "1024", "transformers_version", "4.30.1", 0,
     OD_TR_EAGER},
    {"/lib/some/other.py", "forward", MIB(172), "4", "1024", "transformers_version", "4.41.0", 0,
     0},
    {"/lib/some/other.py", "forward", MIB(512), "4", "1024", "attention", "flash_attention_2", 0,
     OD_TR_FUSED},
};

static struct od_model model_of_7b(void)
{
    struct od_model model = {.name = OD_VIEW("some-org/some-7b"), .format = OD_MODEL_HF_CONFIG};
    model.transformer = (struct od_transformer){
        .known = true,
        .hidden = od_count_of(4096),
        .layers = od_count_of(32),
        .heads = od_count_of(32),
        .kv_heads = od_count_of(32),
        .intermediate = od_count_of(11008),
        .vocab = od_count_of(32000),
        .positions = od_count_of(4096),
        .gated = true,
        .rms_norm = true,
        .traits = OD_TR_CAUSAL,
        .head = OD_HEAD_LM,
    };
    return model;
}

static void make(struct case_maker *maker, const struct row *row, struct od_frame frames[2])
{
    case_maker_setting(maker, "optimizer", "adamw");
    if (row->batch)
        case_maker_setting(maker, "batch_size", row->batch);
    if (row->seq)
        case_maker_setting(maker, "sequence_length", row->seq);
    if (row->name)
        case_maker_setting(maker, row->name, row->value);
    const struct torch_numbers numbers = {
        .need = row->need, .capacity = MIB(24576), .in_use = MIB(23552)};
    struct od_incident *incident = case_maker_torch(maker, &numbers);
    frames[0] = (struct od_frame){.file = OD_VIEW(MODELING), .function = OD_VIEW("forward")};
    frames[1] =
        (struct od_frame){.file = od_view_of(row->file), .function = od_view_of(row->function)};
    bool same = od_view_eq(frames[0].file, frames[1].file);
    incident->frames = same ? frames + 1 : frames;
    incident->nframes = same ? 1 : 2;
    if (od_view_has(frames[1].file, OD_VIEW("/some/other.py")))
        frames[1].file = frames[0].file; /* one call deeper */
    for (size_t i = 0; i < 2; i++)
        frames[i].means = od_meanings_of(OD_SUBJECT_FRAME, frames[i].file, frames[i].function);
}

START_TEST(requests_tell)
{
    const struct row *row = &rows[_i];
    struct od_model model = model_of_7b();
    struct od_arena *arena = od_arena_new();
    struct od_fit_facts facts;
    struct od_frame frames[2];
    struct case_maker maker;
    case_maker_init(&maker);
    make(&maker, row, frames);
    const struct od_attribution *attribution = od_attribute(&maker.c, NULL, arena);
    struct od_fit_question question = {.c = &maker.c,
                                       .failure = od_failure_of(&maker.c, arena),
                                       .attribution = attribution,
                                       .named = &model};
    ck_assert(od_fit_facts_of(&question, arena, &facts));
    ck_assert_uint_eq(facts.length, row->length);
    ck_assert_uint_eq(facts.model->transformer.traits & (OD_TR_EAGER | OD_TR_FUSED),
                      row->attention);
    case_maker_done(&maker);
    od_arena_free(arena);
}
END_TEST

Suite *od_answer_transformer_suite(void)
{
    return od_suite_loop("a transformer's request", requests_tell, (int)OD_COUNT_OF(rows));
}
