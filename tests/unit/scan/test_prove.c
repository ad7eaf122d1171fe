#include "base/arena.h"
#include "base/mem.h"
#include "base/num.h"
#include "rules/load.h"
#include "scan/prove.h"
#include "tests/unit/scan/suites.h"
#include "tests/unit/suite.h"

#include <string.h>

#define HEAD "schema: 1\npack: p\nproducer: other\nrules:\n"
#define GOOD                                                                                 \
    "  - {id: p.a, means: alloc_failed, literals: [hello], match: 'hello (?<count>\\d+)',\n" \
    "     samples: [{line: hello 5, gives: {count: 5, producer: other}}],\n"                 \
    "     near_misses: [hello you]}\n"

/* A pack that loads, and the error that its proof must find; NULL: none. */
struct row {
    const char *yaml;
    const char *code;
    unsigned line;
    const char *says;
};

static const struct row rows[] = {
    {HEAD GOOD, NULL, 0, NULL},
    {HEAD "  - {id: p.a, means: alloc_failed, literals: [hello], match: 'hello (?<count>\\d+)',\n"
          "     samples: [\n       {line: hello 5},\n       {line: hello you}]}\n",
     "R0203", 8, "p.a"},
    {HEAD "  - {id: p.a, means: alloc_failed, literals: [hello], match: 'hello',\n"
          "     samples: [{line: hello 5}], near_misses: [\n       hello you]}\n",
     "R0206", 7, "p.a"},
    {HEAD "  - {id: p.a, means: alloc_failed, literals: [hello], match: 'hell',\n"
          "     samples: [{line: hello 5}], near_misses: [\n       hell is there]}\n",
     "R0205", 7, "p.a"},
    {HEAD
     "  - {id: p.a, means: alloc_failed, literals: [hello], numbered: true, match: 'hello.*5',\n"
     "     samples: [{line: hello x hello 5}, {line: 'hello: [5'}]}\n",
     NULL, 0, NULL},
    {HEAD
     "  - {id: p.a, means: alloc_failed, literals: [hello], numbered: true, match: 'hello.*5',\n"
     "     samples: [{line: hello x 5}]}\n",
     "R0205", 6, "literals"},
    {HEAD "  - {id: p.a, means: alloc_failed, literals: [world], match: 'hello',\n"
          "     samples: [{line: hello 5}]}\n",
     "R0205", 6, "literals"},
    {HEAD "  - {id: p.a, means: alloc_failed, literals: [hello], match: 'hello (?<count>\\d)',\n"
          "     samples: [{line: hello 52, gives: {count: 52}}]}\n",
     "R0207", 6, "count: 5, and not '52'"},
    {HEAD "  - {id: p.a, means: alloc_failed, literals: [hello], match: 'hello (?<requested>.*)',\n"
          "     samples: [{line: hello 1.0KiB, gives: {requested: 1024}}]}\n",
     "R0207", 6, "1024 bytes (973 to 1126)"},
    {HEAD "  - {id: p.a, means: alloc_failed, literals: [hello], match: 'hello (?<shape>.*)',\n"
          "     samples: [{line: 'hello [1,2]', gives: {shape: '[2,1]'}}]}\n",
     "R0207", 6, "[1,2]"},
    {HEAD "  - {id: p.a, means: alloc_failed, literals: [hello], match: 'hello (?<dtype>.*)',\n"
          "     samples: [{line: hello half, gives: {dtype: bf16}}]}\n",
     "R0207", 6, "float16"},
    {HEAD "  - {id: p.a, means: alloc_failed, literals: [hello], match: 'hello (?<op>.*)',\n"
          "     samples: [{line: hello you, gives: {op: yo, count: 5}}]}\n",
     "R0207", 6, "'you'"},
    {HEAD "  - {id: p.a, means: alloc_failed, literals: [hello], match: 'hello',\n"
          "     samples: [{line: hello 5, gives: {count: 5}}]}\n",
     "R0207", 6, "nothing"},
    {HEAD "  - {id: p.a, means: alloc_failed, literals: [hello], match: 'hello (?<count>.*)',\n"
          "     samples: [{line: hello you}]}\n",
     "R0208", 6, NULL},
    {HEAD "  - {id: p.a, means: alloc_failed, literals: [hello], match: 'hello',\n"
          "     samples: [{line: 'print(''hello'')'}]}\n",
     "R0211", 6, "p.a"},
    {HEAD GOOD "  - {id: p.b, means: alloc_failed, literals: [hello], match: 'hello 5',\n"
               "     samples: [{line: hello 55}]}\n",
     "R0204", 9, "p.a"},
    /* kinds differ: one line may tell two facts; so may two settings */
    {HEAD GOOD "  - {id: p.b, means: exception, literals: [hello], match: 'hello 5',\n"
               "     samples: [{line: hello 55}]}\n",
     NULL, 0, NULL},
    {HEAD "  - {id: p.a, means: setting, literals: ['lr: '], match: 'lr: (?<value>\\d)',\n"
          "     slow: true, samples: [{line: 'lr: 5, batch: 8', gives: {value: 5}}]}\n"
          "  - {id: p.b, means: setting, literals: [batch], match: 'batch: (?<value>\\d)',\n"
          "     samples: [{line: 'lr: 5, batch: 8', gives: {value: 8}}]}\n",
     NULL, 0, NULL},
    /* so may two measurements, but not of the same */
    {HEAD "  - {id: p.a, means: sample, literals: [used], match: 'used (?<in_use>\\d+)',\n"
          "     samples: [{line: used 5 free 7}]}\n"
          "  - {id: p.b, means: sample, literals: [free], match: 'free (?<free>\\d)',\n"
          "     samples: [{line: used 5 free 8}]}\n",
     NULL, 0, NULL},
    {HEAD
     "  - {id: p.a, means: sample, literals: [used], match: 'used (?<in_use>\\d+)',\n"
     "     samples: [{line: used 5 free 7}]}\n"
     "  - {id: p.b, means: progress, literals: [free], match: '(?<in_use>\\d) free (?<step>\\d)',\n"
     "     samples: [{line: more 5 free 8}]}\n",
     "R0204", 6, "p.a"},
    {HEAD "  - {id: p.a, means: alloc_failed, literals: [hello], match: 'hello (?:a+)+[bc]',\n"
          "     samples: [{line: hello aaab}],\n"
          "     near_misses: [hello aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa]}\n",
     "R0210", 5, NULL},
    {HEAD "  - {id: p.a, means: setting, slow: true, match: '.{0,9} (?<value>\\d)',\n"
          "     samples: [{line: hello 5, gives: {value: 5}}]}\n",
     "R0212", 5, NULL},
    {HEAD "  - {id: p.a, means: setting, slow: true, match: '^.{0,9} (?<value>\\d)',\n"
          "     samples: [{line: hello 5, gives: {value: 5}}]}\n",
     NULL, 0, NULL},
};

