/* What users write after an option: --fail-on terms, NAME=SIZE, every knob of the planner. */
#include "answer/phases.h"
#include "plan/request.h"
#include "runs/fail_on.h"
#include "tests/fuzz/fuzz.h"

static void ask(const struct od_fail_on *fail_on, struct od_arena *arena)
{
    static const struct od_run run = {.outcome = "memory_failure",
                                      .cause = "fragmented",
                                      .device_peak = {.known = true, .n = (uint64_t)1 << 33},
                                      .device_limit = {.known = true, .n = (uint64_t)1 << 34}};
    const char *unknown = NULL;
    (void)od_fail_on_met(fail_on, &run, NULL, arena, &unknown);
}

static void terms(struct od_ruleset *rules, struct od_view bytes)
{
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    const char *text = od_arena_str(arena, bytes);
    struct od_phase_given phase;
    struct od_view value = bytes, name;
    (void)rules;
    const struct od_fail_on *fail_on = od_fail_on_parse(text, arena, diags);
    if (fail_on)
        ask(fail_on, arena);
    (void)od_phase_parse(od_view_of(text), &phase);
    if (od_view_cut(&value, '=', &name)) {
        struct od_plan_request request = od_plan_request_start();
        const char *knob = od_arena_str(arena, name), *why = NULL;
        (void)od_knob_set(&request, knob, od_arena_str(arena, value), arena, &why);
        (void)od_knob_suggest(knob);
        (void)od_knob_said(&request, knob);
    }
    od_diags_free(diags);
    od_arena_free(arena);
}

static const char *const words[] = {"|",
                                    "leak",
                                    "failure",
                                    "regression",
                                    "device_peak>",
                                    "host_peak<",
                                    "host_used>",
                                    "step_seconds>",
                                    "20GiB",
                                    "90%",
                                    "batch=",
                                    "precision=",
                                    "optimizer=",
                                    "image=",
                                    "sample=",
                                    "dataset=",
                                    "float32",
                                    "lora-targets=",
                                    "checkpointing=every:",
                                    "zero=",
                                    "world-size=",
                                    "device=",
                                    "a100-40gb",
                                    "python-objects=",
                                    "ram=",
                                    "total=",
                                    NULL};

const struct od_fuzz od_fuzz_terms = {.name = "terms", .words = words, .one = terms};
