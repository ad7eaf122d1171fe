#include "base/bytes.h"
#include "base/num.h"
#include "tests/unit/base/suites.h"
#include "tests/unit/suite.h"

struct row {
    const char *text;
    enum od_unit_base base;
    bool is_size;
    uint64_t n, lo, hi;
};

static const uint64_t gib = UINT64_C(1) << 30;

static const struct row rows[] = {
    {"3533848576", OD_UNIT_BINARY, true, 3533848576, 3533848576, 3533848576},
    {"4.31GiB", OD_UNIT_BINARY, true, 4627827261, 4622458553, 4638564679},
    {"4,52GiB", OD_UNIT_DECIMAL, true, 4853313044, 4847944336, 4864050462},
    {"926. MiB", OD_UNIT_BINARY, true, 970981376, 970457088, 972029952},
    {"49.34G", OD_UNIT_DECIMAL, true, 49340000000, 49335000000, 49350000000},
    {"49.34G", OD_UNIT_BINARY, true, 52978421596, 52973052888, 52989159014},
    {"7.98e+03 KiB", OD_UNIT_BINARY, true, 8171520, 8166400, 8181760},
    {"0 bytes", OD_UNIT_BINARY, true, 0, 0, 0},
    {"1,594,928", OD_UNIT_BINARY, true, 1594928, 1594928, 1594928},
    {"1.0KiB", OD_UNIT_BINARY, true, 1024, 973, 1126},
    {"4gb", OD_UNIT_BINARY, true, 4294967296, 3758096384, 5368709120},
    {"4gb", OD_UNIT_DECIMAL, true, 4000000000, 3500000000, 5000000000},
    {"1.1gb", OD_UNIT_BINARY, true, 1181116006, 1127428916, 1288490188},
    {"512mb", OD_UNIT_BINARY, true, 536870912, 536346624, 537919488},
    {"3 kb", OD_UNIT_BINARY, true, 3072, 2560, 4096},
    {"2gib", OD_UNIT_DECIMAL, true, 2147483648, 1610612736, 3221225472},
    {"300 megabytes", OD_UNIT_BINARY, true, 314572800, 314048512, 315621376},
    {"2 Gigabytes", OD_UNIT_DECIMAL, true, 2000000000, 1500000000, 3000000000},
    {"7 kilobytes", OD_UNIT_BINARY, true, 7168, 6656, 8192},
    {"1 terabyte", OD_UNIT_DECIMAL, true, 1000000000000, 500000000000, 2000000000000},
    {"9 Mbytes", OD_UNIT_BINARY, true, 9437184, 8912896, 10485760},
    {"12k", OD_UNIT_BINARY, true, 12288, 11776, 13312},
    {"5m", OD_UNIT_BINARY, false, 0, 0, 0},
    {"2g", OD_UNIT_BINARY, false, 0, 0, 0},
    {"4 gigabits", OD_UNIT_BINARY, false, 0, 0, 0},
    {"6 minutes", OD_UNIT_BINARY, false, 0, 0, 0},
    {"6 megapixels", OD_UNIT_BINARY, false, 0, 0, 0},
    {"77.7", OD_UNIT_BINARY, true, 78, 78, 78},
    {"0.0001KiB", OD_UNIT_BINARY, true, 0, 0, 0},
    {"", OD_UNIT_BINARY, false, 0, 0, 0},
    {"GiB", OD_UNIT_BINARY, false, 0, 0, 0},
    {"12 apples", OD_UNIT_BINARY, false, 0, 0, 0},
    {"18446744073709551616", OD_UNIT_BINARY, false, 0, 0, 0},
    {"17 EiB", OD_UNIT_BINARY, false, 0, 0, 0},
    {"-25.62GiB", OD_UNIT_BINARY, false, 0, 0, 0},
};

START_TEST(sizes_are_intervals)
{
    const struct row *row = &rows[_i];
    struct od_bytes b = {0};
    ck_assert_int_eq(od_bytes_parse(od_view_of(row->text), row->base, &b), row->is_size);
    ck_assert_int_eq(b.known, row->is_size);
    ck_assert_uint_eq(b.n, row->n);
    ck_assert_uint_eq(b.lo, row->lo);
    ck_assert_uint_eq(b.hi, row->hi);
}
END_TEST

START_TEST(printed_totals_tell_which_count_fits)
{
    struct od_bytes total;
    ck_assert(od_bytes_parse(OD_VIEW("4.31GiB"), OD_UNIT_BINARY, &total));
    ck_assert_int_eq(od_bytes_same(od_bytes_exact(2 * UINT64_C(1156055040)), total), OD_NO);
    ck_assert_int_eq(od_bytes_same(od_bytes_exact(4 * UINT64_C(1156055040)), total), OD_YES);
    ck_assert_int_eq(od_bytes_same((struct od_bytes){0}, total), OD_CANNOT_TELL);
    ck_assert_int_eq(od_bytes_less(total, od_bytes_exact(5 * gib)), OD_YES);
}
END_TEST

START_TEST(options_state_sizes_with_one_letter)
{
    static const struct {
        const char *text, *unit;
        uint64_t n; /* 0 = no size */
    } options[] = {
        {"512m", "", UINT64_C(512) << 20},
        {"2g", "", UINT64_C(2) << 30},
        {"16G", "", UINT64_C(16) << 30},
        {"3Gi", "", UINT64_C(3) << 30},
        {"16gb", "", UINT64_C(16) << 30},
        {"2048", "MiB", UINT64_C(2) << 30},
        {"1000", "", 1000},
        {"m", "", 0},
        {"", "MiB", 0},
        {"5x", "", 0},
    };
    for (size_t i = 0; i < OD_COUNT_OF(options); i++) {
        struct od_bytes b = {0};
        bool is =
            od_bytes_parse_option(od_view_of(options[i].text), od_view_of(options[i].unit), &b);
        ck_assert_msg(is == (options[i].n > 0), "%s", options[i].text);
        ck_assert_uint_eq(b.n, options[i].n);
        ck_assert(b.lo == b.n && b.hi == b.n);
    }
}
END_TEST

Suite *od_bytes_suite(void)
{
    Suite *suite = od_suite_loop("bytes", sizes_are_intervals, (int)OD_COUNT_OF(rows));
    TCase *tcase = tcase_create("arithmetic");
    tcase_add_test(tcase, printed_totals_tell_which_count_fits);
    tcase_add_test(tcase, options_state_sizes_with_one_letter);
    suite_add_tcase(suite, tcase);
    return suite;
}
