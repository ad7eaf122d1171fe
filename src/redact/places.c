/* Finds names and secrets by the text around them, with the rows of rules/words/places.yaml. */
#include "redact/found.h"

#include "base/mask_digits.h"

/* the order must match places.awk */
enum {
    SLOT_USER = 128,
    SLOT_HOST,
    SLOT_MACHINE,
    SLOT_COUNTED,
    SLOT_LOGIN,
    SLOT_NODES,
    SLOT_LIST,
    SLOT_IDS,
    SLOT_ORG,
    SLOT_COMPANY,
    SLOT_NAMES,
    SLOT_UUID,
    SLOT_ACCOUNT,
    SLOT_SECRET,
    SLOT_TOKEN,
    SLOT_ADDRESS,
    SLOT_PIN,
    SLOT_SERIAL,
    SLOT_NUMBER,
    SLOT_PID,
    SLOT_WORD,
    SLOT_ANY,
    SLOT_IS,
    SLOT_KEY,
    SLOT_STAMP,
    SLOT_END,
    SLOT_OPENED,
    SLOT_SITE,
    SLOT_ARGS,
    SLOT_ARG,
    SLOT_CHANCE,
    SLOT_PAIR,
    SLOT_HOSTS,
    SLOT_PHONE,
    SLOT_TIME,
    SLOT_REST,
    SLOT_MARKED,
    SLOT_TAG,
    SLOT_HEADER,
    SLOT_OWNER, /* a user or a host, or no text: the row also matches without it */
    SLOT_NODE,
    SLOT_SHARE, /* share of a processor; from here on, cells of a row of a table */
    SLOT_SIZE,
    SLOT_AT,
    SLOT_JOB,
    SLOT_DATE,
    SLOT_TTY,
    SLOT_STATE,
    SLOT_PRIORITY,
    SLOT_MODE,
    SLOT_ENDED,
    SLOT_FILE,
    SLOT_TYPE
};

static const struct place {
    const char *back, *form; /* pattern before the selecting word, and from it on */
    size_t word; /* length of the selecting word; 0 = the row is for the start of a line */
    enum { NAME, COMMAND, WRAPPER } sort; /* all matching rows of kind COMMAND are used */
} places[] = {
#include "redact/places.inc"
};

enum { FOUND_MOST = 8, ANY_MOST = 200, ARGS_MOST = 512, COMPANY_WORDS = 4, ACCOUNT = 12 };

static bool is_slot(char c)
{
    return (unsigned char)c >= SLOT_USER;
}

/* A partial match of a row, with the texts in its slots. */
struct match {
    struct od_search *s;
    size_t at;
    struct od_found found[FOUND_MOST];
    char slot[FOUND_MOST]; /* slots of the names; 0 = not a name */
    size_t n;
};

static const char quotes[] = "'\"`<>[]";

static bool is_quote(char c)
{
    return c != '\0' && strchr(quotes, c) != NULL;
}

/* The byte after a name; NUL at the end of a sentence. */
static char byte_after(struct od_view text, size_t end)
{
    size_t at = end;
    while (od_view_at(text, at) == '.')
        at++;
    bool ends = at > end && (od_view_at(text, at) == ' ' || od_view_at(text, at) == '\0');
    return ends ? '\0' : od_view_at(text, end);
}

static struct od_view name_at(struct od_view text, size_t at)
{
    size_t end = at + od_run(text, at, "_-.");
    while (end > at && (text.p[end - 1] == '.' || text.p[end - 1] == '-'))
        end--;
    return od_view_part(text, at, end);
}

/* Is it letters and a range of numbers: "gn[12,15-17]"? */
static bool is_list(const struct od_words *words, struct od_view name)
{
    size_t open = od_view_find_char(name, '[', 0);
    if (open == OD_VIEW_NONE || od_words_is(words, od_view_head(name, open), OD_ROLE_DEVICE))
        return false;
    for (size_t i = open + 1; i < name.n; i++)
        if (name.p[i] == ']')
            return od_view_find_char(od_view_part(name, open, i), '-', 0) != OD_VIEW_NONE;
        else if (!od_is_digit(name.p[i]) && name.p[i] != '-' && name.p[i] != ',')
            return false;
    return false;
}

