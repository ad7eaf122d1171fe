#include "report/json_write.h"
#include "runs/fleet_parts.h"

static void add_text(struct od_json *json, const char *key, const char *text)
{
    od_json_text_or_null(json, key, od_view_of(text));
}

static void add_outcomes(struct od_json *json, const struct od_fleet *fleet)
{
    od_json_object(json, "outcomes");
    for (size_t i = 0; od_fleet_outcome_names[i]; i++)
        od_json_u64(json, od_fleet_outcome_names[i],
                    od_fleet_outcomes(fleet, od_fleet_outcome_names[i]));
    od_json_end(json);
}

static void add_examples(struct od_json *json, const struct od_fleet_group *group)
{
    od_json_array_inline(json, "examples");
    for (size_t i = 0; i < group->count && i < OD_FLEET_EXAMPLES; i++)
        od_json_str(json, NULL, group->runs[i].name);
    od_json_end(json);
}

static void add_group(struct od_json *json, const struct od_fleet_group *group)
{
    const struct od_row_member *run = group->runs;
    od_json_object(json, NULL);
    od_json_str(json, "signature", group->signature);
    od_json_str(json, "fingerprint", group->fingerprint);
    od_json_str(json, "status", group->status);
    add_text(json, "cause", run->cause);
    add_text(json, "producer", run->producer);
    add_text(json, "device", run->device);
    od_json_u64(json, "count", group->count);
    add_text(json, "tensor", run->tensor);
    od_json_count(json, "gpu_seconds_lost", group->gpu_seconds);
    add_text(json, "first", group->first);
    add_text(json, "last", group->last);
    add_examples(json, group);
    add_text(json, "best_action", group->action);
    add_text(json, "best_action_title", group->action_title);
    od_json_end(json);
}

void od_fleet_json(struct od_fleet *fleet, struct od_json *json)
{
    od_fleet_group(fleet);
    od_json_object(json, NULL);
    od_json_str(json, "schema", "oomdoctor.fleet/1");
    od_json_u64(json, "runs", fleet->runs.n);
    od_json_str(json, "since", fleet->since);
    add_outcomes(json, fleet);
    od_json_array(json, "groups");
    for (size_t i = 0; i < fleet->groups.n; i++)
        add_group(json, &fleet->groups.items[i]);
    od_json_end(json);
    od_json_array(json, "members");
    for (size_t i = 0; i < fleet->runs.n; i++) {
        od_json_object_inline(json, NULL);
        od_json_member(json, &fleet->runs.items[i]);
        od_json_end(json);
    }
    od_json_end(json);
    od_json_end(json);
    od_buf_add_char(json->to, '\n');
}

void od_fleet_json_lines(struct od_fleet *fleet, struct od_redactor *redactor, struct od_buf *to)
{
    od_fleet_group(fleet);
    OD_FOR_EACH (const struct od_row_member, run, fleet->runs) {
        struct od_json json = {.to = to, .redactor = redactor};
        od_json_object(&json, NULL);
        od_json_member(&json, run);
        od_json_end(&json);
        od_buf_add_char(to, '\n');
    }
}
