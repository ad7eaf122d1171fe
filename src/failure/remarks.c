#include "failure/remarks.h"

const struct od_evidence *od_remark_find(const struct od_case *c,
                                         const struct od_incident *incident, const char *name)
{
    OD_FOR_EACH (const struct od_run_event, moment, c->run_events)
        if (moment->kind == OD_EV_REMARK && od_view_eq_str(moment->name, name) &&
            (!incident || moment->first.source == incident->at.source))
            return &moment->said;
    return NULL;
}

const struct od_evidence *od_remark_anywhere(const struct od_case *c, const char *name)
{
    return od_remark_find(c, NULL, name);
}

bool od_remark_in_title(const struct od_case *c, const struct od_incident *incident,
                        const char *name)
{
    OD_FOR_EACH (const struct od_run_event, moment, c->run_events)
        if (moment->kind == OD_EV_REMARK && moment->titled &&
            moment->first.source == incident->at.source && od_view_eq_str(moment->name, name))
            return true;
    return false;
}

const struct od_evidence *od_remark_between(const struct od_case *c, const struct od_prov *after,
                                            uint64_t before_line, const char *name)
{
    const struct od_evidence *found = NULL;
    OD_FOR_EACH (const struct od_run_event, moment, c->run_events)
        if (moment->kind == OD_EV_REMARK && moment->said.at.source == after->source &&
            moment->said.at.line > after->line && moment->said.at.line < before_line &&
            od_view_eq_str(moment->name, name))
            found = &moment->said;
    return found;
}

uint64_t od_remark_count(const struct od_case *c, const struct od_incident *incident,
                         const char *name)
{
    uint64_t n = 0;
    OD_FOR_EACH (const struct od_run_event, moment, c->run_events)
        if (moment->kind == OD_EV_REMARK && moment->first.source == incident->at.source &&
            moment->first.line < incident->at.line && od_view_eq_str(moment->name, name))
            n += moment->count > 0 ? moment->count : 1;
    return n;
}

bool od_remark_directly_above(const struct od_case *c, const struct od_incident *incident,
                              const char *name)
{
    enum { LINES = 4 };
    struct od_prov above = incident->at;
    above.line = above.line > LINES ? above.line - LINES - 1 : 0;
    return incident->nframes == 0 && od_remark_between(c, &above, incident->at.line, name) &&
           od_remark_count(c, incident, name) == 1;
}
