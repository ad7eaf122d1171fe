/* Pickles written by hand: what their opcodes make, and what is refused. */
#include "models/files/pickle.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/num.h"
#include "tests/unit/readers/suites.h"
#include "tests/unit/suite.h"

#include <inttypes.h>
#include <string.h>

#define BYTES(bytes)             \
    {                            \
        bytes, sizeof(bytes) - 1 \
    }

static void show_scalar(const struct od_pickle_value *v, struct od_buf *to)
{
    uint64_t size;
    if (od_pickle_is(v, OD_PICKLE_BOOL))
        od_buf_add_str(to, v->as.truth ? "True" : "False");
    else if (od_pickle_is(v, OD_PICKLE_INT))
        od_buf_printf(to, "%" PRId64, v->as.i);
    else if (od_pickle_size(v, &size))
        od_buf_printf(to, "%" PRIu64, size);
    else if (od_pickle_is(v, OD_PICKLE_LONG))
        od_buf_add_str(to, "long");
    else if (od_pickle_is(v, OD_PICKLE_FLOAT))
        od_buf_printf(to, "%.3f", v->as.f);
    else if (od_pickle_is(v, OD_PICKLE_TEXT)) {
        od_buf_add_char(to, '\'');
        od_buf_add(to, od_pickle_text(v));
        od_buf_add_char(to, '\'');
    } else {
        od_buf_add_str(to, "None");
    }
}

/* The value and its items, two levels of them. */
static void show(const struct od_pickle_value *v, int depth, struct od_buf *to)
{
    static const char *const open[] = {
        [OD_PICKLE_LIST] = "[", [OD_PICKLE_TUPLE] = "(", [OD_PICKLE_DICT] = "{"};
    static const char *const shut[] = {
        [OD_PICKLE_LIST] = "]", [OD_PICKLE_TUPLE] = ")", [OD_PICKLE_DICT] = "}"};
    if (v->kind < OD_PICKLE_LIST) {
        show_scalar(v, to);
        return;
    }
    od_buf_add_str(to, open[v->kind]);
    for (size_t i = 0; i < od_pickle_count(v); i++) {
        od_buf_add_str(to, i > 0 ? " " : "");
        if (depth > 0)
            show(od_pickle_item(v, i), depth - 1, to);
    }
    od_buf_add_str(to, shut[v->kind]);
}

static const struct {
    struct od_view bytes;
    const char *want;
} good[] = {
    {BYTES("\x80\x04N."), "None"},
    {BYTES("\x80\x04\x95\x02\0\0\0\0\0\0\0\x88."), "True"},
    {BYTES("\x80\x02K\xff."), "255"},
    {BYTES("\x80\x02M\x00\x80."), "32768"},
    {BYTES("\x80\x02J\xff\xff\xff\xff."), "-1"},
    {BYTES("\x80\x02J\x00\x00\x00\x80."), "-2147483648"},
    {BYTES("\x80\x02\x8a\x00."), "0"},
    {BYTES("\x80\x02\x8a\x06\x00\x00\x00\x40\x2c\x7f."), "139828029030400"},
    {BYTES("\x80\x02\x8a\x02\x00\xff."), "-256"},
    {BYTES("\x80\x02\x8a\x01\xff."), "-1"},
    {BYTES("\x80\x02\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f."), "9223372036854775807"},
    {BYTES("\x80\x02\x8a\x08\x00\x00\x00\x00\x00\x00\x00\x80."), "-9223372036854775808"},
    {BYTES("\x80\x02\x8a\x09\xff\xff\xff\xff\xff\xff\xff\xff\x00."), "18446744073709551615"},
    {BYTES("\x80\x02\x8a\x09\xff\xff\xff\xff\xff\xff\xff\xff\x01."), "long"},
    {BYTES("\x80\x02\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x00\xff."), "long"},
    {BYTES("\x80\x02\x8b\x01\x00\x00\x00\x07."), "7"},
    {BYTES("\x80\x02G\x3f\xe9\x99\x99\x99\x99\x99\x9a."), "0.800"},
    {BYTES("\x80\x04\x8c\x03oom."), "'oom'"},
    {BYTES("\x80\x02X\x03\x00\x00\x00oom."), "'oom'"},
    {BYTES("\x80\x04\x8d\x03\x00\x00\x00\x00\x00\x00\x00oom."), "'oom'"},
    {BYTES("\x80\x02U\x00."), "''"},
    {BYTES("\x80\x03"
           "C\x01z."),
     "'z'"},
    {BYTES("\x80\x05\x96\x01\0\0\0\0\0\0\0z."), "'z'"},
    {BYTES("\x80\x02]."), "[]"},
    {BYTES("\x80\x02)."), "()"},
    {BYTES("\x80\x02]q\0(K\1K\2e."), "[1 2]"},
    {BYTES("\x80\x02]K\1a."), "[1]"},
    {BYTES("\x80\x02(K\1K\2l."), "[1 2]"},
    {BYTES("\x80\x02(K\1K\2t."), "(1 2)"},
    {BYTES("\x80\x02K\1K\2\x86."), "(1 2)"},
    {BYTES("\x80\x02K\1K\2K\3\x87."), "(1 2 3)"},
    {BYTES("\x80\x02}U\1aK\1s."), "{'a' 1}"},
    {BYTES("\x80\x02}(U\1aK\1U\1bK\2u."), "{'a' 1 'b' 2}"},
    {BYTES("\x80\x02(U\1aNd."), "{'a' None}"},
    {BYTES("\x80\x02]q\0(h\0h\0e."), "[[ ] [ ]]"},         /* a list in itself */
    {BYTES("\x80\x02](]r\0\0\0\0j\0\0\0\0e."), "[[] []]"}, /* one list in two places */
    {BYTES("\x80\x04]\x94(K\1\x94h\1e."), "[1 1]"},
    {BYTES("\x80\x02](K\1(K\2K\0031"
           "2e."),
     "[1 1]"},
    {BYTES("\x80\x02](K\1K\2"
           "0(0e."),
     "[1]"},
    {BYTES("\x80\x02N.and what follows"), "None"},
};

