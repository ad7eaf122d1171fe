/* Lines that are recognized by the text before them alone, and lines that must not be. */
#include "base/num.h"
#include "readers/logs/bfc_streak.h"
#include "scan/readers.h"
#include "tests/unit/readers/suites.h"
#include "tests/unit/suite.h"

#include <stdio.h>
#include <string.h>

#define STAMP "2024-02-03 04:05:06.123456"
#define FRONT ": I tensorflow/core/bfc_allocator.cc:1060] "
#define CHUNK "InUse at 7f00 of size 256 next 1"

static const struct {
    const char *sample, *rest;
    size_t line; /* bytes of rest that are its line; 0 = none */
    enum od_bfc_kind kind;
} lines[] = {
    {STAMP FRONT CHUNK, "2025-12-31 23:59:59.000000" FRONT "Free  at 7f00 of size 512 next 18\nx",
     sizeof STAMP FRONT "Free  at 7f00 of size 512 next 18", OD_BFC_CHUNK},
    {STAMP FRONT CHUNK, STAMP FRONT "7 Chunks of size 256 totalling 1.8KiB\r\n",
     sizeof STAMP FRONT "7 Chunks of size 256 totalling 1.8KiB\r", OD_BFC_ROW},
    {"[0]: I0203 04:05:06.1" FRONT CHUNK, "[0]: I0203 14:15:16.1" FRONT CHUNK "\n",
     sizeof "[0]: I0203 04:05:06.1" FRONT CHUNK, OD_BFC_CHUNK},
    {"I" FRONT CHUNK, "I" FRONT CHUNK "\n", sizeof "I" FRONT CHUNK, OD_BFC_CHUNK},
    /* lines of other programs, or lines without a required number */
    {"[0]: " STAMP FRONT CHUNK, "[1]: " STAMP FRONT CHUNK "\n", 0, OD_BFC_NONE},
    {STAMP FRONT CHUNK, "2024-02-03 04:05:0:.123456" FRONT CHUNK "\n", 0, OD_BFC_NONE},
    {STAMP FRONT CHUNK, "2024-02-03 04:05:0/.123456" FRONT CHUNK "\n", 0, OD_BFC_NONE},
    {STAMP FRONT CHUNK, "2024-02-03 04-05:06.123456" FRONT CHUNK "\n", 0, OD_BFC_NONE},
    {STAMP FRONT CHUNK, STAMP ": W tensorflow/core/bfc_allocator.cc:1060] " CHUNK "\n", 0,
     OD_BFC_NONE},
    {STAMP FRONT CHUNK, STAMP ": I tensorflow/core/bfc_allocator.cc:1061] " CHUNK "\n", 0,
     OD_BFC_NONE},
    /* not whole, or not alone */
    {STAMP FRONT CHUNK, STAMP FRONT CHUNK, 0, OD_BFC_NONE},
    {STAMP FRONT CHUNK, STAMP, 0, OD_BFC_NONE},
    {STAMP FRONT CHUNK, STAMP FRONT "\n", 0, OD_BFC_NONE},
    {STAMP FRONT CHUNK, STAMP FRONT CHUNK " by op a/b action_count 5 step 7\n", 0, OD_BFC_NONE},
    {STAMP FRONT CHUNK, STAMP FRONT CHUNK "\"\n", 0, OD_BFC_NONE},
    {STAMP FRONT CHUNK, STAMP FRONT CHUNK " \n", 0, OD_BFC_NONE},
    {STAMP FRONT CHUNK, STAMP FRONT "InUse at 7f00 of size 256 next \n", 0, OD_BFC_NONE},
    {STAMP FRONT CHUNK, STAMP FRONT "Next region of size 512\n", 0, OD_BFC_NONE},
    /* without the allocator's name there is no front */
    {CHUNK, CHUNK "\n", 0, OD_BFC_NONE},
};

START_TEST(line_is_told_by_its_front)
{
    struct od_view rest = od_view_of(lines[_i].rest);
    struct od_bfc_front front;
    struct od_bfc_record record = {.kind = OD_BFC_NONE};
    size_t n = od_bfc_front_init(&front, od_view_of(lines[_i].sample))
                   ? od_bfc_front_next(&front, rest, &record)
                   : 0;
    ck_assert_uint_eq(n, lines[_i].line);
    if (n > 0)
        ck_assert_int_eq(record.kind, lines[_i].kind);
}
END_TEST

