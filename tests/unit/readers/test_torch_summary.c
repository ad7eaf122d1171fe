/* Tables of torch.cuda.memory_summary(): both spellings of units, cut, interleaved. */
#include "base/num.h"
#include "tests/unit/readers/events.h"
#include "tests/unit/readers/suites.h"
#include "tests/unit/suite.h"

extern const struct od_reader od_reader_torch_summary;

struct row {
    const char *text;
    const char *events;
};

#define RULE "|---------------------------------------------------------------------------|\n"
#define THICK "|===========================================================================|\n"
#define TITLE(device) \
    "|                  PyTorch CUDA memory summary, device ID " device "                 |\n"
#define OOMS(n) \
    "|            CUDA OOMs: " n "            |        cudaMalloc retries: 7         |\n"
#define COLUMNS "|        Metric         | Cur Usage  | Peak Usage | Tot Alloc  | Tot Freed  |\n"

static const struct row rows[] = {
    /* 1.13 and later */
    {THICK TITLE("3") RULE OOMS("2") THICK COLUMNS RULE
     "| Allocated memory      |  12288 MiB |  14000 MiB |     90 GiB |     78 GiB |\n"
     "|       from large pool |  12000 MiB |  13900 MiB |     89 GiB |     77 GiB |\n" RULE
     "| Active memory         |  12300 MiB |  14001 MiB |     90 GiB |     78 GiB |\n" RULE
     "| GPU reserved memory   |  15000 MiB |  15000 MiB |  15000 MiB |      0 B   |\n" RULE
     "| Allocations           |     811    |     902    |   61203    |   60392    |\n" THICK,
     "memory_state@2+14 producer=pytorch device=GPU 3 space=device name=memory_summary "
     "in_use=12884901888 peak=14680064000 reserved=15728640000 count=2\n"},
    /* before: MB, KB and B, which are binary too */
    {TITLE("0") OOMS("0") THICK COLUMNS
     "| Allocated memory      |    2000 KB |     100 MB |     1 GB   |     1 GB   |\n"
     "| GPU reserved memory   |      512 B |      20 MB |    20 MB   |      0 B   |\n" THICK,
     "memory_state@1+6 producer=pytorch device=GPU 0 space=device name=memory_summary "
     "in_use=2048000 peak=104857600 reserved=512 count=0\n"},
    /* cut in the middle; the end of the input is an end */
    {TITLE("1") OOMS("1") THICK COLUMNS "| Allocated memory      |      7 GiB |      8 GiB |",
     "memory_state@1+4 producer=pytorch device=GPU 1 space=device name=memory_summary "
     "in_use=7516192768 peak=8589934592 count=1\n"},
    {TITLE("1") OOMS("4"),
     "memory_state@1+1 producer=pytorch device=GPU 1 space=device name=memory_summary count=4\n"},
    {TITLE("1"), ""},
    /* other lines in between, and a table of another lane */
    {"@1 " TITLE("0") "@2 " TITLE("1") "@1 " OOMS(
         "1") "step 12 loss 0.4\n"
              "@2 " OOMS("2") "@1 | Allocated memory      |      1 GiB |      2 GiB |\n"
                              "@2 | Allocated memory      |      3 GiB |      4 GiB |\n"
                              "@1 " THICK "@2 " THICK,
     "memory_state@1+7 producer=pytorch device=GPU 0 space=device name=memory_summary "
     "in_use=1073741824 peak=2147483648 count=1\n"
     "memory_state@2+7 producer=pytorch device=GPU 1 space=device name=memory_summary "
     "in_use=3221225472 peak=4294967296 count=2\n"},
    /* two tables, the first without an end */
    {TITLE("0") OOMS("1") TITLE("0") OOMS("2"),
     "memory_state@1+1 producer=pytorch device=GPU 0 space=device name=memory_summary count=1\n"
     "memory_state@3+1 producer=pytorch device=GPU 0 space=device name=memory_summary count=2\n"},
    /* nonsense in the cells */
    {TITLE("0") "| Allocated memory | 99999999999999999999 MiB | -3 MiB |\n"
                "| GPU reserved memory | 18446744073709551615 PiB | x |\n" THICK,
     ""},
    /* it is spoken of */
    {"call print(torch.cuda.memory_summary()) to see the PyTorch CUDA memory summary, device ID "
     "and more\n| Allocated memory | 1 GiB | 2 GiB |\n" THICK,
     ""},
};

START_TEST(tables_are_read)
{
    struct od_buf events = events_read(&od_reader_torch_summary, od_view_of(rows[_i].text));
    ck_assert_str_eq(od_buf_str(&events), rows[_i].events);
    od_buf_done(&events);
}
END_TEST

/* A table of many devices at once: no more are open than there is room for. */
START_TEST(many_lanes_lose_nothing)
{
    struct od_buf text = {0};
    for (int lane = 1; lane < 10; lane++)
        od_buf_printf(&text, "@%d " TITLE("%d") "@%d " OOMS("1"), lane, lane, lane);
    struct od_buf events = events_read(&od_reader_torch_summary, od_buf_view(&text));
    struct od_view rest = od_buf_view(&events);
    struct od_view one;
    int n = 0;
    while (od_view_cut(&rest, '\n', &one))
        n++;
    ck_assert_int_eq(n, 9);
    od_buf_done(&text);
    od_buf_done(&events);
}
END_TEST

Suite *od_torch_summary_suite(void)
{
    Suite *suite = suite_create("torch_summary");
    TCase *tcase = tcase_create("torch_summary");
    tcase_add_loop_test(tcase, tables_are_read, 0, OD_COUNT_OF(rows));
    tcase_add_test(tcase, many_lanes_lose_nothing);
    suite_add_tcase(suite, tcase);
    return suite;
}