START_TEST(data_is_read)
{
    struct od_pickle_fault fault = {0};
    struct od_pickle *pickle = od_pickle_read(good[_i].bytes, &fault);
    struct od_buf text = {0};
    ck_assert_msg(pickle != NULL, "%s", fault.message);
    show(od_pickle_top(pickle), 1, &text);
    ck_assert_str_eq(od_buf_str(&text), good[_i].want);
    od_buf_done(&text);
    od_pickle_free(pickle);
}
END_TEST

/* Each file is reported as cut wherever it is cut, and nothing is read beyond its end. */
START_TEST(cut_data_is_damaged)
{
    struct od_view bytes = good[_i].bytes;
    size_t stop = bytes.n;
    while (bytes.p[stop - 1] != '.')
        stop--;
    for (size_t n = 0; n < stop; n++) {
        struct od_pickle_fault fault = {0};
        char *copy = od_mem_alloc(n + 1, 1);
        memcpy(copy, bytes.p, n);
        struct od_pickle *pickle = od_pickle_read((struct od_view){copy, n}, &fault);
        /* A '.' that was part of a number may now be the end. */
        if (!pickle)
            ck_assert_int_eq(fault.err, OD_LOST);
        od_pickle_free(pickle);
        od_mem_free(copy);
    }
}
END_TEST

