/* Dumps of several allocators printed at once, line by line, without names on inner lines. */
#include "base/num.h"
#include "tests/unit/readers/feed.h"
#include "tests/unit/readers/suites.h"
#include "tests/unit/suite.h"

#include <stdio.h>

enum { MOST = 8 };

struct mix {
    size_t n;
    struct written_dump written[MOST];
    struct written_text texts[MOST];
    size_t next[MOST]; /* message to be printed */
    struct od_buf all;
};

static void mix_make(struct mix *mix, struct random *random, size_t n, enum dump_era era)
{
    *mix = (struct mix){.n = n};
    for (size_t i = 0; i < n; i++) {
        size_t regions = era < ERA_TF115 ? 1 : 1 + (size_t)random_below(random, 6);
        written_make(&mix->written[i], random, era, regions, 60);
        snprintf(mix->written[i].allocator, sizeof mix->written[i].allocator, "GPU_%u_bfc",
                 (unsigned)i);
        written_print(&mix->written[i], &mix->texts[i]);
    }
}

static void mix_done(struct mix *mix)
{
    for (size_t i = 0; i < mix->n; i++) {
        written_done(&mix->written[i]);
        written_text_done(&mix->texts[i]);
    }
    od_buf_done(&mix->all);
}

/* The head (up to the first bin) in one piece, then burst messages at a time. */
static void mix_step(struct mix *mix, size_t i, size_t burst)
{
    struct written_text *text = &mix->texts[i];
    if (mix->next[i] == 0)
        while (!od_view_has(written_message(text, mix->next[i]), OD_VIEW("Bin (256)")))
            od_buf_add(&mix->all, written_message(text, mix->next[i]++));
    for (; burst > 0 && mix->next[i] < text->messages.n; burst--)
        od_buf_add(&mix->all, written_message(text, mix->next[i]++));
}

/* Random turns among those that are not through; ones start one after the other. */
static void mix_text(struct mix *mix, struct random *random, size_t most_burst)
{
    size_t started = 1;
    for (;;) {
        size_t open[MOST], n = 0;
        for (size_t i = 0; i < started; i++)
            if (mix->next[i] < mix->texts[i].messages.n)
                open[n++] = i;
        if (started < mix->n && (n == 0 || random_below(random, 12) == 0))
            open[n++] = started++;
        if (n == 0)
            return;
        mix_step(mix, open[random_below(random, n)], 1 + (size_t)random_below(random, most_burst));
    }
}

/* Is it the start of a written dump, and nothing else? */
static bool is_start(const struct mix *mix, const struct od_dump *dump)
{
    bool bare = dump->chunks.n == 0 && dump->regions.n == 0 && dump->bins.n == 0 &&
                dump->summary.n == 0 && !dump->pool.known && dump->stats.line == 0;
    for (size_t i = 0; bare && i < mix->n; i++)
        if (dump->requested.known
                ? od_view_eq_str(dump->allocator, mix->written[i].allocator) &&
                      od_bytes_same(dump->requested, od_bytes_exact(mix->written[i].request))
                : dump->allocator.n == 0)
            return true;
    return false;
}

static bool is_whole(const struct mix *mix, const struct od_dump *dump)
{
    for (size_t i = 0; i < mix->n; i++)
        if (!feed_compare(dump, &mix->written[i]))
            return true;
    return false;
}

/* Is it what was printed of a dump before the next one began? */
static bool is_front(const struct mix *mix, const struct od_dump *dump)
{
    for (size_t i = 0; i < mix->n; i++) {
        const struct written_dump *written = &mix->written[i];
        size_t k = 0;
        while (k < dump->chunks.n && k < written->chunks.n &&
               dump->chunks.items[k].address == written->chunks.items[k].address &&
               dump->chunks.items[k].bytes == written->chunks.items[k].bytes)
            k++;
        if (dump->cut_tail && k == dump->chunks.n)
            return true;
    }
    return false;
}

/* A dump that was printed alone is whole; of the others the first ends where the next one begins,
 * and of those only the starts are kept, and no number of their inner lines. */
static void check_mix(const struct mix *mix, const struct feed *feed, unsigned seed)
{
    ck_assert_msg(feed->dumps.n == mix->n, "seed %u: %zu dumps, not %zu", seed, feed->dumps.n,
                  mix->n);
    for (size_t i = 0; i < feed->dumps.n; i++) {
        const struct od_dump *dump = &feed->dumps.items[i];
        bool good =
            dump->interleaved ? is_start(mix, dump) : is_whole(mix, dump) || is_front(mix, dump);
        ck_assert_msg(good, "seed %u dump %zu of %zu", seed, i, feed->dumps.n);
    }
}

