#include "input/peel.h"

#include "base/mask_digits.h"

enum { HOST_BYTES = 128, TAG_BYTES = 96, JOB_BYTES = 160, MONTH_BYTES = 9 };

static bool digits_at(struct od_view v, size_t at, size_t n)
{
    if (v.n < at + n)
        return false;
    for (size_t i = at; i < at + n; i++)
        if (!od_is_digit(v.p[i]))
            return false;
    return true;
}

size_t od_time_length(struct od_view v)
{
    if (!digits_at(v, 0, 2) || !digits_at(v, 3, 2) || !digits_at(v, 6, 2) || v.p[2] != ':' ||
        v.p[5] != ':')
        return 0;
    size_t n = 8;
    if (n + 1 < v.n && (v.p[n] == '.' || v.p[n] == ',') && od_is_digit(v.p[n + 1]))
        for (n++; n < v.n && od_is_digit(v.p[n]);)
            n++;
    return n;
}

size_t od_date_length(struct od_view v)
{
    return digits_at(v, 0, 4) && digits_at(v, 5, 2) && digits_at(v, 8, 2) && v.p[4] == '-' &&
                   v.p[7] == '-'
               ? 10
               : 0;
}

struct iso {
    size_t length;
    size_t fraction; /* number of digits */
    bool utc;        /* ends with Z */
};

static bool read_iso(struct od_view v, struct iso *ret_iso)
{
    if (v.n < 20 || !od_is_digit(v.p[0]) || od_date_length(v) == 0 || v.p[10] != 'T')
        return false;
    size_t time = od_time_length(od_view_from(v, 11));
    if (time == 0)
        return false;
    struct iso iso = {.length = 11 + time, .fraction = time > 8 ? time - 9 : 0};
    struct od_view zone = od_view_from(v, iso.length);
    if (zone.n > 0 && zone.p[0] == 'Z') {
        iso.utc = true;
        iso.length++;
    } else if (zone.n > 0 && (zone.p[0] == '+' || zone.p[0] == '-') && digits_at(zone, 1, 2)) {
        iso.length += 3;
        if (zone.n > 3 && zone.p[3] == ':' && digits_at(zone, 4, 2))
            iso.length += 3;
        else if (digits_at(zone, 3, 2))
            iso.length += 2;
    } else {
        return false;
    }
    *ret_iso = iso;
    return true;
}

/* Is it a level, so that the stamp before it is the program's own prefix? */
static bool is_level(struct od_view v)
{
    static const char *const levels[] = {"INFO", "WARN", "ERROR", "DEBUG", "TRACE", "FATAL", NULL};
    return od_view_starts_any(od_view_trim(v), levels);
}

/* Removes a stamp with a time zone that `ts` or a service added to the line. */
bool od_peel_iso(struct od_peel *peel)
{
    struct iso iso;
    if (!read_iso(peel->text, &iso))
        return false;
    struct od_view rest = od_view_from(peel->text, iso.length);
    if (!od_view_take(&rest, OD_VIEW(" ")) || is_level(rest))
        return false;
    peel->stamp = od_view_head(peel->text, iso.length);
    peel->text = rest;
    return true;
}

/* ---- "host name[pid]: " ---- */

static size_t host_length(struct od_view v)
{
    size_t n = od_word_length(v, OD_VIEW(".-_:%@"));
    return n > 0 && n <= HOST_BYTES && v.p[n - 1] != ':' ? n : 0;
}

/* Is the text before the colon an error message? "CUDA error: out of memory" after a stamp is no
 * host and program. */
static bool is_complaint(struct od_view tag)
{
    static const char *const words[] = {"error", "Error", "ERROR", "warning", "Warning", NULL};
    return od_view_eq_any(tag, words);
}

/* Takes "name[pid]: " or "name: ". */
static bool take_tag(struct od_view *v, struct od_view *ret_name, struct od_count *ret_pid)
{
    size_t n = od_word_length(*v, OD_VIEW("._-/()@+"));
    struct od_view rest = od_view_from(*v, n);
    struct od_count pid = {0};
    uint64_t number;
    if (n == 0 || n > TAG_BYTES || is_complaint(od_view_head(*v, n)))
        return false;
    if (od_view_take(&rest, OD_VIEW("["))) {
        if (!od_num_take_u64(&rest, &number) || !od_view_take(&rest, OD_VIEW("]")))
            return false;
        pid = od_count_of(number);
    }
    if (!od_view_take(&rest, OD_VIEW(":")) || (rest.n > 0 && rest.p[0] != ' '))
        return false;
    (void)od_view_take(&rest, OD_VIEW(" "));
    *ret_name = od_view_head(*v, n);
    *ret_pid = pid;
    *v = rest;
    return true;
}

