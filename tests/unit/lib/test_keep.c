/* Beginning and end of an output: what stays, what goes, and that lines stay whole. */
#include "base/num.h"
#include "lib/keep.h"
#include "tests/unit/lib/suites.h"

#include <string.h>

struct piece {
    bool second;
    const char *text;
};

enum { PIECES = 8 };

static const struct {
    struct piece pieces[PIECES];
    const char *kept;
} rows[] = {
    {{{false, "one\ntwo"}}, "one\ntwo\n"},
    {{{false, ""}}, ""},
    /* a line of one stream is not cut by the other's */
    {{{false, "on"}, {true, "err\n"}, {false, "e\n"}}, "err\none\n"},
    {{{false, "a\nb"}, {true, "x"}, {false, "c\n"}, {true, "y\n"}}, "a\nbc\nxy\n"},
    /* head 16, tail 16: what fits is whole */
    {{{false, "0123456789abcde\n"}, {false, "0123456789ABCDE\n"}},
     "0123456789abcde\n0123456789ABCDE\n"},
    /* the head stores nothing after a gap */
    {{{false, "head\n"},
      {false, "line one of many\n"},
      {false, "2\n"},
      {false, "3456789\n"},
      {false, "end\n"}},
     "head\noomdoctor run: 17 bytes of the output are left out here\n2\n3456789\nend\n"},
    /* more than all of it at once */
    {{{false, "first line of it\nsecond line of it\nthird line\nlast one\n"}},
     "oomdoctor run: 46 bytes of the output are left out here\nlast one\n"},
    /* a line without an end is cut in pieces; without line ends in sight nothing more is lost */
    {{{false, "0123456789"}, {false, "0123456789"}, {false, "ab"}},
     "oomdoctor run: 23 bytes of the output are left out here\n"},
    {{{false, "01234567890123456789"},
      {false, "abcdefghijklmnopqrst"},
      {false, "01234567890123456789"}},
     "oomdoctor run: 44 bytes of the output are left out here\n4567890123456789"},
};

START_TEST(keeps_both_ends)
{
    const struct od_keep_limits limits = {.head = 16, .tail = 16, .line = 20};
    struct od_keep *keep = od_keep_new(&limits);
    for (size_t i = 0; i < PIECES && rows[_i].pieces[i].text; i++)
        od_keep_add(keep, rows[_i].pieces[i].second, od_view_of(rows[_i].pieces[i].text));
    struct od_view kept = od_keep_text(keep);
    struct od_buf text = {0};
    od_buf_add(&text, kept);
    ck_assert_str_eq(od_buf_str(&text), rows[_i].kept);
    ck_assert_uint_eq(od_keep_text(keep).n, kept.n);
    od_buf_done(&text);
    od_keep_free(keep);
}
END_TEST

Suite *keep_suite(void)
{
    return od_suite_loop("keep", keeps_both_ends, (int)OD_COUNT_OF(rows));
}
