#include "case/case.h"

enum { HOST = 1, KILL = 2, GUARD = 4 };
static const struct {
    const char *name;
    enum od_scope scope;
    unsigned is;
} kinds[OD_INC_END] = {
#define OD_INCIDENT_KIND(of, name, scope, is, depth, least, event) {#name, OD_SCOPE_##scope, is},
#include "case/incident_kinds.def"
};

static bool is(enum od_incident_kind kind, unsigned what)
{
    return kind < OD_INC_END && kinds[kind].is & what;
}

const char *od_incident_kind_name(enum od_incident_kind kind)
{
    return kind < OD_INC_END ? kinds[kind].name : NULL;
}

bool od_incident_kind_is_host(enum od_incident_kind kind)
{
    return is(kind, HOST);
}

bool od_incident_kind_is_kill(enum od_incident_kind kind)
{
    return is(kind, KILL);
}

bool od_incident_kind_is_guard(enum od_incident_kind kind)
{
    return is(kind, GUARD);
}

struct od_amount od_incident_amount(const struct od_incident *incident, size_t member)
{
#define IS(name) (member == offsetof(struct od_incident, name))
    enum od_scope whole = is(incident->kind, HOST) ? OD_SCOPE_MACHINE : OD_SCOPE_DEVICE;
    struct od_amount amount = {.scope = IS(capacity) || IS(free) || IS(held) ? whole
                                        : IS(process.rss)                    ? OD_SCOPE_PROCESS
                                        : IS(swap) || IS(swap_free)          ? OD_SCOPE_SWAP
                                                                    : kinds[incident->kind].scope};
    memcpy(&amount.bytes, (const char *)incident + member, sizeof amount.bytes);
    return amount;
}

struct od_view od_incident_unit(const struct od_incident *incident)
{
    struct od_view unit = incident->group;
    for (size_t at; (at = od_view_find_char(unit, '/', 0)) != OD_VIEW_NONE;)
        unit = od_view_from(unit, at + 1);
    return unit;
}

struct od_view od_incident_job(const struct od_incident *incident)
{
    static const char folder[] = "/job_";
    size_t at = od_view_find(incident->group, od_view_of(folder), 0);
    if (at == OD_VIEW_NONE)
        return (struct od_view){0};
    struct od_view job = od_view_from(incident->group, at + strlen(folder));
    return od_view_head(job, od_view_find_char(job, '/', 0));
}

bool od_incident_is_of_service(const struct od_incident *incident)
{
    struct od_view unit = od_incident_unit(incident);
    return od_view_ends(unit, OD_VIEW(".service")) && !od_view_starts(unit, OD_VIEW("user@"));
}

bool od_incident_calls(const struct od_incident *incident, enum od_frame_meaning meaning)
{
    bool calls = false;
    for (size_t i = 0; i < incident->nframes; i++)
        calls |= od_means(incident->frames[i].means, meaning);
    return calls;
}

bool od_incident_ends_in(const struct od_incident *incident, enum od_frame_meaning meaning)
{
    size_t i = incident->nframes;
    while (i > 1 && od_means(incident->frames[i - 1].means, OD_FRAME_PRIMITIVE))
        i--;
    return i > 0 && od_means(incident->frames[i - 1].means, meaning);
}

struct od_view od_incident_package(const struct od_incident *incident)
{
    struct od_view folder = OD_VIEW("-packages/");
    if (incident->nframes == 0)
        return (struct od_view){0};
    struct od_view file = incident->frames[incident->nframes - 1].file;
    size_t at = od_view_find(file, folder, 0);
    struct od_view package =
        at == OD_VIEW_NONE ? (struct od_view){0} : od_view_from(file, at + folder.n);
    size_t end = od_view_find_char(package, '/', 0);
    return end == OD_VIEW_NONE ? (struct od_view){0} : od_view_head(package, end);
}

bool od_incident_says(const struct od_incident *incident, enum od_said_meaning meaning)
{
    bool says = false;
    for (size_t i = 0; i < incident->evidence.n; i++)
        says |= od_means(incident->evidence.items[i].means, meaning);
    return says;
}

bool od_incident_is_handled(const struct od_incident *incident)
{
    bool handled = incident->evidence.n > 0;
    for (size_t i = 0; i < incident->evidence.n; i++)
        handled = handled && od_means(incident->evidence.items[i].means, OD_SAID_HANDLED);
    return handled;
}

bool od_incident_is_far_below(const struct od_incident *incident, struct od_bytes limit)
{
    static const double far = 0.6; /* other processes of the group may hold the rest */
    struct od_bytes held = incident->peak.known ? incident->peak : incident->process.rss;
    return od_incident_kind_is_kill(incident->kind) && incident->holdings.n == 0 && held.known &&
           limit.known && (double)held.hi < far * (double)limit.lo;
}
