/* Conditions: what is refused and where, what is true of which facts. */
#include "case/case.h"
#include "rules/advice.h"
#include "rules/loader.h"
#include "rules/software.h"
#include "tests/unit/rules/suites.h"
#include "tests/unit/suite.h"

#include <string.h>

#define HEAD                                                                                     \
    "schema: 1\nadvice: fragmented\ntitle: T\nexplain: E\nsure: S\nremedies:\n  - id: one\n"     \
    "    title: One\n    cost: none\n    how: [{framework: any, text: Do it.}]\n    source: S\n" \
    "    when: "

struct refused {
    const char *when;
    const char *code;
    unsigned column, width;
    const char *help; /* part of it, or NULL */
};

static const struct refused refused[] = {
    {"memori == device", "R0501", 11, 6, "memory"},
    {"memory == devise", "R0502", 21, 6, "device"},
    {"memory", "R0504", 17, 0, "in [...]"},
    {"memory in [device, hots]", "R0502", 30, 4, "host"},
    {"memory in device", "R0503", 21, 6, NULL},
    {"not", "R0501", 14, 0, NULL},
    {"network and", "R0501", 22, 0, NULL},
    {"(network", "R0503", 19, 0, NULL},
    {"network) or garbage", "R0503", 18, 1, NULL},
    {"network == yes", "R0504", 22, 3, NULL},
    {"batch > many", "R0504", 19, 4, NULL},
    {"batch 5", "R0504", 17, 1, ">="},
    {"asked > 4", "R0504", 19, 1, NULL},
    {"version > 2.1", "R0504", 19, 1, ">= or <"},
    {"version >= new", "R0504", 22, 3, NULL},
    {"set(precison, 16)", "R0506", 15, 8, "precision"},
    {"names(joyn)", "R0506", 17, 4, "join"},
    {"uses(pytorch, jax)", "R0506", 16, 7, NULL},
    {"said", "R0503", 15, 0, NULL},
    {"said()", "R0506", 16, 1, NULL},
};

START_TEST(a_bad_condition_is_refused_at_its_place)
{
    const struct refused *bad = &refused[_i];
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    const struct od_advice *advice = NULL;
    const char *yaml = od_arena_printf(arena, HEAD "%s\n", bad->when);
    ck_assert_int_eq(od_advice_load(od_view_of(yaml), "a.yaml", arena, diags, &advice), OD_ERULE);
    ck_assert_uint_eq(od_diags_count(diags), 1);
    const struct od_diag *diag = od_diags_at(diags, 0);
    ck_assert_str_eq(diag->code, bad->code);
    ck_assert_uint_eq(diag->line, 12);
    ck_assert_uint_eq(diag->column, bad->column);
    ck_assert_uint_eq(diag->width, bad->width);
    if (bad->help)
        ck_assert_msg(diag->help && strstr(diag->help, bad->help), "help: %s", diag->help);
    od_diags_free(diags);
    od_arena_free(arena);
}
END_TEST

/* The condition of a text, with these facts. */
static struct od_when read_with(const char *text, const struct od_fact_row *facts,
                                struct od_arena *arena, struct od_diags *diags)
{
    struct od_when when = {0};
    struct od_loader loader = {.arena = arena};
    loader.source = (struct od_yaml_source){.text = od_view_of(text), .name = "w", .diags = diags};
    const struct od_yaml_node node = {
        .kind = OD_YAML_TEXT, .end = strlen(text), .line = 1, .text = text};
    od_when_load_with(&loader, &node, facts, &when);
    return when;
}

START_TEST(a_named_condition_may_not_need_itself)
{
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    struct od_fact_row facts[OD_FACT_END];
    memcpy(facts, od_facts, sizeof facts);
    facts[OD_FACT_DEVICE].means = "host or network";
    facts[OD_FACT_HOST].means = "not device";
    struct od_when when = read_with("network and device", facts, arena, diags);
    ck_assert_ptr_null(when.text);
    ck_assert_uint_eq(od_diags_count(diags), 1);
    ck_assert_str_eq(od_diags_at(diags, 0)->code, "R0505");
    ck_assert_ptr_nonnull(strstr(od_diags_at(diags, 0)->message, "'device' needs itself"));
    od_diags_free(diags);
    od_arena_free(arena);
}
END_TEST

/* --- values --- */

static struct od_fact_value values[OD_FACT_END];

static enum od_tri ask(const void *with, const struct od_when_step *test)
{
    if (test->fact == OD_FACT_USES)
        return strcmp(test->text, with) == 0 ? OD_YES : OD_NO;
    return test->op == OD_WHEN_BELOW ? od_fact_below(values, test)
                                     : od_fact_test(&values[test->fact], test);
}