/* Can the name fill the slot? Not if the next byte makes it a call or a path. */
static bool fits(const struct od_words *words, int slot, struct od_view name, char next)
{
    const uint32_t known = OD_ROLE_COMMON | OD_ROLE_EMPTY | OD_ROLE_SITE;
    bool begins = name.n >= 2 && (od_is_letter(name.p[0]) || (unsigned char)name.p[0] >= 0x80);
    size_t n = 0;
    while (n < name.n && od_is_letter(name.p[n]))
        n++;
    uint32_t roles = od_words_roles(words, od_view_head(name, n));
    bool numbered = n > 2 && n < name.n && od_has_digit(name) &&
                    !(roles & ~(uint32_t)(OD_ROLE_USER | OD_ROLE_SAID));
    switch (slot) {
    case SLOT_USER:
        return begins && od_is_user(words, name) &&
               (next != '(' || !od_view_has(name, OD_VIEW("."))); /* "@torch.no_grad()" */
    case SLOT_LOGIN:
        return begins && !od_is_upper(name.p[0]) && od_is_user(words, name) &&
               (numbered || od_is_own(words, name));
    case SLOT_LIST:
        return begins && is_list(words, name);
    case SLOT_MACHINE:
        return od_has_digit(name) && od_is_machine(words, name, true);
    case SLOT_COUNTED:
        return begins && (next == '\0' || !strchr("._=(%", next)) &&
               od_is_machine(words, name, false);
    case SLOT_TAG:
    case SLOT_ORG:
        return begins && name.n > 2 && !od_words_is(words, name, known) &&
               !od_view_has(name, OD_VIEW("bucket")) &&
               (slot == SLOT_ORG || !od_is_letters(name, "._") || od_is_strange(words, name));
    default: /* "10-30-4-7.pool.example.net" */
        begins = begins || (od_view_count(name, '.') > 1 && od_is_letter(name.p[name.n - 1]));
        return (begins || od_is_machine(words, name, true)) &&
               !od_words_is(words, name, known & ~(uint32_t)OD_ROLE_SITE);
    }
}

static enum od_redact_kind kind_of(int slot)
{
    return slot == SLOT_USER || slot == SLOT_LOGIN ? OD_REDACT_USER
           : slot == SLOT_ORG || slot == SLOT_TAG  ? OD_REDACT_ORG
                                                   : OD_REDACT_HOST;
}

static bool push(struct match *m, size_t start, size_t end, enum od_redact_kind kind, bool learn)
{
    if (end > start && m->n < FOUND_MOST) {
        m->slot[m->n] = '\0';
        m->found[m->n++] = (struct od_found){start, end, kind, learn};
    }
    return end > start;
}

static bool push_name(struct match *m, int slot, size_t start, size_t end)
{
    struct od_view text = m->s->text;
    return fits(m->s->words, slot, od_view_part(text, start, end), byte_after(text, end)) &&
           push(m, start, end, kind_of(slot), true);
}

static bool take_name(struct match *m, int slot)
{
    struct od_view text = m->s->text;
    size_t open = m->at + (is_quote(od_view_at(text, m->at)) && od_view_at(text, m->at) != ']');
    size_t end = open + name_at(text, open).n;
    bool several = slot == SLOT_NODES || slot == SLOT_LIST;
    if (several)
        end = open + od_run(text, open, "_-.[],");
    while (several && end > open && (text.p[end - 1] == ',' || text.p[end - 1] == '.'))
        end--;
    if (end == open || (open > m->at && !is_quote(od_view_at(text, end))) ||
        !push(m, open, end, kind_of(slot), true))
        return false;
    m->slot[m->n - 1] = (char)slot; /* the kind is checked when the whole row has matched */
    m->at = end + (open > m->at);
    return true;
}

/* Takes the names in "1012(NAME),27(sudo)". */
static bool take_ids(struct match *m)
{
    struct od_view text = m->s->text;
    size_t n = m->n;
    for (;; m->at++) {
        m->at += od_num_digits(od_view_from(text, m->at));
        if (od_view_at(text, m->at) != '(')
            break;
        struct od_view name = name_at(text, m->at + 1);
        (void)push_name(m, SLOT_USER, m->at + 1, m->at + 1 + name.n);
        m->at += name.n + 2;
        if (od_view_at(text, m->at) != ',')
            break;
    }
    return m->n > n;
}

