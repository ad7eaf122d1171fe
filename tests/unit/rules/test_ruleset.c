#include "base/buf.h"
#include "base/num.h"
#include "rules/ruleset.h"
#include "tests/unit/fields.h"
#include "tests/unit/rules/suites.h"
#include "tests/unit/suite.h"

#include <string.h>

/* One rule, one line, what comes out: "field=value" in order, "-" for no event. */
struct row {
    const char *pattern;
    const char *line;
    const char *event;
};

static const struct row rows[] = {
    {"hello (?<requested>\\S+)", "hello 4.31GiB", "producer=jax space=host requested=4627827261"},
    {"hello (?<requested>[0-9.]+) (?<requested_unit>\\w+)", "hello 2.50 MiB",
     "producer=jax space=host requested=2621440"},
    {"hello (?<requested>[0-9.]+)(?: (?<requested_unit>\\w+))?", "hello 25",
     "producer=jax space=host requested=25"},
    {"hello (?:free (?<free>\\d+)|of (?<free>\\d+))", "hello of 7",
     "producer=jax space=host free=7"},
    {"hello (?:(?<free>\\d+)(?<free_unit>K)|(?<free>\\d+) (?<free_unit>M))", "hello 3 M",
     "producer=jax space=host free=3145728"},
    {"hello (?<shape>\\S+) (?<dtype>\\w+)", "hello [2,3] bf16",
     "producer=jax space=host dtype=bfloat16 shape=2x3"},
    {"hello (?<count>\\d+) (?<op>\\S*)", "hello 12 ", "producer=jax space=host count=12"},
    {"hello (?<producer>\\w+) (?<space>\\w+)", "hello pytorch device",
     "producer=pytorch space=device"},
    /* durations, shares and phases as programs print them */
    {"hello (?<seconds>\\S+)", "hello 2.5it/s", "producer=jax space=host seconds=0.4"},
    {"hello (?<seconds>[0-9.]+) (?<seconds_unit>\\w+)", "hello 250 ms",
     "producer=jax space=host seconds=0.25"},
    {"hello (?<elapsed>\\S+) (?<share>\\S+)", "hello 1m20s 77.5%",
     "producer=jax space=host elapsed=80 share=0.775"},
    {"hello (?<share>[0-9.]+) (?<share_unit>%)", "hello 50 %", "producer=jax space=host share=0.5"},
    {"hello (?<phase>\\w+)", "hello Evaluating", "producer=jax space=host phase=validation"},
    {"hello (?<seconds>\\S+) (?<share>\\S+) (?<phase>\\w+)", "hello 9img/s 77.5 idle",
     "producer=jax space=host"},
    /* what is not of the field's type is left out */
    {"hello (?<producer>\\w+) (?<space>\\w+)", "hello nobody nowhere", "producer=jax space=host"},
    {"hello (?<requested>\\S+)", "hello lots", "producer=jax space=host"},
    {"hello (?<dtype>\\S+)", "hello apples", "producer=jax space=host"},
    {"hello (?<count>\\S+)", "hello 18446744073709551616", "producer=jax space=host"},
    /* a line without the literal is not matched, whatever the pattern says */
    {"h.llo (?<count>\\d+)", "hallo 5", "-"},
    {"hello (?<count>\\d+)", "hello x", "-"},
    {"hello", "", "-"},
    /* bytes, not characters */
    {"hello (?<op>.)$", "hello \xff", "producer=jax space=host op=\xff"},
    /* captures that appear to end before they begin */
    {"hello(?=(?<op>a))", "helloa", "producer=jax space=host op=a"},
};

static const char *const hello[] = {"hello"};
static const struct od_rule_text host[] = {{OD_F_SPACE, "host"}};

static struct od_rule rule_of(const char *pattern)
{
    return (struct od_rule){.id = "t.a",
                            .means = OD_EV_ALLOC_FAILED,
                            .literals = hello,
                            .nliterals = 1,
                            .pattern = pattern,
                            .set = host,
                            .nset = 1};
}

static struct od_ruleset *set_of(const struct od_rule *rule, struct od_pack *pack,
                                 const struct od_pack **packs)
{
    *pack = (struct od_pack){
        .name = "t", .producer = "jax", .file = "t.yaml", .rules = rule, .nrules = 1};
    *packs = pack;
    return od_ruleset_new(packs, 1);
}

