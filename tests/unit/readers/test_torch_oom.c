/* PyTorch's out-of-memory message: generations, backends, wrapped, cut, interleaved; and prose. */
#include "base/num.h"
#include "readers/logs/torch_text.h"
#include "tests/unit/readers/events.h"
#include "tests/unit/readers/suites.h"
#include "tests/unit/suite.h"

extern const struct od_reader od_reader_torch_oom;

struct row {
    const char *text;
    const char *events;
};

static const struct row messages[] = {
    /* 1.0 - 1.3 */
    {"RuntimeError: CUDA out of memory. Tried to allocate 3.00 MiB (GPU 2; 8.00 GiB total "
     "capacity; 6.50 GiB already allocated; 1.50 MiB free; 12.00 MiB cached)",
     "alloc_failed@1 producer=pytorch device=GPU 2 requested=3145728 capacity=8589934592 "
     "in_use=6979321856 free=1572864 reserved=6991904768 name=RuntimeError space=device\n"
     "remark@1 producer=pytorch device=GPU 2 name=torch_to_1.4\n"},
    /* 1.4 - 2.0 */
    {"RuntimeError: CUDA out of memory. Tried to allocate 1.00 GiB (GPU 0; 16.00 GiB total "
     "capacity; 12.00 GiB already allocated; 512.00 MiB free; 13.00 GiB reserved in total by "
     "PyTorch) If reserved memory is >> allocated memory try setting max_split_size_mb to avoid "
     "fragmentation.  See documentation for Memory Management and PYTORCH_CUDA_ALLOC_CONF",
     "alloc_failed@1 producer=pytorch device=GPU 0 requested=1073741824 capacity=17179869184 "
     "in_use=12884901888 free=536870912 reserved=13958643712 name=RuntimeError space=device\n"
     "remark@1 producer=pytorch device=GPU 0 name=torch_1.4_to_2.0\n"},
    /* a fraction was set */
    {"RuntimeError: CUDA out of memory. Tried to allocate 1.00 GiB (GPU 0; 16.00 GiB total "
     "capacity; 2.00 GiB already allocated; 9.00 GiB free; 4.00 GiB allowed; 3.00 GiB reserved in "
     "total by PyTorch)",
     "alloc_failed@1 producer=pytorch device=GPU 0 requested=1073741824 capacity=17179869184 "
     "in_use=2147483648 free=9663676416 limit=4294967296 reserved=3221225472 name=RuntimeError "
     "space=device\n"
     "remark@1 producer=pytorch device=GPU 0 name=torch_1.4_to_2.0\n"},
    /* 2.1, with its misspelling, and neighbours */
    {"torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 8.00 MiB. GPU 1 has a "
     "total capacty of 32.00 GiB of which 4.00 MiB is free. Process 771 has 20.00 GiB memory in "
     "use. Including non-PyTorch memory, this process has 11.00 GiB memory in use. Process 90 has "
     "256.00 MiB memory in use. Of the allocated memory 10.00 GiB is allocated by PyTorch, and "
     "512.00 MiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is "
     "large try setting max_split_size_mb",
     "alloc_failed@1 producer=pytorch device=GPU 1 requested=8388608 capacity=34359738368 "
     "in_use=10737418240 free=4194304 held=11811160064 reserved=11274289152 "
     "name=torch.cuda.OutOfMemoryError "
     "space=device\n"
     "tenant@1 producer=pytorch device=GPU 1 pid=771 in_use=21474836480\n"
     "tenant@1 producer=pytorch device=GPU 1 pid=90 in_use=268435456\n"
     "remark@1 producer=pytorch device=GPU 1 name=torch_2.1_to_2.2\n"},
    /* 2.4+, private pools, a fraction */
    {"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 5 has a total "
     "capacity of 80.00 GiB of which 1.00 GiB is free. Including non-PyTorch memory, this process "
     "has 70.00 GiB memory in use. 72.00 GiB allowed; Of the allocated memory 64.00 GiB is "
     "allocated by PyTorch, with 128.00 MiB allocated in private pools (e.g., CUDA Graphs), and "
     "4.00 GiB is reserved by PyTorch but unallocated.",
     "alloc_failed@1 producer=pytorch device=GPU 5 requested=2147483648 capacity=85899345920 "
     "in_use=68719476736 free=1073741824 limit=77309411328 held=75161927680 reserved=73014444032 "
     "name=torch.OutOfMemoryError space=device\n"
     "remark@1 producer=pytorch device=GPU 5 name=torch_from_2.2\n"},
    /* other backends */
    {"RuntimeError: HIP out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total capacity of "
     "64.00 GiB of which 0 bytes is free.",
     "alloc_failed@1 producer=pytorch device=GPU 0 requested=20971520 capacity=68719476736 free=0 "
     "name=RuntimeError space=device\n"
     "remark@1 producer=pytorch device=GPU 0 name=torch_from_2.2\n"},
    {"RuntimeError: MPS backend out of memory (MPS allocated: 8.00 GB, other allocations: 1.00 GB, "
     "max allowed: 9.00 GB). Tried to allocate 256 bytes on shared pool. Use "
     "PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0 to disable upper limit",
     "alloc_failed@1 producer=pytorch requested=256 in_use=8589934592 limit=9663676416 "
     "held=9663676416 name=RuntimeError space=device\n"},
    {"RuntimeError: NPU out of memory. Tried to allocate 1.00 GiB (NPU 3; 64.00 GiB total "
     "capacity; 60.00 GiB already allocated; 60.00 GiB current active; 1.00 MiB free; 61.00 GiB "
     "reserved in total by PyTorch)",
     "alloc_failed@1 producer=pytorch device=NPU 3 requested=1073741824 capacity=68719476736 "
     "in_use=64424509440 free=1048576 reserved=65498251264 name=RuntimeError space=device\n"},
    /* cut by a console in mid-word, and the rest is another lane's */
    {"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.00 GiB. GPU 3 has a total "
     "capacity of 64.00 GiB of which 1.00 MiB is free. Of the allocated memory 60.00 GiB is "
     "allocated by PyTo",
     "alloc_failed@1 producer=pytorch device=GPU 3 requested=1073741824 capacity=68719476736 "
     "in_use=64424509440 free=1048576 name=torch.OutOfMemoryError space=device\n"
     "remark@1 producer=pytorch device=GPU 3 name=torch_from_2.2\n"},
    {"RuntimeError: MLU out of memory. Tried to allocate 1.00 GiB (MLU 2; 64.00 GiB total "
     "capacity; 60.00 GiB already allocated; 1.00 MiB free; 61.00 GiB reserved in total by "
     "PyTorch)",
     "alloc_failed@1 producer=pytorch device=MLU 2 requested=1073741824 capacity=68719476736 "
     "in_use=64424509440 free=1048576 reserved=65498251264 name=RuntimeError space=device\n"},
    /* the asynchronous allocator: a table */
    {"torch.OutOfMemoryError: Allocation on device 0 would exceed allowed memory. (out of memory)\n"
     "Currently allocated     : 7.00 GiB\n"
     "Requested               : 20.00 MiB\n"
     "Device limit            : 8.00 GiB\n"
     "Free (according to CUDA): 0 bytes\n"
     "PyTorch limit (set by user-supplied memory fraction)\n"
     "                        : 6.00 GiB",
     "alloc_failed@1+6 producer=pytorch device=GPU 0 requested=20971520 capacity=8589934592 "
     "in_use=7516192768 free=0 limit=6442450944 name=torch.OutOfMemoryError space=device\n"},
    {"torch.OutOfMemoryError: Allocation on device \nThis error means you ran out of memory",
     "alloc_failed@1 producer=pytorch name=torch.OutOfMemoryError space=device\n"},
    /* decimal comma; an absurd number; no sizes at all */
    {"RuntimeError: CUDA out of memory. Tried to allocate 2,50 MiB (GPU 0; 4,00 GiB total capacity",
     "alloc_failed@1 producer=pytorch device=GPU 0 requested=2621440 capacity=4294967296 "
     "name=RuntimeError space=device\n"},
    {"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.00 MiB. Process 5 has "
     "17179869184.00 GiB memory in use.",
     "alloc_failed@1 producer=pytorch requested=1048576 name=torch.OutOfMemoryError "
     "space=device\n"
     "tenant@1 producer=pytorch pid=5\n"},
    {"RuntimeError: CUDA out of memory.",
     "alloc_failed@1 producer=pytorch name=RuntimeError space=device\n"},
    {"torch.cuda.OutOfMemoryError: CUDA out of memory",
     "alloc_failed@1 producer=pytorch name=torch.cuda.OutOfMemoryError space=device\n"},
};