/* Takes one to four capitalized words, the name of a company. */
static bool take_company(struct match *m)
{
    struct od_view text = m->s->text;
    size_t start = m->at, end = start;
    for (int i = 0; i < COMPANY_WORDS && od_is_text(od_view_at(text, m->at)); i++) {
        struct od_view word = name_at(text, m->at);
        bool capital = !od_is_letter(word.p[0]) || od_is_upper(word.p[0]);
        /* a word in lower case may be within: "Institut für Chemie" */
        if (!capital && (word.n > 4 || i == 0))
            break;
        end = capital ? m->at + word.n : end;
        m->at += word.n + (od_view_at(text, m->at + word.n) == ' ');
    }
    m->at = end;
    return push(m, start, end, OD_REDACT_ORG, true);
}

static bool take_names(struct match *m)
{
    unsigned words;
    size_t start = m->at;
    m->at = od_names_end(m->s->words, m->s->text, start, &words);
    return words > 1 && push(m, start, m->at, OD_REDACT_USER, true);
}

/* Takes a secret up to the byte `next`, or to the end of the line. */
static bool take_secret(struct match *m, char next)
{
    struct od_view head = od_view_head(m->s->text, m->at + OD_RUN_MOST);
    size_t start = m->at;
    if (next == '\'' && start > 0)
        next = m->s->text.p[start - 1]; /* the quote that opened the secret */
    size_t end = next ? od_view_find_char(head, next, start) : head.n;
    m->at = end;
    return end != OD_VIEW_NONE && push(m, start, end, OD_REDACT_SECRET, true);
}

static bool take_digits(struct match *m, size_t least, size_t most, enum od_redact_kind kind)
{
    size_t n = od_num_digits(od_view_from(m->s->text, m->at));
    m->at += n;
    return n >= least && n <= most && !od_is_text(od_view_at(m->s->text, m->at)) &&
           push(m, m->at - n, m->at, kind, kind == OD_REDACT_ORG);
}

/* Takes the rest of a header ("Bearer ...", "a=b; c=d") up to a quote or the end of the line. */
static bool take_header(struct match *m)
{
    enum { LEAST = 6 };
    struct od_view text = od_view_head(m->s->text, m->at + OD_VALUE_MOST);
    size_t start = m->at;
    while (m->at < text.n && !strchr("\"'`\\", text.p[m->at]))
        m->at++;
    return od_is_mixed(od_view_part(text, start, m->at), LEAST) &&
           push(m, start, m->at, OD_REDACT_SECRET, false);
}

/* Takes an argument of a command, or the content of its quotes: "-p hunter2", "-p 'hunter 2'". */
static struct od_view take_argument(struct match *m)
{
    struct od_view text = m->s->text;
    char quote = od_view_at(text, m->at);
    bool quoted = quote == '"' || quote == '\'';
    size_t start = m->at + quoted, end = start;
    while (end < text.n &&
           (quoted ? text.p[end] != quote : text.p[end] != ' ' && text.p[end] != '\t'))
        end++;
    m->at = end + (quoted && end < text.n);
    return od_view_part(text, start, end);
}

/* Takes an argument or a part of a sentence as a secret, but no variable, option or pattern. */
static bool take_secret_argument(struct match *m, int slot)
{
    enum { SPOKEN_LEAST = 5 };
    struct od_view v = take_argument(m);
    size_t start = (size_t)(v.p - m->s->text.p);
    bool spoken = slot == SLOT_MARKED;
    while (spoken && v.n > 0 && strchr(".,;:)", v.p[v.n - 1]))
        v.n--;
    bool fit = spoken ? v.n >= SPOKEN_LEAST && !od_is_letters(v, "-'_") && !od_is_numbered(v)
               : slot == SLOT_CHANCE ? od_is_random(v) || od_is_given(v)
                                     : v.n > 1;
    return fit && !strchr("$-*<", v.p[0]) && push(m, start, start + v.n, OD_REDACT_SECRET, true);
}

/* Takes "user:password" or "user%password", but no example of a manual. */
static bool take_pair(struct match *m)
{
    const struct od_words *words = m->s->words;
    struct od_view v = take_argument(m);
    while (v.n > 0 && (v.p[0] == '\\' || v.p[0] == '"'))
        v = od_view_from(v, 1);
    size_t mark = 0, start = (size_t)(v.p - m->s->text.p);
    while (mark < v.n && v.p[mark] != ':' && v.p[mark] != '%')
        mark++;
    bool example = od_words_is(words, od_view_head(v, mark), OD_ROLE_USER | OD_ROLE_COMMON) &&
                   od_words_is(words, od_view_from(v, mark + 1), OD_ROLE_PASS | OD_ROLE_MAYBE);
    return mark < v.n && v.p[0] != '$' && !example && od_found_add_login(m->s, start, start + v.n);
}