static void assert_event(const struct row *row, bool no_jit)
{
    struct od_rule rule = rule_of(row->pattern);
    struct od_pack pack;
    const struct od_pack *packs;
    struct od_ruleset *set = set_of(&rule, &pack, &packs);
    if (no_jit)
        od_ruleset_no_jit(set);
    struct od_line line = {.text = od_view_of(row->line), .at = {.line = 17, .nlines = 1}};
    struct od_event event = {.kind = OD_EV_NONE};
    struct od_buf text = {0};
    if (od_ruleset_apply(set, 0, &line, &event)) {
        ck_assert_int_eq(event.kind, OD_EV_ALLOC_FAILED);
        ck_assert_str_eq(event.rule, "t.a");
        ck_assert_uint_eq(event.at.line, 17);
        ck_assert_ptr_eq(event.line, &line);
        for (size_t i = 0; i < event.nfields; i++) {
            od_buf_add_str(&text, i > 0 ? " " : "");
            field_write(&text, &event.fields[i]);
        }
    } else {
        ck_assert_int_eq(event.kind, OD_EV_NONE);
        od_buf_add_char(&text, '-');
    }
    /* PCRE2 lists named groups by name, and so are the fields. */
    ck_assert_str_eq(od_buf_str(&text), row->event);
    od_buf_done(&text);
    od_ruleset_free(set);
}

START_TEST(captures_become_typed_fields)
{
    assert_event(&rows[_i], false);
    assert_event(&rows[_i], true);
}
END_TEST

/* The gate decides first, also about lines of a shape that was seen. */
START_TEST(a_gate_is_tried_first)
{
    struct od_rule rule = rule_of("hello (?<count>\\d+)");
    rule.gate = "^please";
    struct od_pack pack;
    const struct od_pack *packs;
    struct od_ruleset *set = set_of(&rule, &pack, &packs);
    struct od_event event;
    struct od_line shut = {.text = OD_VIEW("say hello 5")};
    struct od_line open = {.text = OD_VIEW("please say hello 5")};
    ck_assert(!od_ruleset_apply(set, 0, &shut, &event));
    ck_assert(od_ruleset_apply(set, 0, &open, &event));
    struct od_arena *arena = od_arena_new();
    const struct od_rule_made *made = od_ruleset_learn(set, 0, &shut, arena);
    ck_assert(made && !made->matched);
    rule.gate = "^[1-3]"; /* a shape does not tell which digit it is */
    struct od_ruleset *other = od_ruleset_new(&packs, 1);
    open.text = OD_VIEW("1 hello 5");
    ck_assert(od_ruleset_apply(other, 0, &open, &event));
    ck_assert_ptr_null(od_ruleset_learn(other, 0, &open, arena));
    od_arena_free(arena);
    od_ruleset_free(other);
    od_ruleset_free(set);
}
END_TEST

/* A number alone is of the rule's unit; one with a unit keeps its own. */
START_TEST(bare_sizes_are_of_the_rules_unit)
{
    struct od_rule rule = rule_of("hello (?<free>\\S+) (?<peak>\\S+) (?<count>\\d+)");
    rule.bare = "MiB";
    struct od_pack pack;
    const struct od_pack *packs;
    struct od_ruleset *set = set_of(&rule, &pack, &packs);
    struct od_event event;
    struct od_line line = {.text = OD_VIEW("hello 5 7K 9")};
    ck_assert(od_ruleset_apply(set, 0, &line, &event));
    ck_assert_uint_eq(od_event_bytes(&event, OD_F_FREE).n, 5 << 20);
    ck_assert_uint_eq(od_event_bytes(&event, OD_F_PEAK).n, 7 << 10);
    ck_assert_uint_eq(od_event_count(&event, OD_F_COUNT).n, 9);
    od_ruleset_free(set);
}
END_TEST

START_TEST(lost_captures_are_counted)
{
    struct od_rule rule = rule_of("hello (?<requested>\\S+) ?(?<op>\\S*)");
    struct od_pack pack;
    const struct od_pack *packs;
    struct od_ruleset *set = set_of(&rule, &pack, &packs);
    struct od_event event;
    ck_assert(od_ruleset_apply(set, 0, &(struct od_line){.text = OD_VIEW("hello 5 ")}, &event));
    ck_assert_uint_eq(od_ruleset_lost_captures(set), 0);
    ck_assert(od_ruleset_apply(set, 0, &(struct od_line){.text = OD_VIEW("hello much")}, &event));
    ck_assert_uint_eq(od_ruleset_lost_captures(set), 1);
    od_ruleset_free(set);
}
END_TEST

START_TEST(an_excerpt_is_the_line_or_the_part_that_matched)
{
    struct od_rule rule = rule_of("hello \\d+");
    struct od_pack pack;
    const struct od_pack *packs;
    struct od_ruleset *set = set_of(&rule, &pack, &packs);
    struct od_event event;
    struct od_line line = {.text = OD_VIEW("  12:00 hello 5, world \r")};
    ck_assert(od_ruleset_apply(set, 0, &line, &event));
    ck_assert(od_view_eq_str(event.excerpt, "12:00 hello 5, world"));

    struct od_buf text = {0};
    od_buf_add_repeat(&text, "x", 5000);
    od_buf_add_str(&text, "hello 42 ");
    od_buf_add_repeat(&text, "\xe2\x82\xac", 1000);
    line.text = od_buf_view(&text);
    ck_assert(od_ruleset_apply(set, 0, &line, &event));
    ck_assert(od_view_starts(event.excerpt, OD_VIEW("hello 42 ")));
    ck_assert_uint_eq(event.excerpt.n, 9 + 1000 * 3);
    od_buf_done(&text);
    od_ruleset_free(set);
}
END_TEST