static void run_mix(unsigned seed, size_t n, enum dump_era era, size_t burst)
{
    struct random random = {seed};
    struct mix mix;
    struct feed feed;
    mix_make(&mix, &random, n, era);
    mix_text(&mix, &random, burst);
    feed_begin(&feed);
    feed_text(&feed, od_buf_view(&mix.all));
    feed_end(&feed);
    check_mix(&mix, &feed, seed);
    feed_done(&feed);
    mix_done(&mix);
}

START_TEST(starts_of_mixed_dumps_are_kept)
{
    for (unsigned seed = 1; seed <= 40; seed++)
        run_mix(seed, (size_t)_i, ERA_TF2, 1 + seed % 7);
}
END_TEST

START_TEST(in_every_era)
{
    for (unsigned seed = 1; seed <= 40; seed++)
        run_mix(seed, 2 + seed % 3, (enum dump_era)_i, 1 + seed % 4);
}
END_TEST

/* Beginnings without end are given up one by one: what waits for its rest has a limit. */
START_TEST(beginnings_do_not_pile_up)
{
    struct feed feed;
    feed_begin(&feed);
    for (int i = 0; i < 200; i++)
        feed_text(&feed, OD_VIEW("tensorflow/core/common_runtime/bfc_allocator.cc:1089] Bin (256): "
                                 "\tTotal Chunks: 3, Chunks in use: 0. 768B allocated for chunks. "
                                 "0B in use in bin. 0B client-requested in use in bin.\n"));
    ck_assert_uint_gt(feed.dumps.n, 100);
    feed_end(&feed);
    ck_assert_uint_eq(feed.dumps.n, 200);
    feed_done(&feed);
}
END_TEST

/* ---- damage ---- */

/* Lines lost, repeated and moved: no crash, and no chunk invented; of one dump none is lost. */
static size_t feed_damaged(struct feed *feed, struct od_view text, struct random *random)
{
    struct od_view line, kept = {0};
    size_t chunks = 0;
    while (od_view_cut(&text, '\n', &line)) {
        uint64_t dice = random_below(random, 40);
        if (dice == 0)
            continue;
        if (dice == 1) {
            kept = line;
            continue;
        }
        for (int times = dice == 2 ? 2 : 1; times > 0; times--) {
            feed_text(feed, line);
            chunks += od_view_has(line, OD_VIEW(" at 7f"));
        }
        if (dice == 3 && kept.n > 0) {
            feed_text(feed, kept);
            chunks += od_view_has(kept, OD_VIEW(" at 7f"));
            kept = (struct od_view){0};
        }
    }
    return chunks;
}

START_TEST(damage_invents_no_chunk)
{
    for (unsigned seed = 1; seed <= 60; seed++) {
        struct random random = {seed};
        struct mix mix;
        struct feed feed;
        size_t chunks = 0;
        mix_make(&mix, &random, 1 + seed % MOST, seed % 2 ? ERA_TF2 : ERA_XLA2026);
        mix_text(&mix, &random, 1 + seed % 5);
        feed_begin(&feed);
        size_t printed = feed_damaged(&feed, od_buf_view(&mix.all), &random);
        feed_end(&feed);
        for (size_t i = 0; i < feed.dumps.n; i++) {
            const struct od_dump *dump = &feed.dumps.items[i];
            chunks += dump->chunks.n;
            ck_assert_uint_le(dump->at.line + dump->at.nlines - 1, feed.line);
            for (size_t c = 0; c < dump->chunks.n; c++)
                ck_assert_uint_lt(dump->chunks.items[c].line, dump->at.nlines);
        }
        ck_assert_msg(chunks == printed || (mix.n > 1 && chunks < printed),
                      "seed %u: %zu chunks of %zu", seed, chunks, printed);
        feed_done(&feed);
        mix_done(&mix);
    }
}
END_TEST

Suite *od_bfc_mixed_suite(void)
{
    Suite *suite = suite_create("bfc interleaved");
    TCase *tcase = tcase_create("interleaved");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, starts_of_mixed_dumps_are_kept, 2, MOST + 1);
    tcase_add_loop_test(tcase, in_every_era, ERA_TF1, ERA_END);
    tcase_add_test(tcase, beginnings_do_not_pile_up);
    tcase_add_test(tcase, damage_invents_no_chunk);
    suite_add_tcase(suite, tcase);
    return suite;
}
