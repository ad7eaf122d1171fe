/* Memory that stayed reserved after a release, and a model that was loaded at the same time. */
#include "report/outline_parts.h"

#include "diagnose/kept.h"

void od_outline_kept(struct od_outline *outline)
{
    struct od_kept kept;
    if (!od_kept_of(outline->c, &kept))
        return;
    struct od_section *section = od_doc_section(outline->doc, "What stays");
    struct od_text *text = od_doc_text(section);
    od_say_as(text, OD_STRONG, "%s", od_bytes_text_u64(outline->arena, (uint64_t)kept.bytes));
    od_say(text, ", as much as before, ");
    for (size_t i = 0; i < kept.nreleases; i++) {
        od_say(text, i == 0                    ? (kept.called ? "after " : "")
                     : i + 1 == kept.nreleases ? " and "
                                               : ", ");
        od_doc_add(text, OD_CODE, kept.releases[i]);
    }
    od_say(text, " (");
    od_outline_refer(outline, text, kept.at, (struct od_view){0});
    od_say(text, "). %s", kept.why);
    OD_FOR_EACH (const struct od_series, s, outline->c->series) {
        if (s->loaded > 0 && !od_series_metric_is_host(s->metric)) {
            od_say(text, " A load then added %s to the %s in use: a second copy beside the first.",
                   od_bytes_text_u64(outline->arena, (uint64_t)s->loaded),
                   od_bytes_text_u64(outline->arena, (uint64_t)s->before_load));
            break;
        }
    }
}
