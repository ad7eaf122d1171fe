/* What a process inside could send that is no answer. */
#include "base/buf.h"
#include "base/digest.h"
#include "base/num.h"
#include "cgi/wire.h"
#include "tests/unit/cgi/suites.h"
#include "tests/unit/suite.h"

#include <string.h>
#include <unistd.h>

/* Sends to a pipe what the test needs, and reads it back. */
static size_t sent(int ends[2], char *to, size_t room)
{
    (void)close(ends[1]);
    ssize_t n = read(ends[0], to, room);
    (void)close(ends[0]);
    return n > 0 ? (size_t)n : 0;
}

START_TEST(test_there_and_back)
{
    int ends[2];
    char bytes[512];
    struct od_wire_answer answer;
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert(od_wire_send(ends[1], OD_WIRE_DATA, 300, od_view_of("1 2")));
    ck_assert(od_wire_send(ends[1], OD_WIRE_SCRIPT, 0, od_view_of("plot data")));
    ck_assert(od_wire_send(ends[1], OD_WIRE_CAUSE, 0, od_view_of("a_word\n\x1b[31m <b>")));
    ck_assert(od_wire_send(ends[1], OD_WIRE_ANSWER, 1U << 16 | 404, od_view_of("{}")));
    struct od_view all = {bytes, sent(ends, bytes, sizeof bytes)};
    ck_assert(od_wire_answer(all, &answer));
    ck_assert_uint_eq(answer.status, 404);
    ck_assert_int_eq((int)answer.type, OD_WIRE_JSON);
    ck_assert_str_eq(answer.cause, "a_wordmb");
    ck_assert_uint_eq(answer.nfigures, 1);
    ck_assert_uint_eq(answer.figures[0].height, 300);
    ck_assert(od_view_eq_str(answer.figures[0].script, "plot data"));
    ck_assert(od_view_eq_str(answer.text, "{}"));
    for (size_t n = 0; n < all.n; n++)
        ck_assert(!od_wire_answer(od_view_head(all, n), &answer));
}
END_TEST

static const struct {
    uint32_t kind, number;
} bad[] = {
    {OD_WIRE_ANSWER, 100},
    {OD_WIRE_ANSWER, 700},
    {OD_WIRE_ANSWER, 3U << 16 | 200},
    {OD_WIRE_SCRIPT, 0},
    {OD_WIRE_DATA, 0},
    {OD_WIRE_DATA, 5000},
    {0, 0},
    {5, 0},
    {0xFFFFFFFF, 0},
};

START_TEST(test_bad_frame)
{
    int ends[2];
    char bytes[512];
    struct od_wire_answer answer;
    ck_assert_int_eq(pipe(ends), 0);
    (void)od_wire_send(ends[1], (enum od_wire_kind)bad[_i].kind, bad[_i].number, od_view_of("x"));
    (void)od_wire_send(ends[1], OD_WIRE_ANSWER, 200, od_view_of("x"));
    struct od_view all = {bytes, sent(ends, bytes, sizeof bytes)};
    ck_assert(!od_wire_answer(all, &answer));
}
END_TEST

START_TEST(test_digest)
{
    static const struct {
        const char *text, *digest;
    } known[] = {
        /* of FIPS 180-4's examples, and one of a length that needs a second block at its end */
        {"", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="},
        {"abc", "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "JI1qYdIGOLjlwCaTDD5gOaM85Flk/yFn9uzt1BnbBsE="},
    };
    for (size_t i = 0; i < OD_COUNT_OF(known); i++) {
        uint8_t digest[OD_SHA256_BYTES];
        struct od_buf text = {0};
        od_sha256(od_view_of(known[i].text), digest);
        od_base64(&text, (struct od_view){(const char *)digest, sizeof digest});
        ck_assert_str_eq(od_buf_str(&text), known[i].digest);
        od_buf_done(&text);
    }
}
END_TEST

Suite *od_wire_suite(void)
{
    Suite *suite = od_suite_loop("wire", test_bad_frame, OD_COUNT_OF(bad));
    TCase *tcase = tcase_create("whole");
    tcase_add_test(tcase, test_there_and_back);
    tcase_add_test(tcase, test_digest);
    suite_add_tcase(suite, tcase);
    return suite;
}