static const struct {
    struct od_view bytes;
    enum od_err err;
    const char *says;
} bad[] = {
    {BYTES("\x80\x02"
           "cos\nsystem\n(U\4truetR."),
     OD_EINPUT, "use os.system (GLOBAL at byte 2)"},
    {BYTES("\x80\x04\x8c\5posix\x8c\6system\x93."), OD_EINPUT, "use posix.system (STACK_GLOBAL"},
    {BYTES("\x80\x02(ios\nsystem\n."), OD_EINPUT, "use os.system (INST"},
    {BYTES("\x80\x04N\x93."), OD_EINPUT, "run code (STACK_GLOBAL"},
    {BYTES("\x80\x02"
           "c"),
     OD_EINPUT, "run code (GLOBAL"},
    {BYTES("\x80\x02N)R."), OD_EINPUT, "REDUCE"},
    {BYTES("\x80\x02N}b."), OD_EINPUT, "BUILD"},
    {BYTES("\x80\x02(No."), OD_EINPUT, "OBJ"},
    {BYTES("\x80\x02N)\x81."), OD_EINPUT, "NEWOBJ"},
    {BYTES("\x80\x04N)}\x92."), OD_EINPUT, "NEWOBJ_EX"},
    {BYTES("\x80\x02\x82\x01."), OD_EINPUT, "EXT1"},
    {BYTES("\x80\x02\x83\x01\0."), OD_EINPUT, "EXT2"},
    {BYTES("\x80\x02\x84\x01\0\0\0."), OD_EINPUT, "EXT4"},
    {BYTES("\x80\x02Pid\n."), OD_EINPUT, "PERSID"},
    {BYTES("\x80\x02NQ."), OD_EINPUT, "BINPERSID"},
    {BYTES("\x80\x05\x97."), OD_EINPUT, "NEXT_BUFFER"},
    {BYTES("\x80\x05N\x98."), OD_EINPUT, "READONLY_BUFFER"},
    {BYTES("\x80\x02I12\n."), OD_EINPUT, "plain data do not need"},
    {BYTES("\x80\x09N."), OD_EINPUT, "protocol"},
    {BYTES("\x80\x04\x95\xff\xff\xff\xff\xff\xff\xff\xffN."), OD_LOST, "inside the frame"},
    {BYTES("\x80\x04\x8d\xff\xff\xff\xff\xff\xff\xff\xffx."), OD_LOST, "cut"},
    {BYTES("\x80\x02X\xff\xff\xff\xffx."), OD_LOST, "cut"},
    {BYTES("\x80\x02\x8b\xff\xff\xff\xff\1."), OD_LOST, "cut"},
    {BYTES("\x80\x02Nr\xff\xff\xff\x7f."), OD_LOST, "damaged"}, /* a memo of 2 Gi entries */
    {BYTES("\x80\x02j\xff\xff\xff\x7f."), OD_LOST, "damaged"},
    {BYTES("\x80\x02."), OD_LOST, "damaged"},
    {BYTES("\x80\x02(."), OD_LOST, "damaged"},
    {BYTES("\x80\x02N(."), OD_LOST, "damaged"},
    {BYTES("\x80\x02t."), OD_LOST, "damaged"},
    {BYTES("\x80\x02"
           "1N."),
     OD_LOST, "damaged"},
    {BYTES("\x80\x02"
           "0."),
     OD_LOST, "damaged"},
    {BYTES("\x80\x02"
           "2."),
     OD_LOST, "damaged"},
    {BYTES("\x80\x02q\0."), OD_LOST, "damaged"},
    {BYTES("\x80\x02Na."), OD_LOST, "damaged"},
    {BYTES("\x80\x02NNa."), OD_LOST, "damaged"}, /* None.append */
    {BYTES("\x80\x02N(Ne."), OD_LOST, "damaged"},
    {BYTES("\x80\x02(Ne."), OD_LOST, "damaged"},
    {BYTES("\x80\x02}(Nu."), OD_LOST, "damaged"}, /* a key without a value */
    {BYTES("\x80\x02(Nd."), OD_LOST, "damaged"},
    {BYTES("\x80\x02]NNs."), OD_LOST, "damaged"},
    {BYTES("\x80\x02](Na."), OD_LOST, "damaged"}, /* below the mark */
    {BYTES("\x80\x02N(N\x86."), OD_LOST, "damaged"},
};

START_TEST(code_and_damage_are_refused)
{
    struct od_pickle_fault fault = {0};
    ck_assert_ptr_null(od_pickle_read(bad[_i].bytes, &fault));
    ck_assert_int_eq(fault.err, bad[_i].err);
    ck_assert_msg(strstr(fault.message, bad[_i].says) != NULL, "%s", fault.message);
}
END_TEST

/* head, then n times body: nothing but a named limit may stop it. */
static const struct {
    const char *body;
    size_t n;
    enum od_err err;
} bombs[] = {
    {"(", OD_PICKLE_DEPTH + 1, OD_ELIMIT},
    {"(", OD_PICKLE_DEPTH, OD_LOST}, /* no STOP */
    {"]", 1 << 20, OD_LOST},
    {"2", OD_PICKLE_VALUES + 1, OD_ELIMIT},
    {"\x94", OD_PICKLE_VALUES + 1, OD_ELIMIT},
};

START_TEST(bombs_meet_limits)
{
    struct od_pickle_fault fault = {0};
    struct od_buf bytes = {0};
    od_buf_add(&bytes, (struct od_view)BYTES("\x80\x04N"));
    od_buf_add_repeat(&bytes, bombs[_i].body, bombs[_i].n);
    ck_assert_ptr_null(od_pickle_read(od_buf_view(&bytes), &fault));
    ck_assert_int_eq(fault.err, bombs[_i].err);
    od_buf_done(&bytes);
}
END_TEST

Suite *od_pickle_suite(void)
{
    Suite *suite = od_suite_loop("pickle: data", data_is_read, (int)OD_COUNT_OF(good));
    TCase *tcase = tcase_create("refused");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, cut_data_is_damaged, 0, (int)OD_COUNT_OF(good));
    tcase_add_loop_test(tcase, code_and_damage_are_refused, 0, (int)OD_COUNT_OF(bad));
    tcase_add_loop_test(tcase, bombs_meet_limits, 0, (int)OD_COUNT_OF(bombs));
    suite_add_tcase(suite, tcase);
    return suite;
}
