#include "base/daytime.h"

enum {
    YEAR_MIN = 1990,
    YEAR_MAX = 2100,
    HEAD_BYTES = 40, /* the clock must begin within this many bytes of a line */
    KEY_BYTES = 200  /* the key of the time must begin within this many bytes of a JSON line */
};

/* Howard Hinnant, "chrono-compatible low-level date algorithms": years begin in March, so that leap
 * days come last. */
int64_t od_days_of(int64_t year, int64_t month, int64_t day)
{
    year -= month <= 2;
    int64_t era = year / 400, of_era = year - era * 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static bool take_part(struct od_view *text, uint64_t *ret_n, char upto)
{
    enum { FIGURES = 9 }; /* a number with more digits is not part of a time */
    uint64_t value = 0;
    size_t i = 0;
    for (; i < text->n && i <= FIGURES && od_is_digit(text->p[i]); i++)
        value = value * 10 + (uint64_t)(text->p[i] - '0');
    if (i == 0 || i > FIGURES || (upto && (i == text->n || text->p[i] != upto)))
        return false;
    *ret_n = value;
    *text = od_view_from(*text, upto ? i + 1 : i);
    return true;
}

static unsigned two(const char *p)
{
    return (unsigned)(p[0] - '0') * 10 + (unsigned)(p[1] - '0');
}

/* Does the text begin like the form, where "d" means a digit? */
static bool has_form(struct od_view text, struct od_view form)
{
    for (size_t i = 0; i < form.n; i++)
        if (i >= text.n || (form.p[i] == 'd' ? !od_is_digit(text.p[i]) : text.p[i] != form.p[i]))
            return false;
    return true;
}

static bool take_date(struct od_view *text, double *ret_seconds)
{
    struct od_view rest = *text;
    uint64_t year, month, day;
    char by = rest.n > 4 ? rest.p[4] : '\0';
    if (has_form(rest, OD_VIEW("dddd-dd-dd "))) {
        year = two(rest.p) * 100 + two(rest.p + 2);
        month = two(rest.p + 5);
        day = two(rest.p + 8);
        rest = od_view_from(rest, 11);
    } else if (od_is_digit(by)) { /* a date without separators: "20240502" */
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
    *ret_seconds = (double)od_days_of((int64_t)year, (int64_t)month, (int64_t)day) * 86400;
    *text = rest;
    return true;
}

/* Reads seconds with an optional fraction, adds hour and minute, and removes them from the text. */
static bool take_seconds(struct od_view *text, uint64_t hour, uint64_t minute, double *ret_seconds)
{
    double second;
    size_t n = 0;
    bool point = false;
    for (; n < text->n; n++) {
        bool sign = !point && (text->p[n] == '.' || text->p[n] == ',') && n + 1 < text->n &&
                    od_is_digit(text->p[n + 1]);
        if (!sign && !od_is_digit(text->p[n]))
            break;
        point |= sign;
    }
    if (hour > 24 || minute > 59 || !od_num_parse_double(od_view_head(*text, n), &second) ||
        second >= 61)
        return false;
    *text = od_view_from(*text, n);
    if (od_view_starts(*text, OD_VIEW(" PM")) && hour < 12)
        hour += 12;
    else if (od_view_starts(*text, OD_VIEW(" AM")) && hour == 12)
        hour = 0;
    *ret_seconds = (double)(hour * 3600 + minute * 60) + second;
    return true;
}

static bool take_clock(struct od_view *text, double *ret_seconds)
{
    uint64_t hour, minute;
    return take_part(text, &hour, ':') && take_part(text, &minute, ':') &&
           take_seconds(text, hour, minute, ret_seconds);
}

/* Is the value a time since 1970, in seconds (ten digits before the point) or milliseconds
 * (thirteen)? *ret_seconds is in seconds. */
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

bool od_daytime_parse(struct od_view text, double *ret_seconds)
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

/* Reads "Jan  2 " as a date of the given year. */
static bool take_named_date(struct od_view *text, int64_t year, double *ret_seconds)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    uint64_t day;
    const char *found = NULL;
    for (size_t i = 0; text->n > 4 && i + 3 < sizeof months && !found; i += 3)
        found = memcmp(text->p, months + i, 3) == 0 && text->p[3] == ' ' ? months + i : NULL;
    if (!found)
        return false;
    struct od_view rest = od_view_from(*text, 4);
    (void)od_view_take(&rest, OD_VIEW(" "));
    if (!take_part(&rest, &day, ' ') || day < 1 || day > 31)
        return false;
    *ret_seconds = (double)od_days_of(year, (found - months) / 3 + 1, (int64_t)day) * 86400;
    *text = rest;
    return true;
}

bool od_daytime_stamp(struct od_view text, bool *ret_has_year, double *ret_seconds)
{
    double date, clock;
    *ret_has_year = text.n > 0 && od_is_digit(text.p[0]);
    if (!(*ret_has_year ? take_date(&text, &date) : take_named_date(&text, 1970, &date)) ||
        !take_clock(&text, &clock))
        return false;
    *ret_seconds = date + clock;
    return true;
}

/* Is there a time like "10:11:05" at this position, without further digits or colons around it? */
static bool is_clock(struct od_view line, size_t at)
{
    struct od_view form = OD_VIEW("dd:dd:dd");
    if ((at > 0 && (od_is_digit(line.p[at - 1]) || line.p[at - 1] == ':')) ||
        !has_form(od_view_from(line, at), form))
        return false;
    size_t end = at + form.n;
    return end == line.n || (!od_is_digit(line.p[end]) && line.p[end] != ':');
}

/* The date of the clock at position `at`: "2024-05-02 " before it, or "May  2 " before it with the
 * year in `rest`, the text after the clock. 0 if there is no date. */
static double date_around(struct od_view line, size_t at, struct od_view rest)
{
    enum { DATE = sizeof "2024-05-02 " - 1, NAMED = sizeof "May  2 " - 1 };
    double date = 0;
    uint64_t year;
    struct od_view text = od_view_head(line, at);
    if (at >= DATE) {
        text = od_view_from(text, at - DATE);
        (void)take_date(&text, &date);
    }
    if (date > 0 || at < NAMED || !od_view_take(&rest, OD_VIEW(" ")) ||
        !od_num_take_u64(&rest, &year) || year < YEAR_MIN || year > YEAR_MAX)
        return date;
    text = od_view_from(od_view_head(line, at), at - NAMED);
    (void)take_named_date(&text, (int64_t)year, &date);
    return date;
}

static bool is_sign(char c)
{
    switch (c) {
    case '[':
    case ']':
    case '(':
    case ')':
    case '<':
    case '>':
    case '-':
    case '/':
    case '.':
    case ',':
    case ' ':
    case '\t':
    case '|':
    case '=':
    case '"':
        return true;
    default:
        return false;
    }
}

/* Can this text precede the time of a line? It may have brackets, punctuation, digits of a date and
 * two words, but no second number that is too long for a date: "920 133232" is a process. */
static bool may_precede(struct od_view head)
{
    enum { YEAR = 4, DATE = 8 };
    size_t words = 0, digits = 0, numbers = 0;
    bool within = false;
    for (size_t i = 0; i < head.n; i++) {
        char c = head.p[i];
        bool digit = od_is_digit(c), letter = !digit && od_is_letter(c);
        words += letter && !within;
        within = letter;
        digits = digit ? digits + 1 : 0;
        numbers += digits == 1;
        bool ends = digit && (i + 1 == head.n || !od_is_digit(head.p[i + 1]));
        if (ends && numbers > 1 && digits > YEAR && digits != DATE)
            return false;
        if (words > 2 || (!letter && !digit && !is_sign(c)))
            return false;
    }
    return true;
}

static bool take_key(struct od_view line, double *ret_seconds)
{
    static const char *const keys[] = {"\"timestamp\"", "\"@timestamp\"", "\"time\"",
                                       "\"ts\"",        "\"asctime\"",    NULL};
    struct od_view head = od_view_head(line, KEY_BYTES);
    for (size_t i = 0; keys[i]; i++) {
        size_t at = od_view_find(head, od_view_of(keys[i]), 0);
        if (at == OD_VIEW_NONE)
            continue;
        struct od_view rest = od_view_from(line, at + od_view_of(keys[i]).n), value;
        while (rest.n > 0 && (rest.p[0] == ':' || rest.p[0] == ' '))
            rest = od_view_from(rest, 1);
        bool quoted = od_view_take(&rest, OD_VIEW("\""));
        return od_view_cut(&rest, quoted ? '"' : ',', &value) &&
               od_daytime_parse(value, ret_seconds);
    }
    return false;
}

/* od_daytime_place returns this for a line of JSON, which has the time under a key. */
#define IN_JSON (OD_VIEW_NONE - 1)

size_t od_daytime_place(struct od_view line)
{
    if (od_view_starts(line, OD_VIEW("{")))
        return IN_JSON;
    enum { HOUR = 2 };
    struct od_view head = od_view_head(line, HEAD_BYTES + HOUR);
    for (size_t colon = od_view_find_char(head, ':', 0); colon != OD_VIEW_NONE;
         colon = od_view_find_char(head, ':', colon + 1)) {
        size_t at = colon - HOUR;
        if (colon >= HOUR && is_clock(line, at))
            return may_precede(od_view_head(line, at)) ? at : OD_VIEW_NONE;
    }
    return OD_VIEW_NONE;
}

bool od_daytime_at(struct od_view line, size_t place, double *ret_seconds)
{
    double clock;
    if (place == IN_JSON)
        return take_key(line, ret_seconds);
    if (place == OD_VIEW_NONE)
        return false;
    const char *p = line.p + place;
    struct od_view text = od_view_from(line, place + sizeof "dd:dd:" - 1);
    if (!take_seconds(&text, two(p), two(p + 3), &clock))
        return false;
    *ret_seconds = date_around(line, place, text) + clock;
    return true;
}

bool od_daytime_head(struct od_view line, double *ret_seconds)
{
    return od_daytime_at(line, od_daytime_place(line), ret_seconds);
}
