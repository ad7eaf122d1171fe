/* A description of a model (a table, a configuration, a graph, a header of weights) to a plan. */
#include "lib/models.h"
#include "plan/plan.h"
#include "report/plan.h"
#include "report/report.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

static void render(const struct od_plan *made, const char *format)
{
    const struct od_report_options options = {.unicode = true};
    const struct od_plan_report report = {.plan = made};
    struct od_buf text = {0};
    od_format_plan(od_format_find(od_view_of(format)), &report, &options, &text);
    if (text.n == 0)
        abort();
    od_buf_done(&text);
}

static void plan(struct od_ruleset *rules, struct od_view bytes)
{
    (void)rules;
    struct od_diags *diags = od_diags_new();
    struct od_arena *arena = od_arena_new();
    struct od_models *models = od_models_read_bytes("fuzz", bytes, diags);
    const struct od_model *model = od_models_choose(models, diags);
    struct od_plan_request request = od_plan_request_start();
    const char *why = NULL;
    (void)od_knob_set(&request, "batch", "8", arena, &why);
    (void)od_knob_set(&request, "device", "a100-80gb", arena, &why);
    if (model && od_plan_request_finish(&request, model, arena, diags)) {
        const struct od_plan *made = od_plan_make(&request, arena, diags);
        if (made) {
            render(made, "text");
            render(made, "json");
        }
    }
    od_models_free(models);
    od_arena_free(arena);
    od_diags_free(diags);
}

static const char *const words[] = {"oomdoctor.graph/1", "\"op\":", "\"inputs\":", "\"outputs\":",
                                    "\"kept\":",         "Conv2d",  "Linear",      "(conv1): ",
                                    "Total params: ",    NULL};

const struct od_fuzz od_fuzz_plan = {.name = "plan", .words = words, .one = plan};