static bool peel_host_and_tag(struct od_peel *peel, size_t stamp, struct od_view rest)
{
    struct od_view name;
    struct od_count pid;
    size_t host = host_length(rest);
    struct od_view host_name = od_view_head(rest, host);
    rest = od_view_from(rest, host);
    if (host == 0 || !od_view_take(&rest, OD_VIEW(" ")) || !take_tag(&rest, &name, &pid))
        return false;
    peel->stamp = od_view_head(peel->text, stamp);
    peel->host = host_name;
    peel->process = name;
    peel->pid = pid;
    peel->text = rest;
    return true;
}

/* Stores digits whose value affects unwrapping. A line with two of them has no layers
 * (unwrap.h). */
static void ask(struct od_peel *peel, struct od_view figures)
{
    if (peel->asked.n > 0 && peel->asked.p != figures.p)
        peel->asked.n = UINT16_MAX;
    else if (figures.n > peel->asked.n)
        peel->asked = figures;
}

/* Length of a month in any language ("Mar", "févr.", "3月"): letters, a dot, non-ASCII bytes. */
static size_t month_length(struct od_view v)
{
    size_t n = 0;
    while (n < v.n && n <= MONTH_BYTES &&
           (od_is_letter(v.p[n]) || (unsigned char)v.p[n] >= 0x80 || (n > 0 && v.p[n] == '.')))
        n++;
    return n >= 3 && n <= MONTH_BYTES ? n : 0;
}

/* Length of "Mar  3 10:11:12", "Tue 2026-03-03 10:11:12 CET"; 0 = none. */
static size_t bsd_stamp_length(struct od_peel *peel, struct od_view v)
{
    size_t n = month_length(v);
    struct od_view rest = od_view_from(v, n);
    if (n == 0 || rest.n == 0 || rest.p[0] != ' ')
        return 0;
    od_view_skip_blanks(&rest);
    size_t date = od_date_length(rest);
    uint64_t day = 1;
    struct od_view figures = od_view_head(rest, od_word_length(rest, (struct od_view){0}));
    if (date > 0)
        rest = od_view_from(rest, date);
    else if (!od_num_take_u64(&rest, &day))
        return 0;
    if (!od_view_take(&rest, OD_VIEW(" ")))
        return 0;
    size_t time = od_time_length(rest);
    if (time == 0)
        return 0;
    if (date == 0)
        ask(peel, figures);
    if (day == 0 || day > 31)
        return 0;
    rest = od_view_from(rest, time);
    if (date > 0 && od_view_take(&rest, OD_VIEW(" ")))
        rest = od_view_from(rest, od_word_length(rest, OD_VIEW("+-:")));
    return v.n - rest.n;
}

/* Removes a priority, "<34>". */
static struct od_view without_priority(struct od_peel *peel, struct od_view v)
{
    struct od_view rest = v;
    uint64_t priority;
    enum { PRIORITY = 6 };                /* length of "<134>1" */
    ask(peel, od_view_head(v, PRIORITY)); /* the value of the priority affects unwrapping */
    if (od_view_take(&rest, OD_VIEW("<")) && od_num_take_u64(&rest, &priority) && priority <= 191 &&
        od_view_take(&rest, OD_VIEW(">")))
        return rest;
    return v;
}

bool od_peel_syslog(struct od_peel *peel)
{
    struct od_peel said = *peel;
    struct iso iso;
    char c = peel->text.p[0];
    if (c == '<')
        said.text = without_priority(peel, peel->text);
    if (said.text.n < 16)
        return false;
    size_t stamp = read_iso(said.text, &iso) ? iso.length : bsd_stamp_length(peel, said.text);
    struct od_view rest = od_view_from(said.text, stamp);
    if (stamp == 0 || !od_view_take(&rest, OD_VIEW(" ")) || !peel_host_and_tag(&said, stamp, rest))
        return false;
    said.asked = peel->asked;
    *peel = said;
    return true;
}

/* ---- RFC 5424: <34>1 2026-01-02T03:04:05Z host app procid msgid [data] text ---- */

