#include "rules/software.h"

const struct od_software *od_software_find(struct od_view name)
{
    for (const struct od_software *const *s = od_shipped_software; *s; s++)
        if (name.n > 0 && name.p[0] == (*s)->name[0] && od_view_eq_str(name, (*s)->name))
            return *s;
    return NULL;
}

/* od_software_check_all makes sure that there are no cycles. */
bool od_software_stands_on(const struct od_software *software, const struct od_software *below)
{
    if (software == below)
        return true;
    for (const char *const *name = software->over; name && *name; name++) {
        const struct od_software *next = od_software_find(od_view_of(*name));
        if (next && od_software_stands_on(next, below))
            return true;
    }
    return false;
}
