#include "advise/releases.h"

#include "base/daytime.h"

/* Raises *latest to the date in text, in seconds since 1970. Times without a date and dates of an
 * unset clock are ignored. */
static void note(struct od_view text, double *latest)
{
    static const double years_before_these = 1420070400; /* 2015 */
    double seconds;
    if (od_daytime_head(text, &seconds) && seconds > years_before_these && seconds > *latest)
        *latest = seconds;
}

static double last_day(const struct od_case *c, const struct od_incident *incident)
{
    double latest = 0;
    note(incident->stamp, &latest);
    for (size_t i = 0; i < incident->evidence.n; i++)
        note(incident->evidence.items[i].text, &latest);
    for (size_t i = 0; i < c->seen.n; i++)
        if (c->seen.items[i].said.at.source == incident->at.source)
            note(c->seen.items[i].said.text, &latest);
    return latest;
}

bool od_releases_later(const struct od_case *c, const struct od_incident *incident,
                       const struct od_software *software, const char *version)
{
    double day, latest = last_day(c, incident);
    OD_FOR_EACH_OF (const struct od_software_release, release, software->releases,
                    software->nreleases)
        if (latest > 0 && strcmp(release->version, version) == 0)
            return od_daytime_parse(od_view_of(release->day), &day) && latest < day;
    return false;
}