START_TEST(too_much_backtracking_is_no_match_and_counted)
{
    struct od_rule rule = rule_of("hello (?:a+)+[bc]");
    for (int no_jit = 0; no_jit < 2; no_jit++) {
        struct od_pack pack;
        const struct od_pack *packs;
        struct od_ruleset *set = set_of(&rule, &pack, &packs);
        if (no_jit)
            od_ruleset_no_jit(set);
        struct od_line line = {.text = OD_VIEW("hello aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")};
        struct od_event event;
        ck_assert(!od_ruleset_apply(set, 0, &line, &event));
        ck_assert_uint_eq(od_ruleset_limit_hits(set, 0), 1);
        od_ruleset_free(set);
    }
}
END_TEST

/* Each start goes over the rest of the line; a megabyte would take minutes. */
START_TEST(a_long_line_has_a_budget)
{
    struct od_rule rule = rule_of("h(?=[^x-z]*[x-z])");
    struct od_pack pack;
    const struct od_pack *packs;
    struct od_ruleset *set = set_of(&rule, &pack, &packs);
    struct od_buf text = {0};
    od_buf_add_str(&text, "hello");
    od_buf_add_repeat(&text, "h", 1000000);
    struct od_line line = {.text = od_buf_view(&text)};
    struct od_event event;
    ck_assert(!od_ruleset_apply(set, 0, &line, &event));
    ck_assert_uint_eq(od_ruleset_limit_hits(set, 0), 1);
    od_buf_done(&text);
    od_ruleset_free(set);
}
END_TEST

/* Wherever the match is in the line, and also without a match. */
START_TEST(a_long_line_is_read_to_its_end)
{
    struct od_rule rule = rule_of("hello (?<count>\\d+)");
    struct od_pack pack;
    const struct od_pack *packs;
    struct od_ruleset *set = set_of(&rule, &pack, &packs);
    for (size_t before = 0; before < 300000; before = before * 3 + 251) {
        struct od_buf text = {0};
        od_buf_add_repeat(&text, "h", before);
        struct od_line line = {.text = od_buf_view(&text)};
        struct od_event event;
        ck_assert(!od_ruleset_apply(set, 0, &line, &event));
        od_buf_add_str(&text, "hello 7");
        line.text = od_buf_view(&text);
        ck_assert(od_ruleset_apply(set, 0, &line, &event));
        ck_assert_uint_eq(od_event_count(&event, OD_F_COUNT).n, 7);
        od_buf_done(&text);
    }
    ck_assert_uint_eq(od_ruleset_limit_hits(set, 0), 0);
    od_ruleset_free(set);
}
END_TEST

START_TEST(a_line_of_a_hundred_thousand_repeats_is_matched)
{
    struct od_rule rule = rule_of("hello(?: \\w+)* (?<count>\\d+)$");
    struct od_pack pack;
    const struct od_pack *packs;
    struct od_ruleset *set = set_of(&rule, &pack, &packs);
    struct od_buf text = {0};
    od_buf_add_str(&text, "hello");
    od_buf_add_repeat(&text, " word", 20000);
    od_buf_add_str(&text, " 5");
    struct od_line line = {.text = od_buf_view(&text)};
    struct od_event event;
    ck_assert(od_ruleset_apply(set, 0, &line, &event));
    ck_assert_uint_eq(od_event_count(&event, OD_F_COUNT).n, 5);
    od_buf_done(&text);
    od_ruleset_free(set);
}
END_TEST

Suite *od_ruleset_suite(void)
{
    Suite *suite = od_suite_loop("ruleset", captures_become_typed_fields, (int)OD_COUNT_OF(rows));
    TCase *tcase = tcase_create("matching");
    tcase_add_test(tcase, a_gate_is_tried_first);
    tcase_add_test(tcase, bare_sizes_are_of_the_rules_unit);
    tcase_add_test(tcase, lost_captures_are_counted);
    tcase_add_test(tcase, an_excerpt_is_the_line_or_the_part_that_matched);
    tcase_add_test(tcase, too_much_backtracking_is_no_match_and_counted);
    tcase_add_test(tcase, a_line_of_a_hundred_thousand_repeats_is_matched);
    tcase_add_test(tcase, a_long_line_has_a_budget);
    tcase_add_test(tcase, a_long_line_is_read_to_its_end);
    suite_add_tcase(suite, tcase);
    return suite;
}