static const struct row broken[] = {
    /* cut anywhere */
    {"RuntimeError: CUDA out of memory. Tried to",
     "alloc_failed@1 producer=pytorch name=RuntimeError space=device\n"},
    {"E   RuntimeError: CUDA out of memory. Tried to allocate 2.0",
     "alloc_failed@1 producer=pytorch name=RuntimeError space=device\n"},
    {"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 32.00 MiB. GPU ",
     "alloc_failed@1 producer=pytorch requested=33554432 name=torch.OutOfMemoryError "
     "space=device\n"},
    {"CUDA out of memory. Tried to allocate 1.00 GiB. [...]\nsize 3.00 GiB is free to guess",
     "alloc_failed@1 producer=pytorch requested=1073741824 space=device\n"},
    /* wrapped, as a comment, inside words and numbers */
    {"# RuntimeError: CUDA out of memory. Tried to\n"
     "# allocate 16.00 MiB (GPU 0; 4.00 GiB total\n"
     "# capacity; 3.00 GiB already allocated; 5.00\n"
     "# MiB free; 3.50 GiB reserved in total by\n"
     "# PyTorch)\n"
     "# and then 1.00 GiB total capacity of prose",
     "alloc_failed@1+4 producer=pytorch device=GPU 0 requested=16777216 capacity=4294967296 "
     "in_use=3221225472 free=5242880 reserved=3758096384 name=RuntimeError space=device\n"
     "remark@1+4 producer=pytorch device=GPU 0 name=torch_1.4_to_2.0\n"},
    {"> RuntimeError: CUDA out of memory. Tried to allocate 16.\n"
     "> 00 MiB (GPU 0; 4.00 Gi\n"
     "> B total capacity; 3.00 GiB already alloca\n"
     "> ted; 5.00 MiB fr\n"
     "> ee; 3.50 GiB cached)",
     "alloc_failed@1+4 producer=pytorch device=GPU 0 requested=16777216 capacity=4294967296 "
     "in_use=3221225472 free=5242880 reserved=3758096384 name=RuntimeError space=device\n"
     "remark@1+4 producer=pytorch device=GPU 0 name=torch_to_1.4\n"},
    /* a line of something else in the middle, and of another lane */
    {"CUDA out of memory. Tried to allocate 1.00 GiB. GPU 0 has a total capacity of 8.00 GiB of\n"
     "warning: the queue is slow\n"
     "which 2.00 MiB is free. Of the allocated memory 5.00 GiB is allocated by PyTorch,",
     "alloc_failed@1+2 producer=pytorch device=GPU 0 requested=1073741824 capacity=8589934592 "
     "in_use=5368709120 free=2097152 space=device\n"
     "remark@1+2 producer=pytorch device=GPU 0 name=torch_from_2.2\n"},
    {"@1 RuntimeError: CUDA out of memory. Tried to allocate 1.00 GiB (GPU 0; 8.00 GiB\n"
     "@2 RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 1; 8.00 GiB\n"
     "@1 total capacity; 5.00 GiB already allocated; 1.00 MiB free; 6.00 GiB cached)\n"
     "@2 total capacity; 4.00 GiB already allocated; 3.00 MiB free; 7.00 GiB cached)",
     "alloc_failed@1+2 producer=pytorch device=GPU 0 requested=1073741824 capacity=8589934592 "
     "in_use=5368709120 free=1048576 reserved=6442450944 name=RuntimeError space=device\n"
     "remark@1+2 producer=pytorch device=GPU 0 name=torch_to_1.4\n"
     "alloc_failed@2+2 producer=pytorch device=GPU 1 requested=2147483648 capacity=8589934592 "
     "in_use=4294967296 free=3145728 reserved=7516192768 name=RuntimeError space=device\n"
     "remark@2+2 producer=pytorch device=GPU 1 name=torch_to_1.4\n"},
    /* a bar drawn over and over, in the middle of it */
    {"torch.OutOfMemoryError: CUDA out of memory.\n 10%|# | 1/10\r\n 20%|## | 2/10\r\n"
     " 30%|### | 3/10\r\n 40%|#### | 4/10\r\n 50%|##### | 5/10\r\n"
     "Tried to allocate 2.00 MiB. GPU 3 has a total capacity of 8.00 GiB of which 1.00 MiB is "
     "free.",
     "alloc_failed@1+6 producer=pytorch device=GPU 3 requested=2097152 capacity=8589934592 "
     "free=1048576 name=torch.OutOfMemoryError space=device\n"
     "remark@1+6 producer=pytorch device=GPU 3 name=torch_from_2.2\n"},
    /* "cached" that cannot be beside what is allocated */
    {"CUDA out of memory. Tried to allocate 1.00 GiB (GPU 0; 8.00 GiB total capacity; 6.00 GiB "
     "already allocated; 512.00 MiB free; 7.00 GiB cached)",
     "alloc_failed@1 producer=pytorch device=GPU 0 requested=1073741824 capacity=8589934592 "
     "in_use=6442450944 free=536870912 reserved=7516192768 space=device\n"
     "remark@1 producer=pytorch device=GPU 0 name=torch_to_1.4\n"},
    /* two in one line */
    {"CUDA out of memory. Tried to allocate 1.00 GiB (GPU 0; 8.00 GiB total CUDA out of memory. "
     "Tried to allocate 2.00 GiB (GPU 1; 9.00 GiB total capacity",
     "alloc_failed@1 producer=pytorch device=GPU 0 requested=1073741824 space=device\n"
     "alloc_failed@1 producer=pytorch device=GPU 1 requested=2147483648 capacity=9663676416 "
     "space=device\n"},
    /* a progress bar after it */
    {"WARNING:root:CUDA out of memory. Tried to allocate 1.00 GiB (GPU 0; 8.00 GiB total capacity; "
     "4.00 GiB already allocated; 2.00 MiB free; 6.00 GiB cached)         | 3/90 [00:02<01:10]",
     "alloc_failed@1 producer=pytorch device=GPU 0 requested=1073741824 capacity=8589934592 "
     "in_use=4294967296 free=2097152 reserved=6442450944 space=device\n"
     "remark@1 producer=pytorch device=GPU 0 name=torch_to_1.4\n"},
    /* the program goes on */
    {"| WARNING: ran out of memory with exception: CUDA out of memory. Tried to allocate 1.00 GiB "
     "(GPU 0; 8.00 GiB total capacity); Skipping batch",
     "soft_warning@1 producer=pytorch device=GPU 0 requested=1073741824 capacity=8589934592 "
     "space=device\n"},
    {"| WARNING: ran out of memory with exception: CUDA out of memory. Tried to allocate 2.00 "
     "MiB;\n"
     " Skipping batch",
     "soft_warning@1 producer=pytorch requested=2097152 space=device\n"},
    {"CUDA out of memory. Tried to allocate 1.00 MiB, retrying",
     "soft_warning@1 producer=pytorch requested=1048576 space=device\n"},
    {"RuntimeError('CUDA out of memory. Tried to allocate 1.00 MiB')",
     "alloc_failed@1 producer=pytorch requested=1048576 name=RuntimeError space=device\n"},
};

