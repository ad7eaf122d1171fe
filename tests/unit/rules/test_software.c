#include "base/num.h"
#include "rules/software.h"
#include "rules/start_value.h"
#include "tests/unit/rules/suites.h"
#include "tests/unit/suite.h"

#include <string.h>

#define HEAD "schema: 1\nsoftware: server\nprograms:\n"
#define NAME "  - name: one\n    title: One\n"
#define MARKS "    marks: [{path: one/serve/}]\n"
#define KNOBS "    knobs: {batch: {flag: --batch N, less: lower, source: S}}\n"

/* The first error of a bad file. */
struct bad {
    const char *yaml;
    const char *code;
    unsigned line;
    const char *help; /* part of it, or NULL */
};

static const struct bad bads[] = {
    {"schema: 1\nsoftware: sever\nprograms: []\n", "R0113", 2, "server"},
    {HEAD NAME "    marks: [{pat: one/serve/}]\n" KNOBS, "R0113", 6, "path"},
    {HEAD NAME "    marks: [{path: one}]\n" KNOBS, "R0405", 6, NULL},
    {HEAD NAME "    marks: []\n" KNOBS, "R0406", 4, NULL},
    {HEAD NAME MARKS "    knobs: {bach: {flag: --batch N, less: lower, source: S}}\n", "R0113", 7,
     "batch"},
    {HEAD NAME MARKS "    knobs: {batch: {flag: --batch N, less: fewer, source: S}}\n", "R0113", 7,
     NULL},
    {HEAD NAME MARKS "    knobs: {batch: {flag: --batch N, less: lower}}\n", "R0110", 7, NULL},
    {HEAD NAME MARKS "    knobs: {batch: {less: lower, source: S}}\n", "R0404", 7, NULL},
    {HEAD NAME MARKS "    knobs: {heap: {flag: -m N, less: lower, start: limit / 2, source: S}}\n",
     "R0408", 7, "limit x 0.5"},
    {HEAD NAME MARKS "    knobs: {heap: {flag: -m N, less: lower, start: lot x 2, source: S}}\n",
     "R0408", 7, NULL},
    {HEAD NAME MARKS "    knobs: {batch: {code: f(n=), less: lower, source: S}}\n", "R0409", 7,
     "argument=N"},
    {HEAD NAME MARKS KNOBS "    answers: [{turn: tile, when: device}]\n", "R0407", 4, "tile"},
    {HEAD NAME MARKS KNOBS "    answers: [{turn: batch}]\n", "R0407", 4, "when"},
    {HEAD NAME "    marks: [{call: One(}]\n"
               "    knobs: {batch: {flag: -b N, less: lower, source: S}}\n",
     "R0407", 4, "-b"},
    {HEAD NAME MARKS
     "    knobs: {batch: {flag: --batch N, less: lower, needs: names(joyn), source: S}}\n",
     "R0506", 7, "join"},
    {HEAD NAME MARKS KNOBS "    answers: [{turn: batch, when: device, needs: names(joyn)}]\n",
     "R0506", 8, "join"},
    {HEAD NAME MARKS KNOBS "    answers: [{turn: batch, when: devise}]\n", "R0501", 8, "device"},
    {HEAD NAME MARKS KNOBS "    answers: [{title: T, say: S, when: host}]\n", "R0407", 8, "cost"},
    {HEAD NAME MARKS KNOBS
     "    answers: [{title: T, say: It helps., cost: c, source: S, when: host}]\n",
     "R0121", 8, "name the program"},
    {HEAD NAME MARKS KNOBS
     "    answers: [{title: Call it anew, say: S., cost: c, source: S, when: host}]\n",
     "R0121", 8, "name the program"},
    {HEAD NAME MARKS KNOBS "    answers: [{turn: batch, when: host and shows(E)}]\n", "R0407", 4,
     "E"},
};

