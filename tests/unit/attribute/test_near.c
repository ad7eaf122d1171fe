#include "attribute/near.h"
#include "tests/unit/attribute/make.h"
#include "tests/unit/attribute/suites.h"

/* A failing tensor at a batch, and a size -> the best shape for it. */
static const struct {
    const char *failing;
    uint64_t batch, bytes;
    const char *best; /* NULL = none */
    enum od_dtype dtype;
    enum od_certainty certainty;
} cases[] = {
    {"[90,56,56,48]", 90, 54190080, "[90,56,56,48]", OD_FLOAT32, OD_LIKELY},
    {"[90,56,56,48]", 90, 27095040, "[90,56,56,48]", OD_FLOAT16, OD_LIKELY},
    {"[90,48,56,56]", 90, 27095040, "[90,48,56,56]", OD_FLOAT16, OD_LIKELY},
    {"[90,64,56,56]", 90, 36126720, "[90,64,56,56]", OD_FLOAT16, OD_LIKELY},
    {"[90,64,56,56]", 90, 144506880, "[90,32,112,112]", OD_FLOAT32, OD_LIKELY},
    {"[90,64,56,56]", 90, 54190080, "[90,3,224,224]", OD_FLOAT32, OD_LIKELY},
    {"[90,64,56,56]", 90, 9437184, NULL, OD_DTYPE_UNKNOWN, OD_POSSIBLE}, /* a kernel 3x3x512x512 */
    {"[6144,768]", 0, 9437184, "[6144,768]", OD_FLOAT16, OD_POSSIBLE},   /* or 768x3072 float32 */
    {"[64]", 0, 256, NULL, OD_DTYPE_UNKNOWN, OD_POSSIBLE},
};

START_TEST(test_near)
{
    struct od_arena *arena = od_arena_new();
    struct od_tensor tensor = {.dtype = OD_FLOAT32, .op = OD_VIEW("conv/Conv2D")};
    ck_assert(od_shape_parse(od_view_of(cases[_i].failing), &tensor.shape));
    struct od_count batch = {.n = cases[_i].batch, .known = cases[_i].batch > 0};
    struct od_near near = od_near_of(&tensor, batch, cases[_i].bytes, arena);
    ck_assert_uint_eq(near.n > 0, cases[_i].best != NULL);
    if (near.n > 0) {
        struct od_shape want;
        ck_assert(od_shape_parse(od_view_of(cases[_i].best), &want));
        ck_assert_uint_eq(near.items[0].shape.n, want.n);
        for (uint32_t i = 0; i < want.n; i++)
            ck_assert_uint_eq(near.items[0].shape.dims[i], want.dims[i]);
        ck_assert_int_eq(near.items[0].dtype, cases[_i].dtype);
        ck_assert_int_eq(near.certainty, cases[_i].certainty);
        ck_assert_uint_le(near.n, OD_NEAR_MOST);
    }
    od_arena_free(arena);
}
END_TEST

/* Shapes that no machine holds have no neighbours, and break nothing. */
START_TEST(test_absurd)
{
    struct od_arena *arena = od_arena_new();
    struct od_tensor tensor = {.dtype = OD_FLOAT32, .shape = {.n = 4, .known = true}};
    for (uint32_t i = 0; i < 4; i++)
        tensor.shape.dims[i] = UINT64_MAX - 1 - i / 2;
    struct od_near near = od_near_of(&tensor, od_count_of(UINT64_MAX - 1), UINT64_MAX, arena);
    ck_assert_uint_eq(near.n, 0);
    tensor.shape.dims[0] = 0;
    near = od_near_of(&tensor, od_count_of(0), 256, arena);
    ck_assert_uint_eq(near.n, 0);
    od_arena_free(arena);
}
END_TEST

Suite *od_near_suite(void)
{
    Suite *suite = suite_create("near");
    TCase *tcase = tcase_create("near");
    tcase_add_loop_test(tcase, test_near, 0, (int)(sizeof cases / sizeof *cases));
    tcase_add_test(tcase, test_absurd);
    suite_add_tcase(suite, tcase);
    return suite;
}