static const struct row prose[] = {
    {"I get a CUDA out of memory error after an hour", ""},
    {"If you encounter CUDA out of memory, use a smaller tile", ""},
    {"If you see RuntimeError: CUDA out of memory. Please use smaller images", ""},
    {"[Bug] torch.OutOfMemoryError: CUDA out of memory for a 12 GB card", ""},
    {"CUDA out of memory", ""},
    {"  TORCH_CHECK(false, \"CUDA out of memory. Tried to allocate \", format_size(n));", ""},
    {"so it says CUDA out of memory.", ""},
    {"Allocation on device 0 took 3 ms", ""},
};

static void check_row(const struct row *row)
{
    struct od_buf events = events_read(&od_reader_torch_oom, od_view_of(row->text));
    ck_assert_str_eq(od_buf_str(&events), row->events);
    od_buf_done(&events);
}

START_TEST(every_generation_is_read)
{
    check_row(&messages[_i]);
}
END_TEST

START_TEST(a_broken_message_gives_what_is_there)
{
    check_row(&broken[_i]);
}
END_TEST

START_TEST(prose_is_no_failure)
{
    check_row(&prose[_i]);
}
END_TEST

/* However a message is cut, it is one failure or none, and never a wrong number. */
START_TEST(cuts_never_invent)
{
    struct od_view whole = od_view_of(messages[_i].text);
    for (size_t n = 0; n < whole.n; n++) {
        struct od_buf events = events_read(&od_reader_torch_oom, od_view_head(whole, n));
        struct od_view rest = od_buf_view(&events);
        struct od_view one;
        size_t failures = 0;
        while (od_view_cut(&rest, '\n', &one))
            failures += od_view_starts(one, OD_VIEW("alloc_failed"));
        ck_assert_uint_le(failures, 1);
        od_buf_done(&events);
    }
}
END_TEST