static const struct {
    const char *when;
    enum od_tri holds;
    const char *misses;
} held[] = {
    {"memory == device", OD_YES, ""},
    {"memory != device", OD_NO, "memory == device (yes)"},
    {"memory in [host, device]", OD_YES, ""},
    {"moment == load", OD_CANNOT_TELL, "moment == load (unknown)"},
    {"moment != load", OD_CANNOT_TELL, "moment == load (unknown)"},
    {"moment in [load, unknown]", OD_YES, ""},
    {"unless moment == load", OD_YES, ""},
    {"unless memory == device", OD_NO, "memory == device (yes)"},
    {"memory == unknown", OD_NO, "memory == unknown (no)"},
    {"network", OD_YES, ""},
    {"not network", OD_NO, "network (yes)"},
    {"garbage", OD_CANNOT_TELL, "garbage (unknown)"},
    {"garbage == unknown", OD_YES, ""},
    {"garbage and memory == host", OD_NO, "garbage (unknown), memory == host (no)"},
    {"garbage or memory == device", OD_YES, ""},
    {"garbage and network", OD_CANNOT_TELL, "garbage (unknown)"},
    {"batch > 7", OD_YES, ""},
    {"batch > 8", OD_NO, "batch < 9 (yes)"},
    {"batch >= 8", OD_YES, ""},
    {"batch <= 8", OD_YES, ""},
    {"batch < 8", OD_NO, "batch < 8 (no)"},
    {"batch == 8", OD_YES, ""},
    {"batch != 8", OD_NO, "batch == 8 (yes)"},
    {"progress > 0", OD_CANNOT_TELL, "progress < 1 (unknown)"},
    {"progress == unknown", OD_YES, ""},
    {"asked > 4 GiB", OD_CANNOT_TELL, "asked < 4294967297 (unknown)"}, /* it is between 4 and 5 */
    {"asked < 6 GiB", OD_YES, ""},
    {"asked > in_use", OD_YES, ""}, /* within the device */
    {"asked > machine_free", OD_CANNOT_TELL, "machine_free < asked (unknown)"}, /* another memory */
    {"asked > free", OD_YES, ""}, /* of a memory that is not known */
    {"sort in [own, server]", OD_YES, ""},
    {"sort in [server, unknown]", OD_YES, ""},
    {"sort in [server, gui]", OD_NO, "sort in [server, gui] (no)"},
    {"uses(pytorch) and not uses(jax)", OD_YES, ""},
    {"network or garbage and memory == host", OD_YES, ""}, /* "and" binds closer */
    {"(network or garbage) and memory == host", OD_NO, "memory == host (no)"},
    {"not memory == host and network", OD_YES, ""},
    {"not (network or garbage)", OD_NO, "network (yes), garbage (unknown)"},
    {"not (network and garbage) and uses(jax)", OD_NO,
     "network (yes), garbage (unknown), uses(jax) (no)"},
    {"set(precision, bf16, fp16)", OD_CANNOT_TELL, "set(precision, bf16, fp16) (unknown)"},
};

START_TEST(a_condition_holds_fails_or_stays_open)
{
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    enum { GIB = 1 << 30 };
    memset(values, 0, sizeof values);
    values[OD_FACT_MEMORY] =
        (struct od_fact_value){.known = true, .bits = od_fact_bit(OD_FACT_MEMORY, "device")};
    values[OD_FACT_NETWORK] = (struct od_fact_value){.known = true, .bits = 1};
    values[OD_FACT_BATCH] = (struct od_fact_value){.known = true, .number = od_bytes_exact(8)};
    values[OD_FACT_ASKED] = (struct od_fact_value){
        .known = true, .number = {.lo = 4ULL * GIB, .hi = 5ULL * GIB, .known = true}};
    values[OD_FACT_ASKED].scope = OD_SCOPE_DEVICE;
    static const struct {
        enum od_fact fact;
        enum od_scope scope;
    } ones[] = {{OD_FACT_IN_USE, OD_SCOPE_POOL},
                {OD_FACT_MACHINE_FREE, OD_SCOPE_MACHINE},
                {OD_FACT_FREE, OD_SCOPE_UNKNOWN}};
    for (size_t i = 0; i < OD_COUNT_OF(ones); i++)
        values[ones[i].fact] = (struct od_fact_value){
            .known = true, .number = od_bytes_exact(GIB), .scope = ones[i].scope};
    values[OD_FACT_SORT] = (struct od_fact_value){
        .known = true, .bits = od_fact_bit(OD_FACT_SORT, "own") | OD_FACT_UNKNOWN};
    struct od_when when = read_with(held[_i].when, od_facts, arena, diags);
    ck_assert_str_eq(when.text, held[_i].when);
    ck_assert_int_eq(od_when_holds(&when, ask, "pytorch"), held[_i].holds);
    struct od_buf misses = {0};
    od_when_misses(&when, ask, "pytorch", &misses);
    ck_assert_str_eq(od_buf_str(&misses), held[_i].misses);
    od_buf_done(&misses);
    od_diags_free(diags);
    od_arena_free(arena);
}
END_TEST

/* Each named condition can be read, and each word of a fact is one that its enum has. */
START_TEST(facts_are_whole)
{
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    for (unsigned fact = 0; fact < OD_FACT_END; fact++)
        if (od_facts[fact].type == OD_FACT_IS_DERIVED)
            ck_assert_ptr_nonnull(read_with(od_facts[fact].name, od_facts, arena, diags).text);
    for (unsigned kind = 0; kind < OD_INC_END; kind++)
        ck_assert_uint_eq(
            od_fact_bit(OD_FACT_INCIDENT, od_incident_kind_name((enum od_incident_kind)kind)),
            UINT64_C(1) << kind);
    for (unsigned sort = 0; sort < OD_SORT_END; sort++)
        ck_assert_uint_ne(od_fact_bit(OD_FACT_SORT, od_sort_words[sort]), 0);
    od_diags_free(diags);
    od_arena_free(arena);
}
END_TEST

Suite *od_when_suite(void)
{
    Suite *suite = suite_create("conditions");
    TCase *tcase = tcase_create("conditions");
    tcase_add_loop_test(tcase, a_bad_condition_is_refused_at_its_place, 0,
                        (int)OD_COUNT_OF(refused));
    tcase_add_loop_test(tcase, a_condition_holds_fails_or_stays_open, 0, (int)OD_COUNT_OF(held));
    tcase_add_test(tcase, a_named_condition_may_not_need_itself);
    tcase_add_test(tcase, facts_are_whole);
    suite_add_tcase(suite, tcase);
    return suite;
}