/* Takes the machines of a command: "gpu1:8,gpu2:8", "gpu1:0,1@gpu2:0". */
static bool take_hosts(struct match *m)
{
    struct od_view v = take_argument(m), text = m->s->text;
    size_t at = (size_t)(v.p - text.p), end = at + v.n, n = m->n;
    for (; at < end; at++) {
        struct od_view name =
            od_view_part(text, at, at + od_run(od_view_head(text, end), at, "_-."));
        const uint32_t known = OD_ROLE_COMMON | OD_ROLE_EMPTY | OD_ROLE_DEVICE;
        bool word = name.n > 2 && od_is_letter(name.p[0]) && !od_words_is(m->s->words, name, known);
        if (word || od_is_machine(m->s->words, name, true))
            (void)push(m, at, at + name.n, OD_REDACT_HOST, true);
        at += name.n;
        while (at < end && text.p[at] != ',' && text.p[at] != '@')
            at++;
    }
    return m->n > n;
}

/* Takes a phone number, "(030) 693 28468". The words around it must mark it as one. */
static bool take_phone(struct match *m)
{
    enum { LEAST = 7, MOST = 20 };
    struct od_view text = m->s->text;
    size_t digits = 0, start = m->at, end = start;
    for (size_t at = start; at < text.n && at < start + MOST; at++)
        if (od_is_digit(text.p[at]))
            digits++, end = at + 1;
        else if (!strchr(" +-/()", text.p[at]))
            break;
    m->at = end;
    return digits >= LEAST && !od_is_text(od_view_at(text, end)) &&
           push(m, start, end, OD_REDACT_PHONE, false);
}

/* Takes a serial number: "Serial Number : 1323686274953". */
static bool take_serial(struct match *m)
{
    enum { LEAST = 6 };
    while (od_view_at(m->s->text, m->at) == ' ' || od_view_at(m->s->text, m->at) == ':')
        m->at++;
    size_t n = od_run(m->s->text, m->at, "");
    m->at += n;
    return n >= LEAST && od_has_digit(od_view_part(m->s->text, m->at - n, m->at)) &&
           push(m, m->at - n, m->at, OD_REDACT_DEVICE, false);
}

/* Takes ":", "=", " is " or a blank. After a quote, a blank is not enough. */
static bool take_is(struct match *m)
{
    struct od_view text = m->s->text;
    bool quoted = is_quote(od_view_at(text, m->at)), any = false;
    size_t start = m->at + quoted, at = start;
    for (; od_view_at(text, at) != '\0' && strchr(" :=", text.p[at]); at++)
        any = any || text.p[at] != ' ';
    m->at = at + (od_view_starts(od_view_from(text, at), OD_VIEW("is ")) ? 3 : 0);
    return at > start && (any || !quoted);
}

static bool is_month(struct od_view text)
{
    char low[4];
    struct od_view word = od_view_lowered(od_view_head(text, 3), low, sizeof low);
    size_t at = od_view_find(OD_VIEW("janfebmaraprmayjunjulaugsepoctnovdec"), word, 0);
    return word.n == 3 && at != OD_VIEW_NONE && at % 3 == 0;
}

/* Length of "Nov 21 05:21:39 " or "2026-11-21T05:21:39.123+00:00 "; 0 = none. Time stamps with more
 * digits than rsyslog's, as of CI runners, precede no host. */
static size_t stamp_length(struct od_view text, bool of_host)
{
    enum { MICRO = 6 };
    size_t at = 0;
    if (text.n > 16 && text.p[3] == ' ' && text.p[9] == ':' && text.p[12] == ':' &&
        text.p[15] == ' ' && is_month(text))
        return 16;
    if (text.n < 21 || text.p[4] != '-' || text.p[7] != '-' || text.p[10] != 'T' ||
        text.p[13] != ':')
        return 0;
    while (at < text.n && at < 36 && text.p[at] != ' ')
        at++;
    size_t digits = text.p[19] == '.' ? od_num_digits(od_view_from(text, 20)) : 0;
    return at < text.n && text.p[at] == ' ' && (digits <= MICRO || !of_host) ? at + 1 : 0;
}