struct size_row {
    const char *text;
    bool known;
    uint64_t n;
};

static const struct size_row sizes[] = {
    {"20.00MiB(GPU", true, 20971520},
    {"0bytesfree", true, 0},
    {"926.GiBof", true, 994284929024},
    {"2,50MiB", true, 2621440},
    {"GiB", false, 0},
    {"12", false, 0},
    {"", false, 0},
    {"1.0e+03MiB", true, 1048576000},
};

START_TEST(sizes_are_read)
{
    struct od_bytes size = od_torch_size_at(od_view_of(sizes[_i].text));
    ck_assert_int_eq(size.known, sizes[_i].known);
    ck_assert_uint_eq(size.n, sizes[_i].n);
}
END_TEST

Suite *od_torch_oom_suite(void)
{
    Suite *suite = suite_create("torch_oom");
    TCase *tcase = tcase_create("torch_oom");
    tcase_add_loop_test(tcase, every_generation_is_read, 0, OD_COUNT_OF(messages));
    tcase_add_loop_test(tcase, a_broken_message_gives_what_is_there, 0, OD_COUNT_OF(broken));
    tcase_add_loop_test(tcase, prose_is_no_failure, 0, OD_COUNT_OF(prose));
    tcase_add_loop_test(tcase, cuts_never_invent, 0, OD_COUNT_OF(messages));
    tcase_add_loop_test(tcase, sizes_are_read, 0, OD_COUNT_OF(sizes));
    suite_add_tcase(suite, tcase);
    return suite;
}
