/* Failures whose numbers stand in the lines below. */
#include "base/num.h"
#include "tests/unit/readers/listen.h"
#include "tests/unit/readers/suites.h"
#include "tests/unit/suite.h"

extern const struct od_reader od_reader_sequel;

static const struct row {
    const char *text;
    const char *heard;
} rows[] = {
    {"ERROR: Out of GPU memory trying to allocate 2.500 GiB\n"
     "Effective GPU memory usage: 97.00% (7.760 GiB/8.000 GiB)\n"
     "Memory pool usage: 5.000 GiB (7.000 GiB reserved)\n",
     "alloc_failed@1 requested=2684354560 capacity=8589934592 in_use=5368709120\n"},
    {"ERROR: Out of GPU memory trying to allocate 2.500 GiB\nanother line\n"
     "Effective GPU memory usage: 97.00% (7.760 GiB/8.000 GiB)\n",
     "alloc_failed@1 requested=2684354560\n"},
    {"Effective GPU memory usage: 97.00% (7.760 GiB/8.000 GiB)\n", ""},
    {"RuntimeError: [metal::malloc] Attempting to allocate 4096 bytes which is greater than the "
     "maximum allowed buffer size of 2048 bytes.\n",
     "alloc_failed@1 requested=4096 limit=2048\n"},
    {"RuntimeError: [metal::malloc] Attempting to allocate 4096 bytes\n"
     "which is greater than the maximum allowed buffer size of 2048 bytes\n",
     "alloc_failed@1 requested=4096 limit=2048\n"},
    {"XGBoostError: [09:01:02] /w/device_helpers.cuh:432: Memory allocation error on worker 0: "
     "std::bad_alloc: cudaErrorMemoryAllocation: out of memory\n"
     "- Free memory: 1048576\n- Requested memory: 2097152\n",
     "alloc_failed@1 requested=2097152 free=1048576\n"},
    {"Error: Out of memory. Requested 100 MB; Free 50.5 MB\n",
     "alloc_failed@1 requested=104857600 free=52953088\n"},
    {"    what() -> \"a.h:305: Error: Out of memory. Requested 100; Free 50.5\"\n",
     "alloc_failed@1 requested=104857600 free=52953088\n"},
    {"CUDA error: out of memory\n  current device: 2, in function alloc at ggml-cuda.cu:411\n",
     "alloc_failed@1 device=2 op=alloc\n"},
    {"CUDA error: out of memory\n 3%| 3/99\r\n 4%| 4/99\r\n"
     "  current device: 1, in function f at a.cu:4\n",
     "alloc_failed@1 device=1 op=f\n"},
    {"[E] Failed to start: Executor creation failed due to insufficient GPU memory.\n\n"
     "The following component could not be created: KV cache\n"
     "Total GPU memory (GiB): 24.00\n"
     "Free GPU memory before component creation attempt (GiB): 1.50\n\n"
     "Previously created components\n",
     "alloc_failed@1 capacity=25769803776 free=1610612736 op=KV cache\n"},
    {"CUDA error: out of memory\nstep 4\n", "alloc_failed@1\n"},
    {"RuntimeError: CUDA error: out of memory\n  current device: 2, in function alloc at x\n", ""},
};

START_TEST(sequels_are_read)
{
    struct listener l;
    listen_begin(&l, &od_reader_sequel);
    listen_text(&l, 0, rows[_i].text);
    ck_assert_str_eq(listen_end(&l), rows[_i].heard);
    listen_done(&l);
}
END_TEST

START_TEST(foreign_lanes_do_not_end_it)
{
    struct listener l;
    listen_begin(&l, &od_reader_sequel);
    listen_text(&l, 1, "CUDA error: out of memory\n");
    listen_text(&l, 2, "  current device: 7, in function free at x\n");
    listen_text(&l, 1, "  current device: 0, in function alloc at x\n");
    ck_assert_str_eq(listen_end(&l), "alloc_failed@1 device=0 op=alloc\n");
    listen_done(&l);
}
END_TEST

Suite *od_sequel_suite(void)
{
    Suite *suite = od_suite_loop("sequel", sequels_are_read, (int)OD_COUNT_OF(rows));
    TCase *tcase = tcase_create("lanes");
    tcase_add_test(tcase, foreign_lanes_do_not_end_it);
    suite_add_tcase(suite, tcase);
    return suite;
}
