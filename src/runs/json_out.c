/* Comparisons and fleets as JSON. */
#include "report/json_parts.h"
#include "report/rows.h"
#include "runs/diff.h"
#include "runs/fleet_parts.h"

static struct od_real saved(const struct od_diff_bytes *one)
{
    return od_real_if(one->old.known && one->new.known, (double)one->old.n - (double)one->new.n);
}

static void add_members(struct od_json *json, const struct od_fleet *fleet)
{
    od_json_array(json, "members");
    OD_FOR_EACH (const struct od_row_member, run, fleet->runs) {
        od_json_object_inline(json, NULL);
        od_json_member(json, run);
        od_json_end(json);
    }
    od_json_end(json);
}

#define OD_ROWS "runs/fields_runs.def"
#include "report/fields_put.def"

void od_diff_json(const struct od_diff *diff, struct od_json *json)
{
    od_json_object(json, NULL);
    put_diff(&(struct od_json_report){.json = json}, diff);
    od_json_end(json);
    od_buf_add_char(json->to, '\n');
}

void od_fleet_json(struct od_fleet *fleet, struct od_json *json)
{
    od_fleet_group(fleet);
    od_json_object(json, NULL);
    put_fleet(&(struct od_json_report){.json = json}, fleet);
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
