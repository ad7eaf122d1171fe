#include "base/buf.h"
#include "base/num.h"
#include "rules/advice.h"
#include "rules/load.h"
#include "rules/software.h"
#include "tests/unit/rules/suites.h"
#include "tests/unit/suite.h"

#include <string.h>

#define HEAD "schema: 1\nadvice: fragmented\ntitle: T\nexplain: E\nsure: S\n"
#define HOW "    how: [{framework: any, text: Do it.}]\n"
#define REST HOW "    source: S\n"
#define REMEDIES "remedies:\n  - id: one\n    title: One\n    cost: none\n"
#define GOOD HEAD REMEDIES REST

/* The first error of bad advice. */
struct bad {
    const char *yaml;
    const char *code;
    unsigned line, column;
    const char *help; /* part of it, or NULL */
};

static const struct bad bads[] = {
    {"schema: 2\n", "R0111", 1, 9, NULL},
    {"schema: 1\nadvice: fragmentd\ntitle: T\nexplain: E\nsure: S\n" REMEDIES REST, "R0301", 2, 9,
     "fragmented"},
    {"schema: 1\nadvice: fragmented\nexplain: E\nsure: S\n" REMEDIES REST, "R0110", 1, 1, NULL},
    {HEAD "remedies: []\n", "R0308", 6, 11, NULL},
    {HEAD "remedies: 5\n", "R0108", 6, 11, NULL},
    {GOOD "dose_not_help: []\n", "R0109", 12, 1, "does_not_help"},
    {HEAD "remedies:\n  - id: One\n    title: One\n    cost: none\n" REST, "R0306", 7, 9, NULL},
    {GOOD "  - id: one\n    title: One\n    cost: none\n" REST, "R0307", 12, 9, NULL},
    {HEAD REMEDIES HOW, "R0308", 7, 5, "or same"},
    {HEAD REMEDIES "    gives: float32\n" REST, "R0308", 7, 5, "gives, and why"},
    {HEAD REMEDIES "    gives: flaot32\n    why: Less.\n" REST, "R0113", 10, 12, "float32"},
    {HEAD "limits:\n  - {kind: a, doc: b, when: always, start: limt x 2}\n" REMEDIES REST, "R0408",
     7, 44, "limit x 0.75"},
    {HEAD REMEDIES "    figures: 'of {free} in {fre_chunks}'\n" REST, "R0601", 10, 14,
     "free_chunks"},
    {HEAD REMEDIES "    figures: '{network}'\n" REST, "R0601", 10, 14, NULL},
    {HEAD REMEDIES "    figures: 'a {free'\n" REST, "R0303", 10, 14, NULL},
    {HEAD REMEDIES "    how: [{framework: any, text: a, code: b}]\n    source: S\n", "R0315", 10,
     23, "shell or python"},
    {HEAD REMEDIES "    how: [{framework: lines, text: a, code: loss.backward()}]\n    source: S\n",
     "R0316", 7, 5, "when: trains"},
    {HEAD REMEDIES "    how: [{framework: lines, text: a, code: \"a\\tb\"}]\n    source: S\n",
     "R0305", 10, 45, NULL},
    {HEAD REMEDIES "    how: [{framework: lines, text: a, code: "
                   "0123456789012345678901234567890123456789012345678901234567890123456789abcde}]"
                   "\n    source: S\n",
     "R0305", 10, 45, NULL},
    {HEAD REMEDIES "    how: [{framework: any, text: ''}]\n    source: S\n", "R0106", 10, 34, NULL},
    {HEAD REMEDIES "    how: [{framework: any, text: a, when: [x]}]\n    source: S\n", "R0108", 10,
     43, NULL},
    {GOOD "does_not_help: [{title: a, why: b}]\n", "R0110", 12, 17, NULL},
};

