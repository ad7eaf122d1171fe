#include "facts/excerpt.h"
#include "facts/words.h"
#include "tests/unit/facts/suites.h"
#include "tests/unit/suite.h"

/* At most 100 bytes are kept. */
static const struct {
    const char *text, *kept;
} cuts[] = {
    {"", ""},
    {"out of memory", "out of memory"},
    {"0123456789 123456789 123456789 123456789 123456789 123456789 123456789 123456789 123456789 "
     "123456789",
     "0123456789 123456789 123456789 123456789 123456789 123456789 123456789 123456789 123456789 "
     "123456789"},
    /* between two words */
    {"error: 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 "
     "0123456789 0123456789 0123456789 signal 9",
     "error: 0123456789 0123456789\xe2\x80\xa6 0123456789 0123456789 0123456789 0123456789 "
     "signal 9"},
    /* no part of a word at the end */
    {"error: 0123456789 see "
     "https://example.org/0123456789012345678901234567890123456789012345678901234567890123456789/"
     "a.html",
     "error: 0123456789 see https://example\xe2\x80\xa6"},
    /* no part of a character */
    {"\xe7\x94\xb5\xe7\x94\xb5\xe7\x94\xb5\xe7\x94\xb5\xe7\x94\xb5\xe7\x94\xb5\xe7\x94\xb5\xe7\x94"
     "\xb5\xe7\x94\xb5\xe7\x94\xb5\xe7\x94\xb5\xe7\x94\xb5\xe7\x94\xb5\xe7\x94\xb5\xe7\x94\xb5\xe7"
     "\x94\xb5\xe7\x94\xb5\xe7\x94\xb5\xe7\x94\xb5\xe7\x94\xb5\xe7\x94\xb5\xe7\x94\xb5\xe7\x94\xb5"
     "\xe7\x94\xb5\xe7\x94\xb5\xe7\x94\xb5\xe7\x94\xb5\xe7\x94\xb5\xe7\x94\xb5\xe7\x94\xb5\xe7\x94"
     "\xb5\xe7\x94\xb5\xe7\x94\xb5\xe7\x94\xb5",
     "\xe7\x94\xb5\xe7\x94\xb5\xe7\x94\xb5\xe7\x94\xb5\xe7\x94\xb5\xe7\x94\xb5\xe7\x94\xb5\xe7\x94"
     "\xb5\xe7\x94\xb5\xe7\x94\xb5\xe7\x94\xb5\xe7\x94\xb5\xe2\x80\xa6"},
};

START_TEST(a_long_text_says_that_it_was_cut)
{
    char room[OD_EXCERPT_LEAST];
    struct od_view text = od_view_of(cuts[_i].text);
    struct od_view kept = od_excerpt_cut(text, sizeof room, room);
    ck_assert_msg(od_view_eq_str(kept, cuts[_i].kept), "'%.*s'", (int)kept.n, kept.p);
    ck_assert(kept.n == text.n ? kept.p == text.p : kept.p == room);
    ck_assert_uint_eq(od_excerpt_keep(text, sizeof room, room), kept.n);
}
END_TEST

START_TEST(a_long_line_is_kept_from_the_recognized_part_on)
{
    char bytes[2 * OD_EXCERPT];
    memset(bytes, 'x', sizeof bytes);
    struct od_view line = {bytes, sizeof bytes};
    struct od_view late = od_view_from(line, OD_EXCERPT), early = od_view_head(line, 9);
    ck_assert(od_view_eq(od_excerpt_of(line, early), line));
    ck_assert(od_excerpt_of(line, late).p == late.p);
    ck_assert(od_excerpt_of(od_view_head(line, OD_EXCERPT), od_view_from(line, 800)).p ==
              bytes + 800);
    ck_assert(od_excerpt_of(line, line).n == line.n);
    ck_assert(od_view_eq(od_excerpt_of(early, late), early));
}
END_TEST

/* At most 60 bytes are quoted. */
static const struct {
    const char *text, *quoted;
} telling[] = {
    {"I use the small model here, as all do. The process used 12 GB of memory at most. Thanks.",
     "The process used 12 GB of memory at most."},
    {"see https://example.org/a/long/path/of/a/page.html and then memory was full: 12 GB of 12",
     "and then memory was full: 12 GB of 12"},
    {"Tried to allocate 2.00 GiB (GPU 0). If memory is short, try another one, or wait for it.",
     "Tried to allocate 2.00 GiB (GPU 0)."},
};

START_TEST(the_part_with_the_numbers_is_quoted)
{
    static const struct od_word words[] = {{"memory", OD_WORD_BIT(OD_WORD_MEMORY)}};
    const struct od_lexicon lexicon = {.words = words, .nwords = OD_COUNT_OF(words)};
    struct od_view part = od_excerpt_key_part(&lexicon, od_view_of(telling[_i].text), 60);
    ck_assert_msg(od_view_eq_str(part, telling[_i].quoted), "'%.*s'", (int)part.n, part.p);
}
END_TEST

Suite *od_excerpt_suite(void)
{
    Suite *suite = suite_create("excerpt");
    TCase *tcase = tcase_create("excerpt");
    tcase_add_loop_test(tcase, a_long_text_says_that_it_was_cut, 0, OD_COUNT_OF(cuts));
    tcase_add_test(tcase, a_long_line_is_kept_from_the_recognized_part_on);
    tcase_add_loop_test(tcase, the_part_with_the_numbers_is_quoted, 0, OD_COUNT_OF(telling));
    suite_add_tcase(suite, tcase);
    return suite;
}
