#include "runs/names.h"

#include "case/case.h"
#include "report/words.h"
#include "runs/names_lists.inc"

const char *od_name_metric(const char *name)
{
    for (int i = 0; name && i < OD_SERIES_METRIC_END; i++)
        if (strcmp(od_series_metric_name((enum od_series_metric)i), name) == 0)
            return od_words_metric((enum od_series_metric)i);
    return NULL;
}

const char *od_name_unit(const char *name)
{
    static const char *const units[] = {
        [OD_SERIES_BYTES] = NULL, [OD_SERIES_PERCENT] = " %", [OD_SERIES_SECONDS] = " s"};
    for (int i = 0; name && i < OD_SERIES_METRIC_END; i++)
        if (strcmp(od_series_metric_name((enum od_series_metric)i), name) == 0)
            return units[od_series_metric_unit((enum od_series_metric)i)];
    return "";
}

const char *od_name_cause(const char *name)
{
    enum od_cause cause = od_cause_named(name);
    return cause < OD_CAUSE_END ? od_cause_words(cause) : NULL;
}

const char *od_name_incident(const char *name)
{
    for (int i = 0; name && i < OD_INC_END; i++)
        if (strcmp(od_incident_kind_name((enum od_incident_kind)i), name) == 0)
            return od_words_incident_short((enum od_incident_kind)i);
    return NULL;
}

const char *od_name_producer(const char *name, struct od_arena *arena)
{
    struct od_view view = od_view_of(name ? name : "");
    const char *words = od_words_producer(arena, view);
    return od_view_eq_str(view, words) ? NULL : words;
}

static bool is_known_word(struct od_view word)
{
    return od_view_eq_any(word, phase_words);
}

const char *od_name_phase(const char *name)
{
    enum { MOST = 28 };
    struct od_view rest = od_view_of(name ? name : ""), word;
    if (rest.n == 0 || rest.n > MOST)
        return NULL;
    while (od_view_cut(&rest, ' ', &word))
        if (!is_known_word(word))
            return NULL;
    return name;
}