/* Takes a time stamp, perhaps after "<14>" or "<14>1 ". */
static bool take_stamp(struct match *m, bool of_host)
{
    struct od_view text = m->s->text;
    if (od_view_at(text, m->at) == '<') {
        size_t close = m->at + 1 + od_num_digits(od_view_from(text, m->at + 1));
        if (od_view_at(text, close) != '>')
            return false;
        bool version =
            od_is_digit(od_view_at(text, close + 1)) && od_view_at(text, close + 2) == ' ';
        m->at = close + (version ? 3 : 1);
    }
    size_t n = stamp_length(od_view_from(text, m->at), of_host);
    m->at += n;
    return n > 0;
}

/* Takes n bytes if n is at least `least`. */
static bool pass(struct match *m, size_t n, size_t least)
{
    m->at += n;
    return n >= least;
}

/* Is it a digit, followed by digits and bytes of extra? */
static bool is_of(struct od_view word, const char *extra)
{
    for (size_t i = 0; i < word.n; i++)
        if (!od_is_digit(word.p[i]) && (i == 0 || word.p[i] == '\0' || !strchr(extra, word.p[i])))
            return false;
    return word.n > 0;
}

static bool is_cell(struct od_view word, int slot)
{
    static const char *const files[] = {"cwd", "txt", "mem", "rtd", "DEL", NULL};
    static const char *const types[] = {"CHR",  "REG",  "DIR",  "FIFO",    "IPv4",
                                        "IPv6", "unix", "sock", "a_inode", NULL};
    bool capital = word.n > 0 && od_is_upper(word.p[0]);
    switch (slot) {
    case SLOT_SHARE: /* 100 % and more have no point */
        return is_of(word, ".") && (od_view_has(word, OD_VIEW(".")) || (word.n > 2 && word.n < 6));
    case SLOT_SIZE:
        return is_of(word, ".kmgtKMGT");
    case SLOT_AT:
        return is_of(word, ":-.") && od_view_has(word, OD_VIEW(":"));
    case SLOT_DATE:
        return word.n >= 3 && (is_of(word, ":-") || capital);
    case SLOT_TTY:
        return od_view_eq_str(word, "?") || od_view_starts(word, OD_VIEW("pts/")) ||
               od_view_starts(word, OD_VIEW("tty"));
    case SLOT_STATE: /* "R+", "PD", "OOM" */
        return capital && word.n <= 5 &&
               (strchr("RSDZTI", word.p[0]) || od_is_upper(word.p[word.n - 1]));
    case SLOT_PRIORITY:
        return is_of(word, "") || od_view_eq_str(word, "rt") || (word.n > 1 && word.p[0] == '-');
    case SLOT_MODE:
        return (word.n == 10 || word.n == 11) && strchr("-dlcbps", word.p[0]) &&
               strspn(word.p + 1, "rwxsStT-") >= 9;
    case SLOT_ENDED: /* "OUT_OF_ME+" */
        return capital && word.n >= 6 && od_is_upper(word.p[1]) && !od_view_has(word, OD_VIEW("="));
    case SLOT_JOB: /* "1234.server" */
        return word.n > 0 && od_is_digit(word.p[0]);
    case SLOT_FILE:
        return od_view_eq_any(word, files) ||
               (word.n >= 2 && od_is_digit(word.p[0]) && strchr("urwW-", word.p[word.n - 1]));
    default:
        return od_view_eq_any(word, types);
    }
}

