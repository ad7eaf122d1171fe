/* A fleet as OpenMetrics. All values are gauges, because the next fleet may lack runs. */
#include "runs/fleet_parts.h"

static void declare(struct od_buf *to, const char *name, const char *help)
{
    od_buf_printf(to, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name);
}

static void add_label(struct od_buf *to, const char *name, const char *value)
{
    od_buf_printf(to, "%s=\"", name);
    for (value = value[0] != '\0' ? value : "unknown"; *value; value++) {
        if (*value == '\\' || *value == '"')
            od_buf_add_char(to, '\\');
        od_buf_add_char(to, *value == '\n' ? ' ' : *value);
    }
    od_buf_add_char(to, '"');
}

static void add_sample(struct od_buf *to, const char *name, const struct od_fleet_group *group,
                       uint64_t value)
{
    od_buf_printf(to, "%s{", name);
    add_label(to, "program", group->runs->program);
    od_buf_add_char(to, ',');
    add_label(to, "cause", group->runs->cause);
    od_buf_add_char(to, ',');
    add_label(to, "device", group->runs->device);
    od_buf_printf(to, "} %" PRIu64 "\n", value);
}

void od_fleet_metrics(struct od_fleet *fleet, struct od_buf *to)
{
    static const char runs[] = "oomdoctor_runs", failures[] = "oomdoctor_failures",
                      seconds[] = "oomdoctor_lost_seconds";
    od_fleet_group_by_program(fleet);
    declare(to, runs, "Runs whose logs were read, by how they ended.");
    for (size_t i = 0; od_fleet_outcome_names[i]; i++)
        od_buf_printf(to, "%s{outcome=\"%s\"} %zu\n", runs, od_fleet_outcome_names[i],
                      od_fleet_outcomes(fleet, od_fleet_outcome_names[i]));
    declare(to, failures, "Runs that ran out of memory.");
    OD_FOR_EACH (const struct od_fleet_group, group, fleet->groups)
        add_sample(to, failures, group, group->count);
    declare(to, seconds,
            "Time of failed runs, from the first to the last timestamp of their logs, times the "
            "devices that they name.");
    OD_FOR_EACH (const struct od_fleet_group, group, fleet->groups)
        if (group->gpu_seconds.known)
            add_sample(to, seconds, group, group->gpu_seconds.n);
    od_buf_add_str(to, "# EOF\n");
}
