#include "base/ascii.h"
#include "base/buf.h"
#include "base/num.h"
#include "rules/ruleset.h"
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
    {"(?x) step \\d+ (?: of \\d+ )?", false},
    {"(?x) step 1", true},
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

/* What is known of the line before, if anything, must be true of this one. */
static void expect_same_of(struct od_ruleset *set, size_t rule, const struct od_line *line,
                           struct od_rule_made *known)
{
    struct od_event asked;
    bool matched = od_ruleset_apply_candidate(set, rule, line, &asked);
    const struct od_event *made =
        known && known->matched ? od_ruleset_make(set, known, line) : NULL;
    ck_assert_msg(!known || known->matched || !matched, "%s: %.*s", od_ruleset_rule(set, rule)->id,
                  (int)line->text.n, line->text.p);
    ck_assert_msg(!made || matched, "%s: %.*s", od_ruleset_rule(set, rule)->id, (int)line->text.n,
                  line->text.p);
    if (made)
        expect_same(&asked, made);
}

static size_t count_packs(void)
{
    size_t n = 0;
    while (od_shipped_packs[n])
        n++;
    return n;
}

START_TEST(what_is_known_of_a_line_is_so_of_those_that_differ_in_digits)
{
    struct od_ruleset *set = od_ruleset_new(od_shipped_packs, count_packs());
    struct od_arena *arena = od_arena_new();
    struct od_buf text = {0};
    size_t nknown = 0;
    for (size_t i = 0; i < od_ruleset_count(set); i++) {
        const struct od_rule *rule = od_ruleset_rule(set, i);
        if (rule->begins) /* its samples are of several lines */
            continue;
        for (size_t s = 0; s < rule->nsamples + rule->nnear_misses; s++) {
            const struct od_sample *sample =
                s < rule->nsamples ? &rule->samples[s] : &rule->near_misses[s - rule->nsamples];
            struct od_line line = {.text = od_view_of(sample->line)};
            struct od_rule_made *known = od_ruleset_learn(set, i, &line, arena);
            nknown += known != NULL;
            for (unsigned turn = 0; turn < 10; turn++) {
                line.text = turned(sample->line, turn, &text);
                expect_same_of(set, i, &line, known);
            }
        }
    }
    ck_assert_uint_gt(nknown, od_ruleset_count(set));
    od_buf_done(&text);
    od_arena_free(arena);
    od_ruleset_free(set);
}
END_TEST

Suite *od_match_suite(void)
{
    Suite *suite = od_suite_loop("match", patterns_that_tell_digits_apart_are_known,
                                 (int)OD_COUNT_OF(patterns));
    TCase *tcase = tcase_create("known");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, what_is_known_of_a_line_is_so_of_those_that_differ_in_digits);
    suite_add_tcase(suite, tcase);
    return suite;
}
