#include "base/num.h"
#include "rules/emit.h"
#include "rules/load.h"
#include "rules/ruleset.h"
#include "tests/unit/rules/suites.h"
#include "tests/unit/suite.h"

#include <string.h>

struct row {
    const char *text;
    const char *c;
};

static const struct row rows[] = {
    {"plain", "\"plain\""},
    {"", "\"\""},
    {"a\"b\\c", "\"a\\042b\\134c\""},
    {"\x1b[31m5", "\"\\033[31m5\""},
    {"\xff"
     "7",
     "\"\\3777\""},
    {"?"
     "?/",
     "\"\\077\\077/\""},
    {"it's", "\"it\\047s\""},
};

START_TEST(texts_are_escaped_for_c)
{
    struct od_buf buf = {0};
    od_text_emit(rows[_i].text, &buf);
    ck_assert_str_eq(od_buf_str(&buf), rows[_i].c);
    od_buf_done(&buf);
}
END_TEST

START_TEST(a_long_text_is_an_array)
{
    struct od_buf text = {0};
    struct od_buf c = {0};
    od_buf_add_repeat(&text, "ab", 2500);
    od_text_emit(od_buf_str(&text), &c);
    ck_assert(od_view_starts(od_buf_view(&c), OD_VIEW("(const char[]){\n        'a', 'b',")));
    ck_assert(od_view_ends(od_buf_view(&c), OD_VIEW("'b', '\\000',}")));
    od_buf_done(&text);
    od_buf_done(&c);
}
END_TEST

static void assert_same_text(const char *a, const char *b)
{
    ck_assert_int_eq(a == NULL, b == NULL);
    if (a)
        ck_assert_str_eq(a, b);
}

static void assert_same_texts(const struct od_rule_text *a, const struct od_rule_text *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        ck_assert_int_eq(a[i].field, b[i].field);
        ck_assert_str_eq(a[i].text, b[i].text);
    }
}

static void assert_same_samples(const struct od_sample *a, const struct od_sample *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        ck_assert_str_eq(a[i].line, b[i].line);
        ck_assert_uint_eq(a[i].at, b[i].at);
        ck_assert_uint_eq(a[i].ngives, b[i].ngives);
        assert_same_texts(a[i].gives, b[i].gives, a[i].ngives);
    }
}

static void assert_same_rule(const struct od_rule *a, const struct od_rule *b)
{
    ck_assert_str_eq(a->id, b->id);
    ck_assert_int_eq(a->means, b->means);
    ck_assert_str_eq(a->pattern, b->pattern);
    ck_assert_int_eq(a->unit_base, b->unit_base);
    ck_assert_pstr_eq(a->bare, b->bare);
    ck_assert_int_eq(a->numbered, b->numbered);
    ck_assert_int_eq(a->slow, b->slow);
    ck_assert_int_eq(a->fallback, b->fallback);
    ck_assert_int_eq(a->outright, b->outright);
    ck_assert_int_eq(a->printed, b->printed);
    ck_assert_uint_eq(a->at, b->at);
    assert_same_text(a->note, b->note);
    ck_assert_uint_eq(a->nliterals, b->nliterals);
    for (size_t i = 0; i < a->nliterals; i++)
        ck_assert_str_eq(a->literals[i], b->literals[i]);
    ck_assert_uint_eq(a->nset, b->nset);
    assert_same_texts(a->set, b->set, a->nset);
    ck_assert_uint_eq(a->nsamples, b->nsamples);
    assert_same_samples(a->samples, b->samples, a->nsamples);
    ck_assert_uint_eq(a->nnear_misses, b->nnear_misses);
    assert_same_samples(a->near_misses, b->near_misses, a->nnear_misses);
}

static void assert_same_pack(const struct od_pack *a, const struct od_pack *b)
{
    ck_assert_str_eq(a->name, b->name);
    ck_assert_str_eq(a->producer, b->producer);
    ck_assert_str_eq(a->file, b->file);
    ck_assert_uint_eq(a->nrules, b->nrules);
    for (size_t i = 0; i < a->nrules; i++)
        assert_same_rule(&a->rules[i], &b->rules[i]);
}

/* PACKS are all files of rules/: a new pack is compared as well. */
START_TEST(shipped_tables_say_what_the_packs_say)
{
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    struct od_view names = od_view_of(PACKS);
    struct od_view name;
    size_t n = 0;
    while (od_view_cut(&names, ' ', &name)) {
        if (name.n == 0)
            continue;
        const struct od_pack *pack;
        const char *file = od_arena_str(arena, name);
        struct od_view yaml;
        ck_assert_int_eq(od_rule_text(ROOT, file, arena, diags, &yaml), OD_OK);
        ck_assert_int_eq(od_pack_load(yaml, file, arena, diags, &pack), OD_OK);
        ck_assert_ptr_nonnull(od_shipped_packs[n]);
        assert_same_pack(od_shipped_packs[n++], pack);
    }
    ck_assert_uint_gt(n, 0);
    ck_assert_ptr_null(od_shipped_packs[n]);
    od_diags_free(diags);
    od_arena_free(arena);
}
END_TEST

START_TEST(a_file_that_cannot_be_read_is_said)
{
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    struct od_view yaml;
    ck_assert_int_eq(od_rule_text(NULL, "no/such/pack.yaml", arena, diags, &yaml), OD_EINPUT);
    ck_assert_int_eq(od_rule_text(NULL, ROOT, arena, diags, &yaml), OD_EINPUT);
    ck_assert_uint_eq(od_diags_count(diags), 2);
    od_diags_free(diags);
    od_arena_free(arena);
}
END_TEST

Suite *od_emit_suite(void)
{
    Suite *suite = od_suite_loop("emit", texts_are_escaped_for_c, (int)OD_COUNT_OF(rows));
    TCase *tcase = tcase_create("tables");
    tcase_add_test(tcase, a_long_text_is_an_array);
    tcase_add_test(tcase, shipped_tables_say_what_the_packs_say);
    tcase_add_test(tcase, a_file_that_cannot_be_read_is_said);
    suite_add_tcase(suite, tcase);
    return suite;
}
