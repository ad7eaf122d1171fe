/*
 * --fail-on and --baseline: decides whether a run fails a CI step. With a baseline, the report is
 * compared with the last good run.
 */
#pragma once

#include "cli/command.h"
#include "lib/runs.h"
#include "runs/fail_on.h"

struct od_gate {
    const struct od_fail_on *fail_on;
    const char *baseline; /* file with a report or a log; NULL = none */
};

#define OD_GATE_FAIL_ON                                                                          \
    {                                                                                            \
        "fail-on", 0, "WHAT", "Exit with 1 if the run meets it: host_used>20GiB|leak|regression" \
    }

/* Text for the details of commands with --fail-on. tests/docs/man checks that its metrics are those
 * of od_fail_on_metrics. */
#define OD_GATE_TERMS                                                                            \
    "--fail-on takes terms joined by |: a cause (oomdoctor explain lists them), leak, failure, " \
    "regression (worse than the run before), METRIC>VALUE or METRIC<VALUE. VALUE is a size, a "  \
    "number of seconds, or a percentage of the limit. METRIC is device_peak, host_peak, "        \
    "device_used, device_reserved, device_free, device_used_percent, host_rss, host_used, "      \
    "host_free, host_virtual, host_used_percent, memory_used, memory_peak, memory_free or "      \
    "step_seconds.\n"

/* Takes --fail-on and --baseline; false for other options. *ret_status is OD_EXIT_OK or
 * OD_EXIT_USAGE (an error was printed to stderr). Texts live in arena. */
bool od_gate_take(struct od_gate *gate, const struct od_args *args, int option,
                  struct od_arena *arena, int *ret_status);

/*
 * OD_EXIT_OK, OD_EXIT_FAILURE_FOUND if a term is met (printed to stderr), OD_EXIT_UNREADABLE if the
 * baseline cannot be read. diags get the messages of reading it.
 */
int od_gate_decide(const struct od_gate *gate, const struct od_report *report,
                   struct od_arena *arena, struct od_diags *diags);

/* Like od_gate_decide, for two runs in memory; diff may be NULL. */
int od_gate_judge(const struct od_gate *gate, const struct od_run *run, const struct od_diff *diff,
                  struct od_arena *arena);
