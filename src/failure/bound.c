#include "failure/bound.h"

#include "failure/growth.h"
#include "failure/level.h"
#include "rules/software.h"

bool od_bound_is_printed(const struct od_case *c, const struct od_prov *at, const char *name)
{
    enum {
        NEAR = 40
    }; /* lines; also applies to the first lines of a log, where a run prints its limits */
    OD_FOR_EACH (const struct od_setting, setting, c->settings)
        if (od_view_eq_str(setting->name, name) && at->line > 0 &&
            (od_prov_distance(&setting->said.at, at) <= NEAR || setting->said.at.line <= NEAR))
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

/* Was the machine's free memory so large that the request is a small part of it? A measurement
 * after the failure, when memory was already released, counts only on Windows, which also refuses
 * memory that is only reserved. */
static bool had_room(const struct od_case *c, const struct od_incident *incident, bool windows)
{
    struct od_host_level level = od_host_level_near(c, &incident->at);
    struct od_bytes free = od_host_level_free(&level);
    return incident->kind == OD_INC_HOST_ALLOC_FAILED && level.share >= 0 &&
           level.share <= OD_HOST_HALF_FREE && free.known && incident->requested.known &&
           incident->requested.hi <= free.lo / 2 && (windows || !level.later);
}

bool od_bound_is_limit(const struct od_setting *setting, const char *of, const char *knob,
                       const struct od_incident *inc)
{
    struct od_view name = setting->name;
    return setting->said.at.source == inc->at.source && od_view_take(&name, od_view_of(of)) &&
           od_view_eq_str(name, knob);
}

const struct od_setting *od_bound_limit(const struct od_case *c, const char *of, const char *knob,
                                        const struct od_incident *inc)
{
    const struct od_setting *last = NULL, *after = NULL;
    OD_FOR_EACH (const struct od_setting, setting, c->settings) {
        bool before = setting->said.at.line <= inc->last.line;
        if (!od_bound_is_limit(setting, of, knob, inc))
            continue;
        last = before ? setting : last;
        after = before || after ? after : setting;
    }
    return last ? last : after;
}

const struct od_setting *od_bound_of_process(const struct od_case *c,
                                             const struct od_account *account,
                                             const struct od_incident *inc)
{
    bool set = account->scope == OD_SCOPE_ADDRESSES && account->enforcer->said;
    return set ? od_bound_limit(c, account->enforcer->said[0], "", inc) : NULL;
}

static bool is_nearly_full(struct od_bytes used, struct od_bytes limit)
{
    return used.known && limit.known && (double)used.n >= OD_HOST_NEARLY_FULL * (double)limit.n;
}

/* Does a program's setting let it take nearly all of the limit? Then too little is left for the
 * rest of its memory. */
static void take_allowed(struct od_account *account, const struct od_case *c)
{
    static const double nearly = 0.85;
    struct od_set_amount set = {0};
    bool heap = od_case_setting(c, OD_SETTING_HEAP_LIMIT).n > 0;
    OD_FOR_EACH (const struct od_seen, seen, c->seen) {
        const struct od_software *of = seen->sign->software;
        if (of && c->assigned)
            od_set_amount_take(c->assigned, of, !heap && !od_software_surrounds(of), &set);
    }
    if (set.bytes.known && account->limit.bytes.known &&
        (double)set.bytes.n >= nearly * (double)account->limit.bytes.n)
        account->allowed = set;
}

/* Takes the measured size of the whole memory: the machine's RAM by free or top, /dev/shm by df. A
 * kill or refusal without a named memory means that the machine was full. Memory that was free at
 * another time need not have been free at the failure. */
static void take_measured(struct od_account *account, const struct od_case *c,
                          const struct od_incident *incident)
{
    struct od_host_level level = od_host_level_near(c, &incident->at);
    struct od_bytes free = od_host_level_free(&level);
    const struct od_memory_state *df = od_case_find_state(c, "shm");
    if (account->scope == OD_SCOPE_UNKNOWN && is_nearly_full(level.used, level.capacity) &&
        od_amount_less((struct od_amount){account->request.bytes, OD_SCOPE_PROCESS},
                       (struct od_amount){free, OD_SCOPE_MACHINE}) != OD_YES &&
        !account->conflict &&
        (incident->kind == OD_INC_HOST_ALLOC_FAILED || incident->kind == OD_INC_UNEXPLAINED_KILL)) {
        account->scope = account->limit.scope = OD_SCOPE_MACHINE;
        account->free = free;
    }
    if (account->scope == OD_SCOPE_MACHINE && !account->limit.bytes.known)
        account->limit.bytes = level.capacity;
    if (account->scope != OD_SCOPE_SHM || account->limit.bytes.known || !df)
        return;
    account->limit.bytes = df->limit;
    if (is_nearly_full(df->in_use, df->limit))
        account->free = df->free;
}

/* Adds a memory that contains all memories so far. */
static void add_outer(struct od_account *account, enum od_scope scope, struct od_bytes whole)
{
    size_t n = account->nouter;
    struct od_amount outer = {whole, scope}, inner = n > 0 ? account->outer[n - 1] : account->limit;
    if (!od_scope_is_within(scope, inner.scope) && od_amount_less(inner, outer) == OD_YES)
        account->outer[account->nouter++] = outer;
}

/* A heap is part of a process, which may be in a container, which is on a machine. */
static void take_outer(struct od_account *account, const struct od_case *c,
                       const struct od_incident *incident)
{
    struct od_outside outside;
    const struct od_setting *stated = od_case_limit_at(c, &incident->at);
    struct od_bytes process = account->victim.bytes, group = {0};
    if (!od_incident_kind_is_host(incident->kind) || account->conflict)
        return;
    if (od_growth_outside_heap(c, incident, 1, &outside)) {
        account->heap = od_bytes_exact((uint64_t)outside.heap->last);
        if (account->scope == OD_SCOPE_RUNTIME)
            account->free = od_bytes_sub(account->limit.bytes, account->heap);
        process = process.known ? process : od_bytes_exact((uint64_t)outside.rss->last);
    }
    if (stated)
        (void)od_setting_size(stated, &group);
    add_outer(account, OD_SCOPE_PROCESS, process);
    add_outer(account, OD_SCOPE_GROUP, group);
    add_outer(account, OD_SCOPE_MACHINE,
              incident->capacity.known ? incident->capacity
                                       : od_host_level_near(c, &incident->at).capacity);
}

static bool is_on_windows(const struct od_case *c)
{
    const struct od_software *windows = od_software_find(OD_VIEW("windows"));
    OD_FOR_EACH (const struct od_seen, seen, c->seen)
        if (windows && seen->sign->software && od_software_stands_on(seen->sign->software, windows))
            return true;
    return false;
}

struct od_account od_bound_account(const struct od_case *c, const struct od_incident *incident)
{
    struct around around = {c, &incident->at};
    bool windows = is_on_windows(c);
    struct od_enforcer_signs signs = {.windows = windows,
                                      .room = had_room(c, incident, windows),
                                      .is_said = is_said,
                                      .around = &around};
    struct od_account account = od_account_of(incident, &signs);
    take_measured(&account, c, incident);
    const struct od_setting *set = od_bound_of_process(c, &account, incident);
    if (set && !account.limit.bytes.known)
        (void)od_bytes_parse_unit(set->value, OD_VIEW("KiB"), OD_UNIT_BINARY, &account.limit.bytes);
    bool own = account.scope == OD_SCOPE_RUNTIME || od_account_is_of_group(&account);
    if (own && !account.limit.bytes.known && account.enforcer && account.enforcer->lever)
        account.limit.bytes = od_assigned_limit(
            c->assigned, account.enforcer->lever,
            incident->peak.known ? incident->peak : incident->in_use, &incident->at);
    account.had_room = account.had_room || account.scope == OD_SCOPE_PROCESS;
    if (account.scope == OD_SCOPE_MACHINE || od_account_is_of_group(&account))
        take_allowed(&account, c);
    take_outer(&account, c, incident);
    return account;
}
