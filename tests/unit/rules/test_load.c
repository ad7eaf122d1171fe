#include "base/buf.h"
#include "base/num.h"
#include "rules/load.h"
#include "tests/unit/rules/suites.h"
#include "tests/unit/suite.h"

#include <stdio.h>
#include <string.h>

#define HEAD "schema: 1\npack: tf\nproducer: tensorflow\nrules:\n"
#define ID "  - id: tf.a\n"
#define MEANS "    means: alloc_failed\n"
#define LITERALS "    literals: [hello]\n"
#define MATCH "    match: 'hello (?<requested>\\d+)'\n"
#define SAMPLES "    samples: [{line: hello 5, gives: {requested: 5}}]\n"
#define RULE ID MEANS LITERALS MATCH SAMPLES

/* The first error of a bad pack. */
struct bad {
    const char *yaml;
    const char *code;
    unsigned line, column;
    const char *help; /* part of it, or NULL */
};

static const struct bad bads[] = {
    /* the text itself */
    {"schema: [1\npack: x\n", "R0101", 2, 5, NULL},
    {"schema: 1\n\tpack: x\n", "R0101", 2, 1, NULL},
    {"schema: 1\npack: \x01\n", "R0101", 2, 7, NULL},
    {"schema: 1\npack: \xff\n", "R0101", 2, 7, NULL},
    {"", "R0102", 1, 1, NULL},
    {"# nothing\n", "R0102", 1, 1, NULL},
    {"schema: 1\n---\nschema: 1\n", "R0102", 2, 1, NULL},
    {"schema: &a 1\n", "R0103", 1, 9, NULL},
    {"schema: 1\npack: *a\n", "R0103", 2, 7, NULL},
    {"schema: !!int 1\n", "R0103", 1, 9, NULL},
    {"schema: 1\nrules: &a []\n", "R0103", 2, 8, NULL},
    {"schema: 1\nrules: !x {}\n", "R0103", 2, 8, NULL},
    {"schema: 1\npack: a\npack: b\n", "R0104", 3, 1, NULL},
    {"a: [[[[[[[[1]]]]]]]]\n", "R0105", 1, 11, NULL},
    {HEAD ID "    note: \"a\\0b\"\n", "R0106", 6, 11, NULL},
    {"schema: 1\n[a]: b\n", "R0108", 2, 1, NULL},

    /* the pack */
    {"- schema\n", "R0108", 1, 1, NULL},
    {"schema: 1\npack: tf\nproducer: tensorflow\nrules: 5\n", "R0108", 4, 8, NULL},
    {"schema: 1\npack: tf\nproducer: tensorflow\nruels: []\nrules: []\n", "R0109", 4, 1, "rules"},
    {"pack: tf\nproducer: tensorflow\nrules: []\n", "R0110", 1, 1, NULL},
    {"schema: 2\nanything: 1\n", "R0111", 1, 9, "newer"},
    {"schema: one\npack: tf\nproducer: tensorflow\nrules: []\n", "R0113", 1, 9, NULL},
    {"schema: 1\npack: tf\nproducer: tensorfow\nrules: []\n", "R0113", 3, 11, "tensorflow"},
    {"schema: 1\npack: a/b\nproducer: other\nrules: []\n", "R0114", 2, 7, NULL},
    {"schema: 1\npack: ''\nproducer: other\nrules: []\n", "R0106", 2, 7, NULL},

    /* rules */
    {HEAD "  - 5\n", "R0108", 5, 5, NULL},
    {HEAD ID MEANS LITERALS MATCH SAMPLES "    nots: x\n", "R0109", 10, 5, "note"},
    {HEAD MEANS LITERALS, "R0108", 5, 5, NULL},
    {HEAD ID LITERALS MATCH SAMPLES, "R0110", 5, 5, NULL},
    {HEAD ID MEANS LITERALS SAMPLES, "R0110", 5, 5, NULL},
    {HEAD ID MEANS LITERALS MATCH, "R0110", 5, 5, NULL},
    {HEAD ID "    means: aloc_failed\n" LITERALS MATCH SAMPLES, "R0112", 6, 12, "alloc_failed"},
    {HEAD ID "    means: dump\n" LITERALS MATCH SAMPLES, "R0112", 6, 12, NULL},
    {HEAD "  - id: tensor\n" MEANS LITERALS MATCH SAMPLES, "R0114", 5, 9, NULL},
    {HEAD "  - id: .a\n" MEANS LITERALS MATCH SAMPLES, "R0114", 5, 9, NULL},
    {HEAD "  - id: tf.\n" MEANS LITERALS MATCH SAMPLES, "R0114", 5, 9, NULL},
    {HEAD "  - id: tf.A\n" MEANS LITERALS MATCH SAMPLES, "R0114", 5, 9, NULL},
    {HEAD RULE RULE, "R0115", 10, 9, NULL},
    {HEAD ID MEANS "    literals: [hello, hel]\n" MATCH SAMPLES, "R0116", 7, 23, NULL},
    {HEAD ID MEANS "    literals: [hello, '35072']\n" MATCH SAMPLES, "R0116", 7, 23, NULL},
    {HEAD ID MEANS MATCH SAMPLES, "R0117", 5, 5, "literals"},
    {HEAD ID MEANS "    literals: []\n" MATCH SAMPLES, "R0117", 7, 15, NULL},
    {HEAD ID MEANS "    literals: hello\n" MATCH SAMPLES, "R0108", 7, 15, NULL},
    {HEAD ID MEANS LITERALS "    match: 'it''s ((a)'\n" SAMPLES, "R0118", 8, 23, NULL},
    {HEAD ID MEANS LITERALS "    match: hello [a\n" SAMPLES, "R0118", 8, 20, NULL},
    {HEAD ID MEANS LITERALS "    match: \"\\x41 (\"\n" SAMPLES, "R0118", 8, 12, NULL},
    {HEAD ID MEANS LITERALS "    match: '(*UTF)a'\n" SAMPLES, "R0118", 8, 19, NULL},
    {HEAD ID MEANS LITERALS "    match: '(?&size)'\n" SAMPLES, "R0122", 8, 12, "words"},
    {"schema: 1\npack: tf\nproducer: tensorflow\nwords: {a: 'x(?&a)'}\nrules:\n" ID MEANS LITERALS
     "    match: '(?&a)'\n" SAMPLES,
     "R0122", 9, 12, NULL},
    {HEAD ID MEANS LITERALS MATCH SAMPLES "    begins: hello\n", "R0123", 5, 5, NULL},
    {HEAD ID MEANS LITERALS MATCH SAMPLES "    last: true\n", "R0123", 5, 5, NULL},
    {HEAD RULE "    begins: hello\n    rows: a\n"
               "  - id: tf.other\n" MEANS LITERALS MATCH SAMPLES "    begins: hello\n    rows: b\n",
     "R0124", 17, 13, NULL},
    {HEAD ID MEANS LITERALS MATCH "    samples: []\n", "R0119", 9, 14, NULL},
    {HEAD ID MEANS LITERALS "    match: 'a''(?<reqest>b)'\n" SAMPLES, "R0107", 8, 19, "requested"},
    {HEAD ID MEANS LITERALS "    match: '(?<signal>b)'\n" SAMPLES, "R0107", 8, 16, NULL},
    {HEAD ID MEANS LITERALS "    match: '(?<free_unit>b)'\n" SAMPLES, "R0120", 8, 16, NULL},
    {HEAD ID MEANS LITERALS "    match: '(?<op>a)(?<op_unit>b)'\n" SAMPLES, "R0120", 8, 24, NULL},
    {HEAD ID MEANS LITERALS "    match: '(?<fre_unit>b)'\n" SAMPLES, "R0107", 8, 16, "free"},
    {HEAD ID MEANS LITERALS MATCH "    set: {spice: host}\n" SAMPLES, "R0107", 9, 11, "space"},
    {HEAD ID MEANS LITERALS MATCH "    set: {space: hots}\n" SAMPLES, "R0113", 9, 18, "host"},
    {HEAD ID MEANS LITERALS MATCH "    set: {dtype: flaot32}\n" SAMPLES, "R0113", 9, 18, "float32"},
    {HEAD ID MEANS LITERALS MATCH "    set: {count: 1.5}\n" SAMPLES, "R0113", 9, 18, NULL},
    {HEAD ID MEANS LITERALS MATCH "    set: [count]\n" SAMPLES, "R0108", 9, 10, NULL},
    {HEAD ID MEANS LITERALS MATCH "    unit: binry\n" SAMPLES, "R0113", 9, 11, "binary"},
    {HEAD ID MEANS LITERALS MATCH "    bare: MX\n" SAMPLES, "R0113", 9, 11, "MiB"},
    {HEAD ID MEANS LITERALS MATCH "    bare: [MB]\n" SAMPLES, "R0108", 9, 11, NULL},
    {HEAD ID MEANS LITERALS MATCH "    slow: yes\n" SAMPLES, "R0113", 9, 11, NULL},
    {HEAD ID MEANS LITERALS MATCH "    note: ''\n" SAMPLES, "R0106", 9, 11, NULL},
    {HEAD ID MEANS LITERALS MATCH "    note: \"a\\nb\"\n" SAMPLES, "R0106", 9, 11, NULL},
    {HEAD ID MEANS LITERALS MATCH "    near_misses: [a, {b: c}]\n" SAMPLES, "R0108", 9, 22, NULL},
    {HEAD ID MEANS LITERALS MATCH "    samples: [{lin: hello 5}]\n", "R0109", 9, 16, "line"},
    {HEAD ID MEANS LITERALS MATCH "    samples: [{gives: {}}]\n", "R0110", 9, 15, NULL},
    {HEAD ID MEANS LITERALS MATCH "    samples: [{line: a, gives: {requested: x}}]\n", "R0113", 9,
     44, NULL},
};

