#include "plan/tensor.h"
#include "tests/unit/plan/suites.h"
#include "tests/unit/suite.h"

#include "base/num.h"

static const struct {
    uint64_t bytes, tensorflow, pytorch, segment;
} roundings[] = {
    {0, 0, 0, 0},
    {1, 256, 512, 2 << 20},
    {256, 256, 512, 2 << 20},
    {257, 512, 512, 2 << 20},
    {513, 768, 1024, 2 << 20},
    {1 << 20, 1 << 20, 1 << 20, 2 << 20},
    {(1 << 20) + 1, (1 << 20) + 256, (1 << 20) + 512, 20 << 20},
    {(10 << 20) - 512, (10 << 20) - 512, (10 << 20) - 512, 20 << 20},
    {10 << 20, 10 << 20, 10 << 20, 10 << 20},
    {(10 << 20) + 1, (10 << 20) + 256, (10 << 20) + 512, 12 << 20},
    {2312110080, 2312110080, 2312110080, (uint64_t)2206 << 20},
};

START_TEST(allocators_round_up)
{
    struct od_bytes segment, bytes = od_bytes_exact(roundings[_i].bytes);
    ck_assert_uint_eq(od_tensor_tensorflow(bytes).n, roundings[_i].tensorflow);
    ck_assert_uint_eq(od_tensor_pytorch(bytes, &segment).n, roundings[_i].pytorch);
    ck_assert_uint_eq(segment.n, roundings[_i].segment);
    ck_assert(!od_tensor_tensorflow(od_bytes_exact(UINT64_MAX)).known);
}
END_TEST

static const struct {
    const char *shape, *dtype;
    uint64_t bytes, batch;
    const char *first; /* of the candidates: its first dimension and its type; NULL = none */
    uint64_t dim;
    bool has_same; /* the shape as given is among them */
} backwards[] = {
    {"180,64,224,224", "", 1156055040, 0, "float32", 90, true},
    {"180,64,224,224", "float32", 2312110080, 0, "float32", 180, true},
    {"7,3", "", 1, 0, NULL, 0, false},
    {"", "", 51380224, 64, "float32", 64, false},
    {"", "int8", 64, 64, "int8", 64, false},
    {"", "", 12, 0, "float32", 3, false},
    {"0,3", "", 12, 0, NULL, 0, false},
};

START_TEST(bytes_are_told_backwards)
{
    struct od_arena *arena = od_arena_new();
    struct od_tensor_question q = {.bytes = od_count_of(backwards[_i].bytes),
                                   .dtype = od_dtype_parse(od_view_of(backwards[_i].dtype))};
    struct od_tensor_answer a;
    bool has_same = false;
    if (backwards[_i].shape[0])
        ck_assert(od_shape_parse(od_view_of(backwards[_i].shape), &q.shape));
    if (backwards[_i].batch)
        q.batch = od_count_of(backwards[_i].batch);
    ck_assert(od_tensor_answer(&q, arena, &a));
    ck_assert_int_eq(a.ncandidates > 0, backwards[_i].first != NULL);
    for (size_t i = 0; i < a.ncandidates; i++) {
        struct od_bytes bytes = od_shape_bytes(&a.candidates[i].shape, a.candidates[i].dtype);
        ck_assert_uint_eq(bytes.n, backwards[_i].bytes);
        has_same = has_same || (q.shape.known && a.candidates[i].shape.dims[0] == q.shape.dims[0]);
    }
    ck_assert_int_eq(has_same, backwards[_i].has_same);
    if (backwards[_i].first) {
        ck_assert_str_eq(od_dtype_name(a.candidates[0].dtype), backwards[_i].first);
        ck_assert_uint_eq(a.candidates[0].shape.dims[0], backwards[_i].dim);
    }
    od_arena_free(arena);
}
END_TEST

static const struct {
    const char *text;
    uint64_t elements; /* 0 = no shape */
    enum od_dtype dtype;
} shapes[] = {
    {"180,64,224", 180 * 64 * 224, OD_DTYPE_UNKNOWN},
    {"[2, 3]", 6, OD_DTYPE_UNKNOWN},
    {"torch.Size([2, 3])", 6, OD_DTYPE_UNKNOWN},
    {"bf16[2,3]{1,0}", 6, OD_BFLOAT16},
    {"f32[8]", 8, OD_FLOAT32},
    {"loss[2,3]", 0, OD_DTYPE_UNKNOWN},
    {"torch.Size([2, x])", 0, OD_DTYPE_UNKNOWN},
    {"bf16[2,3", 0, OD_DTYPE_UNKNOWN},
};

START_TEST(shapes_as_they_are_printed)
{
    struct od_tensor_question q = {0};
    uint64_t elements = 0;
    bool read = od_tensor_read_shape(od_view_of(shapes[_i].text), &q);
    ck_assert(read == (shapes[_i].elements > 0));
    if (!read)
        return;
    ck_assert(od_shape_elements(&q.shape, &elements));
    ck_assert_uint_eq(elements, shapes[_i].elements);
    ck_assert_int_eq(q.dtype, shapes[_i].dtype);
}
END_TEST

Suite *od_tensor_suite(void)
{
    Suite *suite = od_suite_loop("tensor", allocators_round_up, OD_COUNT_OF(roundings));
    TCase *tcase = tcase_create("backwards");
    tcase_add_loop_test(tcase, bytes_are_told_backwards, 0, OD_COUNT_OF(backwards));
    tcase_add_loop_test(tcase, shapes_as_they_are_printed, 0, OD_COUNT_OF(shapes));
    suite_add_tcase(suite, tcase);
    return suite;
}