/* Skips "-" or one or more "[id name="value" ...]". */
static bool take_data(struct od_view *v)
{
    if (od_view_take(v, OD_VIEW("-")))
        return true;
    bool any = false;
    while (v->n > 0 && v->p[0] == '[') {
        bool quoted = false;
        size_t n = 1;
        for (; n < v->n && (quoted || v->p[n] != ']'); n++) {
            if (v->p[n] == '\\' && quoted)
                n++;
            else if (v->p[n] == '"')
                quoted = !quoted;
        }
        if (n >= v->n)
            return false;
        *v = od_view_from(*v, n + 1);
        any = true;
    }
    return any;
}

static struct od_view said_or_nothing(struct od_view field)
{
    return od_view_eq_str(field, "-") ? (struct od_view){0} : field;
}

bool od_peel_rfc5424(struct od_peel *peel)
{
    if (peel->text.p[0] != '<')
        return false;
    struct od_view v = without_priority(peel, peel->text);
    struct od_view fields[5]; /* stamp, host, app, procid, msgid */
    struct iso iso;
    uint64_t pid;
    if (v.n == peel->text.n || !od_view_take(&v, OD_VIEW("1 ")))
        return false;
    for (size_t i = 0; i < OD_COUNT_OF(fields); i++)
        if (!od_view_cut(&v, ' ', &fields[i]))
            return false;
    bool stamped = read_iso(fields[0], &iso) && iso.length == fields[0].n;
    if ((!stamped && !od_view_eq_str(fields[0], "-")) || !take_data(&v))
        return false;
    (void)od_view_take(&v, OD_VIEW(" "));
    peel->stamp = said_or_nothing(fields[0]);
    peel->host = said_or_nothing(fields[1]);
    peel->process = said_or_nothing(fields[2]);
    if (od_num_parse_u64(fields[3], &pid))
        peel->pid = od_count_of(pid);
    peel->text = v;
    return true;
}

/* ---- the kernel: "[12345.678901] ", "[Tue Mar  3 10:11:12 2026] " ---- */

/* Length of seconds since boot in brackets. A second bracket may name the task ("[ T123]"). */
static size_t uptime_length(struct od_view v)
{
    struct od_view rest = v;
    uint64_t seconds;
    if (!od_view_take(&rest, OD_VIEW("[")))
        return 0;
    od_view_skip_blanks(&rest);
    if (!od_num_take_u64(&rest, &seconds) || !od_view_take(&rest, OD_VIEW(".")) ||
        !digits_at(rest, 0, 6))
        return 0;
    rest = od_view_from(rest, 6);
    return od_view_take(&rest, OD_VIEW("]")) ? v.n - rest.n : 0;
}

static size_t human_stamp_length(struct od_peel *peel, struct od_view v)
{
    if (v.n < 26 || v.p[0] != '[' || v.p[4] != ' ' || v.p[25] != ']')
        return 0;
    struct od_view inside = od_view_from(v, 5);
    return bsd_stamp_length(peel, inside) == 15 && v.p[20] == ' ' && digits_at(v, 21, 4) ? 26 : 0;
}

static struct od_view without_task(struct od_view v)
{
    struct od_view rest = v;
    uint64_t task;
    if (!od_view_take(&rest, OD_VIEW("[")))
        return v;
    od_view_skip_blanks(&rest);
    if (!od_view_take(&rest, OD_VIEW("T")) && !od_view_take(&rest, OD_VIEW("C")))
        return v;
    return od_num_take_u64(&rest, &task) && od_view_take(&rest, OD_VIEW("]")) ? rest : v;
}

bool od_peel_kernel(struct od_peel *peel)
{
    struct od_view v = peel->text;
    if (v.p[0] == '<')
        v = without_priority(peel, v);
    if (v.n == 0 || v.p[0] != '[')
        return false;
    size_t uptime = uptime_length(v);
    size_t n = uptime > 0 ? uptime : human_stamp_length(peel, v);
    struct od_view rest = od_view_from(v, n);
    if (n == 0)
        return false;
    rest = without_task(rest);
    if (rest.n > 0 && !od_view_take(&rest, OD_VIEW(" ")))
        return false;
    /* a date is more useful than the time since boot */
    if (peel->stamp.n == 0 || uptime == 0)
        peel->stamp = od_view_from(od_view_head(v, n - 1), 1);
    peel->text = rest;
    return true;
}

/* ---- constant prefixes of services ---- */

