/* What was lost, and what would decide, as JSON. */
#include "report/json_parts.h"

static struct od_view text_of(const struct od_checkpoint_text *text)
{
    return (struct od_view){text->p, text->n};
}

static void add_saved(struct od_json_report *out, const struct od_lost *lost)
{
    struct od_json *json = &out->json;
    if (od_json_null_if(json, "checkpoint", !lost->saved))
        return;
    od_json_object(json, "checkpoint");
    od_json_text_or_null(json, "path", text_of(&lost->saved->path));
    od_json_count(json, "step", lost->saved_step);
    od_json_count(json, "epoch", lost->saved->epoch);
    od_json_text_or_null(json, "time", text_of(&lost->saved->stamp));
    od_json_tri(json, "complete", lost->saved->done ? OD_YES : OD_CANNOT_TELL);
    od_json_line(out, lost->saved->at);
    od_json_end(json);
}

static void add_lost(struct od_json_report *out)
{
    const struct od_lost *lost = out->report->lost;
    struct od_json *json = &out->json;
    if (od_json_null_if(json, "lost", !lost))
        return;
    od_json_object(json, "lost");
    add_saved(out, lost);
    od_json_count(json, "died_at_step", lost->died_at_step);
    od_json_count(json, "died_in_epoch", lost->died_in_epoch);
    od_json_count(json, "steps_lost", lost->steps);
    od_json_count(json, "seconds_lost", lost->seconds);
    od_json_bool(json, "seconds_estimated", lost->seconds_estimated);
    od_json_str(json, "resume", out->report->resume);
    od_json_end(json);
}

static void add_decide(struct od_json_report *out)
{
    const struct od_decide *decide = out->report->decide;
    struct od_json *json = &out->json;
    od_json_array(json, "decide");
    for (size_t i = 0; decide && i < decide->n; i++) {
        od_json_object(json, NULL);
        od_json_str(json, "command", decide->list[i].command);
        od_json_str(json, "why", decide->list[i].why);
        od_json_end(json);
    }
    od_json_end(json);
}

void od_json_after(struct od_json_report *out)
{
    add_lost(out);
    add_decide(out);
}
