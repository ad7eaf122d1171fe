#include "base/buf.h"
#include "base/num.h"
#include "base/vec.h"
#include "rules/ruleset.h"
#include "rules/words.h"
#include "scan/filter.h"
#include "scan/literals.h"
#include "tests/unit/scan/suites.h"
#include "tests/unit/suite.h"

#include <string.h>

struct hits {
    OD_VEC(struct od_filter_hit) list;
    bool ordered;
};

static void note_hit(void *self, struct od_filter_hit hit)
{
    struct hits *hits = self;
    if (hits->list.n > 0 && hits->list.items[hits->list.n - 1].end > hit.end)
        hits->ordered = false;
    od_vec_push(&hits->list, hit);
}

static int compare_hits(const void *a, const void *b)
{
    const struct od_filter_hit *x = a;
    const struct od_filter_hit *y = b;
    if (x->end != y->end)
        return x->end < y->end ? -1 : 1;
    return (x->literal > y->literal) - (x->literal < y->literal);
}

static struct hits hits_of(const struct od_view *literals, size_t n, struct od_view text)
{
    struct hits hits = {.ordered = true};
    struct od_filter *filter = od_filter_new(literals, n);
    od_filter_scan(filter, text, note_hit, &hits);
    od_filter_free(filter);
    ck_assert(hits.ordered);
    if (hits.list.n > 0)
        qsort(hits.list.items, hits.list.n, sizeof *hits.list.items, compare_hits);
    return hits;
}

/* What is true: each literal looked for by itself. */
static struct hits naive(const struct od_view *literals, size_t n, struct od_view text)
{
    struct hits hits = {.ordered = true};
    for (uint32_t i = 0; i < n; i++) {
        size_t at = od_view_find(text, literals[i], 0);
        for (; at != OD_VIEW_NONE; at = od_view_find(text, literals[i], at + 1))
            od_vec_push(&hits.list, ((struct od_filter_hit){i, at + literals[i].n}));
    }
    if (hits.list.n > 0)
        qsort(hits.list.items, hits.list.n, sizeof *hits.list.items, compare_hits);
    return hits;
}

static void assert_same_hits(const struct hits *a, const struct hits *b)
{
    ck_assert_uint_eq(a->list.n, b->list.n);
    size_t i = 0;
    while (i < a->list.n && compare_hits(&a->list.items[i], &b->list.items[i]) == 0)
        i++;
    ck_assert_uint_eq(i, a->list.n);
}

static void assert_finds_what_is_there(const struct od_view *literals, size_t n,
                                       struct od_view text)
{
    struct hits truth = naive(literals, n, text);
    struct hits hits = hits_of(literals, n, text);
    assert_same_hits(&hits, &truth);
    od_vec_done(&hits.list);
    od_vec_done(&truth.list);
}

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

enum { MOST_LITERALS = 40, TEXT_BYTES = 3000 };

struct alphabet {
    const char *bytes;
    size_t n;
};

static const struct alphabet alphabets[] = {
    {"a", 1}, {"ab", 2}, {"\0\xff", 2}, {"abc\n\0\x80", 6}, {".*[(\\^$|", 8}, {NULL, 256},
};

static char random_byte(const struct alphabet *alphabet, uint64_t *seed)
{
    uint64_t i = next_random(seed) % alphabet->n;
    return alphabet->bytes ? alphabet->bytes[i] : (char)i;
}

START_TEST(it_finds_what_is_there)
{
    const struct alphabet *alphabet = &alphabets[_i];
    uint64_t seed = 11;
    for (unsigned round = 0; round < 20; round++) {
        char bytes[MOST_LITERALS][24];
        struct od_view literals[MOST_LITERALS];
        size_t n = next_random(&seed) % MOST_LITERALS + 1;
        char text[TEXT_BYTES];
        for (size_t i = 0; i < TEXT_BYTES; i++)
            text[i] = random_byte(alphabet, &seed);
        for (size_t i = 0; i < n; i++) {
            literals[i] = (struct od_view){bytes[i], next_random(&seed) % 23 + 1};
            size_t from = next_random(&seed) % (TEXT_BYTES - 24);
            memcpy(bytes[i], text + from, literals[i].n);
            if (next_random(&seed) % 2 == 0)
                bytes[i][literals[i].n - 1] = random_byte(alphabet, &seed);
        }
        assert_finds_what_is_there(literals, n, (struct od_view){text, TEXT_BYTES});
    }
}
END_TEST

