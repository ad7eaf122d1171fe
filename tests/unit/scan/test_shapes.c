#include "base/buf.h"
#include "base/mask_digits.h"
#include "scan/line_shapes.h"
#include "tests/unit/scan/suites.h"
#include "tests/unit/suite.h"

#include <string.h>

START_TEST(every_digit_is_folded_and_nothing_else)
{
    char from[300], to[300];
    for (size_t i = 0; i < sizeof from; i++)
        from[i] = (char)(i * 7);
    for (size_t start = 0; start < 40; start++) {
        for (size_t n = 0; n < 256; n++) {
            memset(to, 'x', sizeof to);
            od_mask_digits(to, from + start, n);
            for (size_t i = 0; i < n; i++) {
                char c = from[start + i];
                ck_assert_int_eq(to[i], c >= '0' && c <= '9' ? '0' : c);
            }
            ck_assert_int_eq(to[n], 'x');
        }
    }
}
END_TEST

/* One that is worth a shape. */
static struct od_line_shape *shape_of(struct od_line_shapes *shapes, struct od_view text,
                                      bool *ret_new)
{
    const struct od_view twice[] = {text, text};
    struct od_line_shape_found found[OD_COUNT_OF(twice)];
    od_line_shapes_find(shapes, twice, OD_COUNT_OF(twice), found);
    *ret_new = found[0].fresh || found[1].fresh;
    return found[1].shape;
}

START_TEST(lines_that_differ_in_digits_have_one_shape)
{
    static const char *const others[] = {"step 48/70: 0.1 t", "step 48/70: 0.10 s",
                                         "step 48/70: 0.: s", "step 48/70: 0./ s",
                                         "step 48/70: 0.\xb1 s"};
    struct od_line_shapes *shapes = od_line_shapes_new();
    bool fresh;
    struct od_line_shape *shape = shape_of(shapes, OD_VIEW("step 10/99: 3.5 s"), &fresh);
    ck_assert(shape && fresh);
    ck_assert_ptr_eq(shape_of(shapes, OD_VIEW("step 48/70: 0.1 s"), &fresh), shape);
    ck_assert(!fresh);
    for (size_t i = 0; i < OD_COUNT_OF(others); i++)
        ck_assert_ptr_ne(shape_of(shapes, od_view_of(others[i]), &fresh), shape);
    od_line_shapes_free(shapes);
}
END_TEST

START_TEST(there_are_no_more_shapes_than_there_is_room_for)
{
    struct od_line_shapes *shapes = od_line_shapes_new();
    struct od_buf text = {0};
    struct od_line_shape *first = NULL, *shape = NULL;
    size_t n = 0;
    bool fresh = true;
    for (; n < 100000 && (n == 0 || shape); n++) {
        text.n = 0;
        for (size_t rest = n; rest > 0; rest /= 26)
            od_buf_add_char(&text, (char)('a' + rest % 26));
        od_buf_add_str(&text, " step");
        shape = shape_of(shapes, od_buf_view(&text), &fresh);
        first = n == 0 ? shape : first;
    }
    ck_assert_uint_gt(n, 10000);
    ck_assert_uint_lt(n, 100000);
    ck_assert_ptr_eq(shape_of(shapes, OD_VIEW(" step"), &fresh), first);
    ck_assert(od_line_shapes_are_full(shapes));
    od_line_shapes_forget(shapes);
    ck_assert(!od_line_shapes_are_full(shapes));
    ck_assert_ptr_nonnull(shape_of(shapes, OD_VIEW(" step"), &fresh));
    ck_assert(fresh);
    od_buf_done(&text);
    od_line_shapes_free(shapes);
}
END_TEST

START_TEST(a_long_line_has_no_shape)
{
    struct od_line_shapes *shapes = od_line_shapes_new();
    struct od_buf text = {0};
    bool fresh;
    od_buf_add_repeat(&text, "0123456789abcdef", 65);
    ck_assert_ptr_null(shape_of(shapes, od_buf_view(&text), &fresh));
    ck_assert_ptr_nonnull(shape_of(shapes, od_view_head(od_buf_view(&text), 1024), &fresh));
    ck_assert_ptr_null(shape_of(shapes, (struct od_view){0}, &fresh));
    ck_assert_ptr_null(od_line_shapes_at(shapes, OD_VIEW("seen once")));
    od_buf_done(&text);
    od_line_shapes_free(shapes);
}
END_TEST

Suite *od_shapes_suite(void)
{
    Suite *suite = suite_create("shapes");
    TCase *tcase = tcase_create("shapes");
    tcase_add_test(tcase, every_digit_is_folded_and_nothing_else);
    tcase_add_test(tcase, lines_that_differ_in_digits_have_one_shape);
    tcase_add_test(tcase, there_are_no_more_shapes_than_there_is_room_for);
    tcase_add_test(tcase, a_long_line_has_no_shape);
    suite_add_tcase(suite, tcase);
    return suite;
}
