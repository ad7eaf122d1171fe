/* Single dumps: the round trip of every era, cuts, repeats, foreign lines, and their cost. */
#include "base/num.h"
#include "tests/unit/readers/feed.h"
#include "tests/unit/readers/suites.h"
#include "tests/unit/suite.h"

#include <stdio.h>
#include <time.h>

enum { TABLES = 1800 }; /* for each era: more than 12000 in all */

static const char *const wrappers[] = {"", "", "", "    ", "> ", "trainer-1  | ", "  12: "};

static void set_looks(struct written_dump *dump, struct random *random)
{
    dump->prefix = random_below(random, 3) != 0;
    dump->wrapper = wrappers[random_below(random, OD_COUNT_OF(wrappers))];
}

START_TEST(every_table_comes_back)
{
    for (uint64_t seed = 1; seed <= TABLES; seed++) {
        struct random random = {seed * 1000 + (uint64_t)_i};
        struct written_dump written;
        struct written_text text = {0};
        struct feed feed;
        written_make(&written, &random, (enum dump_era)_i, 1 + (size_t)random_below(&random, 4),
                     1 + (size_t)random_below(&random, 20));
        set_looks(&written, &random);
        written_print(&written, &text);
        feed_begin(&feed);
        feed_text(&feed, od_buf_view(&text.buf));
        feed_end(&feed);
        ck_assert_msg(feed.dumps.n == 1, "era %d seed %u: %u dumps", _i, (unsigned)seed,
                      (unsigned)feed.dumps.n);
        const char *bad = feed_compare(&feed.dumps.items[0], &written);
        ck_assert_msg(!bad, "era %d seed %u: %s", _i, (unsigned)seed, bad);
        ck_assert_uint_eq(feed.dumps.items[0].at.line, 1);
        ck_assert(!feed.dumps.items[0].interleaved);
        feed_done(&feed);
        written_text_done(&text);
        written_done(&written);
    }
}
END_TEST

/* ---- cuts ---- */

static struct od_view from_line(struct od_view text, size_t skip)
{
    struct od_view line;
    while (skip-- > 0 && od_view_cut(&text, '\n', &line)) {
    }
    return text;
}

static struct od_view up_to_line(struct od_view text, size_t lines)
{
    return od_view_head(text, text.n - from_line(text, lines).n);
}

static size_t count_lines(struct od_view text)
{
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++)
        n += text.p[i] == '\n';
    return n;
}

static size_t count_chunk_lines(struct od_view text)
{
    size_t n = 0;
    struct od_view line;
    while (od_view_cut(&text, '\n', &line))
        n += od_view_has(line, OD_VIEW(" of size ")) &&
             (od_view_has(line, OD_VIEW("InUse at")) || od_view_has(line, OD_VIEW("Chunk at")) ||
              od_view_has(line, OD_VIEW("Free ")));
    return n;
}

static void check_part(struct od_view part, const struct written_dump *written)
{
    struct feed feed;
    size_t chunks = 0;
    feed_begin(&feed);
    feed_text(&feed, part);
    feed_end(&feed);
    ck_assert_uint_le(feed.dumps.n, 1);
    for (size_t i = 0; i < feed.dumps.n; i++) {
        const struct od_dump *dump = &feed.dumps.items[i];
        chunks += dump->chunks.n;
        ck_assert(!dump->stats.in_use.known || dump->stats.in_use.n == written->in_use);
        ck_assert(!dump->pool.known || dump->pool.n == written->pool);
        ck_assert_uint_le(dump->at.line + dump->at.nlines - 1, feed.line);
    }
    ck_assert_uint_eq(chunks, count_chunk_lines(part));
    feed_done(&feed);
}

START_TEST(cuts_lose_only_what_is_cut)
{
    struct random random = {(uint64_t)_i + 77};
    struct written_dump written;
    struct written_text text = {0};
    written_make(&written, &random, (enum dump_era)_i, 3, 15);
    written_print(&written, &text);
    struct od_view all = od_buf_view(&text.buf);
    size_t lines = count_lines(all);
    for (size_t i = 0; i <= lines; i++) {
        check_part(from_line(all, i), &written);
        check_part(up_to_line(all, i), &written);
    }
    written_text_done(&text);
    written_done(&written);
}
END_TEST