START_TEST(bad_advice_says_where_and_why)
{
    const struct bad *bad = &bads[_i];
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    const struct od_advice *advice = NULL;
    ck_assert_int_eq(od_advice_load(od_view_of(bad->yaml), "a.yaml", arena, diags, &advice),
                     OD_ERULE);
    ck_assert_ptr_null(advice);
    ck_assert_uint_gt(od_diags_count(diags), 0);
    size_t first = 0; /* names are open until all files are read */
    while (od_diags_at(diags, first)->severity == OD_OPEN)
        first++;
    const struct od_diag *diag = od_diags_at(diags, first);
    ck_assert_str_eq(diag->code, bad->code);
    ck_assert_uint_eq(diag->line, bad->line);
    ck_assert_uint_eq(diag->column, bad->column);
    if (bad->help)
        ck_assert_msg(diag->help && strstr(diag->help, bad->help), "help: %s", diag->help);
    od_diags_free(diags);
    od_arena_free(arena);
}
END_TEST

START_TEST(good_advice_loads)
{
    static const char yaml[] =
        HEAD REMEDIES "    figures: 'of {free} and {asked}'\n"
                      "    how:\n"
                      "      - framework: pytorch\n"
                      "        when: version >= 1.10 and unless set(allocator_options, a, b)\n"
                      "        text: |\n          Two\n          lines.\n"
                      "        code: |\n          x\n            y\n"
                      "    source: S\n"
                      "does_not_help: [{title: a, framework: any, why: b}]\n";
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    const struct od_advice *advice = NULL;
    ck_assert_int_eq(od_advice_load(OD_VIEW(yaml), "a.yaml", arena, diags, &advice), OD_OK);
    const struct od_advice_how *how = &advice->remedies[0].how[0];
    ck_assert_uint_eq(how->when.n, 5); /* version, not, set, not, and */
    ck_assert_str_eq(how->when.steps[2].options[1], "b");
    ck_assert_str_eq(how->text, "Two\nlines.");
    ck_assert_str_eq(how->code, "x\n  y");
    ck_assert_str_eq(advice->useless[0].title, "a");
    od_diags_free(diags);
    od_arena_free(arena);
}
END_TEST

static void assert_same(const char *a, const char *b)
{
    ck_assert_int_eq(a == NULL, b == NULL);
    if (a)
        ck_assert_str_eq(a, b);
}

static void assert_same_how(const struct od_advice_how *a, const struct od_advice_how *b)
{
    assert_same(a->framework, b->framework);
    assert_same(a->text, b->text);
    assert_same(a->code, b->code);
    assert_same(a->when.text, b->when.text);
    ck_assert_uint_eq(a->when.n, b->when.n);
    for (size_t i = 0; i < a->when.n; i++) {
        ck_assert_int_eq(a->when.steps[i].op, b->when.steps[i].op);
        ck_assert_int_eq(a->when.steps[i].fact, b->when.steps[i].fact);
        ck_assert_uint_eq(a->when.steps[i].bits, b->when.steps[i].bits);
        assert_same(a->when.steps[i].text, b->when.steps[i].text);
    }
}

static void assert_same_remedy(const struct od_advice_remedy *a, const struct od_advice_remedy *b)
{
    assert_same(a->id, b->id);
    assert_same(a->title, b->title);
    assert_same(a->cost, b->cost);
    assert_same(a->figures, b->figures);
    assert_same(a->source, b->source);
    ck_assert_uint_eq(a->nhow, b->nhow);
    for (size_t i = 0; i < a->nhow; i++)
        assert_same_how(&a->how[i], &b->how[i]);
}

static void assert_same_advice(const struct od_advice *a, const struct od_advice *b)
{
    assert_same(a->cause, b->cause);
    assert_same(a->title, b->title);
    assert_same(a->explain, b->explain);
    assert_same(a->sure, b->sure);
    assert_same(a->file, b->file);
    ck_assert_uint_eq(a->nremedies, b->nremedies);
    for (size_t i = 0; i < a->nremedies; i++)
        assert_same_remedy(&a->remedies[i], &b->remedies[i]);
    ck_assert_uint_eq(a->nuseless, b->nuseless);
    for (size_t i = 0; i < a->nuseless; i++) {
        assert_same(a->useless[i].title, b->useless[i].title);
        assert_same(a->useless[i].why, b->useless[i].why);
        assert_same(a->useless[i].framework, b->useless[i].framework);
    }
}

