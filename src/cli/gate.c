#include "cli/gate.h"

bool od_gate_take(struct od_gate *gate, const struct od_args *args, int option,
                  struct od_arena *arena, int *ret_status)
{
    *ret_status = OD_EXIT_OK;
    if (od_args_is(args, option, "baseline")) {
        gate->baseline = args->value;
        return true;
    }
    if (!od_args_is(args, option, "fail-on"))
        return false;
    struct od_diags *diags = od_diags_new();
    gate->fail_on = od_fail_on_parse(args->value, arena, diags);
    if (!gate->fail_on)
        *ret_status = OD_EXIT_USAGE;
    od_diags_flush(diags);
    od_diags_free(diags);
    return true;
}

int od_gate_judge(const struct od_gate *gate, const struct od_run *run, const struct od_diff *diff,
                  struct od_arena *arena)
{
    const char *unknown = NULL;
    const char *met =
        gate->fail_on ? od_fail_on_met(gate->fail_on, run, diff, arena, &unknown) : NULL;
    if (met)
        od_complain("--fail-on met: %s", met);
    if (unknown)
        od_complain("--fail-on: cannot check %s: the log has no such numbers, or no limit for a "
                    "percentage. Metrics: %s",
                    unknown, od_fail_on_metrics(arena));
    return met ? OD_EXIT_FAILURE_FOUND : unknown ? OD_EXIT_USAGE : OD_EXIT_OK;
}

static int compare(const struct od_gate *gate, const struct od_run *run, struct od_arena *arena,
                   struct od_diags *diags)
{
    struct od_run *old = od_run_of_file(gate->baseline, NULL, arena, diags);
    if (!old)
        return OD_EXIT_UNREADABLE;
    struct od_diff *diff = od_diff_make(old, run, arena);
    od_complain("against %s: %s: %s", gate->baseline, od_diff_verdict_name(diff->verdict),
                diff->why);
    int status = od_gate_judge(gate, run, diff, arena);
    od_diff_done(diff);
    od_run_done(old);
    return status;
}

int od_gate_decide(const struct od_gate *gate, const struct od_report *report,
                   struct od_arena *arena, struct od_diags *diags)
{
    if (!gate->fail_on && !gate->baseline)
        return OD_EXIT_OK;
    struct od_run *run = od_run_of_report(report, arena);
    int status =
        gate->baseline ? compare(gate, run, arena, diags) : od_gate_judge(gate, run, NULL, arena);
    od_run_done(run);
    return status;
}