START_TEST(a_bad_file_says_where_and_why)
{
    const struct bad *bad = &bads[_i];
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    struct od_software_list list = {0};
    enum od_err err = od_software_load(od_view_of(bad->yaml), "t.yaml", arena, diags, &list);
    ck_assert_int_eq(err, OD_ERULE);
    ck_assert_uint_ge(od_diags_count(diags), 1);
    const struct od_diag *diag = od_diags_at(diags, 0);
    ck_assert_str_eq(diag->code, bad->code);
    ck_assert_uint_eq(diag->line, bad->line);
    if (bad->help)
        ck_assert_ptr_nonnull(strstr(diag->help, bad->help));
    od_diags_free(diags);
    od_arena_free(arena);
}
END_TEST

static enum od_err check(const char *yaml)
{
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    struct od_software_list list = {0};
    enum od_err err = od_software_load(od_view_of(yaml), "t.yaml", arena, diags, &list);
    ck_assert_int_eq(err, OD_OK);
    err = od_software_check_all(&list, diags);
    od_diags_free(diags);
    od_arena_free(arena);
    return err;
}

START_TEST(names_differ_and_what_a_program_stands_on_exists)
{
    ck_assert_int_eq(check(HEAD NAME MARKS KNOBS), OD_OK);
    ck_assert_int_eq(check(HEAD NAME MARKS KNOBS NAME MARKS KNOBS), OD_ERULE);
    ck_assert_int_eq(check(HEAD NAME "    over: [two]\n" MARKS KNOBS), OD_ERULE);
    ck_assert_int_eq(check(HEAD NAME "    over: [one]\n" MARKS KNOBS), OD_ERULE);
}
END_TEST

START_TEST(the_catalogue_is_large_and_stands_on_itself)
{
    size_t n = 0;
    const struct od_software *pytorch = od_software_find(OD_VIEW("pytorch"));
    const struct od_software *trl = od_software_find(OD_VIEW("trl"));
    while (od_shipped_software[n])
        n++;
    ck_assert_uint_ge(n, 300);
    ck_assert_ptr_nonnull(pytorch);
    ck_assert_ptr_nonnull(trl);
    ck_assert(od_software_stands_on(trl, pytorch));
    ck_assert(!od_software_stands_on(pytorch, trl));
    ck_assert_ptr_nonnull(od_software_knob(pytorch, "allocator"));
    ck_assert_ptr_null(od_software_knob(pytorch, "heap"));
    ck_assert_ptr_null(od_software_find(OD_VIEW("no such program")));
}
END_TEST

/* "limit x 0.5 or machine x 0.25", "free of device" */
START_TEST(a_first_value_is_a_list_of_formulas)
{
    struct od_view text = OD_VIEW("limit x 0.5 or machine x 0.25 or free of device");
    struct od_start start;
    ck_assert(od_start_take(&text, &start));
    ck_assert(start.fact == OD_START_LIMIT && start.of == OD_START_NONE);
    ck_assert_double_eq_tol(start.factor, 0.5, 1e-9);
    ck_assert(od_start_take(&text, &start));
    ck_assert_int_eq(start.fact, OD_START_MACHINE);
    ck_assert(od_start_take(&text, &start));
    ck_assert(start.fact == OD_START_FREE && start.of == OD_START_DEVICE);
    ck_assert(!od_start_take(&text, &start));
    ck_assert(!od_start_is_valid(OD_VIEW("limit x 0 or machine")));
    ck_assert(!od_start_is_valid(OD_VIEW("limit or")));
}
END_TEST

Suite *od_software_suite(void)
{
    Suite *suite = suite_create("software");
    TCase *tcase = tcase_create("software");
    tcase_add_loop_test(tcase, a_bad_file_says_where_and_why, 0, (int)OD_COUNT_OF(bads));
    tcase_add_test(tcase, a_first_value_is_a_list_of_formulas);
    tcase_add_test(tcase, names_differ_and_what_a_program_stands_on_exists);
    tcase_add_test(tcase, the_catalogue_is_large_and_stands_on_itself);
    suite_add_tcase(suite, tcase);
    return suite;
}