/* Where more follows a chunk is read at once, else by its grammar: both the same. */
static const char *const bodies[] = {
    "InUse at 7f00 of size 256 next 1",
    "Free  at 7f00 of size 256 next 1",
    "Free at 7f00 of size 256 next 1",
    "Chunk at 0x7f00 of size 256",
    "InUse at ffffffffffffffff of size 9999999999999999999 next 4294967293",
    "InUse at 10000000000000000 of size 256 next 1",
    "InUse at 7F00 of size 256 next 1",
    "InUse at 0x7f00 of size 256 next 1",
    "InUse at  of size 256 next 1",
    "InUse at 7f00 of size 18446744073709551615 next 1",
    "InUse at 7f00 of size 18446744073709551616 next 1",
    "InUse at 7f00 of size 256 next 4294967294",
    "InUse at 7f00 of size 256 next 18446744073709551615",
    "InUse at 7f00 of size 256 next ",
    "InUse at 7f00 of size 256 next 1\r",
    "InUse at 7f00 of size 256 next 1 ",
    "InUse at 7f00 of size 256 next 1 by op a",
    "InUse at 7f00 of size  next 1",
    "7 Chunks of size 256 totalling 1.8KiB",
    "",
};

START_TEST(chunk_reads_the_same_with_more_behind_it)
{
    char text[512];
    struct od_bfc_front front;
    struct od_bfc_record records[2] = {{.kind = OD_BFC_NONE}, {.kind = OD_BFC_NONE}};
    int n = snprintf(text, sizeof text, "%s%s\n%0200d", STAMP FRONT, bodies[_i], 0);
    ck_assert(od_bfc_front_init(&front, od_view_of(STAMP FRONT CHUNK)));
    struct od_view rest = {text, (size_t)n}, alone = {text, (size_t)n - 200};
    size_t taken = od_bfc_front_next(&front, alone, &records[0]);
    ck_assert_uint_eq(od_bfc_front_next(&front, rest, &records[1]), taken);
    if (taken == 0)
        return;
    ck_assert_uint_eq(taken, alone.n);
    ck_assert_int_eq(records[0].kind, records[1].kind);
    if (records[0].kind != OD_BFC_CHUNK)
        return;
    const struct od_chunk *a = &records[0].as.chunk.chunk, *b = &records[1].as.chunk.chunk;
    ck_assert_uint_eq(a->address, b->address);
    ck_assert_uint_eq(a->bytes, b->bytes);
    ck_assert_uint_eq(a->next, b->next);
    ck_assert_int_eq(a->in_use, b->in_use);
    ck_assert_int_eq(records[0].as.chunk.has_details, records[1].as.chunk.has_details);
}
END_TEST

START_TEST(long_front_is_none)
{
    char sample[OD_BFC_FRONT + sizeof FRONT CHUNK];
    struct od_bfc_front front;
    memset(sample, 'x', OD_BFC_FRONT);
    memcpy(sample + OD_BFC_FRONT, FRONT CHUNK, sizeof FRONT CHUNK);
    ck_assert(!od_bfc_front_init(&front, od_view_of(sample)));
}
END_TEST

static bool may_stand_in_stamp(struct od_view text)
{
    static const char *const stamps[] = {"0000-00-00 00:00:00.000000000",
                                         "0000-00-00T00:00:00.000000000"};
    char shape[64] = "";
    for (size_t i = 0; i < text.n && i < sizeof shape - 1; i++)
        shape[i] = text.p[i] >= '0' && text.p[i] <= '9' ? '0' : text.p[i];
    return strstr(stamps[0], shape) || strstr(stamps[1], shape);
}

/* Lines of a streak go by unfiltered: what another reader waits for must not be in them. */
START_TEST(no_other_reader_waits_for_such_lines)
{
    static const char *const likely[] = {"InUse at 7f0123456789abcdefABCDEF of size 256 next 1",
                                         "Free  at 0x7f00 of size 256",
                                         "Free at 0x7f00 of size 256",
                                         "Chunk at 0x7f00 next 5 of size 256",
                                         "7 Chunks of size 256 totalling 7B",
                                         "7 Chunks of size 256 totalling 7.1KiB",
                                         "7 Chunks of size 256 totalling 7.12MiB",
                                         "7 Chunks of size 256 totalling 7.12GiB",
                                         "7 Chunks of size 256 totalling 7.12TiB"};
    for (size_t i = 0; od_readers[i]; i++) {
        const char *const *literal = od_readers[i]->literals;
        for (; !od_readers[i]->streak && *literal; literal++) {
            struct od_view text = od_view_of(*literal);
            for (size_t k = 0; k < OD_COUNT_OF(likely); k++)
                ck_assert_msg(!od_view_has(od_view_of(likely[k]), text), "%s", *literal);
            ck_assert_msg(!may_stand_in_stamp(text), "%s", *literal);
        }
    }
}
END_TEST

Suite *od_bfc_streak_suite(void)
{
    Suite *suite = suite_create("bfc_streak");
    TCase *tests = tcase_create("bfc_streak");
    tcase_add_loop_test(tests, line_is_told_by_its_front, 0, OD_COUNT_OF(lines));
    tcase_add_loop_test(tests, chunk_reads_the_same_with_more_behind_it, 0, OD_COUNT_OF(bodies));
    tcase_add_test(tests, long_front_is_none);
    tcase_add_test(tests, no_other_reader_waits_for_such_lines);
    suite_add_tcase(suite, tests);
    return suite;
}