static void assert_error(const struct od_diags *diags, const struct bad *bad)
{
    ck_assert_uint_gt(od_diags_count(diags), 0);
    const struct od_diag *diag = od_diags_at(diags, 0);
    ck_assert_str_eq(diag->code, bad->code);
    ck_assert_msg(diag->line == bad->line && diag->column == bad->column,
                  "row %s: at %llu:%llu, not at %u:%u\n%s", bad->code,
                  (unsigned long long)diag->line, (unsigned long long)diag->column, bad->line,
                  bad->column, bad->yaml);
    ck_assert_str_eq(diag->file, "bad.yaml");
    ck_assert_ptr_nonnull(diag->snippet);
    if (bad->help) {
        ck_assert_ptr_nonnull(diag->help);
        ck_assert_msg(strstr(diag->help, bad->help), "help: %s", diag->help);
    }
}

START_TEST(errors_have_a_code_and_a_place)
{
    const struct bad *bad = &bads[_i];
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    const struct od_pack *pack = NULL;
    ck_assert_int_eq(od_pack_load(od_view_of(bad->yaml), "bad.yaml", arena, diags, &pack),
                     OD_ERULE);
    ck_assert_ptr_null(pack);
    assert_error(diags, bad);
    od_diags_free(diags);
    od_arena_free(arena);
}
END_TEST