START_TEST(cut_ends_are_said)
{
    struct random random = {5};
    struct written_dump written;
    struct written_text text = {0};
    struct feed feed;
    written_make(&written, &random, ERA_TF2, 1, 40);
    written_print(&written, &text);
    struct od_view all = od_buf_view(&text.buf);
    feed_begin(&feed);
    feed_text(&feed, up_to_line(all, 30));
    ck_assert_uint_eq(feed.dumps.n, 0);
    feed_text(&feed, from_line(all, 25));
    feed_end(&feed);
    ck_assert_uint_eq(feed.dumps.n, 2);
    ck_assert(feed.dumps.items[0].has_header);
    ck_assert(feed.dumps.items[0].cut_tail);
    ck_assert_uint_eq(feed.dumps.items[0].stats.line, 0);
    ck_assert(!feed.dumps.items[0].sum_total.known);
    ck_assert(!feed.dumps.items[1].has_header);
    ck_assert(!feed.dumps.items[1].cut_tail);
    feed_done(&feed);
    written_text_done(&text);
    written_done(&written);
}
END_TEST

/* ---- several in a row, foreign lines ---- */

static const char stars[] =
    "2018-03-04 05:06:07.890123: W tensorflow/core/common_runtime/bfc_allocator.cc:275] "
    "***************************************************************************************xxxx___"
    "__"
    "____\n";

/* The part of a dump that people keep: its end, without the allocator's name before it. */
START_TEST(stats_alone_are_a_dump_without_a_head)
{
    struct feed feed;
    feed_begin(&feed);
    feed_text(&feed, OD_VIEW("Stats: \nLimit:                  5000000512\n"
                             "InUse:                  4999999488\n"
                             "MaxInUse:               5000000256\n"
                             "NumAllocs:                    4711\n"
                             "MaxAllocSize:            123456768\n"));
    feed_text(&feed, od_view_of(stars));
    feed_end(&feed);
    ck_assert_uint_eq(feed.dumps.n, 1);
    const struct od_dump *dump = &feed.dumps.items[0];
    ck_assert_uint_eq(dump->stats.limit.n, 5000000512);
    ck_assert_uint_eq(dump->stats.in_use.n, 4999999488);
    ck_assert_uint_eq(dump->stats.num_allocs.n, 4711);
    ck_assert_uint_eq(dump->stats.max_alloc.n, 123456768);
    ck_assert(!dump->has_header);
    ck_assert_uint_eq(dump->at.line, 1);
    feed_done(&feed);
}
END_TEST

/* Others have paragraphs of that name. */
START_TEST(other_stats_are_none)
{
    static const char *const texts[] = {
        "Stats:\n  loss 0.5\n  accuracy 0.25\nLimit: 100\nInUse: 50\n", "Stats:\n",
        "Stats:\nLimit: 4096\nrate: 3\n", "Pool Stats:\nLimit: 4096\nInUse: 12\n",
        "Limit: 4096\nInUse: 12\nMaxInUse: 20\n"};
    for (size_t i = 0; i < OD_COUNT_OF(texts); i++) {
        struct feed feed;
        feed_begin(&feed);
        feed_text(&feed, od_view_of(texts[i]));
        feed_end(&feed);
        ck_assert_msg(feed.dumps.n == 0, "%s", texts[i]);
        feed_done(&feed);
    }
}
END_TEST

START_TEST(the_same_dump_twice_is_two_dumps)
{
    struct random random = {9};
    struct written_dump written;
    struct written_text text = {0};
    struct feed feed;
    written_make(&written, &random, (enum dump_era)_i, 2, 30);
    written_print(&written, &text);
    feed_begin(&feed);
    for (int i = 0; i < 2; i++) {
        feed_text(&feed, od_buf_view(&text.buf));
        feed_text(&feed, OD_VIEW("Epoch 3/10\nsome other line\n"));
    }
    feed_end(&feed);
    ck_assert_uint_eq(feed.dumps.n, 2);
    for (size_t i = 0; i < 2; i++) {
        const char *bad = feed_compare(&feed.dumps.items[i], &written);
        ck_assert_msg(!bad, "era %d: %s", _i, bad);
        ck_assert(!feed.dumps.items[i].interleaved);
    }
    feed_done(&feed);
    written_text_done(&text);
    written_done(&written);
}
END_TEST

