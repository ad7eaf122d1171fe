#include "failure/bound.h"

#include "failure/level.h"

bool od_bound_is_printed(const struct od_case *c, const struct od_prov *at, const char *name)
{
    enum { NEAR = 40 };
    OD_FOR_EACH (const struct od_setting, setting, c->settings)
        if (od_view_eq_str(setting->name, name) && at->line > 0 &&
            od_prov_distance(&setting->said.at, at) <= NEAR)
            return true;
    return false;
}

struct around {
    const struct od_case *c;
    const struct od_prov *at;
};

static bool is_said(const void *arg, const char *name)
{
    const struct around *around = arg;
    return od_bound_is_printed(around->c, around->at, name);
}

/* Was so much of the machine free that the request is a small part of it? A measurement made after
 * the failure, when memory was already released, counts only on Windows, which also refuses memory
 * that is only reserved. */
static bool had_room(const struct od_case *c, const struct od_incident *incident, bool windows)
{
    struct od_host_level level = od_host_level_near(c, &incident->at);
    struct od_bytes free = od_host_level_free(&level);
    return incident->kind == OD_INC_HOST_ALLOC_FAILED && level.share >= 0 &&
           level.share <= OD_HOST_HALF_FREE && free.known && incident->requested.known &&
           incident->requested.hi <= free.lo / 2 && (windows || !level.later);
}

const struct od_setting *od_bound_addresses(const struct od_case *c, const struct od_prov *at)
{
    const struct od_setting *last = NULL, *after = NULL;
    OD_FOR_EACH (const struct od_setting, setting, c->settings) {
        bool before = setting->said.at.line <= at->line;
        if (!od_view_eq_str(setting->name, "limit_of_addresses") ||
            setting->said.at.source != at->source)
            continue;
        last = before ? setting : last;
        after = before || after ? after : setting;
    }
    return last ? last : after;
}

struct od_account od_bound_account(const struct od_case *c, const struct od_incident *incident,
                                   const struct od_stack *stack)
{
    struct around around = {c, &incident->at};
    bool windows = od_stack_on_windows(stack);
    struct od_enforcer_signs signs = {.windows = windows,
                                      .room = had_room(c, incident, windows),
                                      .is_said = is_said,
                                      .around = &around};
    struct od_account account = od_account_of(incident, &signs);
    const struct od_setting *set = od_bound_addresses(c, &incident->at);
    if (set && account.scope == OD_SCOPE_ADDRESSES && !account.limit.bytes.known)
        (void)od_bytes_parse_unit(set->value, OD_VIEW("KiB"), OD_UNIT_BINARY, &account.limit.bytes);
    return account;
}