static bool take_slot(struct match *m, int slot, char next)
{
    enum { ADDRESS_LEAST = 8, TOKEN_LEAST = 8, WORDS_MOST = 20, KEY_LEAST = 40 };
    enum { PIN_LEAST = 4, PIN_MOST = 8, PID_LEAST = 4, UUID = 36, UUID_MARKS = 4 };
    struct od_view text = m->s->text;
    size_t start = m->at;
    switch (slot) {
    case SLOT_IDS:
        return take_ids(m);
    case SLOT_COMPANY:
        return take_company(m);
    case SLOT_NAMES:
        return take_names(m);
    case SLOT_UUID:
        return pass(m, od_run(text, start, "-"), UUID) &&
               od_view_count(od_view_part(text, start, m->at), '-') == UUID_MARKS &&
               push(m, start, m->at, OD_REDACT_ORG, true);
    case SLOT_ACCOUNT:
        return take_digits(m, ACCOUNT, ACCOUNT, OD_REDACT_ORG);
    case SLOT_TOKEN: {
        bool is_long = pass(m, od_run(text, start, "_-.~+/="), TOKEN_LEAST);
        bool digit = od_has_digit(od_view_part(text, start, m->at));
        return is_long && (digit || m->at - start >= WORDS_MOST) &&
               push(m, start, m->at, OD_REDACT_SECRET, false);
    }
    case SLOT_SECRET:
        return take_secret(m, next);
    case SLOT_ADDRESS:
        return pass(m, od_run(text, start, "/_-.:@"), ADDRESS_LEAST) &&
               push(m, start, m->at, OD_REDACT_SECRET, false);
    case SLOT_PIN:
        return take_digits(m, PIN_LEAST, PIN_MOST, OD_REDACT_SECRET);
    case SLOT_SERIAL:
        return take_serial(m);
    case SLOT_NUMBER:
        return pass(m, od_num_digits(od_view_from(text, start)), 1);
    case SLOT_PID:
        return pass(m, od_num_digits(od_view_from(text, start)), PID_LEAST);
    case SLOT_WORD:
        return pass(m, od_run(text, start, "_-./()"), 1);
    case SLOT_ANY:
        return true; /* match_from() searches for the text after the slot */
    case SLOT_IS:
        return take_is(m);
    case SLOT_KEY:
        while (m->at < text.n && (od_is_alnum(text.p[m->at]) || strchr("+/=", text.p[m->at])))
            m->at++;
        return m->at > start + KEY_LEAST && push(m, start, m->at, OD_REDACT_SECRET, false);
    case SLOT_STAMP:
    case SLOT_TIME:
        return take_stamp(m, slot == SLOT_STAMP);
    case SLOT_PHONE:
        return take_phone(m);
    case SLOT_REST:
        return true;
    case SLOT_OPENED:
        return od_find_opened(m->s, start);
    case SLOT_SITE: {
        struct od_view name = name_at(text, start);
        return pass(m, name.n, 3) && od_view_has(name, OD_VIEW(".")) &&
               (od_is_site(m->s->words, name) || push(m, start, m->at, OD_REDACT_HOST, true));
    }
    case SLOT_ARG:
    case SLOT_CHANCE:
    case SLOT_MARKED:
        return take_secret_argument(m, slot);
    case SLOT_HEADER:
        return take_header(m);
    case SLOT_PAIR:
        return take_pair(m);
    case SLOT_HOSTS:
        return take_hosts(m);
    case SLOT_END:
        return od_view_trim(od_view_from(text, start)).n == 0;
    case SLOT_OWNER:
    case SLOT_NODE:
        (void)pass(m, od_run(text, start, slot == SLOT_NODE ? "_-.[],*" : "_-.+$"), 0);
        (void)push_name(m, slot == SLOT_NODE ? SLOT_HOST : SLOT_USER, start, m->at);
        return m->at > start && !od_is_digit(text.p[start]);
    default:
        if (slot < SLOT_SHARE)
            return take_name(m, slot);
        while (m->at < text.n && (unsigned char)text.p[m->at] > ' ')
            m->at++;
        return is_cell(od_view_part(text, start, m->at), slot);
    }
}

static bool match_from(struct match *m, const char *form);

/* Takes one byte of a row that is not a slot. */
static inline bool take_byte(struct match *m, char wanted, unsigned char next)
{
    struct od_view text = m->s->text;
    char c = od_view_at(text, m->at);
    if (wanted != ' ') {
        m->at++;
        return wanted == '\'' ? is_quote(c) : c == wanted || od_lower(c) == wanted;
    }
    m->at += c == ':' && (next == SLOT_USER || next == SLOT_NAMES || next == '\'');
    size_t start = m->at;
    if (next == ' ' || next == SLOT_REST) /* takes one blank, because the row continues with a blank
                                           * or with any text */
        return od_view_at(text, m->at++) == ' ';
    while (od_view_at(text, m->at) == ' ' || od_view_at(text, m->at) == '\t')
        m->at++;
    return m->at > start;
}

