/* What loading the data takes of the host, and what fewer workers would save. */
#include "report/outline_parts.h"

void od_outline_host(struct od_outline *outline)
{
    const struct od_host_answer *host = outline->report->host;
    if (!host || host->why[0] == '\0')
        return;
    bool loads = host->name.n == 0 && (host->sample.known || host->dataset.known);
    struct od_text *text =
        od_doc_text(od_doc_section(outline->doc, loads ? "Loading data" : "Worker processes"));
    od_say(text, "%s", host->why);
}
