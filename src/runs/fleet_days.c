#include "runs/fleet_days.h"

#include "runs/fleet_time.h"

static void widen(struct od_fleet_days *days, const struct od_fleet_group *group)
{
    for (size_t i = 0; i < group->count; i++) {
        const char *date = group->runs[i].date;
        if (date[0] == '\0')
            continue;
        if (days->first[0] == '\0' || strcmp(date, days->first) < 0)
            days->first = date;
        if (strcmp(date, days->last) > 0)
            days->last = date;
    }
}

struct od_fleet_days od_fleet_days_of(const struct od_fleet *fleet)
{
    struct od_fleet_days days = {.first = "", .last = ""};
    for (size_t i = 0; i < fleet->groups.n; i++)
        widen(&days, &fleet->groups.items[i]);
    if (days.first[0] == '\0')
        return days;
    days.start = od_fleet_day_number(days.first);
    size_t span = (size_t)(od_fleet_day_number(days.last) - days.start) + 1;
    days.each = (span + OD_FLEET_STRETCHES - 1) / OD_FLEET_STRETCHES;
    days.n = (span + days.each - 1) / days.each;
    return days;
}

void od_fleet_days_count(const struct od_fleet_days *days, const struct od_fleet_group *group,
                         double ret_counts[OD_FLEET_STRETCHES])
{
    for (size_t i = 0; i < group->count; i++) {
        const char *date = group->runs[i].date;
        if (date[0] != '\0')
            ret_counts[(size_t)(od_fleet_day_number(date) - days->start) / days->each]++;
    }
}