START_TEST(every_code_of_the_loader_is_in_the_table)
{
    for (unsigned code = 101; code <= 120; code++) {
        char name[8];
        snprintf(name, sizeof name, "R%04u", code);
        bool found = false;
        for (size_t i = 0; i < OD_COUNT_OF(bads); i++)
            found = found || strcmp(bads[i].code, name) == 0;
        ck_assert_msg(found, "no row for %s", name);
    }
}
END_TEST

START_TEST(columns_count_bytes_behind_wide_characters)
{
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    const struct od_pack *pack = NULL;
    struct od_view yaml = OD_VIEW("# \xe2\x82\xac\xe2\x82\xac\r\n{schema: 1, pack: \xe2\x82\xac, "
                                  "producer: x, rules: []}\r\n");
    ck_assert_int_eq(od_pack_load(yaml, "bad.yaml", arena, diags, &pack), OD_ERULE);
    assert_error(diags, &(struct bad){"", "R0114", 2, 19, NULL});
    ck_assert_uint_eq(od_diags_at(diags, 1)->line, 2);
    ck_assert_uint_eq(od_diags_at(diags, 1)->column, 34);
    od_diags_free(diags);
    od_arena_free(arena);
}
END_TEST

static const char good[] =
    HEAD ID MEANS LITERALS MATCH SAMPLES "    set: {space: device, dtype: 'half'}\n"
                                         "    unit: decimal\n"
                                         "    bare: MB\n"
                                         "    note: a word\n"
                                         "    near_misses: ['hello you', hello]\n"
                                         "  - match: |-\n"
                                         "      worl[d]\n"
                                         "    slow: true\n"
                                         "    means: setting\n"
                                         "    id: tf.b-2.c_d\n"
                                         "    samples:\n"
                                         "      - line: \"wor\\x6cd\"\n"
                                         "      - {line: 'it''s a world'}\n";