static const struct od_pack *load(const char *yaml, struct od_arena *arena, struct od_diags *diags)
{
    const struct od_pack *pack = NULL;
    enum od_err err = od_pack_load(od_view_of(yaml), "p.yaml", arena, diags, &pack);
    if (err != OD_OK)
        ck_abort_msg("%s: %s\n%s", od_diags_at(diags, 0)->code, od_diags_at(diags, 0)->message,
                     yaml);
    return pack;
}

static void proof_finds(const struct row *row, bool added)
{
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    const struct od_pack *pack = load(row->yaml, arena, diags);
    enum od_err err = added ? od_prove_added(&pack, 1, 0, diags) : od_prove(&pack, 1, diags, NULL);
    ck_assert_int_eq(err, row->code ? OD_ERULE : OD_OK);
    ck_assert_int_eq(od_diags_count(diags) > 0, row->code != NULL);
    if (row->code) {
        const struct od_diag *diag = od_diags_at(diags, 0);
        ck_assert_str_eq(diag->code, row->code);
        ck_assert_uint_eq(diag->line, row->line);
        if (row->line > 0)
            ck_assert_str_eq(diag->file, "p.yaml");
        bool said = !row->says || strstr(diag->message, row->says) ||
                    (diag->help && strstr(diag->help, row->says));
        ck_assert_msg(said, "%s", diag->message);
    }
    od_diags_free(diags);
    od_arena_free(arena);
}

