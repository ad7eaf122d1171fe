/* Bins, rounding, devices, the table of sizes, the words. */
#include "case/allocator.h"
#include "case/case.h"
#include "case/device.h"
#include "tests/unit/case/make.h"
#include "tests/unit/case/suites.h"
#include "tests/unit/suite.h"

static const struct {
    uint64_t bytes;
    unsigned bin;
} bin_rows[] = {
    {0, 0},
    {1, 0},
    {256, 0},
    {511, 0},
    {512, 1},
    {1023, 1},
    {1024, 2},
    {UINT64_C(128) << 20, 19},
    {(UINT64_C(256) << 20) - 1, 19},
    {UINT64_C(256) << 20, 20},
    {UINT64_C(40) << 30, 20},
    {UINT64_MAX, 20},
};

START_TEST(sizes_have_bins)
{
    ck_assert_uint_eq(od_bin_of(bin_rows[_i].bytes), bin_rows[_i].bin);
}
END_TEST

START_TEST(requests_round_to_256)
{
    struct od_bytes printed = {.n = 1000, .lo = 900, .hi = 1025, .known = true};
    struct od_bytes rounded = od_bfc_round(printed);
    ck_assert_uint_eq(rounded.n, 1024);
    ck_assert_uint_eq(rounded.lo, 1024);
    ck_assert_uint_eq(rounded.hi, 1280);
    ck_assert_uint_eq(od_bfc_round(od_bytes_exact(256)).n, 256);
    ck_assert_uint_eq(od_bfc_round(od_bytes_exact(0)).n, 0);
    ck_assert(!od_bfc_round(od_bytes_exact(UINT64_MAX)).known);
    ck_assert(!od_bfc_round((struct od_bytes){0}).known);
}
END_TEST

static const struct {
    const char *printed;
    const char *device;
    bool of_allocator;
} device_rows[] = {
    {"/job:localhost/replica:0/task:0/device:GPU:0", "GPU:0", false},
    {"/job:worker/replica:0/task:3/gpu:1", "GPU:1", false},
    {"/job:gpu_worker/replica:0/task:0/device:CPU:0", "CPU", false},
    {"/device:XLA_GPU:2", "GPU:2", false},
    {"device GPU:1", "GPU:1", false},
    {"GPU 0", "GPU:0", false},
    {"cuda:7", "GPU:7", false},
    {"TPU_3(process=0,(0,0,0,0))", "TPU:3", false},
    {"cpu", "CPU", false},
    {"5", "GPU:5", false},
    {"", "", false},
    {"gpu", "", false},
    {"spaceship:0", "", false},
    {"gpus:0", "", false},
    {"GPU_0_bfc", "GPU:0", true},
    {"GPU_11_bfc", "GPU:11", true},
    {"gpu_async_2", "GPU:2", true},
    {"cuda_host_bfc", "CPU", true},
    {"gpu_host_bfc", "CPU", true},
    {"mklcpu", "CPU", true},
    {"bfc", "", true},
    {"12", "", true},
};

START_TEST(devices_have_one_word)
{
    struct od_arena *arena = od_arena_new();
    struct od_view printed = od_view_of(device_rows[_i].printed);
    struct od_view device = device_rows[_i].of_allocator ? od_device_of_allocator(arena, printed)
                                                         : od_device_normal(arena, printed);
    ck_assert_msg(od_view_eq_str(device, device_rows[_i].device), "%s -> %.*s",
                  device_rows[_i].printed, (int)device.n, device.p);
    od_arena_free(arena);
}
END_TEST