START_TEST(shipped_tables_say_what_the_files_say)
{
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    struct od_view names = od_view_of(ADVICE);
    struct od_view name;
    size_t n = 0;
    const struct od_advice *all[OD_CAUSE_END + 1];
    while (od_view_cut(&names, ' ', &name)) {
        if (name.n == 0)
            continue;
        const char *file = od_arena_str(arena, name);
        struct od_view yaml;
        ck_assert_int_eq(od_rule_text(ROOT, file, arena, diags, &yaml), OD_OK);
        ck_assert_int_eq(od_advice_load(yaml, file, arena, diags, &all[n++]), OD_OK);
    }
    ck_assert_uint_gt(n, 0);
    ck_assert_int_eq(od_advice_join(all, n, arena, diags), OD_OK);
    for (size_t i = 0; i < n; i++)
        assert_same_advice(od_shipped_advice[i], all[i]);
    ck_assert_ptr_null(od_shipped_advice[n]);
    ck_assert_int_eq(od_advice_check_all(od_shipped_advice, n, diags), OD_OK);
    od_diags_free(diags);
    od_arena_free(arena);
}
END_TEST

START_TEST(each_cause_has_one_file)
{
    const struct od_advice *twice[] = {od_shipped_advice[0], od_shipped_advice[0]};
    struct od_diags *diags = od_diags_new();
    ck_assert_int_eq(od_advice_check_all(twice, 2, diags), OD_ERULE);
    ck_assert_str_eq(od_diags_at(diags, 0)->code, "R0309");
    ck_assert_str_eq(od_diags_at(diags, 1)->code, "R0310");
    od_diags_free(diags);
}
END_TEST

#define OTHER(cause, remedy) \
    "schema: 1\nadvice: " cause "\ntitle: T\nexplain: E\nsure: S\nremedies:\n" remedy

/* What it says of its own stays; the rest is the original's, which must be one. */
START_TEST(a_remedy_is_written_once)
{
    static const char *const texts[] = {
        GOOD, OTHER("capped", "  - {id: one, same: fragmented, cost: more}\n"),
        OTHER("capped", "  - {id: two, same: fragmented}\n"),
        OTHER("survived", "  - {id: one, same: capped}\n")};
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    const struct od_advice *advice[OD_COUNT_OF(texts)];
    for (size_t i = 0; i < OD_COUNT_OF(texts); i++)
        ck_assert_int_eq(od_advice_load(od_view_of(texts[i]), "a.yaml", arena, diags, &advice[i]),
                         OD_OK);
    const struct od_advice *good[] = {advice[0], advice[1]};
    ck_assert_int_eq(od_advice_join(good, 2, arena, diags), OD_OK);
    ck_assert_str_eq(good[1]->remedies[0].title, "One");
    ck_assert_str_eq(good[1]->remedies[0].cost, "more");
    ck_assert_str_eq(good[0]->remedies[0].cost, "none");
    ck_assert_uint_eq(good[1]->remedies[0].nhow, 1);
    const struct od_advice *unknown[] = {advice[0], advice[2]};
    ck_assert_int_eq(od_advice_join(unknown, 2, arena, diags), OD_ERULE);
    ck_assert_str_eq(od_diags_at(diags, 0)->code, "R0311");
    const struct od_advice *of_another[] = {advice[0], advice[1], advice[3]};
    ck_assert_int_eq(od_advice_join(of_another, 3, arena, diags), OD_ERULE);
    od_diags_free(diags);
    od_arena_free(arena);
}
END_TEST

