#include "rules/software.h"

const struct od_software *od_software_find(struct od_view name)
{
    for (const struct od_software *const *s = od_shipped_software; *s; s++)
        if (name.n > 0 && name.p[0] == (*s)->name[0] && od_view_eq_str(name, (*s)->name))
            return *s;
    return NULL;
}

/* od_software_check_all excludes cycles. */
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

enum od_knob_type od_knob_type_of(const char *name)
{
    static const struct {
        const char *name;
        enum od_knob_type type;
    } knobs[] = {
#define OD_KNOB(name, type) {#name, OD_KNOB_##type},
#include "rules/knobs.def"
    };
    size_t i = 0;
    while (i + 1 < OD_COUNT_OF(knobs) && strcmp(knobs[i].name, name) != 0)
        i++;
    return knobs[i].type;
}

bool od_knob_takes_a_word(const struct od_knob *knob)
{
    enum od_knob_type type = od_knob_type_of(knob->name);
    return type == OD_KNOB_WORD || type == OD_KNOB_LEAST;
}
