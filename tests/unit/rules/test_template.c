#include "base/ascii.h"
#include "base/buf.h"
#include "base/num.h"
#include "rules/ruleset.h"
#include "rules/template.h"
#include "tests/unit/rules/suites.h"
#include "tests/unit/suite.h"

#include <string.h>

/* ---- which patterns tell digits apart ---- */

static const struct {
    const char *pattern;
    bool tells;
} patterns[] = {
    {"step (?<step>\\d+)/[0-9]{1,6}", false},
    {"^(?!.*[+-])\\w{2,}[^,|]*+(?<=x)(?i:loss)\\s?$", false},
    {"[!-~]+ [^\\x00-\\x7F]{3,} [[:digit:]] \\x41", false},
    {"[]0-9] [^]] \\{ {x}", false},
    {"(?<epoch1>a)", false},
    {"version 2", true},
    {"[1-9]\\d*", true},
    {"[5]", true},
    {"[^0]", true},
    {"[/-3]", true},
    {"\\x30", true},
    {"[\\x30-\\x38]", true},
    {"[\\x30-\\x39]", false},
    {"(\\d+) of \\1", true},
    {"(?<a>\\d) \\k<a>", true},
    {"(?<a>\\d) (?P=a)", true},
    {"(\\d)(?(1)a|b)", true},
    {"(?x) [ # ] 5", true},
    {"\\Q[0-9]\\E", true},
    {"a{,3}", true},
    {"(*UCP)\\d", true},
    {"\\0", true},
    {"[a", true},
    {"a\\", true},
};

START_TEST(patterns_that_tell_digits_apart_are_known)
{
    ck_assert_msg(od_pattern_tells_digits(patterns[_i].pattern) == patterns[_i].tells, "%s",
                  patterns[_i].pattern);
}
END_TEST

/* ---- memory ---- */

START_TEST(lines_that_differ_in_digits_are_alike)
{
    struct od_templates *templates = od_templates_new();
    struct od_outcome outcome = {.rule = 7, .matched = true, .spans = {{.start = 5, .n = 2}}};
    struct od_template *template = od_templates_of(templates, OD_VIEW("step 10/99: 3.5 s"));
    ck_assert_ptr_null(od_template_find(template, 7));
    od_template_note(template, &outcome);
    template = od_templates_of(templates, OD_VIEW("step 48/70: 0.1 s"));
    ck_assert_ptr_nonnull(od_template_find(template, 7));
    ck_assert_uint_eq(od_template_find(template, 7)->spans[0].start, 5);
    ck_assert_ptr_null(od_template_find(template, 8));
    static const char *const others[] = {"step 48/70: 0.1 t", "step 48/70: 0.10 s",
                                         "step 48/70: 0.: s", "step 48/70: 0./ s",
                                         "step 48/70: 0.\xb1 s"};
    for (size_t i = 0; i < OD_COUNT_OF(others); i++)
        ck_assert_ptr_null(od_template_find(od_templates_of(templates, od_view_of(others[i])), 7));
    od_templates_free(templates);
}
END_TEST

START_TEST(a_long_line_has_no_template)
{
    struct od_templates *templates = od_templates_new();
    struct od_buf text = {0};
    od_buf_add_repeat(&text, "0123456789abcdef", 33);
    ck_assert_ptr_null(od_templates_of(templates, od_buf_view(&text)));
    ck_assert_ptr_nonnull(od_templates_of(templates, od_view_head(od_buf_view(&text), 512)));
    od_buf_done(&text);
    od_templates_free(templates);
}
END_TEST

START_TEST(a_template_that_is_full_forgets_nothing)
{
    struct od_templates *templates = od_templates_new();
    struct od_template *template = od_templates_of(templates, OD_VIEW("x"));
    for (uint32_t rule = 0; rule < 100; rule++)
        od_template_note(template, &(struct od_outcome){.rule = rule});
    ck_assert_ptr_nonnull(od_template_find(template, 0));
    ck_assert_ptr_null(od_template_find(template, 99));
    od_templates_free(templates);
}
END_TEST

