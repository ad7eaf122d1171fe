#include "failure/shape_hint.h"

#include "tests/unit/diagnose/suites.h"
#include "tests/unit/suite.h"

struct hint_row {
    const char *shape;
    enum od_dtype dtype;
    const char *op;
    uint64_t stated; /* batch; 0 = not */
    enum od_tensor_role role;
    uint64_t batch; /* 0 = unknown */
    uint64_t per_sample;
    bool dataset_like;
};

static const struct hint_row hint_rows[] = {
    {"[24,128,96,96]", OD_FLOAT32, "net/conv3/Relu", 0, OD_TENSOR_ACTIVATION, 24, 4718592, false},
    {"[24,128,96,96]", OD_FLOAT16, "net/conv3/Relu", 0, OD_TENSOR_ACTIVATION, 24, 2359296, false},
    {"[3,3,256,512]", OD_FLOAT32, "net/conv5/Conv2D", 0, OD_TENSOR_WEIGHT, 0, 0, false},
    {"[3,3,3,64,128]", OD_FLOAT32, "", 0, OD_TENSOR_WEIGHT, 0, 0, false},
    {"[1,3,640,480]", OD_FLOAT32, "", 0, OD_TENSOR_ACTIVATION, 1, 3686400, false},
    {"[12000,96,96,3]", OD_FLOAT32, "", 0, OD_TENSOR_ACTIVATION, 12000, 110592, true},
    {"[12000,3,96,96]", OD_FLOAT32, "", 64, OD_TENSOR_ACTIVATION, 12000, 110592, true},
    {"[12000,1,32,32]", OD_FLOAT32, "", 0, OD_TENSOR_ACTIVATION, 12000, 4096, true},
    {"[12000,7,9,128]", OD_FLOAT32, "", 0, OD_TENSOR_ACTIVATION, 12000, 32256, false},
    {"[2048,64,64,3]", OD_FLOAT32, "", 2048, OD_TENSOR_ACTIVATION, 2048, 49152, false},
    {"[640,40,300]", OD_FLOAT32, "", 32, OD_TENSOR_ACTIVATION, 32, 960000, false},
    {"[900000,64]", OD_FLOAT32, "training_2/Adam/gradients/dense/MatMul_grad/MatMul_1", 0,
     OD_TENSOR_WEIGHT, 0, 0, false},
    {"[4096,1000]", OD_FLOAT32, "head/MatMul", 64, OD_TENSOR_ACTIVATION, 64, 256000, false},
    {"[4097,1000]", OD_FLOAT32, "", 64, OD_TENSOR_UNKNOWN, 0, 0, false},
    {"[3400000]", OD_UINT8, "rnn/CudnnRNNV3", 64, OD_TENSOR_SCRATCH, 0, 0, false},
    {"[512]", OD_FLOAT32, "bn/FusedBatchNormV3", 64, OD_TENSOR_UNKNOWN, 0, 0, false},
    {"[]", OD_FLOAT32, "", 0, OD_TENSOR_UNKNOWN, 0, 0, false},
    {"[0,4,4,4]", OD_FLOAT32, "", 0, OD_TENSOR_ACTIVATION, 0, 0, false},
    {"[768,768]", OD_FLOAT32, "RestoreV2/layer/weight", 0, OD_TENSOR_WEIGHT, 0, 0, false},
    {"[48,12,96,96]", OD_FLOAT32, "enc/dropout/random_uniform/RandomUniform", 48,
     OD_TENSOR_ACTIVATION, 48, 442368, false},
    {"[8,512,64]", OD_DTYPE_UNKNOWN, "", 0, OD_TENSOR_ACTIVATION, 8, 131072, false},
};

START_TEST(shape_tells)
{
    const struct hint_row *row = &hint_rows[_i];
    struct od_shape shape;
    ck_assert(od_shape_parse(od_view_of(row->shape), &shape));
    struct od_count stated = row->stated ? od_count_of(row->stated) : (struct od_count){0};
    struct od_shape_hint hint =
        od_shape_hint_of(&shape, row->dtype, od_op_means(od_view_of(row->op)), stated);
    ck_assert_msg(hint.role == row->role, "%s: role %d", row->shape, (int)hint.role);
    ck_assert_uint_eq(hint.batch.known ? hint.batch.n : 0, row->batch);
    ck_assert_uint_eq(hint.per_sample.known ? hint.per_sample.n : 0, row->per_sample);
    ck_assert_int_eq(hint.dataset_like, row->dataset_like);
}
END_TEST

START_TEST(unknown_shape_tells_nothing)
{
    struct od_shape shape = {0};
    struct od_shape_hint hint = od_shape_hint_of(&shape, OD_FLOAT32, 0, (struct od_count){0});
    ck_assert_int_eq(hint.role, OD_TENSOR_UNKNOWN);
    ck_assert(!hint.batch.known && !hint.per_sample.known);
}
END_TEST

START_TEST(suffix_is_a_whole_segment)
{
    struct od_view op = OD_VIEW("training_3/Adam/gradients/dense_12/MatMul/training_2");
    ck_assert_uint_eq(od_op_suffix(op, OD_VIEW("training")), 3);
    ck_assert_uint_eq(od_op_suffix(op, OD_VIEW("dense")), 12);
    ck_assert_uint_eq(od_op_suffix(op, OD_VIEW("train")), 0);
    ck_assert_uint_eq(od_op_suffix(OD_VIEW("dense_12b/dense_/dense"), OD_VIEW("dense")), 0);
}
END_TEST

Suite *od_shape_hint_suite(void)
{
    Suite *suite = od_suite_loop("shape_hint", shape_tells, (int)OD_COUNT_OF(hint_rows));
    TCase *tcase = tcase_create("names");
    tcase_add_test(tcase, unknown_shape_tells_nothing);
    tcase_add_test(tcase, suffix_is_a_whole_segment);
    suite_add_tcase(suite, tcase);
    return suite;
}
