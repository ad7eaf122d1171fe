/* A cause as one YAML text: what is refused and where, and that a new one is diagnosed. */
#include "diagnose/finding.h"
#include "diagnose/rows.h"
#include "failure/failure.h"
#include "fit/fit.h"
#include "tests/unit/diagnose/case_maker.h"
#include "tests/unit/diagnose/suites.h"
#include "tests/unit/suite.h"

#include <string.h>

#define CAUSE "schema: 1\ncause: workspace\n"
#define VARIANT "variants:\n  - {sign: one, strength: strong, say: 'Short.'}\n"

struct refused {
    const char *yaml;
    const char *code;
    unsigned line, column;
    const char *help; /* part of it, or NULL */
};

static const struct refused refused[] = {
    {CAUSE "when: memori == device\n" VARIANT, "R0501", 3, 7, "memory"},
    {CAUSE "when: first_cause == capped\n" VARIANT, "R0603", 3, 7, NULL},
    {CAUSE "when: batched\n" VARIANT, "R0603", 3, 7, NULL},
    {CAUSE "when: prints(bus_eror)\n" VARIANT, "R0506", 3, 14, "bus_error"},
    {CAUSE "when: asked > batch\n" VARIANT, "R0504", 3, 15, NULL},
    {CAUSE "when: asked > 80% of batch\n" VARIANT, "R0504", 3, 15, NULL},
    {CAUSE "when: failed\nvariants:\n  - {sign: a, strength: strong, say: 'Up to {askd}.'}\n",
     "R0601", 5, 38, "asked"},
    {CAUSE "when: failed\nvariants:\n  - {sign: a, strength: firm, say: 'Short.'}\n", "R0113", 5,
     25, "some"},
    {CAUSE "when: failed\nnumbers: [bucket_bits]\n" VARIANT, "R0602", 4, 10, NULL},
    {CAUSE "when: failed\nvariants:\n  - {sign: a, strength: weak, series: grwth, say: 'Short.'}\n",
     "R0605", 5, 39, "growth"},
    {CAUSE "when: failed\nvariants:\n  - {sign: a, strength: weak, series: asked, say: 'Short.'}\n",
     "R0605", 5, 39, NULL},
    {CAUSE "when: failed\nvariants:\n  - {sign: a, strength: weak, say: 'Up[couse| to it].'}\n",
     "R0606", 5, 36, "cause"},
    {CAUSE "when: failed\nvariants:\n  - {sign: a, strength: weak, say: 'Up[cause| to it.'}\n",
     "R0303", 5, 36, NULL},
    {CAUSE "when: failed and growth > 1\n" VARIANT, "R0503", 3, 25, NULL},
    {CAUSE "when: failed\nvariants:\n  - {sign: a, strength: weak}\n", "R0308", 5, 3, NULL},
    {"schema: 1\ncause: workspase\nwhen: failed\n" VARIANT, "R0604", 2, 8, "workspace"},
};

START_TEST(a_bad_cause_is_refused_at_its_place)
{
    const struct refused *bad = &refused[_i];
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    const struct od_cause_row *row = NULL;
    ck_assert_int_eq(od_cause_row_load(od_view_of(bad->yaml), "a.yaml", arena, diags, &row),
                     OD_ERULE);
    ck_assert_uint_ge(od_diags_count(diags), 1);
    const struct od_diag *diag = od_diags_at(diags, 0);
    ck_assert_str_eq(diag->code, bad->code);
    ck_assert_uint_eq(diag->line, bad->line);
    ck_assert_uint_eq(diag->column, bad->column);
    if (bad->help)
        ck_assert_msg(diag->help && strstr(diag->help, bad->help), "help: %s", diag->help);
    od_diags_free(diags);
    od_arena_free(arena);
}
END_TEST

static const char new_cause[] =
    "schema: 1\n"
    "cause: workspace\n"
    "when: asked > 200% of free and memory == device\n"
    "numbers: [warnings_count]\n"
    "variants:\n"
    "  - sign: much\n"
    "    when: asked > 8 GiB\n"
    "    strength: strong\n"
    "    lead: Much was requested.\n"
    "    say: |\n"
    "      {asked} of {capacity} was requested.\n"
    "      {asked} was requested[cause|: too much].\n"
    "  - sign: little\n"
    "    strength: weak\n"
    "    say: Little was requested.\n"
    "signs:\n"
    "  - {sign: alone, strength: some, when: alone == unknown or not alone}\n";

START_TEST(a_new_cause_is_one_text)
{
    struct case_maker maker;
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    const struct od_cause_row *rows[2] = {NULL, NULL};
    ck_assert_int_eq(od_cause_row_load(od_view_of(new_cause), "a.yaml", arena, diags, &rows[0]),
                     OD_OK);
    case_maker_init(&maker);
    struct od_incident *inc =
        case_maker_incident(&maker, OD_INC_DEVICE_ALLOC_FAILED, "out of memory");
    inc->requested = od_bytes_exact(UINT64_C(9) << 30);
    inc->free = od_bytes_exact(UINT64_C(1) << 30);
    const struct od_failure *failure = od_failure_of(&maker.c, arena);
    struct od_fit fit = {.question = {.c = &maker.c, .failure = failure}};
    struct od_diagnosis diagnosis = {.arena = arena, .failure = failure};
    struct od_diagnosis_context context = {
        .c = &maker.c, .failure = failure, .fit = &fit, .diagnosis = &diagnosis, .arena = arena};
    od_rows_look(&context, rows);
    ck_assert_uint_eq(diagnosis.findings.n, 1);
    const struct od_finding *finding = &diagnosis.findings.items[0];
    ck_assert_int_eq(finding->cause, OD_CAUSE_WORKSPACE);
    ck_assert_str_eq(finding->summary, "Much was requested. 9 GiB was requested: too much.");
    ck_assert_uint_eq(finding->said.n, 2);
    ck_assert_int_eq(finding->said.list[0].what, OD_CLAIMED_CAUSE);
    ck_assert_str_eq(finding->summary + finding->said.list[0].at, ": too much.");
    ck_assert_uint_eq(finding->said.list[0].n, strlen(": too much"));
    ck_assert_int_eq(finding->said.list[1].what, OD_CLAIMED_AMOUNTS);
    ck_assert_uint_eq(finding->said.list[1].n, strlen("Much was requested. "));
    ck_assert_str_eq(finding->signs[0].name, "much");
    ck_assert_int_eq(finding->signs[0].strength, OD_STRENGTH_STRONG);
    ck_assert_uint_eq(finding->nsigns, 2);
    inc->free = od_bytes_exact(UINT64_C(5) << 30);
    diagnosis.findings.n = 0;
    diagnosis.failure = context.failure = od_failure_of(&maker.c, arena);
    od_rows_look(&context, rows);
    ck_assert_uint_eq(diagnosis.findings.n, 0);
    od_vec_done(&diagnosis.findings);
    case_maker_done(&maker);
    od_diags_free(diags);
    od_arena_free(arena);
}
END_TEST

Suite *od_rows_suite(void)
{
    Suite *suite = suite_create("rows of causes");
    TCase *tc = tcase_create("rows");
    tcase_add_loop_test(tc, a_bad_cause_is_refused_at_its_place, 0,
                        (int)(sizeof refused / sizeof refused[0]));
    tcase_add_test(tc, a_new_cause_is_one_text);
    suite_add_tcase(suite, tc);
    return suite;
}