/* Prefixes that services add to each line of a program, grouped by their start. In a prefix "%" is
 *   t  a date and a time with its zone     m  the same with 7 or 9 digits of a second
 *   s  the same without its zone           c  a time of day
 *   n  a number                            d  two digits
 *   r  the number of a rank                a  letters
 *   w  a word, the name of a process       p  the same, up to the next sign of the prefix
 *   k  the name of a pod of a Deployment   l  a word that begins with a letter
 *   *  anything up to the next sign of the prefix
 * and "_" is any number of blanks. The last blank of a prefix may be missing at the end of a line.
 */
static const struct {
    const char *first, *rests;
} prefixes[] = {
    {"%t", " stdout F \n stderr F \n stdout P \n stderr P \n"          /* containers */
           " %dO \n %dE \n %dO+\n %dE+\n"                              /* GitLab */
           " app[%w]: \n heroku[%w]: \n"                               /* Heroku */
           " app[%w] %* [%a] \n runner[%w] %* [%a] \n {%a=%*} \n"      /* Fly.io, Cloud Foundry */
           "\t%*\t%a\t\n %n/%n/%n/[$LATEST]%w \n"},                    /* Lambda */
    {"%s", " app[%w] %* [%a] \n runner[%w] %* [%a] \n: \n"},           /* Fly.io, PM2 */
    {"_%t", " [%*] OUT \n [%*] ERR \n"},                               /* Cloud Foundry */
    {"%a", " %t [labels.%*] \n %t [resource.labels.%*] \n"             /* Google Cloud */
           " %n %c AM_\n %n %c PM_\n\t%d-%a-%n %c\t\n"},               /* Render */
    {"[", "labels.%*] \nresource.labels.%*] \nerr]_\ninf]_\n"          /* Google Cloud, Railway */
          "%t] \n%k] \n%c] :\t [Step %n/%n] \n%c]W:\t [Step %n/%n] \n" /* Jenkins, TeamCity */
          "pod/%p] \nrank%r]: \nrank%r]:\ndefault%r]:\n"},             /* kubectl, torchrun */
    {"%m", " \n"},                                                     /* GitHub */
    {"%p\t", "%*\t%m \n%*\t\xef\xbb\xbf%m \n"},
    {"#", "#[error]\n#[warning]\n#[debug]\n#[notice]\n#[command]\n#[section]\n"
          "%n %n.%n \n> \n"},         /* BuildKit, reprex of R */
    {"%c", " AM: \n PM: \n %w_| \n"}, /* Netlify, foreman */
    {"%n", "|%w_| \n"},               /* PM2 */
    {"textPayload:", " \n"},
    {"%k", " %w \n"},
    {"%w", " %k %w \n:build: \n:test: \n:dev: \n"},
    {"@", "%p/%p: \n"}, /* pnpm */
    {"packages/", "%w build: \n"},
    {"apps/", "%w build: \n"},
    {"%t", " ERROR - \n INFO  - \n"},
    {"%l", " _| \n"}, /* Compose */
};

/* Length of "9:05:31", "09:05:31.25". */
static size_t clock_length(struct od_view v)
{
    char padded[] = "0?:??:??";
    if (v.n < 7 || v.p[1] != ':')
        return od_time_length(v);
    memcpy(padded + 1, v.p, 7);
    return od_time_length(od_view_of(padded)) > 0 ? 7 : 0;
}

static bool has_vowel(struct od_view v)
{
    size_t i = 0;
    while (i < v.n && !memchr("aeiou", v.p[i], 5))
        i++;
    return i < v.n;
}

/* Length of a pod's name, "orders-6d8f7c5b9-x2k4q": names of Deployment, set and pod. */
static size_t pod_length(struct od_view v)
{
    enum { POD = 5, LEAST_SET = 8, MOST_SET = 10 };
    size_t n = od_word_length(v, OD_VIEW("-")), set = 0;
    if (n < POD + LEAST_SET + 3 || v.p[n - POD - 1] != '-')
        return 0;
    size_t end = n - POD - 1;
    while (set < end && v.p[end - 1 - set] != '-')
        set++;
    struct od_view hash = od_view_from(od_view_head(v, end), end - set);
    struct od_view pod = od_view_from(od_view_head(v, n), end + 1);
    bool random = od_has_digit(hash) && !has_vowel(pod);
    return random && set >= LEAST_SET && set <= MOST_SET && end > set + 1 ? n : 0;
}

