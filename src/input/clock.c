#include "input/clock.h"

#include "base/daytime.h"

#include <stdio.h>

enum { HEAD_BYTES = 200, TAIL_BYTES = 120, HEAD_LINES = 64, TAIL_LINES = 16, DAY = 86400 };

struct date {
    unsigned year, month, day;
};

static struct od_time find_in(struct od_view text)
{
    struct od_time time = {0};
    double seconds = 0;
    for (size_t i = 0; i + 15 <= text.n && !time.known; i++) {
        const char *p = text.p + i;
        bool number =
            (p[4] == '-' || p[4] == '/') && od_is_digit(p[0]) && (i == 0 || !od_is_digit(p[-1]));
        bool word = p[3] == ' ' && p[0] >= 'A' && p[0] <= 'S';
        time.known =
            (number || word) && od_daytime_stamp(od_view_from(text, i), &time.has_year, &seconds);
    }
    time.seconds = time.known ? (int64_t)seconds : 0;
    return time;
}

struct od_time od_time_find(struct od_view line)
{
    struct od_time time = find_in(od_view_head(line, HEAD_BYTES));
    if (time.known || line.n <= HEAD_BYTES)
        return time;
    return find_in(od_view_from(line, line.n - TAIL_BYTES));
}

static struct od_time first_of(struct od_view block)
{
    struct od_time time = {0};
    struct od_view line;
    for (unsigned i = 0; i < HEAD_LINES && !time.known && od_view_cut(&block, '\n', &line); i++)
        time = od_time_find(line);
    return time;
}

static struct od_time last_of(struct od_view block)
{
    struct od_time time = {0};
    for (unsigned i = 0; i < TAIL_LINES && !time.known && block.n > 0; i++) {
        if (block.p[block.n - 1] == '\n')
            block.n--;
        const char *lf = block.n > 0 ? od_find_last(block.p, '\n', block.n) : NULL;
        size_t start = lf ? (size_t)(lf - block.p) + 1 : 0;
        time = od_time_find(od_view_from(block, start));
        block.n = start;
    }
    return time;
}

void od_clock_block(struct od_clock *clock, struct od_view block)
{
    if (!clock->first.known)
        clock->first = first_of(block);
    struct od_time last = last_of(block);
    if (last.known && (!clock->first.known || last.has_year == clock->first.has_year))
        clock->last = last;
}

int64_t od_clock_span(const struct od_clock *clock)
{
    if (!clock->first.known || !clock->last.known || clock->last.seconds < clock->first.seconds)
        return -1;
    return clock->last.seconds - clock->first.seconds;
}

/* Converts days since 1970 to a date (Howard Hinnant, "chrono-compatible low-level date
 * algorithms", civil_from_days). */
static struct date date_of(int64_t days)
{
    days += 719468;
    int64_t era = days / 146097;
    int64_t of_era = days - era * 146097;
    int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
    int64_t month = (5 * of_year + 2) / 153;
    struct date date = {.day = (unsigned)(of_year - (153 * month + 2) / 5 + 1),
                        .month = (unsigned)(month < 10 ? month + 3 : month - 9)};
    date.year = (unsigned)(year + era * 400 + (date.month <= 2));
    return date;
}

const char *od_time_print(struct od_time time, char buf[static OD_TIME_TEXT])
{
    buf[0] = '\0';
    if (!time.known)
        return buf;
    struct date date = date_of(time.seconds / DAY);
    unsigned clock = (unsigned)(time.seconds % DAY);
    char year[8] = "";
    if (time.has_year)
        (void)snprintf(year, sizeof year, "%04u-", date.year % 10000);
    (void)snprintf(buf, OD_TIME_TEXT, "%s%02u-%02uT%02u:%02u:%02u", year, date.month % 100,
                   date.day % 100, clock / 3600 % 100, clock / 60 % 60, clock % 60);
    return buf;
}
