#include "runs/fleet_time.h"

#include "base/daytime.h"

enum {
    DAY_TEXT = 10, /* length of "2026-05-02" */
    BACK_DAYS = 7  /* a shorter gap is no absence, because few programs run daily */
};

static bool is_day(const char *text)
{
    for (size_t i = 0; i < DAY_TEXT; i++)
        if (i == 4 || i == 7 ? text[i] != '-' : !od_is_digit(text[i]))
            return false;
    int month = (text[5] - '0') * 10 + text[6] - '0', day = (text[8] - '0') * 10 + text[9] - '0';
    return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

bool od_fleet_is_day(const char *text)
{
    return strlen(text) == DAY_TEXT && is_day(text);
}

const char *od_fleet_day(const char *stamp, struct od_arena *arena)
{
    char day[DAY_TEXT + 1] = {0};
    if (strlen(stamp) < DAY_TEXT)
        return "";
    for (size_t i = 0; i < DAY_TEXT; i++)
        day[i] = stamp[i] == '/' ? '-' : stamp[i];
    return is_day(day) ? od_arena_str(arena, od_view_of(day)) : "";
}

int64_t od_fleet_day_number(const char *day)
{
    int64_t year =
        (day[0] - '0') * 1000 + (day[1] - '0') * 100 + (day[2] - '0') * 10 + day[3] - '0';
    int64_t month = (day[5] - '0') * 10 + day[6] - '0', d = (day[8] - '0') * 10 + day[9] - '0';
    return od_days_of(year, month, d);
}

const char *od_fleet_fingerprint(const struct od_row_member *run, struct od_arena *arena)
{
    const char *text =
        od_arena_printf(arena, "%s|%s|%s|%s", run->producer, run->kind, run->tensor, run->device);
    return od_arena_printf(arena, "%016" PRIx64, od_view_hash(od_view_of(text)));
}

/* Days on which failures of one fingerprint occurred; "" = never. */
struct seen {
    const char *last_before, *first_since;
};

static void look(struct seen *seen, const struct od_row_member *run, const char *since)
{
    if (run->date[0] == '\0')
        return;
    if (strcmp(run->date, since) < 0) {
        if (strcmp(run->date, seen->last_before) > 0)
            seen->last_before = run->date;
    } else if (seen->first_since[0] == '\0' || strcmp(run->date, seen->first_since) < 0) {
        seen->first_since = run->date;
    }
}

/* Were there runs without this failure between its last day before `since` and its next one? */
static bool was_away(const struct od_fleet *fleet, const struct seen *seen)
{
    if (od_fleet_day_number(seen->first_since) - od_fleet_day_number(seen->last_before) <=
        BACK_DAYS)
        return false;
    for (size_t i = 0; i < fleet->runs.n; i++)
        if (strcmp(fleet->runs.items[i].date, seen->last_before) > 0 &&
            strcmp(fleet->runs.items[i].date, seen->first_since) < 0)
            return true;
    return false;
}

static const char *status_of(const struct od_fleet *fleet, const struct seen *seen)
{
    bool before = seen->last_before[0] != '\0', since = seen->first_since[0] != '\0';
    if (before && since)
        return was_away(fleet, seen) ? "back" : "ongoing";
    return before ? "gone" : since ? "new" : NULL;
}

void od_fleet_compare(struct od_fleet *fleet)
{
    struct od_map index = {0};
    OD_VEC(struct seen) all = {0};
    for (size_t g = 0; fleet->since && g < fleet->groups.n; g++) {
        const struct od_fleet_group *group = &fleet->groups.items[g];
        uint64_t *at = od_map_at(&index, od_view_of(group->fingerprint));
        if (*at == 0) {
            struct seen fresh = {"", ""};
            od_vec_push(&all, fresh);
            *at = all.n;
        }
        for (size_t i = 0; i < group->count; i++)
            look(&all.items[*at - 1], &group->runs[i], fleet->since);
    }
    for (size_t g = 0; fleet->since && g < fleet->groups.n; g++) {
        struct od_fleet_group *group = &fleet->groups.items[g];
        const uint64_t *at = od_map_get(&index, od_view_of(group->fingerprint));
        group->status = status_of(fleet, &all.items[*at - 1]);
    }
    od_vec_done(&all);
    od_map_done(&index);
}
