/*
 * What people report to have worked is not what the failed run had: "adding --shm-size=8g fixed
 * it".
 */
#include "case/builder.h"
#include "facts/bounds.h"

/* Does the text report at that place that the value worked? */
static bool worked(const struct od_case *c, const struct od_prov *at, struct od_view value)
{
    OD_FOR_EACH (const struct od_setting, said, c->settings)
        if ((said->id == OD_SETTING_BOUND_WORKED || said->id == OD_SETTING_FOUND_WORKED) &&
            value.n > 0 && od_prov_cmp(&said->said.at, at) == 0 &&
            od_view_starts(od_stated_read(said->value).number, value))
            return true;
    return false;
}

void od_cures_drop(struct od_case *c, struct od_assigned_list *assigned)
{
    size_t n = 0;
    OD_FOR_EACH (struct od_seen, seen, c->seen)
        seen->worked = seen->worked || worked(c, &seen->said.at, seen->value);
    for (size_t i = 0; i < assigned->n; i++)
        if (!worked(c, &assigned->items[i].at, assigned->items[i].value))
            assigned->items[n++] = assigned->items[i];
    assigned->n = n;
    n = 0;
    OD_FOR_EACH (const struct od_setting, setting, c->settings)
        if (od_setting_is_found(setting->id) || !worked(c, &setting->said.at, setting->value))
            c->settings.items[n++] = *setting;
    c->settings.n = n;
}
