#include "readers/measure.h"

#include "base/ascii.h"
#include "base/num.h"

enum { EXCERPT_MAX = 400, YEAR_MIN = 1990, YEAR_MAX = 2100 };

struct od_event od_measure_event(const char *reader, const struct od_line *line, const char *space)
{
    struct od_event event = {.kind = OD_EV_SAMPLE,
                             .at = line->at,
                             .line = line,
                             .excerpt = od_view_head(od_view_trim(line->text), EXCERPT_MAX),
                             .rule = reader};
    if (space)
        od_event_set_text(&event, OD_F_SPACE, od_view_of(space));
    return event;
}

void od_measure_set(struct od_event *event, enum od_field field, struct od_bytes bytes)
{
    if (bytes.known)
        od_event_set_bytes(event, field, bytes);
}

static const struct {
    double from, below;
    const char *unit;
} wholes[2][4] = {
    /* of a machine: 4 GiB and more */
    {{4, 512, "GiB"}, {8192, 1 << 20, "MiB"}, {8 << 20, 4.3e9, "KiB"}, {1.7e10, 4.4e12, "B"}},
    /* of a device: nobody prints KiB */
    {{2, 1024, "GiB"}, {2000, 1 << 20, "MiB"}, {1e9, 1e12, "B"}, {0, 0, NULL}},
};

const char *od_measure_unit_of_whole(double whole, bool device)
{
    for (size_t i = 0; i < OD_COUNT_OF(wholes[0]); i++)
        if (whole >= wholes[device][i].from && whole < wholes[device][i].below)
            return wholes[device][i].unit;
    return NULL;
}

/* Days since 1970-01-01 in the Gregorian calendar (Howard Hinnant, "chrono-compatible low-level
 * date algorithms"): years begin in March, so that leap days come last. */
static int64_t days_of(int64_t year, int64_t month, int64_t day)
{
    year -= month <= 2;
    int64_t era = year / 400, of_era = year - era * 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static bool take_part(struct od_view *text, uint64_t *ret_n, char upto)
{
    struct od_view rest = *text;
    if (!od_num_take_u64(&rest, ret_n))
        return false;
    if (upto && (rest.n == 0 || rest.p[0] != upto))
        return false;
    *text = od_view_from(rest, upto ? 1 : 0);
    return true;
}

static bool take_date(struct od_view *text, double *ret_seconds)
{
    struct od_view rest = *text;
    uint64_t year, month, day;
    char by = rest.n > 4 ? rest.p[4] : '\0';
    if (od_is_digit(by)) { /* 20240502 */
        if (!take_part(&rest, &day, ' '))
            return false;
        year = day / 10000;
        month = day / 100 % 100;
        day %= 100;
        rest = od_view_trim(rest);
    } else {
        if ((by != '/' && by != '-') || !take_part(&rest, &year, by) ||
            !take_part(&rest, &month, by) || !take_part(&rest, &day, 0) || rest.n == 0 ||
            (rest.p[0] != ' ' && rest.p[0] != 'T'))
            return false;
        rest = od_view_from(rest, 1);
    }
    if (year < YEAR_MIN || year > YEAR_MAX || month < 1 || month > 12 || day < 1 || day > 31)
        return false;
    *ret_seconds = (double)days_of((int64_t)year, (int64_t)month, (int64_t)day) * 86400;
    *text = rest;
    return true;
}

static bool take_clock(struct od_view *text, double *ret_seconds)
{
    struct od_view rest = *text;
    uint64_t hour, minute;
    double second;
    if (!take_part(&rest, &hour, ':') || !take_part(&rest, &minute, ':') || hour > 24 ||
        minute > 59)
        return false;
    size_t n = 0;
    while (n < rest.n && (od_is_digit(rest.p[n]) || rest.p[n] == '.' || rest.p[n] == ','))
        n++;
    if (!od_num_parse_double(od_view_head(rest, n), &second) || second >= 61)
        return false;
    *text = od_view_from(rest, n);
    if (od_view_starts(*text, OD_VIEW(" PM")) && hour < 12)
        hour += 12;
    else if (od_view_starts(*text, OD_VIEW(" AM")) && hour == 12)
        hour = 0;
    *ret_seconds = (double)(hour * 3600 + minute * 60) + second;
    return true;
}

/* Since 1970: seconds have ten digits before the point in our time, milliseconds thirteen. */
static bool is_epoch(double value, double *ret_seconds)
{
    const double first = 6e8, last = 4e9;
    if (value >= first && value <= last)
        *ret_seconds = value;
    else if (value >= first * 1e3 && value <= last * 1e3)
        *ret_seconds = value / 1e3;
    else
        return false;
    return true;
}

bool od_measure_time(struct od_view text, double *ret_seconds)
{
    double date = 0, clock, value;
    text = od_view_trim(text);
    if (od_num_parse_double(text, &value))
        return is_epoch(value, ret_seconds);
    (void)take_date(&text, &date);
    if (!take_clock(&text, &clock))
        return false;
    (void)od_view_take(&text, OD_VIEW("Z"));
    if (text.n > 0 && text.p[0] != '+' && text.p[0] != '-' && text.p[0] != ' ')
        return false;
    *ret_seconds = date + clock;
    return true;
}
