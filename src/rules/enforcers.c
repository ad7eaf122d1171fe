#include "rules/enforcers.h"

const struct od_enforcer od_enforcers[] = {
#include "rules/enforcers.inc"
    {0},
};

static bool holds_any(const struct od_enforcer_signs *signs, const char *const *words)
{
    for (size_t i = 0; i < signs->nlines; i++)
        if (od_view_has_any(signs->lines[i], words))
            return true;
    return false;
}

static bool says_any(const struct od_enforcer_signs *signs, const char *const *names)
{
    for (size_t i = 0; signs->is_said && names[i]; i++)
        if (signs->is_said(signs->around, names[i]))
            return true;
    return false;
}

static bool holds(const struct od_enforcer *enforcer, const struct od_enforcer_signs *signs)
{
    return (!enforcer->kinds || od_is_among(signs->kind, enforcer->kinds)) &&
           (!enforcer->producers || od_view_eq_any(signs->producer, enforcer->producers)) &&
           (!enforcer->path || od_view_eq_any(signs->group, enforcer->path)) &&
           (!enforcer->groups || od_view_has_any(signs->group, enforcer->groups)) &&
           (!enforcer->words || holds_any(signs, enforcer->words)) &&
           (!enforcer->said || says_any(signs, enforcer->said)) &&
           (!enforcer->tiny || signs->tiny) && (!enforcer->room || signs->room) &&
           (!enforcer->windows || signs->windows);
}

const struct od_enforcer *od_enforcer_find(const struct od_enforcer_signs *signs)
{
    for (const struct od_enforcer *enforcer = od_enforcers; enforcer->id; enforcer++)
        if (holds(enforcer, signs))
            return enforcer;
    return NULL;
}
