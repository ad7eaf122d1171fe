/* One line gives one record, whatever text surrounds it. Other lines give none. */
#include "base/num.h"
#include "readers/logs/bfc_line.h"
#include "tests/unit/readers/suites.h"
#include "tests/unit/suite.h"

static const struct {
    const char *text;
    enum od_bfc_kind kind;
} kinds[] = {
    /* prefixes */
    {"2022-05-02 10:11:12.131415: I tensorflow/core/common_runtime/bfc_allocator.cc:1101] Next "
     "region of size 2097152",
     OD_BFC_REGION},
    {"W0502 10:11:12.131415   31337 bfc_allocator.cc:291] "
     "****************************************************************************************"
     "___x________",
     OD_BFC_OCCUPANCY},
    {"I tensorflow/core/common_runtime/bfc_allocator.cc:678] Chunk at 0x2305a0000 of size 1280",
     OD_BFC_CHUNK},
    {"I tensorflow/core/common_runtime/gpu/gpu_bfc_allocator.cc:678] Free at 0x2305a0000 of size "
     "1280",
     OD_BFC_CHUNK},
    {"pasted words 2022-05-02 10:11:12.1: I a/bfc_allocator.cc:9] Free  at 0x7f00 of size 256",
     OD_BFC_CHUNK},
    {"Free  at 7f00 of size 256 next 18446744073709551615", OD_BFC_CHUNK},
    {"worker-3 | InUse at 0x7f00 next 4 of size 512", OD_BFC_CHUNK},
    {"7] Sum Total of in-use chunks: 4.77GiB", OD_BFC_TOTAL},
    {"  18 Chunks of size 5632 totalling 99.0KiB", OD_BFC_ROW},
    {"     Summary of in-use Chunks by size: ", OD_BFC_SUMMARY},
    {"Stats: ", OD_BFC_STATS},
    {"    MaxInUse:              1234567", OD_BFC_STAT},
    {"Bin for 9.80MiB was 8.00MiB, Chunk State: ", OD_BFC_BIN_FOR},
    {"  Size: 6.00MiB | Requested Size: 5.10MiB | in_use: 0 | bin_num: 14, prev: ...",
     OD_BFC_STATE},
    {"Bin (4096): \tTotal Chunks: 3, Chunks in use: 2. 12.0KiB allocated for chunks. 8.0KiB in use "
     "in bin. 7.9KiB client-requested in use in bin.",
     OD_BFC_BIN},
    {"total_region_allocated_bytes_: 77 memory_limit_: 99 available bytes: 22 "
     "curr_region_allocation_bytes_: 44",
     OD_BFC_POOL},
    {"Allocator region growth hint: next region allocation target 4.00GiB (growth enabled).",
     OD_BFC_POOL},
    {"x bfc_allocator.cc:494] <allocator contains no memory>", OD_BFC_OCCUPANCY},
    {"Ran out of memory trying to allocate 71.2KiB.  See logs for memory state.", OD_BFC_LATE},
    /* headers, and the soft lines that look like them */
    {"Allocator (GPU_1_bfc) ran out of memory trying to allocate 2.25GiB.  Current allocation "
     "summary follows.",
     OD_BFC_HEADER},
    {"Allocator (GPU_1_bfc) ran out of memory trying to allocate 2.25GiB (rounded to "
     "2415919104)requested by op ",
     OD_BFC_HEADER},
    {"Allocator (GPU_1_bfc) ran out of memory trying to allocate 2.25GiB (rounded to 2415919104) "
     "from the upper end requested by op a/b c",
     OD_BFC_HEADER},
    {"Allocator (GPU_1_bfc) ran out of memory trying to allocate 2.25GiB with freed_by_count=0. "
     "The "
     "caller indicates that this is not a failure, but this may mean that there could be "
     "performance gains if more memory were available.",
     OD_BFC_NONE},
    {"Allocator (GPU_1_bfc) ran out of memory trying to allocate 2.25GiB. The caller indicates "
     "that "
     "this is not a failure, but may mean that there could be performance gains if more memory is "
     "available.",
     OD_BFC_NONE},
    {"Allocator (GPU_1_bfc) ran out of memory trying to allocate 2.25GiB with freed_by_count=3.",
     OD_BFC_NONE},
    /* prose */
    {"", OD_BFC_NONE},
    {"I saw a Chunk at 0x2305a0000 of size 1280", OD_BFC_NONE},
    {"Chunk at 0x2305a0000 of size 1280 was never freed", OD_BFC_NONE},
    {"Chunk at the end of the file, of size 12", OD_BFC_NONE},
    {"Free at last", OD_BFC_NONE},
    {"Then there were 4 Chunks of size 256 totalling 1.0KiB", OD_BFC_NONE},
    {"4 Chunks of size 256 totalling 1.0KiB and that is all", OD_BFC_NONE},
    {"Bin (256) is the smallest", OD_BFC_NONE},
    {"Next region of size 12 is odd", OD_BFC_NONE},
    {"Some Stats: follow", OD_BFC_NONE},
    {"memory Limit: 12", OD_BFC_NONE},
    {"Chunk at 0x", OD_BFC_NONE},
    {"InUse at 7f00 of size 18446744073709551616 next 1", OD_BFC_NONE},
    {"W x/bfc_allocator.cc:1] ", OD_BFC_NONE},
    {"W x/bfc_allocator.cc:", OD_BFC_NONE},
};

START_TEST(lines_have_kinds)
{
    struct od_bfc_record record;
    od_bfc_line_read(od_view_of(kinds[_i].text), &record);
    ck_assert_msg(record.kind == kinds[_i].kind, "%d, not %d: %s", record.kind, kinds[_i].kind,
                  kinds[_i].text);
}
END_TEST