/* Names are checked once all files are read, and reported where they stand. */
START_TEST(names_are_of_kinds_remedies_and_programs_that_there_are)
{
    static const struct {
        const char *text, *code, *help;
        unsigned line, column;
    } bad[] = {
        {OTHER("capped", "  - {id: one, same: fragmented, relieves: [weights, wieghts]}\n"),
         "R0312", "did you mean 'weights'?", 7, 53},
        {OTHER("capped", "  - {id: one, same: fragmented, when: not asks(twoo)}\n"), "R0313",
         "did you mean 'two'?", 7, 48},
        {OTHER("capped", "  - {id: one, same: fragmented, when: chosen(something_else)}\n"),
         "R0313", NULL, 7, 46},
        {OTHER("capped", "  - {id: one, same: fragmented, how: [{framework: pytorc, text: a}]}\n"),
         "R0314", "did you mean 'pytorch'?", 7, 51},
        {OTHER("capped",
               "  - {id: one, same: fragmented, how: [{framework: pytorch, text: a, code: b}]}\n"),
         "R0317", "when: version >= N, or unless version < N", 7, 51},
        {OTHER("capped", "  - {id: one, same: fragmented, how: [{framework: pytorch, "
                         "when: version >= 2.0, text: a, code: b}]}\n"),
         NULL, NULL, 0, 0},
        {OTHER("capped", "  - {id: one, same: fragmented, relieves: [weights], when: asks(one)}\n"),
         NULL, NULL, 0, 0}};
    static const struct od_software pytorch = {.name = "pytorch", .nreleases = 1};
    const struct od_software *programs[] = {&pytorch, NULL};
    const struct od_software_list software = {programs, 1, 2};
    static const char settings[] =
        "schema: 1\nadvice: settings\ntitle: t\nexplain: e\nsure: s\nkinds:\n"
        "  - {kind: weights, doc: parameters, when: memory == device, knobs: [precision]}\n"
        "remedies:\n  - {id: two, title: t, cost: c, source: s, knobs: [heap]}\n";
    for (size_t i = 0; i < OD_COUNT_OF(bad); i++) {
        struct od_arena *arena = od_arena_new();
        struct od_diags *diags = od_diags_new();
        const struct od_advice *list[2];
        ck_assert_int_eq(od_advice_load(od_view_of(bad[i].text), "a.yaml", arena, diags, &list[0]),
                         OD_OK);
        ck_assert_int_eq(od_advice_load(od_view_of(settings), "b.yaml", arena, diags, &list[1]),
                         OD_OK);
        ck_assert(!od_diags_has_error(diags));
        ck_assert_int_eq(od_advice_check_names(list, 2, &software, diags),
                         bad[i].code ? OD_ERULE : OD_OK);
        ck_assert_uint_eq(od_diags_count(diags), bad[i].code ? 1 : 0);
        if (bad[i].code) {
            const struct od_diag *diag = od_diags_at(diags, 0);
            ck_assert_str_eq(diag->code, bad[i].code);
            ck_assert_pstr_eq(diag->help, bad[i].help);
            ck_assert_str_eq(diag->file, "a.yaml");
            ck_assert_uint_eq(diag->line, bad[i].line);
            ck_assert_uint_eq(diag->column, bad[i].column);
        }
        od_diags_free(diags);
        od_arena_free(arena);
    }
}
END_TEST

Suite *od_advice_suite(void)
{
    Suite *suite = suite_create("advice");
    TCase *tcase = tcase_create("advice");
    tcase_add_test(tcase, good_advice_loads);
    tcase_add_test(tcase, shipped_tables_say_what_the_files_say);
    tcase_add_test(tcase, each_cause_has_one_file);
    tcase_add_test(tcase, a_remedy_is_written_once);
    tcase_add_test(tcase, names_are_of_kinds_remedies_and_programs_that_there_are);
    suite_add_tcase(suite, tcase);
    return suite;
}

Suite *od_advice_error_suite(void)
{
    return od_suite_loop("advice errors", bad_advice_says_where_and_why, (int)OD_COUNT_OF(bads));
}