/* Length of the start of v that a prefix's sign matches. next: the sign that follows. */
static size_t sign_length(char sign, char next, struct od_view v)
{
    struct iso iso = {0};
    size_t n;
    switch (sign) {
    case 't':
        return read_iso(v, &iso) ? iso.length : 0;
    case 'm': /* GitHub prints 7 digits and container runtimes 9; programs print 3 or 6 */
        return read_iso(v, &iso) && iso.utc && (iso.fraction == 7 || iso.fraction == 9) ? iso.length
                                                                                        : 0;
    case 's':
        n = od_date_length(v) > 0 && v.n > 11 && v.p[10] == 'T'
                ? od_time_length(od_view_from(v, 11))
                : 0;
        return n > 0 ? 11 + n : 0;
    case 'c':
        return clock_length(v);
    case 'n':
    case 'r':
        for (n = 0; n < v.n && od_is_digit(v.p[n]);)
            n++;
        return n;
    case 'd':
        return digits_at(v, 0, 2) ? 2 : 0;
    case 'a':
        for (n = 0; n < v.n && od_is_letter(v.p[n]);)
            n++;
        return n;
    case 'k':
        return pod_length(v);
    case 'l':
        return v.n > 0 && od_is_letter(v.p[0]) ? od_word_length(v, OD_VIEW("._-@")) : 0;
    case 'w':
        return od_word_length(v, OD_VIEW("._-/@"));
    default:
        n = od_view_find_char(od_view_head(v, JOB_BYTES), next, 0);
        return n == OD_VIEW_NONE ? 0 : n;
    }
}

/* Removes a part of a prefix, up to its end or its line's end. False if the text differs. */
static bool take_part(struct od_peel *peel, const char *p)
{
    struct od_view v = peel->text;
    for (; *p && *p != '\n'; p++) {
        bool sign = *p == '%';
        p += sign;
        size_t n = sign ? sign_length(p[0], p[1], v) : v.n > 0 && v.p[0] == (*p == '_' ? ' ' : *p);
        struct od_view part = od_view_head(v, n), figures = part;
        if (n == 0 && (sign || v.n > 0 || p[0] != ' ' || p[1] != '\n'))
            return false;
        if (sign && strchr("tms", *p))
            peel->stamp = part;
        else if (sign && strchr("wplk", *p))
            peel->process = part;
        else if (sign && *p == 'r' &&
                 !(peel->rank.known = od_num_take_u64(&figures, &peel->rank.n)))
            return false;
        v = od_view_from(v, n);
        if (*p == '_')
            od_view_skip_blanks(&v);
    }
    peel->text = v;
    return true;
}

/* Is the text a row of a table? It has further bars, and a container's table begins with one. */
static bool is_row(const char *first, struct od_view rest)
{
    return strcmp(first, "%l") == 0 && od_view_has(rest, OD_VIEW(" | ")) && rest.p[0] != '|';
}

/* Unwraps `time="2026-03-01T10:02:11Z" level=error msg="text"` if no text follows the message. */
bool od_peel_logfmt(struct od_peel *peel)
{
    struct od_view v = peel->text, msg = OD_VIEW(" msg=\"");
    bool pairs = od_view_starts(v, OD_VIEW("time=\"")) || od_view_starts(v, OD_VIEW("ts=")) ||
                 od_view_starts(v, OD_VIEW("level="));
    size_t at = pairs && od_view_ends(v, OD_VIEW("\"")) ? od_view_find(v, msg, 0) : OD_VIEW_NONE;
    if (at == OD_VIEW_NONE || at + msg.n >= v.n)
        return false;
    struct od_view text = od_view_head(od_view_from(v, at + msg.n), v.n - 1 - at - msg.n);
    for (size_t i = 0; i < text.n; i++)
        if (text.p[i] == '"' && (i == 0 || text.p[i - 1] != '\\'))
            return false;
    peel->text = od_peel_unescape(peel, text);
    return true;
}

bool od_peel_prefix(struct od_peel *peel)
{
    for (size_t i = 0; i < OD_COUNT_OF(prefixes); i++) {
        struct od_peel begun = *peel, said;
        const char *rest = take_part(&begun, prefixes[i].first) ? prefixes[i].rests : "";
        for (; *rest; rest = strchr(rest, '\n') + 1) {
            said = begun;
            if (take_part(&said, rest) && !is_row(prefixes[i].first, said.text)) {
                *peel = said;
                return true;
            }
        }
    }
    return false;
}