static const struct {
    const char *text;
    uint64_t address, bytes;
    uint32_t next;
    bool in_use;
    const char *op, *tag, *annotation;
    int64_t step, freed; /* negative = not said */
} chunks[] = {
    {"Chunk at 0x23a000 of size 768", 0x23a000, 768, OD_HANDLE_UNKNOWN, true, "", "", "", -1, -1},
    {"Free  at 0x23a000 of size 768", 0x23a000, 768, OD_HANDLE_UNKNOWN, false, "", "", "", -1, -1},
    {"InUse at 0x23a000 next 18 of size 768", 0x23a000, 768, 18, true, "", "", "", -1, -1},
    {"InUse at 23a000 of size 768 next 18446744073709551615", 0x23a000, 768, OD_HANDLE_END, true,
     "", "", "", -1, -1},
    {"InUse at 23a000 of size 768 next 99999999999", 0x23a000, 768, OD_HANDLE_UNKNOWN, true, "", "",
     "", -1, -1},
    {"InUse at 23a000 of size 768 by op net/a b:1 action_count 44 step 6 next 3", 0x23a000, 768, 3,
     true, "net/a b:1", "", "", 6, -1},
    {"Free  at 23a000 of size 768 by op next 5 action_count 9 step 0 next 3 freed_at_count 12",
     0x23a000, 768, 3, false, "next 5", "", "", 0, 12},
    {"InUse at 23a000 of size 768 tag lower next 3", 0x23a000, 768, 3, true, "", "lower", "", -1,
     -1},
    {"InUse at 23a000 of size 768 tag upper allocation_annotation jit_f next 8 [x] next 3",
     0x23a000, 768, 3, true, "", "upper", "jit_f next 8 [x]", -1, -1},
    {"InUse at 23a000 of size 768 next 3</code>", 0x23a000, 768, 3, true, "", "", "", -1, -1},
};

START_TEST(chunk_lines_are_read_whole)
{
    struct od_bfc_record record;
    od_bfc_line_read(od_view_of(chunks[_i].text), &record);
    ck_assert_int_eq(record.kind, OD_BFC_CHUNK);
    const struct od_bfc_chunk *c = &record.as.chunk;
    ck_assert_uint_eq(c->chunk.address, chunks[_i].address);
    ck_assert_uint_eq(c->chunk.bytes, chunks[_i].bytes);
    ck_assert_uint_eq(c->chunk.next, chunks[_i].next);
    ck_assert_int_eq(c->chunk.in_use, chunks[_i].in_use);
    ck_assert(od_view_eq_str(c->details.op, chunks[_i].op));
    ck_assert(od_view_eq_str(c->details.tag, chunks[_i].tag));
    ck_assert(od_view_eq_str(c->details.annotation, chunks[_i].annotation));
    ck_assert_int_eq(c->details.step.known ? (int64_t)c->details.step.n : -1, chunks[_i].step);
    ck_assert_int_eq(c->details.freed_at_count.known ? (int64_t)c->details.freed_at_count.n : -1,
                     chunks[_i].freed);
}
END_TEST

START_TEST(headers_are_read_whole)
{
    struct od_bfc_record record;
    od_bfc_line_read(
        OD_VIEW("$ 2022-05-02 10:11:12.131415: W a/bfc_allocator.cc:482] Allocator (GPU_7_bfc) ran "
                "out of memory trying to allocate 4,50GiB (rounded to 4831838208)requested by op "
                "enc/layer_1/MatMul "),
        &record);
    ck_assert_int_eq(record.kind, OD_BFC_HEADER);
    const struct od_bfc_header *h = &record.as.header;
    ck_assert(od_view_eq_str(h->allocator, "GPU_7_bfc"));
    ck_assert(od_view_eq_str(h->op, "enc/layer_1/MatMul"));
    ck_assert_uint_eq(h->rounded.n, 4831838208);
    ck_assert_int_eq(od_bytes_same(h->requested, h->rounded), OD_YES);
}
END_TEST

START_TEST(old_bins_are_read_whole)
{
    struct od_bfc_record record;
    od_bfc_line_read(
        OD_VIEW("Bin (1048576): \tTotal Chunks: 2, Chunks in use: 0 2.91MiB allocated "
                "for chunks. 1.50MiB client-requested for chunks. 0B in use in bin. 0B "
                "client-requested in use in bin."),
        &record);
    ck_assert_int_eq(record.kind, OD_BFC_BIN);
    const struct od_bin_row *bin = &record.as.bin;
    ck_assert(bin->free_only);
    ck_assert_uint_eq(bin->min_bytes, 1048576);
    ck_assert_uint_eq(bin->chunks, 2);
    ck_assert_uint_eq(bin->requested.n, 1572864);
    ck_assert(bin->bytes_in_use.known && bin->bytes_in_use.n == 0);
}
END_TEST

Suite *od_bfc_line_suite(void)
{
    Suite *suite = suite_create("bfc lines");
    TCase *tcase = tcase_create("lines");
    tcase_add_loop_test(tcase, lines_have_kinds, 0, (int)OD_COUNT_OF(kinds));
    tcase_add_loop_test(tcase, chunk_lines_are_read_whole, 0, (int)OD_COUNT_OF(chunks));
    tcase_add_test(tcase, headers_are_read_whole);
    tcase_add_test(tcase, old_bins_are_read_whole);
    suite_add_tcase(suite, tcase);
    return suite;
}