/* ---- the shipped rules, with and without memory ---- */

/* Other digits in the places of the digits. */
static struct od_view turned(const char *line, unsigned turn, struct od_buf *to)
{
    to->n = 0;
    for (const char *p = line; *p; p++)
        od_buf_add_char(
            to, od_is_digit(*p) ? (char)('0' + (unsigned)(*p - '0' + 7 * (int)turn) % 10) : *p);
    return od_buf_view(to);
}

static void expect_same(const struct od_event *a, const struct od_event *b)
{
    ck_assert_int_eq(a->kind, b->kind);
    ck_assert(od_view_eq(a->excerpt, b->excerpt));
    ck_assert_uint_eq(a->nfields, b->nfields);
    for (size_t i = 0; i < a->nfields; i++) {
        ck_assert_int_eq(a->fields[i].field, b->fields[i].field);
        if (od_field_type(a->fields[i].field) == OD_T_TEXT)
            ck_assert(od_view_eq(a->fields[i].as.text, b->fields[i].as.text));
        if (od_field_type(a->fields[i].field) == OD_T_COUNT)
            ck_assert_uint_eq(a->fields[i].as.count, b->fields[i].as.count);
        if (od_field_type(a->fields[i].field) == OD_T_BYTES)
            ck_assert_uint_eq(a->fields[i].as.bytes.lo, b->fields[i].as.bytes.lo);
    }
}

static void expect_same_of(struct od_ruleset *fresh, struct od_ruleset *remembers, size_t rule,
                           const struct od_line *line)
{
    struct od_event a, b;
    od_ruleset_begin_line(remembers, line);
    bool matched = od_ruleset_apply_candidate(remembers, rule, line, &b);
    if (!od_ruleset_has_literal(fresh, rule, line->text))
        return;
    ck_assert_msg(od_ruleset_apply(fresh, rule, line, &a) == matched, "%s: %.*s",
                  od_ruleset_rule(fresh, rule)->id, (int)line->text.n, line->text.p);
    if (matched)
        expect_same(&a, &b);
}

static size_t count_packs(void)
{
    size_t n = 0;
    while (od_shipped_packs[n])
        n++;
    return n;
}

START_TEST(what_is_remembered_is_what_would_be_matched)
{
    struct od_ruleset *fresh = od_ruleset_new(od_shipped_packs, count_packs());
    struct od_ruleset *remembers = od_ruleset_new(od_shipped_packs, count_packs());
    struct od_buf text = {0};
    for (size_t i = 0; i < od_ruleset_count(fresh); i++) {
        const struct od_rule *rule = od_ruleset_rule(fresh, i);
        for (size_t s = 0; s < rule->nsamples + rule->nnear_misses; s++) {
            const struct od_sample *sample =
                s < rule->nsamples ? &rule->samples[s] : &rule->near_misses[s - rule->nsamples];
            for (unsigned turn = 0; turn < 10; turn++) {
                struct od_line line = {.text = turned(sample->line, turn, &text)};
                expect_same_of(fresh, remembers, i, &line);
            }
        }
    }
    od_buf_done(&text);
    od_ruleset_free(fresh);
    od_ruleset_free(remembers);
}
END_TEST

Suite *od_template_suite(void)
{
    Suite *suite = od_suite_loop("template", patterns_that_tell_digits_apart_are_known,
                                 (int)OD_COUNT_OF(patterns));
    TCase *tcase = tcase_create("memory");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, lines_that_differ_in_digits_are_alike);
    tcase_add_test(tcase, a_long_line_has_no_template);
    tcase_add_test(tcase, a_template_that_is_full_forgets_nothing);
    tcase_add_test(tcase, what_is_remembered_is_what_would_be_matched);
    suite_add_tcase(suite, tcase);
    return suite;
}
