#include "advise/remedy.h"

bool od_remedy_is_about(const struct od_advice_remedy *advice, const char *subject)
{
    return advice->about && od_is_among(subject, advice->about);
}

const struct od_advice_kind *od_remedy_limit(const struct od_advise_question *question,
                                             const char *knob)
{
    const struct od_advice *settings = od_advice_find(question->advice, OD_ADVICE_OF_KNOBS);
    OD_FOR_EACH_OF (const struct od_advice_kind, limit, settings->limits, settings->nlimits)
        if (od_is_among(knob, limit->knobs))
            return limit;
    return NULL;
}

struct od_bounds od_remedy_bounds(const struct od_advise_question *question, const char *name)
{
    const struct od_advice_kind *limit = od_remedy_limit(question, name);
    bool memory = limit && strcmp(limit->name, "part") != 0; /* a size alone is no buffer's */
    return od_tries_bounds(question->diagnosis->failure, name, memory);
}

bool od_remedy_was_changed(const struct od_advise_question *question,
                           const struct od_advice_remedy *advice)
{
    const struct od_advice_kind *limit =
        advice->knobs ? od_remedy_limit(question, advice->knobs[0]) : NULL;
    const char *const *knobs = limit ? limit->knobs : advice->knobs;
    for (; knobs && *knobs; knobs++)
        if (od_remedy_bounds(question, *knobs).changed < 0)
            return true;
    return false;
}

bool od_remedy_is_for_host(const struct od_advise_question *question)
{
    const struct od_incident *failure = question->diagnosis->failure->run.ended;
    return failure && od_incident_kind_is_host(failure->kind);
}

bool od_remedy_is_shown(const struct od_remedy *remedy)
{
    for (size_t i = 0; i < remedy->nhow; i++)
        if (remedy->how[i].edit.from || remedy->how[i].on)
            return true;
    return false;
}

bool od_remedies_have(const struct od_remedy *list, size_t n, const char *id)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i].advice->id, id) == 0)
            return true;
    return false;
}