/* Skips text up to the row's next bytes. Arguments begin after a blank. */
static bool match_far(struct match *m, const char *form)
{
    struct od_view text = m->s->text;
    bool args = (unsigned char)*form == SLOT_ARGS;
    size_t end = m->at + (args ? ARGS_MOST : ANY_MOST);
    if (args && od_view_at(text, m->at) != ' ')
        return false;
    bool marks = form[1] == ' ' || form[1] == ']' || form[1] == '='; /* search for the next byte */
    for (size_t at = m->at; at < text.n && at < end; at++) {
        at = marks ? od_view_find_char(od_view_head(text, end), form[1], at) : at;
        if (at == OD_VIEW_NONE)
            break;
        struct match next = *m;
        next.at = at;
        if (match_from(&next, form + 1)) {
            *m = next;
            return true;
        }
    }
    return false;
}

static bool match_from(struct match *m, const char *form)
{
    for (const char *start = form; *form; form++) {
        int slot = (unsigned char)*form;
        if (slot == SLOT_ANY || slot == SLOT_ARGS)
            return match_far(m, form);
        if (form > start && form[-1] == '-' && !is_slot(*form) && *form != ' ' &&
            *form != od_view_at(m->s->text, m->at))
            return false; /* "-p" must not match "-P" */
        if (is_slot(*form) ? !take_slot(m, slot, form[1])
                           : !take_byte(m, *form, (unsigned char)form[1]))
            return false;
    }
    return true;
}

/* Matches the row's bytes before the selecting word, and a name before these. */
static bool match_back(struct match *m, const char *back, size_t at)
{
    struct od_view text = m->s->text;
    size_t n = strlen(back);
    for (; n > 0 && !is_slot(back[n - 1]); n--) {
        struct match before = {.s = m->s, .at = at - 1};
        if (at == 0 ||
            !(back[n - 1] == ' ' ? text.p[at - 1] == ' ' : take_byte(&before, back[n - 1], 0)))
            return false;
        at--;
    }
    if (n == 0)
        return true;
    int slot = (unsigned char)back[n - 1];
    size_t start = at - od_run_back(text, at, "_-.", OD_RUN_MOST);
    if (slot == SLOT_ACCOUNT)
        return at - start == ACCOUNT && od_num_digits(od_view_part(text, start, at)) == ACCOUNT &&
               push(m, start, at, OD_REDACT_ORG, true);
    if (slot != SLOT_COMPANY)
        return push_name(m, slot, start, at);
    for (int i = 1; i < COMPANY_WORDS && start > 1; i++) {
        size_t before = start - 1 - od_run_back(text, start - 1, "-&.", OD_RUN_MOST);
        if (text.p[start - 1] != ' ' || !od_is_upper(text.p[before]) ||
            od_words_is(m->s->words, od_view_part(text, before, start - 1), OD_ROLE_SITE))
            break;
        start = before;
    }
    return start < at && od_is_upper(text.p[start]) &&
           !od_words_is(m->s->words, od_view_part(text, start, at), OD_ROLE_SITE) &&
           push(m, start, at, OD_REDACT_ORG, true);
}

/* Can every name fill its slot? */
static bool is_fit(const struct match *m)
{
    struct od_view text = m->s->text;
    for (size_t i = 0; i < m->n; i++) {
        struct od_view name = od_view_part(text, m->found[i].start, m->found[i].end);
        if (m->slot[i] &&
            !fits(m->s->words, (unsigned char)m->slot[i], name, byte_after(text, m->found[i].end)))
            return false;
    }
    return true;
}

/* Adds the finds of a row, if it matches. */
static bool try_place(struct od_search *s, const struct place *place, size_t at)
{
    struct match m;
    m.s = s;
    m.at = at;
    m.n = 0;
    if (!match_from(&m, place->form) || (place->back[0] && !match_back(&m, place->back, at)) ||
        !is_fit(&m))
        return false;
    if (m.n > 0 && is_slot(place->back[0]) && s->text.p[at - 1] == '-') /* "Anas-MacBook-Pro" */
        m.found[m.n - 1].end = at + name_at(s->text, at).n;
    for (size_t i = 0; i < m.n; i++)
        od_found_add(s, m.found[i]);
    s->covered = m.at > s->covered ? m.at : s->covered;
    return true;
}

/* Index of the first row whose word begins with that letter or a later one. */
static size_t first_row(char letter)
{
    size_t low = 0, high = OD_COUNT_OF(places);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        bool before = places[middle].word == 0 || od_lower(places[middle].form[0]) < letter;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low;
}

