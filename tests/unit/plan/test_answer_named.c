/* A public model that the log only names counts where one copy of it is seen to be trained. */
#include "fit/facts.h"
#include "tests/unit/diagnose/case_maker.h"
#include "tests/unit/plan/suites.h"
#include "tests/unit/suite.h"

static const struct {
    const char *setting, *file, *function; /* NULL = none */
    bool counts;
} rows[] = {
    {"optimizer", NULL, NULL, true},
    {"accumulation", NULL, NULL, true},
    {"lora", NULL, NULL, true},
    {NULL, "/lib/transformers/trainer.py", "training_step", true},
    {NULL, "/lib/torch/autograd/__init__.py", "backward", true},
    {NULL, "/lib/transformers/models/distilbert/modeling_distilbert.py", "train", true},
    {NULL, NULL, NULL, false},
    {NULL, "/home/ada/answer.py", "forward", false},
    {"optimizer", "/lib/transformers/generation/utils.py", "generate", false},
    {"optimizer", "/lib/trl/trainer/dpo_trainer.py", "compute_loss", false},
    {"optimizer", "/lib/vllm/worker/worker.py", "profile_run", false},
};

START_TEST(named)
{
    static const uint64_t GiB = (uint64_t)1 << 30;
    struct od_model model = {.name = OD_VIEW("some-org/some-1b"), .format = OD_MODEL_HF_CONFIG};
    struct od_arena *arena = od_arena_new();
    struct od_fit_facts facts;
    struct case_maker maker;
    case_maker_init(&maker);
    if (rows[_i].setting)
        case_maker_setting(&maker, rows[_i].setting, "adamw");
    const struct torch_numbers numbers = {.need = GiB, .capacity = 16 * GiB, .in_use = 15 * GiB};
    struct od_incident *incident = case_maker_torch(&maker, &numbers);
    if (rows[_i].file)
        case_maker_frame(&maker, incident, rows[_i].file, rows[_i].function);
    const struct od_attribution *attribution = od_attribute(&maker.c, NULL, arena);
    struct od_fit_question question = {.c = &maker.c,
                                       .failure = od_failure_of(&maker.c, arena),
                                       .attribution = attribution,
                                       .named = &model};
    ck_assert(od_fit_facts_of(&question, arena, &facts));
    ck_assert_ptr_eq(facts.model, rows[_i].counts ? &model : NULL);
    ck_assert((facts.network != NULL) == rows[_i].counts);
    case_maker_done(&maker);
    od_arena_free(arena);
}
END_TEST

Suite *od_answer_named_suite(void)
{
    return od_suite_loop("a named model", named, (int)OD_COUNT_OF(rows));
}
