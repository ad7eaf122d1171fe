#include "tests/unit/runs/suites.h"

#include "tests/unit/suite.h"

#include <string.h>

const char *const od_report_before =
    "{\"schema\":\"oomdoctor.report/1\",\"version\":\"0.1.0\","
    "\"inputs\":[{\"name\":\"a.log\",\"digest\":\"xxh3:01\",\"complete\":true}],"
    "\"outcome\":\"memory_failure\","
    "\"incidents\":[{\"kind\":\"device_alloc_failed\",\"producer\":\"pytorch\",\"device\":\"GPU:"
    "0\","
    "\"count\":2,\"fatal\":true,\"requested_bytes\":1000,\"in_use_bytes\":9000,"
    "\"capacity_bytes\":10000,\"tensor\":{\"shape\":[2,null,3],\"dtype\":\"float32\",\"op\":null}}]"
    ","
    "\"allocators\":[{\"stats\":{\"limit_bytes\":9900,\"in_use_bytes\":9500,"
    "\"max_in_use_bytes\":9600},\"sizes\":[{\"bytes\":256,\"count\":4,\"total_bytes\":1024,"
    "\"candidates\":[{\"role\":\"weights\"}]},{\"bytes\":512,\"count\":1,\"total_bytes\":512,"
    "\"candidates\":[]}]}],"
    "\"series\":[{\"metric\":\"host_rss_bytes\",\"device\":null,\"rank\":0,\"points\":50,"
    "\"first\":100,\"last\":900,\"min\":100,\"max\":950,\"trend\":\"leak\",\"slope_per_x\":16}],"
    "\"settings\":{\"batch_size\":64,\"precision\":\"float32\",\"workers\":null,\"said\":[]},"
    "\"diagnosis\":[{\"cause\":\"host_leak\",\"code\":\"OD108\",\"certainty\":\"likely\","
    "\"probability\":0.8,\"summary\":\"It leaks.\"}],"
    "\"phases\":[{\"name\":\"model\",\"bytes\":800},{\"name\":\"validation\",\"bytes\":4000}],"
    "\"plan\":{\"batch\":{\"current\":64,\"largest_that_fits\":40,\"recommended\":32},"
    "\"actions\":[{\"id\":\"reduce_batch\",\"title\":\"A smaller batch\"}]}}";

const char *const od_report_after =
    "{\"schema\":\"oomdoctor.report/1\",\"version\":\"0.1.0\","
    "\"inputs\":[{\"name\":\"b.log\",\"digest\":\"xxh3:02\",\"complete\":true}],"
    "\"outcome\":\"no_failure\",\"incidents\":[],\"allocators\":[],"
    "\"series\":[{\"metric\":\"host_rss_bytes\",\"device\":null,\"rank\":0,\"points\":60,"
    "\"first\":100,\"last\":200,\"min\":100,\"max\":210,\"trend\":\"flat\",\"slope_per_x\":0},"
    "{\"metric\":\"step_seconds\",\"device\":null,\"rank\":null,\"points\":9,\"first\":0.5,"
    "\"last\":0.6,\"min\":0.5,\"max\":0.75,\"trend\":\"flat\",\"slope_per_x\":null}],"
    "\"settings\":{\"batch_size\":32,\"precision\":\"float32\",\"workers\":4},\"diagnosis\":[],"
    "\"phases\":[{\"name\":\"model\",\"bytes\":800},{\"name\":\"validation\",\"bytes\":100}],"
    "\"plan\":null}";

struct od_run *od_run_of_text(const char *json, struct od_arena *arena)
{
    struct od_diags *diags = od_diags_new();
    struct od_run *run = od_run_read(od_view_of(json), "test", arena, diags);
    od_diags_free(diags);
    return run;
}

int main(void)
{
    Suite *suites[] = {od_diff_suite(), od_fail_on_suite(),      od_fleet_suite(),
                       od_run_suite(),  od_runs_figures_suite(), NULL};
    return od_suites_run(suites);
}