bool od_find_place(struct od_search *s, struct od_word word, bool commands)
{
    char letter = od_lower(s->text.p[word.start]), last = od_lower(s->text.p[word.end - 1]);
    size_t n = word.end - word.start;
    bool any = false;
    for (size_t i = first_row(letter);
         i < OD_COUNT_OF(places) && od_lower(places[i].form[0]) == letter; i++) {
        if (places[i].word != n || (places[i].sort == COMMAND) != commands ||
            od_lower(places[i].form[n - 1]) != last || !try_place(s, &places[i], word.start))
            continue;
        any = true;
        if (strchr(places[i].form, (char)SLOT_ANY) || commands)
            s->covered = word.end; /* the text between the names is searched, too */
        if (!commands)
            break;
    }
    return any;
}

/* Can the text for the slot begin with that byte? */
static bool may_begin(int slot, char c)
{
    bool capital = od_is_upper(c) || c & '\x80';
    return slot == SLOT_NUMBER || (slot >= SLOT_SHARE && slot <= SLOT_JOB)  ? od_is_digit(c)
           : slot == SLOT_NAMES || slot == SLOT_STATE || slot == SLOT_ENDED ? capital
           : slot == SLOT_OWNER ? capital || od_is_letter(c)
           : slot == SLOT_TTY   ? c == '?' || c == 'p' || c == 't'
                                : true;
}

/* Can the row match, by its first byte, the byte after its first word and the second one? */
static bool may_hold(const char *form, char first, char after, char second)
{
    int slot = (unsigned char)form[0], next = (unsigned char)form[2];
    if (!is_slot(form[0]))
        return form[0] == first || form[0] == od_lower(first);
    if (slot == SLOT_ANY || !may_begin(slot, first))
        return slot == SLOT_ANY;
    if (slot == SLOT_STAMP || slot == SLOT_TIME || slot == SLOT_MODE)
        return true;
    if (slot == SLOT_NAMES)
        return after == ' ' && (second & '\x80' || od_is_letter(second));
    return after == form[1] &&
           (form[1] != ' ' || next == ' ' ||
            (is_slot(form[2]) ? may_begin(next, second)
                              : second == form[2] || od_lower(second) == form[2]));
}

/* Rows that can match at the start of a line, by a few of its bytes. Cached, because most lines
 * begin alike. */
static const struct od_heads_of *heads_of(struct od_search *s, size_t at, size_t ink)
{
    struct od_view after = od_view_from(s->text, ink + name_at(s->text, ink).n), next = after;
    od_view_skip_blanks(&next);
    char first[2] = {od_view_at(s->text, at), od_view_at(s->text, ink)},
         second = od_view_at(next, 0);
    uint32_t key = 1U << 31 | (uint32_t)(unsigned char)first[0] << 24 |
                   (uint32_t)(unsigned char)first[1] << 16 |
                   (uint32_t)(unsigned char)od_view_at(after, 0) << 8 | (unsigned char)second;
    struct od_heads_of *of = &s->heads->of[(key * UINT32_C(0x9E3779B1)) >> 24];
    if (of->key == key)
        return of;
    *of = (struct od_heads_of){.key = key};
    for (size_t i = 0; i < 64 * OD_COUNT_OF(of->rows) && places[i].word == 0; i++)
        if (may_hold(places[i].form, first[is_slot(places[i].form[0])], od_view_at(after, 0),
                     second))
            of->rows[i / 64] |= UINT64_C(1) << i % 64;
    return of;
}

size_t od_find_log_head(struct od_search *s, size_t at)
{
    size_t rest = 0, ink = at;
    bool named = false;
    while (od_view_at(s->text, ink) == ' ')
        ink++;
    const struct od_heads_of of = *heads_of(s, at, ink);
    for (size_t i = 0; i < 64 * OD_COUNT_OF(of.rows); i++) {
        if (!(of.rows[i / 64] >> i % 64 & 1)) {
            i = of.rows[i / 64] >> i % 64 ? i : i | 63;
            continue;
        }
        bool wraps = places[i].sort == WRAPPER;
        size_t start = is_slot(places[i].form[0]) ? ink : at;
        s->covered = 0;
        if ((wraps ? rest > 0 : named) || !try_place(s, &places[i], start))
            continue;
        rest = wraps ? s->covered : rest;
        named = named || !wraps;
    }
    s->covered = 0; /* the text around the name is searched, too */
    return rest;
}
