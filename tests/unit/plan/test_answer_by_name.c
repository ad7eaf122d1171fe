/* A public network that a log names counts where the refused request is an output of its layers. */
#include "fit/facts.h"
#include "tests/unit/diagnose/case_maker.h"
#include "tests/unit/plan/suites.h"
#include "tests/unit/suite.h"

#define MIB(n) ((uint64_t)(n) << 20)

static const struct row {
    const char *network, *other; /* NULL = not said */
    const char *batch, *side;
    uint64_t need;
    const char *known;
} rows[] = {
    /* 64 x 256 x 56 x 56 float32 = 196 MiB */
    {"resnet50", NULL, "64", NULL, MIB(196), "ResNet-50"},
    {"resnet50", "resnet50", "64", NULL, MIB(196), "ResNet-50"},
    /* of images of 448 the same layer has four times as much */
    {"resnet50", NULL, "64", "448", MIB(784), "ResNet-50"},
    {"vgg16", NULL, "64", NULL, MIB(784), "VGG-16"},
    /* of no layer; of a batch that nobody says; of two names; of a stem that programs change */
    {"resnet50", NULL, "64", NULL, MIB(150), NULL},
    {"resnet50", NULL, NULL, NULL, MIB(196), NULL},
    {"resnet50", "vgg16", "64", NULL, MIB(196), NULL},
    {"resnet50", NULL, "64", "32", MIB(196), NULL},
    {"somenet50", NULL, "64", NULL, MIB(196), NULL},
    {NULL, NULL, "64", NULL, MIB(196), NULL},
};

START_TEST(names_are_proved)
{
    const struct row *row = &rows[_i];
    struct od_arena *arena = od_arena_new();
    struct od_fit_facts facts;
    struct case_maker maker;
    case_maker_init(&maker);
    const char *const said[][2] = {{"network", row->network},
                                   {"network", row->other},
                                   {"batch_size", row->batch},
                                   {"image_size", row->side}};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        if (said[i][1])
            case_maker_setting(&maker, said[i][0], said[i][1]);
    const struct torch_numbers numbers = {
        .need = row->need, .capacity = MIB(12288), .in_use = MIB(11776)};
    (void)case_maker_torch(&maker, &numbers);
    const struct od_attribution *attribution = od_attribute(&maker.c, NULL, arena);
    struct od_fit_question question = {
        .c = &maker.c, .failure = od_failure_of(&maker.c, arena), .attribution = attribution};
    ck_assert(od_fit_facts_of(&question, arena, &facts));
    if (row->known)
        ck_assert_str_eq(facts.network, row->known);
    else
        ck_assert_ptr_null(facts.model);
    case_maker_done(&maker);
    od_arena_free(arena);
}
END_TEST

Suite *od_answer_by_name_suite(void)
{
    return od_suite_loop("a network by its name", names_are_proved,
                         (int)(sizeof rows / sizeof *rows));
}