/* Occurrences over the edges of pieces that an engine may cut a text into. */
START_TEST(large_texts_are_scanned_whole)
{
    struct od_buf text = {0};
    while (text.n < (size_t)3 << 20) {
        od_buf_add_repeat(&text, "-", 65536 - 7 - text.n % 65536);
        od_buf_add_str(&text, "needle in hay, needle");
    }
    const struct od_view literals[] = {OD_VIEW("needle in hay"), OD_VIEW("needle"), OD_VIEW("y"),
                                       OD_VIEW("needle"), OD_VIEW("absent")};
    assert_finds_what_is_there(literals, OD_COUNT_OF(literals), od_buf_view(&text));
    od_buf_done(&text);
}
END_TEST

START_TEST(no_literal_and_no_text_give_no_hit)
{
    const struct od_view literal = OD_VIEW("abc");
    assert_finds_what_is_there(&literal, 0, OD_VIEW("abc"));
    assert_finds_what_is_there(&literal, 1, (struct od_view){0});
    assert_finds_what_is_there(&literal, 1, OD_VIEW("ab"));
}
END_TEST

START_TEST(all_bytes_can_be_in_literals)
{
    char bytes[256];
    struct od_view literals[256];
    for (unsigned i = 0; i < 256; i++) {
        bytes[i] = (char)i;
        literals[i] = (struct od_view){&bytes[i], 1};
    }
    assert_finds_what_is_there(literals, 256, (struct od_view){bytes, 256});
}
END_TEST

/* Member by member: the bytes between and after members have no value. */
static bool is_same_entry(const struct od_window_entry *a, const struct od_window_entry *b)
{
    return a->key == b->key && a->probe == b->probe && a->mask == b->mask && a->id == b->id &&
           a->text == b->text && a->n == b->n && a->at == b->at && a->probe_at == b->probe_at;
}

/* Tables that were made when the project was built are those that a start would make. */
START_TEST(shipped_literals_are_those_of_the_shipped_packs)
{
    const struct od_literals *shipped = &od_shipped_literals;
    size_t npacks = 0;
    while (od_shipped_packs[npacks])
        npacks++;
    struct od_ruleset *rules = od_ruleset_new(od_shipped_packs, npacks);
    struct od_arena *arena = od_arena_new();
    od_ruleset_set_lexicon(rules, &od_shipped_lexicon);
    struct od_literals made = od_literals_new(rules, od_shipped_signs, arena);
    ck_assert_uint_eq(made.n, shipped->n);
    ck_assert_uint_eq(made.nrules, shipped->nrules);
    for (size_t i = 0; i < made.n; i++)
        ck_assert(od_view_eq(od_literal_text(&made, i), od_literal_text(shipped, i)));
    ck_assert_mem_eq(made.first, shipped->first, (made.n + 1) * sizeof *made.first);
    ck_assert_mem_eq(made.owners, shipped->owners, made.first[made.n] * sizeof *made.owners);
    ck_assert_uint_eq(made.index.n, shipped->index.n);
    for (size_t i = 0; i < made.index.n; i++)
        ck_assert(is_same_entry(&made.index.entries[i], &shipped->index.entries[i]));
    od_ruleset_free(rules);
    od_arena_free(arena);
}
END_TEST

Suite *od_filter_suite(void)
{
    Suite *suite = suite_create("filter");
    TCase *tcase = tcase_create("filter");
    tcase_add_loop_test(tcase, it_finds_what_is_there, 0, (int)OD_COUNT_OF(alphabets));
    tcase_add_test(tcase, large_texts_are_scanned_whole);
    tcase_add_test(tcase, no_literal_and_no_text_give_no_hit);
    tcase_add_test(tcase, all_bytes_can_be_in_literals);
    tcase_add_test(tcase, shipped_literals_are_those_of_the_shipped_packs);
    tcase_set_timeout(tcase, 60);
    suite_add_tcase(suite, tcase);
    return suite;
}