START_TEST(proofs_find_what_is_wrong)
{
    proof_finds(&rows[_i], false);
    proof_finds(&rows[_i], true);
}
END_TEST

START_TEST(what_was_proved_is_tried_against_what_is_added_alone)
{
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    const struct od_pack *packs[2];
    packs[0] = load(HEAD "  - {id: p.b, means: alloc_failed, literals: [hello], match: 'hello 7',\n"
                         "     samples: [{line: hello eight}]}\n",
                    arena, diags);
    packs[1] = load(HEAD GOOD, arena, diags);
    ck_assert_int_eq(od_prove_added(packs, 2, 1, diags), OD_OK);
    packs[1] = load(HEAD "  - {id: p.c, means: alloc_failed, literals: [hello], match: 'hello',\n"
                         "     samples: [{line: hello 7}]}\n",
                    arena, diags);
    ck_assert_int_eq(od_prove_added(packs, 2, 1, diags), OD_ERULE);
    ck_assert_uint_eq(od_diags_count(diags), 2);
    for (size_t i = 0; i < 2; i++)
        ck_assert_str_eq(od_diags_at(diags, i)->code, "R0204");
    od_diags_free(diags);
    od_arena_free(arena);
}
END_TEST

START_TEST(packs_are_proved_together)
{
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    const struct od_pack *packs[2];
    packs[0] = load(HEAD GOOD, arena, diags);
    packs[1] = load(HEAD GOOD, arena, diags);
    ck_assert_int_eq(od_prove(packs, 2, diags, NULL), OD_ERULE);
    ck_assert_str_eq(od_diags_at(diags, 0)->code, "R0202");
    od_diags_free(diags);
    od_arena_free(arena);
}
END_TEST

START_TEST(a_rule_without_samples_is_no_rule)
{
    static const char *const literals[] = {"hello"};
    const struct od_rule rule = {.id = "p.a",
                                 .means = OD_EV_ALLOC_FAILED,
                                 .literals = literals,
                                 .nliterals = 1,
                                 .pattern = "hello"};
    const struct od_pack pack = {
        .name = "p", .producer = "other", .file = "p.yaml", .rules = &rule, .nrules = 1};
    const struct od_pack *packs[] = {&pack};
    struct od_diags *diags = od_diags_new();
    ck_assert_int_eq(od_prove(packs, 1, diags, NULL), OD_ERULE);
    ck_assert_str_eq(od_diags_at(diags, 0)->code, "R0201");
    od_diags_free(diags);
}
END_TEST

START_TEST(a_proof_counts_and_times)
{
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    const struct od_pack *pack = load(HEAD GOOD, arena, diags);
    struct od_proof proof;
    ck_assert_int_eq(od_prove(&pack, 1, diags, &proof), OD_OK);
    ck_assert_uint_eq(proof.rules, 1);
    ck_assert_uint_eq(proof.samples, 1);
    ck_assert_uint_eq(proof.near_misses, 1);
    ck_assert_uint_gt(proof.rule_ns[0], 0);
    od_mem_free(proof.rule_ns);
    od_diags_free(diags);
    od_arena_free(arena);
}
END_TEST

Suite *od_prove_suite(void)
{
    Suite *suite = od_suite_loop("prove", proofs_find_what_is_wrong, (int)OD_COUNT_OF(rows));
    TCase *tcase = tcase_create("packs");
    tcase_add_test(tcase, packs_are_proved_together);
    tcase_add_test(tcase, what_was_proved_is_tried_against_what_is_added_alone);
    tcase_add_test(tcase, a_rule_without_samples_is_no_rule);
    tcase_add_test(tcase, a_proof_counts_and_times);
    suite_add_tcase(suite, tcase);
    return suite;
}