START_TEST(foreign_lines_do_not_matter)
{
    struct random random = {(uint64_t)_i};
    struct written_dump written;
    struct written_text text = {0};
    struct feed feed;
    written_make(&written, &random, (enum dump_era)_i, 2, 30);
    written_print(&written, &text);
    struct od_view rest = od_buf_view(&text.buf);
    struct od_view line;
    feed_begin(&feed);
    while (od_view_cut(&rest, '\n', &line)) {
        feed_text(&feed, line);
        feed_text(&feed, OD_VIEW(" 37%|####      | 112/300 [00:41<01:09, 2.71it/s]\n"
                                 "________________________________________________________________"
                                 "____________________________________\n"));
    }
    feed_end(&feed);
    ck_assert_uint_eq(feed.dumps.n, 1);
    const char *bad = feed_compare(&feed.dumps.items[0], &written);
    ck_assert_msg(!bad, "era %d: %s", _i, bad);
    feed_done(&feed);
    written_text_done(&text);
    written_done(&written);
}
END_TEST

START_TEST(an_abandoned_dump_is_given_up)
{
    struct feed feed;
    feed_begin(&feed);
    feed_text(&feed,
              OD_VIEW("Next region of size 4096\nInUse at 7f0000000000 of size 256 next 1\n"));
    for (int i = 0; i < 1990; i++)
        feed_text(&feed, OD_VIEW("step\n"));
    ck_assert_uint_eq(feed.dumps.n, 0);
    for (int i = 0; i < 20; i++)
        feed_text(&feed, OD_VIEW("step\n"));
    ck_assert_uint_eq(feed.dumps.n, 1);
    ck_assert(feed.dumps.items[0].cut_tail);
    ck_assert_uint_eq(feed.dumps.items[0].at.nlines, 2);
    ck_assert_uint_eq(feed.dumps.items[0].regions.items[0].announced.n, 4096);
    ck_assert(!feed.dumps.items[0].regions.items[0].ended);
    feed_done(&feed);
}
END_TEST

START_TEST(headers_alone_are_no_dump)
{
    struct feed feed;
    feed_begin(&feed);
    for (int i = 0; i < 200; i++) {
        feed_text(&feed,
                  OD_VIEW("2023-03-11 07:42:19.000001: W x/bfc_allocator.cc:482] Allocator "
                          "(GPU_0_bfc) ran out of memory trying to allocate 3.11GiB (rounded "
                          "to 3339321344)requested by op net/conv\n"));
        ck_assert_int_eq(feed.taken, OD_TAKE_SHARE);
    }
    feed_end(&feed);
    ck_assert_uint_eq(feed.dumps.n, 0);
    feed_done(&feed);
}
END_TEST

START_TEST(headers_alone_do_not_disturb_a_dump)
{
    struct random random = {31};
    struct written_dump written;
    struct written_text text = {0};
    struct feed feed;
    written_make(&written, &random, ERA_TF2, 2, 30);
    written_print(&written, &text);
    feed_begin(&feed);
    for (int i = 0; i < 3; i++)
        feed_text(&feed, OD_VIEW("Allocator (GPU_77_bfc) ran out of memory trying to allocate "
                                 "3.11GiB (rounded to 3339321344)requested by op net/conv\n"));
    feed_text(&feed, od_buf_view(&text.buf));
    feed_end(&feed);
    ck_assert_uint_eq(feed.dumps.n, 1);
    const char *bad = feed_compare(&feed.dumps.items[0], &written);
    ck_assert_msg(!bad, "%s", bad);
    feed_done(&feed);
    written_text_done(&text);
    written_done(&written);
}
END_TEST