START_TEST(a_pack_says_what_the_text_says)
{
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    const struct od_pack *pack = NULL;
    ck_assert_int_eq(od_pack_load(OD_VIEW(good), "good.yaml", arena, diags, &pack), OD_OK);
    ck_assert_uint_eq(od_diags_count(diags), 0);
    ck_assert_str_eq(pack->name, "tf");
    ck_assert_str_eq(pack->producer, "tensorflow");
    ck_assert_str_eq(pack->file, "good.yaml");
    ck_assert_uint_eq(pack->nrules, 2);
    const struct od_rule *rule = &pack->rules[0];
    ck_assert_str_eq(rule->id, "tf.a");
    ck_assert_int_eq(rule->means, OD_EV_ALLOC_FAILED);
    ck_assert_uint_eq(rule->nliterals, 1);
    ck_assert_str_eq(rule->literals[0], "hello");
    ck_assert_str_eq(rule->pattern, "hello (?<requested>\\d+)");
    ck_assert_uint_eq(rule->nset, 2);
    ck_assert_int_eq(rule->set[1].field, OD_F_DTYPE);
    ck_assert_str_eq(rule->set[1].text, "half");
    ck_assert_int_eq(rule->unit_base, OD_UNIT_DECIMAL);
    ck_assert_str_eq(rule->bare, "MB");
    ck_assert(!rule->slow);
    ck_assert_str_eq(rule->note, "a word");
    ck_assert_uint_eq(rule->at, 5);
    ck_assert_uint_eq(rule->nsamples, 1);
    ck_assert_uint_eq(rule->samples[0].at, 9);
    ck_assert_uint_eq(rule->samples[0].ngives, 1);
    ck_assert_uint_eq(rule->nnear_misses, 2);
    ck_assert_str_eq(rule->near_misses[0].line, "hello you");
    rule = &pack->rules[1];
    ck_assert(rule->slow);
    ck_assert_uint_eq(rule->nliterals, 0);
    ck_assert_ptr_null(rule->note);
    ck_assert_ptr_null(rule->bare);
    ck_assert_str_eq(rule->pattern, "worl[d]");
    ck_assert_str_eq(rule->samples[0].line, "world");
    ck_assert_uint_eq(rule->samples[0].at, 21);
    ck_assert_str_eq(rule->samples[1].line, "it's a world");
    od_diags_free(diags);
    od_arena_free(arena);
}
END_TEST

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

