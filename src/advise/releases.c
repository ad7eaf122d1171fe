#include "advise/releases.h"

#include "base/daytime.h"

/* Day (UTC) on which the first final release of each version that advice names was uploaded to the
 * Python Package Index. PyTorch 0.4 was not uploaded; the date is that of its migration guide,
 * 2018-04-22. */
static const struct {
    const char *framework, *version, *day;
} releases[] = {
    {"tensorflow", "1.14", "2019-06-19 00:00:00"}, {"tensorflow", "2.0", "2019-09-30 00:00:00"},
    {"tensorflow", "2.1", "2020-01-08 00:00:00"},  {"tensorflow", "2.4", "2020-12-14 00:00:00"},
    {"tensorflow", "2.5", "2021-05-13 00:00:00"},  {"tensorflow", "2.6", "2021-08-11 00:00:00"},
    {"tensorflow", "2.13", "2023-07-05 00:00:00"}, {"tensorflow", "2.16", "2024-03-09 00:00:00"},
    {"pytorch", "0.4", "2018-04-22 00:00:00"},     {"pytorch", "1.4", "2020-01-15 00:00:00"},
    {"pytorch", "1.6", "2020-07-28 00:00:00"},     {"pytorch", "1.7", "2020-10-27 00:00:00"},
    {"pytorch", "1.8", "2021-03-04 00:00:00"},     {"pytorch", "1.9", "2021-06-15 00:00:00"},
    {"pytorch", "1.10", "2021-10-21 00:00:00"},    {"pytorch", "1.11", "2022-03-10 00:00:00"},
    {"pytorch", "1.12", "2022-06-28 00:00:00"},    {"pytorch", "2.0", "2023-03-15 00:00:00"},
    {"pytorch", "2.1", "2023-10-04 00:00:00"},     {"pytorch", "2.5", "2024-10-17 00:00:00"},
    {"pytorch", "2.6", "2025-01-29 00:00:00"},
};

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
                       const char *framework, const char *version)
{
    double day, latest = last_day(c, incident);
    for (size_t i = 0; latest > 0 && i < OD_COUNT_OF(releases); i++)
        if (strcmp(releases[i].framework, framework) == 0 &&
            strcmp(releases[i].version, version) == 0)
            return od_daytime_parse(od_view_of(releases[i].day), &day) && latest < day;
    return false;
}