START_TEST(tables_follow_from_the_chunks)
{
    static const struct make_tiling tiling = {
        .nregions = 2,
        .regions = {{0x10000, {512, 1024, -2048, 512, 0}}, {0x90000, {-768, 256, 1024, 0}}}};
    struct od_arena *arena = od_arena_new();
    struct od_dump dump = make_dump(arena, &tiling);
    struct od_allocator *a = od_allocator_new(&dump);
    ck_assert_uint_eq(dump.chunks.n, 0);
    ck_assert(od_view_eq_str(a->device, "GPU:0"));
    ck_assert(a->has_chunks && a->chunks_complete && a->complete);
    ck_assert_uint_eq(a->in_use_count, 5);
    ck_assert_uint_eq(a->free_count, 2);
    ck_assert_uint_eq(a->in_use_bytes, 512 + 1024 + 512 + 256 + 1024);
    ck_assert_uint_eq(a->free_bytes, 2048 + 768);
    ck_assert_uint_eq(a->largest_free_bytes, 2048);
    ck_assert_uint_eq(a->bins[0].chunks_in_use, 1);
    ck_assert_uint_eq(a->bins[1].chunks, 3);
    ck_assert_uint_eq(a->bins[1].chunks_in_use, 2);
    ck_assert_uint_eq(a->bins[1].bytes, 512 + 512 + 768);
    ck_assert_uint_eq(a->bins[3].bytes_in_use, 0);
    ck_assert_uint_eq(a->bins[20].min_bytes, UINT64_C(256) << 20);
    static const struct od_size sizes[] = {{1024, 2, 2048}, {512, 2, 1024}, {256, 1, 256}};
    ck_assert_uint_eq(a->nsizes, OD_COUNT_OF(sizes));
    for (size_t i = 0; i < a->nsizes; i++) {
        ck_assert_uint_eq(a->sizes[i].bytes, sizes[i].bytes);
        ck_assert_uint_eq(a->sizes[i].count, sizes[i].count);
        ck_assert_uint_eq(a->sizes[i].total, sizes[i].total);
    }
    od_allocator_free(a);
    od_arena_free(arena);
}
END_TEST

START_TEST(texts_outlive_the_reader)
{
    struct od_arena *readers = od_arena_new(), *arena = od_arena_new();
    struct od_dump dump = {.allocator = od_arena_view(readers, OD_VIEW("GPU_1_bfc")),
                           .op = od_arena_view(readers, OD_VIEW("net/dense/MatMul"))};
    struct od_place place = {.host = od_arena_view(readers, OD_VIEW("node7"))};
    dump.place = &place;
    for (int i = 0; i < 3; i++) {
        struct od_chunk_details details = {.op = od_arena_view(readers, OD_VIEW("net/conv"))};
        od_vec_push(&dump.details, details);
    }
    struct od_allocator *a = od_allocator_new(&dump);
    od_arena_free(readers);
    place = (struct od_place){0};
    ck_assert(od_view_eq_str(a->name, "GPU_1_bfc"));
    ck_assert(od_view_eq_str(a->device, "GPU:1"));
    ck_assert(od_view_eq_str(a->dump.op, "net/dense/MatMul"));
    ck_assert(od_view_eq_str(a->dump.place->host, "node7"));
    ck_assert(od_view_eq_str(a->dump.details.items[2].op, "net/conv"));
    ck_assert_ptr_eq(a->dump.details.items[0].op.p, a->dump.details.items[2].op.p);
    ck_assert(!a->has_chunks && !a->chunks_complete && !a->complete);
    od_allocator_free(a);
    od_arena_free(arena);
}
END_TEST

START_TEST(words_are_the_contracts)
{
    ck_assert_ptr_null(od_verdict_name(OD_VERDICT_UNKNOWN));
    ck_assert_str_eq(od_verdict_name(OD_VERDICT_DEVICE_REFUSED), "device_refused");
    ck_assert_str_eq(od_check_id_name(OD_CHECK_SIZES_MULTIPLY), "sizes_multiply");
    ck_assert_str_eq(od_check_result_name(OD_CHECK_SKIP), "skip");
    ck_assert_str_eq(od_incident_kind_name(OD_INC_SOFT_WARNING), "soft_warning");
    for (unsigned i = 0; i < OD_INC_END; i++)
        ck_assert_ptr_nonnull(od_incident_kind_name((enum od_incident_kind)i));
    for (unsigned i = 0; i < OD_CHECKS; i++)
        ck_assert_ptr_nonnull(od_check_id_name((enum od_check_id)i));
    ck_assert_ptr_null(od_incident_kind_name(OD_INC_END));
}
END_TEST

Suite *od_tables_suite(void)
{
    Suite *suite = od_suite_loop("bins", sizes_have_bins, (int)OD_COUNT_OF(bin_rows));
    TCase *tcase = tcase_create("tables");
    tcase_add_loop_test(tcase, devices_have_one_word, 0, (int)OD_COUNT_OF(device_rows));
    tcase_add_test(tcase, requests_round_to_256);
    tcase_add_test(tcase, tables_follow_from_the_chunks);
    tcase_add_test(tcase, texts_outlive_the_reader);
    tcase_add_test(tcase, words_are_the_contracts);
    suite_add_tcase(suite, tcase);
    return suite;
}
