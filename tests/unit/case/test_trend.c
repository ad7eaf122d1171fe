/* Trends of generated courses: healthy ones are no leaks, leaks are, and their slope is known. */
#include "base/num.h"
#include "tests/unit/case/courses.h"
#include "tests/unit/case/suites.h"
#include "tests/unit/suite.h"

enum { HEALTHY_EACH = 60, LEAKS_EACH = 100 };

static bool is_growth(enum od_trend trend)
{
    return trend == OD_TREND_LEAK || trend == OD_TREND_STAIRCASE;
}

/* More than a thousand, of every kind: one in two hundred may be taken for a leak, of one kind
 * one. */
START_TEST(healthy_courses_are_no_leaks)
{
    static struct course course;
    unsigned taken = 0;
    for (enum course_kind kind = 0; kind < COURSE_HEALTHY_END; kind++) {
        unsigned of_kind = 0;
        for (uint64_t seed = 0; seed < HEALTHY_EACH; seed++) {
            course_make(&course, kind, seed);
            of_kind += is_growth(course_judge(&course).trend);
        }
        ck_assert_msg(of_kind <= 1, "%s: %u of %d", course_name(kind), of_kind, HEALTHY_EACH);
        taken += of_kind;
    }
    ck_assert_msg(taken * 200 <= HEALTHY_EACH * COURSE_HEALTHY_END, "%u taken for leaks", taken);
}
END_TEST

static const struct {
    enum course_kind kind;
    enum od_trend trend;
    unsigned least; /* of a hundred, are seen as that */
} leaks[] = {
    {COURSE_LEAK, OD_TREND_LEAK, 95},
    {COURSE_LEAK_UNEVEN, OD_TREND_LEAK, 90},
    {COURSE_LEAK_AFTER_LOADING, OD_TREND_LEAK, 93},
    {COURSE_LEAK_LENGTHS, OD_TREND_LEAK, 95},
    {COURSE_LEAK_EVALUATIONS, OD_TREND_LEAK, 85},
    {COURSE_LEAK_COLLECTED, OD_TREND_LEAK, 75},
    {COURSE_LEAK_AFTER_WARMUP, OD_TREND_LEAK, 95},
    {COURSE_LEAK_HIGHEST, OD_TREND_LEAK, 75}, /* looks like stairs where there is much noise */
    {COURSE_LEAK_FEW, OD_TREND_LEAK, 93},
    {COURSE_STAIRS, OD_TREND_STAIRCASE, 95},
    {COURSE_STAIRS_UNMARKED, OD_TREND_STAIRCASE, 95},
};

START_TEST(leaks_are_seen_and_measured)
{
    static struct course course;
    unsigned right = 0, seen = 0, covered = 0, phase = 0;
    for (uint64_t seed = 0; seed < LEAKS_EACH; seed++) {
        course_make(&course, leaks[_i].kind, seed);
        struct od_series s = course_judge(&course);
        right += s.trend == leaks[_i].trend;
        seen += is_growth(s.trend);
        covered += is_growth(s.trend) && s.slope_lo <= course.slope && course.slope <= s.slope_hi;
        phase += s.trend == OD_TREND_STAIRCASE && s.phase == OD_SERIES_PHASE_VALIDATION;
    }
    ck_assert_msg(right * 100 >= leaks[_i].least * LEAKS_EACH, "%s: %u",
                  course_name(leaks[_i].kind), right);
    ck_assert_msg(covered * 100 >= 88 * seen, "%s: %u covered", course_name(leaks[_i].kind),
                  covered);
    if (leaks[_i].kind == COURSE_STAIRS)
        ck_assert_msg(phase * 100 >= 95 * right, "phase of %u of %u", phase, right);
}
END_TEST

/* Too little to say, and what is exactly level. */
START_TEST(few_points_are_not_judged)
{
    struct course course = {.kind = COURSE_LEAK};
    for (course.n = 1; course.n <= 5; course.n++) {
        for (size_t i = 0; i < course.n; i++)
            course.points[i] =
                (struct od_fold_point){.value = 1e9 * (double)(i + 1), .step = (double)i};
        enum od_trend want = course.n == 1 ? OD_TREND_FLAT : OD_TREND_UNCLEAR;
        ck_assert_int_eq(course_judge(&course).trend, want);
    }
    course.n = 50;
    for (size_t i = 0; i < course.n; i++)
        course.points[i] = (struct od_fold_point){.value = 5e9, .step = (double)i};
    ck_assert_int_eq(course_judge(&course).trend, OD_TREND_FLAT);
}
END_TEST

/* A course in few words: levels, each for so many points, with a rise in each point. */
static const struct {
    const char *what;
    struct {
        double from, by;
        size_t n;
    } part[3];
    double noise;
    enum od_trend trend;
} shapes[] = {
    {"idle, in use, idle", {{15, 0, 60}, {19143, 0, 30}, {15, 0, 60}}, 0, OD_TREND_UNCLEAR},
    {"idle, once in use", {{15, 0, 60}, {19143, 0, 2}, {15, 0, 60}}, 0, OD_TREND_SPIKY},
    {"level", {{5000, 0, 60}}, 20, OD_TREND_FLAT},
    {"a part is added", {{2000, 0, 30}, {5000, 0, 30}}, 10, OD_TREND_STEP},
    {"and taken away", {{5000, 0, 30}, {2000, 0, 30}}, 10, OD_TREND_UNCLEAR},
    {"early: it warms up", {{2000, 0, 8}, {5000, 0, 52}}, 10, OD_TREND_WARMUP},
    {"a step, and then a leak", {{2000, 0, 30}, {3000, 60, 30}}, 5, OD_TREND_UNCLEAR},
    {"six rises", {{1000, 150, 6}}, 20, OD_TREND_LEAK},
    {"six even rises", {{1000, 150, 6}}, 0, OD_TREND_LEAK},
    {"five rises", {{1000, 150, 5}}, 20, OD_TREND_UNCLEAR},
    {"six, and one is none", {{1000, 150, 3}, {1250, 150, 3}}, 0, OD_TREND_UNCLEAR},
};

START_TEST(a_shape_has_its_name)
{
    static struct course course;
    course.n = 0;
    for (size_t i = 0; i < OD_COUNT_OF(shapes[_i].part); i++)
        for (size_t k = 0; k < shapes[_i].part[i].n; k++, course.n++) {
            double noise = shapes[_i].noise * (double)(course.n * 7 % 5) / 5;
            double value = shapes[_i].part[i].from + shapes[_i].part[i].by * (double)k + noise;
            course.points[course.n] =
                (struct od_fold_point){.value = value * (1 << 20), .step = (double)course.n};
        }
    ck_assert_msg(course_judge(&course).trend == shapes[_i].trend, "%s: %s", shapes[_i].what,
                  od_trend_name(course_judge(&course).trend));
}
END_TEST

Suite *od_trend_suite(void)
{
    Suite *suite = suite_create("trend");
    TCase *tcase = tcase_create("healthy");
    tcase_add_test(tcase, healthy_courses_are_no_leaks);
    tcase_add_test(tcase, few_points_are_not_judged);
    tcase_add_loop_test(tcase, a_shape_has_its_name, 0, (int)OD_COUNT_OF(shapes));
    tcase_set_timeout(tcase, 300);
    suite_add_tcase(suite, tcase);
    TCase *each = tcase_create("leaks");
    tcase_add_loop_test(each, leaks_are_seen_and_measured, 0, (int)OD_COUNT_OF(leaks));
    tcase_set_timeout(each, 300);
    suite_add_tcase(suite, each);
    return suite;
}