/* Bytes changed, dropped, doubled: whatever comes out, loading ends with a pack or a reason. */
static void mutate(struct od_buf *text, uint64_t *seed)
{
    static const char *const pieces[] = {"'",  "\"", ": ", "- ", "[",    "{",   "}",   "\n", "  ",
                                         "&a", "*a", "!",  "|",  "\xff", "\\0", "(?<", "#",  "\t"};
    od_buf_add(text, OD_VIEW(good));
    for (uint64_t edits = next_random(seed) % 4 + 1; edits > 0; edits--) {
        size_t at = next_random(seed) % text->n;
        if (next_random(seed) % 3 == 0) {
            text->n = at + 1;
        } else {
            const char *piece = pieces[next_random(seed) % OD_COUNT_OF(pieces)];
            for (size_t i = 0; piece[i] && at + i < text->n; i++)
                text->p[at + i] = piece[i];
        }
    }
}

START_TEST(a_spoilt_pack_loads_or_says_why)
{
    uint64_t seed = 7;
    unsigned loaded = 0;
    for (unsigned i = 0; i < 3000; i++) {
        struct od_buf text = {0};
        mutate(&text, &seed);
        struct od_arena *arena = od_arena_new();
        struct od_diags *diags = od_diags_new();
        const struct od_pack *pack = NULL;
        enum od_err err = od_pack_load(od_buf_view(&text), "x", arena, diags, &pack);
        ck_assert(err == OD_OK || err == OD_ERULE);
        ck_assert_int_eq(err == OD_OK, pack != NULL);
        ck_assert_int_eq(err == OD_OK, od_diags_count(diags) == 0);
        loaded += err == OD_OK;
        od_diags_free(diags);
        od_arena_free(arena);
        od_buf_done(&text);
    }
    ck_assert_uint_gt(loaded, 0);
    ck_assert_uint_lt(loaded, 1500);
}
END_TEST

/* Texts that make a careless loader slow, deep or talkative. */
static void assert_refused(const struct od_buf *text, const char *code)
{
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    const struct od_pack *pack = NULL;
    ck_assert_int_eq(od_pack_load(od_buf_view(text), "x", arena, diags, &pack), OD_ERULE);
    ck_assert_str_eq(od_diags_at(diags, 0)->code, code);
    ck_assert_uint_lt(od_diags_count(diags), 50);
    od_diags_free(diags);
    od_arena_free(arena);
}

START_TEST(large_texts_are_refused_quickly)
{
    struct od_buf text = {0};
    od_buf_add_repeat(&text, "[", 1 << 20);
    assert_refused(&text, "R0105");
    text.n = 0;
    od_buf_add_repeat(&text, "#\n", 3 << 20);
    assert_refused(&text, "R0105");
    text.n = 0;
    for (unsigned i = 0; i < 100000; i++)
        od_buf_printf(&text, "k%u: 1\n", i);
    assert_refused(&text, "R0105");
    text.n = 0;
    od_buf_add_str(&text, HEAD);
    od_buf_add_repeat(&text, "  - x\n", 200000);
    assert_refused(&text, "R0108");
    text.n = 0;
    od_buf_add_str(&text, HEAD RULE "    note: ");
    od_buf_add_repeat(&text, "a", 100000);
    assert_refused(&text, "R0106");
    od_buf_done(&text);
}
END_TEST

Suite *od_load_suite(void)
{
    Suite *suite = od_suite_loop("load", errors_have_a_code_and_a_place, (int)OD_COUNT_OF(bads));
    TCase *tcase = tcase_create("packs");
    tcase_add_test(tcase, every_code_of_the_loader_is_in_the_table);
    tcase_add_test(tcase, columns_count_bytes_behind_wide_characters);
    tcase_add_test(tcase, a_pack_says_what_the_text_says);
    tcase_add_test(tcase, a_spoilt_pack_loads_or_says_why);
    tcase_add_test(tcase, large_texts_are_refused_quickly);
    tcase_set_timeout(tcase, 60);
    suite_add_tcase(suite, tcase);
    return suite;
}
