/* What a machine's runs took is kept, and corrects the next plan by their median. */
#include "lib/calibration.h"
#include "tests/unit/lib/suites.h"

#include <stdio.h>
#include <unistd.h>

static const char name[] = "test_calibration.tmp";

static struct od_plan_compared_row row(enum od_metric metric, uint64_t measured)
{
    return (struct od_plan_compared_row){.metric = metric,
                                         .planned = od_bytes_exact(300),
                                         .measured = measured,
                                         .still = od_count_of(100)};
}

static void keep(struct od_diags *diags, struct od_plan_compared_row of)
{
    const struct od_plan plan = {.request.workload.batch = 8};
    const struct od_plan_compared compared = {.rows = {of}, .nrows = 1};
    ck_assert(od_calibration_add(name, &plan, &compared, diags));
}

static struct od_plan_request ask(enum od_metric metric, struct od_arena *arena,
                                  struct od_diags *diags, bool *ret_found)
{
    struct od_plan_request request = {.workload.metric = metric};
    *ret_found = od_calibration_read(name, &request, arena, diags);
    return request;
}

START_TEST(corrects)
{
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    struct od_plan_request asked;
    bool found;
    unlink(name);
    (void)ask(OD_METRIC_DEVICE, arena, diags, &found);
    ck_assert(!found); /* there is no file */
    keep(diags, row(OD_METRIC_RESERVED, 3000));
    (void)ask(OD_METRIC_DEVICE, arena, diags, &found);
    ck_assert(!found); /* no plan is off by so much: it was another run */
    keep(diags, row(OD_METRIC_RESERVED, 320));
    keep(diags, row(OD_METRIC_RESERVED, 340));
    keep(diags, row(OD_METRIC_RESERVED, 400));
    asked = ask(OD_METRIC_DEVICE, arena, diags, &found);
    ck_assert(found && !asked.workload.corrects_context);
    ck_assert_double_eq_tol(asked.workload.correction, 1.2, 1e-9);
    ck_assert_ptr_nonnull(asked.correction);
    keep(diags, row(OD_METRIC_DEVICE, 200));
    asked = ask(OD_METRIC_DEVICE, arena, diags, &found);
    ck_assert(found && asked.workload.corrects_context);
    ck_assert_double_eq_tol(asked.workload.correction, 0.5, 1e-9);
    FILE *file = fopen(name, "a");
    fputs("{\"metric\": \"device\"}\n", file);
    fclose(file);
    (void)ask(OD_METRIC_DEVICE, arena, diags, &found);
    ck_assert(!found); /* lines of another program */
    unlink(name);
    od_diags_free(diags);
    od_arena_free(arena);
}
END_TEST

Suite *calibration_suite(void)
{
    return od_suite_loop("calibration", corrects, 1);
}