/* INFO lines are off: all that is left of two dumps are two headers and two last lines. */
START_TEST(dumps_of_two_lines)
{
    static const char *const lines[] = {
        "W0311 07:42:19.000001 1 bfc_allocator.cc:482] Allocator (GPU_0_bfc) ran out of memory "
        "trying to allocate 1.50GiB (rounded to 1610612736)requested by op \n",
        "W0311 07:42:19.000002 2 bfc_allocator.cc:482] Allocator (GPU_1_bfc) ran out of memory "
        "trying to allocate 1.75GiB (rounded to 1879048192)requested by op \n",
        "W0311 07:42:19.000003 1 bfc_allocator.cc:494] *******************************************"
        "_________________________________________________________\n",
        "W0311 07:42:19.000004 2 bfc_allocator.cc:494] *******************************************"
        "*______________________________________________________xx\n",
    };
    struct feed feed;
    feed_begin(&feed);
    for (size_t i = 0; i < OD_COUNT_OF(lines); i++)
        feed_text(&feed, od_view_of(lines[i]));
    ck_assert_uint_eq(feed.dumps.n, 2);
    ck_assert(od_view_eq_str(feed.dumps.items[0].allocator, "GPU_0_bfc"));
    ck_assert(od_view_eq_str(feed.dumps.items[1].allocator, "GPU_1_bfc"));
    ck_assert_uint_eq(feed.dumps.items[1].rounded.n, 1879048192);
    ck_assert(feed.dumps.items[1].interleaved && feed.dumps.items[1].occupancy.n == 0);
    feed_done(&feed);
}
END_TEST

/* ---- cost ---- */

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

START_TEST(a_million_chunks)
{
    enum { CHUNKS = 1000000 };
    struct random random = {4};
    struct written_dump written = {0};
    struct written_text text = {0};
    struct feed feed;
    do {
        written_done(&written);
        written_make(&written, &random, ERA_TF2, 1, 2 * CHUNKS);
    } while (written.chunks.n < CHUNKS);
    written_print(&written, &text);
    feed_begin(&feed);
    double start = seconds();
    feed_text(&feed, od_buf_view(&text.buf));
    double took = seconds() - start;
    feed_end(&feed);
    ck_assert_uint_eq(feed.dumps.n, 1);
    const char *bad = feed_compare(&feed.dumps.items[0], &written);
    ck_assert_msg(!bad, "%s", bad);
    printf("bfc: %zu chunk lines in %.2f s, %zu bytes a chunk\n", written.chunks.n, took,
           sizeof(struct od_chunk));
    feed_done(&feed);
    written_text_done(&text);
    written_done(&written);
}
END_TEST

Suite *od_bfc_dump_suite(void)
{
    Suite *suite = suite_create("bfc dumps");
    TCase *trips = tcase_create("round trips");
    tcase_set_timeout(trips, 60);
    tcase_add_loop_test(trips, every_table_comes_back, 0, ERA_END);
    suite_add_tcase(suite, trips);
    TCase *parts = tcase_create("cuts and neighbours");
    tcase_set_timeout(parts, 60);
    tcase_add_loop_test(parts, cuts_lose_only_what_is_cut, 0, ERA_END);
    tcase_add_test(parts, cut_ends_are_said);
    tcase_add_test(parts, stats_alone_are_a_dump_without_a_head);
    tcase_add_test(parts, other_stats_are_none);
    tcase_add_loop_test(parts, the_same_dump_twice_is_two_dumps, 0, ERA_END);
    tcase_add_loop_test(parts, foreign_lines_do_not_matter, 0, ERA_END);
    tcase_add_test(parts, an_abandoned_dump_is_given_up);
    tcase_add_test(parts, headers_alone_are_no_dump);
    tcase_add_test(parts, headers_alone_do_not_disturb_a_dump);
    tcase_add_test(parts, dumps_of_two_lines);
    suite_add_tcase(suite, parts);
    TCase *cost = tcase_create("cost");
    tcase_set_timeout(cost, 60);
    tcase_add_test(cost, a_million_chunks);
    suite_add_tcase(suite, cost);
    return suite;
}
