/* Names by what programs say around them: prompts, heads of logs, "for user NAME". */
#include "redact/found.h"

#include "base/mask_digits.h"

static struct od_view name_at(struct od_view text, size_t at)
{
    size_t end = at + od_run(text, at, "_-.");
    while (end > at && (text.p[end - 1] == '.' || text.p[end - 1] == '-'))
        end--;
    return od_part(text, at, end);
}

/* looks: a machine that only its name tells: "node gpu07 is down", not "node conv1 is". */
static bool add(struct od_search *s, size_t at, enum od_redact_kind kind, bool looks)
{
    struct od_view name = name_at(s->text, at);
    if (name.n < 2)
        return false;
    bool begins = od_is_letter(name.p[0]) || (unsigned char)name.p[0] >= 0x80;
    bool fits = kind == OD_REDACT_USER ? begins && od_is_user(s->words, name)
                : looks                ? od_has_digit(name) && od_is_machine(s->words, name, true)
                        : !od_words_is(s->words, name, OD_ROLE_COMMON | OD_ROLE_EMPTY);
    if (fits)
        od_found_add(s, (struct od_found){at, at + name.n, kind, true});
    return fits;
}

static bool add_user(struct od_search *s, size_t at)
{
    return add(s, at, OD_REDACT_USER, false);
}

static bool add_host(struct od_search *s, size_t at)
{
    return add(s, at, OD_REDACT_HOST, false);
}

/* "Bearer TOKEN" in any place. */
bool od_find_scheme(struct od_search *s, struct od_word word)
{
    struct od_view text = s->text;
    char low[8];
    struct od_view scheme = od_view_lowered(od_part(text, word.start, word.end), low, sizeof low);
    if ((!od_view_eq_str(scheme, "bearer") && !od_view_eq_str(scheme, "basic")) ||
        od_byte(text, word.end) != ' ')
        return false;
    size_t start = word.end + 1;
    size_t n = od_run(text, start, "_-.~+/=");
    struct od_view value = od_part(text, start, start + n);
    if (n < 8 || (!od_has_digit(value) && n < 20))
        return false;
    od_found_add(s, (struct od_found){start, start + n, OD_REDACT_SECRET, false});
    return true;
}

/* Client("4ufatniuJxo..."), Secret(value="..."): long, in quotes, and made by chance. */
bool od_find_opened(struct od_search *s, struct od_word word)
{
    enum { LEAST = 24 };
    struct od_view text = s->text;
    if (od_find_logins(s, word.end))
        return true;
    bool named = od_view_starts(od_view_from(text, word.end), OD_VIEW("(value="));
    size_t at = word.end + (named ? strlen("(value=") : 1);
    char quote = od_byte(text, at);
    if (od_byte(text, word.end) != '(' || (quote != '"' && quote != '\''))
        return false;
    size_t start = at + 1, n = od_run(text, start, "_-.+/=");
    if (n < LEAST || od_byte(text, start + n) != quote ||
        !od_is_random(od_part(text, start, start + n)))
        return false;
    od_found_add(s, (struct od_found){start, start + n, OD_REDACT_SECRET, false});
    return true;
}

/* The words before a name, and the bytes after it (sayings.tsv). The first word has the role
 * "said". */
static const struct saying {
    const char *before;
    size_t n, word;    /* bytes of all of it, of its first word */
    const char *after; /* one of these bytes; NULL = any, of a secret the line's end */
    enum od_redact_kind kind;
    bool looks; /* and the name looks like a machine's, or an address goes on */
} sayings[] = {
#include "redact/sayings.inc"
};

/* uid=1012(NAME), groups=1012(NAME),27(sudo) */
static bool find_uid(struct od_search *s, struct od_word word)
{
    struct od_view text = s->text;
    static const char *const names[] = {"uid", "gid", "euid", "egid", "groups", NULL};
    char low[8];
    struct od_view name = od_view_lowered(od_part(text, word.start, word.end), low, sizeof low);
    bool any = false;
    if (!od_view_eq_any(name, names) || od_byte(text, word.end) != '=')
        return false;
    size_t open = word.start > 0 ? word.start - 1 : 0;
    size_t start = open - od_run_back(text, open, "_-.", OD_RUN_MOST);
    if (open > start && text.p[open] == '(') /* NAME(uid=1012) */
        any = add_user(s, start);
    for (size_t at = word.end; at == word.end || od_byte(text, at) == ',';) {
        at++;
        while (od_is_digit(od_byte(text, at)))
            at++;
        if (od_byte(text, at) != '(')
            break;
        any = add_user(s, at + 1) || any;
        at += 1 + name_at(text, at + 1).n + 1;
    }
    return any;
}

/* ".netrc": "machine HOST login NAME password ..." */
static bool find_netrc(struct od_search *s, struct od_word word)
{
    enum { NEAR = 80 };
    struct od_view text = s->text;
    if (!od_view_starts(od_view_from(text, word.start), OD_VIEW("login ")))
        return false;
    size_t from = word.start > NEAR ? word.start - NEAR : 0;
    struct od_view name = name_at(text, word.end + 1);
    struct od_view rest = od_view_from(text, word.end + 1 + name.n);
    bool machine = od_view_has(od_part(text, from, word.start), OD_VIEW("machine "));
    return (machine || od_view_starts(rest, OD_VIEW(" password "))) && add_user(s, word.end + 1);
}

/* "ssh-ed25519 AAAA... NAME": the comment of a public key; one with an @ is found as a login. */
static bool find_key_comment(struct od_search *s, struct od_word word)
{
    struct od_view text = s->text;
    size_t kind = od_run(text, word.start, "-.@"), key = word.start + kind + 1;
    if (od_byte(text, key - 1) != ' ' || !od_view_starts(od_view_from(text, key), OD_VIEW("AAAA")))
        return false;
    size_t at = key + od_run(text, key, "+/="); /* what is longer than a run goes on */
    while (od_byte(text, at) != ' ' && at < text.n)
        at++;
    size_t name = at + 1, n = name_at(text, name).n;
    return n > 0 && od_byte(text, name + n) != '@' && add_user(s, name);
}

/* "NAME is not in the sudoers file", "NAME : user NOT in sudoers", cron's "(NAME) CMD (": the
 * name is before the words. */
static bool find_named_before(struct od_search *s, struct od_word word)
{
    static const char *const after[] = {" is not in the sudoers", " : user NOT in sudoers",
                                        " NOT in sudoers", ") CMD"};
    struct od_view head = od_view_head(s->text, word.end);
    for (size_t i = 0; i < OD_COUNT_OF(after); i++) {
        size_t n = strlen(after[i]);
        if (od_view_ends(head, od_view_of(after[i])))
            return add_user(s, head.n - n - od_run_back(head, head.n - n, "_-.", OD_RUN_MOST));
    }
    return false;
}

/* "the pin 4711", "Enter PIN: 4711", "your verification code is 471100" */
static bool find_pin(struct od_search *s, struct od_word word)
{
    static const char *const owners[] = {"the ", "my ", "your ", "The ", "My ", "Your ", NULL};
    static const char *const codes[] = {"verification ", "security ", "login ", "confirmation ",
                                        "one-time ",     "access ",   NULL};
    static const char *const words[] = {"pin", "otp", "code", NULL};
    struct od_view text = s->text, head = od_view_head(text, word.start);
    char low[4];
    struct od_view name = od_view_lowered(od_part(text, word.start, word.end), low, sizeof low);
    const char *const *before = name.n == 4 ? codes : owners;
    bool spoken = false;
    if (!od_view_eq_any(name, words))
        return false;
    for (size_t i = 0; before[i]; i++)
        spoken = spoken || od_view_ends(head, od_view_of(before[i]));
    size_t at = word.end, n = 0;
    for (; at < text.n && strchr(" :=", text.p[at]); at++)
        spoken = spoken || (before == owners && text.p[at] != ' ');
    at += od_view_starts(od_view_from(text, at), OD_VIEW("is ")) ? 3 : 0;
    while (od_is_digit(od_byte(text, at + n)))
        n++;
    if (!spoken || at == word.end || n < 4 || n > 8 || od_is_text(od_byte(text, at + n)))
        return false;
    od_found_add(s, (struct od_found){at, at + n, OD_REDACT_SECRET, false});
    return true;
}

/* "Blue Harbor Robotics GmbH": words with capitals before a company's form. */
static bool find_company(struct od_search *s, struct od_word word)
{
    enum { WORDS_MOST = 4 };
    static const char *const forms[] = {"GmbH", "Ltd", "LLC", "BV", "Oy", "Oyj",
                                        "SARL", "Srl", "plc", "AB", "AG", NULL};
    struct od_view text = s->text;
    size_t start = word.start;
    if (!od_view_eq_any(od_part(text, word.start, word.end), forms))
        return false;
    for (int i = 0; i < WORDS_MOST && start > 1 && text.p[start - 1] == ' '; i++) {
        size_t at = start - 1 - od_run_back(text, start - 1, "-&.", OD_RUN_MOST);
        if (at == start - 1 || !od_is_upper(text.p[at]) ||
            od_words_is(s->words, od_part(text, at, start - 1), OD_ROLE_SITE))
            break;
        start = at;
    }
    if (start == word.start)
        return false;
    od_found_add(s, (struct od_found){start, word.end, OD_REDACT_ORG, true});
    return true;
}

/* "srun: error: HOST: task 3", "slurmstepd-HOST: error", "slurmstepd: error: *** JOB 1 ON HOST
 * CANCELLED" */
static bool find_slurm(struct od_search *s, struct od_word word)
{
    struct od_view text = s->text;
    struct od_view rest = od_view_from(text, word.start);
    if (od_view_starts(rest, OD_VIEW("srun: error: "))) {
        size_t at = word.start + 13;
        size_t n = od_run(text, at, "_-.[],");
        if (!od_view_starts(od_view_from(text, at + n), OD_VIEW(": task")) || n < 2)
            return false;
        od_found_add(s, (struct od_found){at, at + n, OD_REDACT_HOST, true});
        return true;
    }
    if (!od_view_starts(rest, OD_VIEW("slurmstepd: ")))
        return false;
    size_t on = od_view_find(od_view_head(rest, 200), OD_VIEW(" ON "), 0);
    return on != OD_VIEW_NONE && add_host(s, word.start + on + 4);
}

/* "Serial Number : 1323686274953" */
static bool add_device(struct od_search *s, size_t at)
{
    enum { LEAST = 6 };
    while (od_byte(s->text, at) == ' ' || od_byte(s->text, at) == ':')
        at++;
    size_t n = od_run(s->text, at, "");
    if (n < LEAST || !od_has_digit(od_part(s->text, at, at + n)))
        return false;
    od_found_add(s, (struct od_found){at, at + n, OD_REDACT_DEVICE, false});
    return true;
}

/* What closes the quote or bracket that opens at this byte; NUL = none does. */
static char closer_of(char c)
{
    static const char pairs[] = "''\"\"``<>[]";
    for (size_t i = 0; i + 1 < sizeof pairs; i += 2)
        if (c == pairs[i])
            return pairs[i + 1];
    return '\0';
}

/* Does the name end as it should before that byte? */
static bool is_ended(const struct saying *saying, char closer, char next)
{
    bool among = next != '\0' && saying->after && strchr(saying->after, next);
    bool quoted = saying->after && saying->after[0] == 'q';
    return closer ? next == closer || (quoted && among) : !saying->after || (among && !quoted);
}

/* After a user's name: "alice (her-team)", "alice:group'", "alice on node7", "Ana Lund <ana@...>".
 * Returns true. */
static bool add_said_after(struct od_search *s, size_t at)
{
    struct od_view text = s->text, rest = od_view_from(text, at);
    size_t next = od_view_starts(rest, OD_VIEW(" (")) ? 2 : 1;
    char end = od_byte(text, at + next + name_at(text, at + next).n);
    if (next == 2 ? end == ')' : od_byte(rest, 0) == ':' && end == '\'')
        (void)add_user(s, at + next);
    else if (od_view_starts(rest, OD_VIEW(" on ")))
        (void)add(s, at + 4, OD_REDACT_HOST, true);
    else if (rest.n > 1 && rest.p[0] == ' ' && od_is_upper(rest.p[1]) &&
             od_view_starts(od_view_from(text, at + 1 + name_at(text, at + 1).n), OD_VIEW(" <")))
        (void)add_user(s, at + 1);
    return true;
}

static bool add_said(struct od_search *s, const struct saying *saying, size_t at)
{
    enum { PATH_LEAST = 8 };
    struct od_view text = s->text;
    if (saying->kind == OD_REDACT_SECRET && saying->looks) {
        size_t n = od_run(text, at, "/_-.:@");
        if (n >= PATH_LEAST)
            od_found_add(s, (struct od_found){at, at + n, OD_REDACT_SECRET, false});
        return n >= PATH_LEAST;
    }
    if (saying->kind == OD_REDACT_SECRET) {
        size_t most = at + OD_RUN_MOST < text.n ? at + OD_RUN_MOST : text.n;
        size_t end = saying->after
                         ? od_view_find_char(od_view_head(text, most), saying->after[0], at)
                         : most;
        if (end == OD_VIEW_NONE || end <= at)
            return false;
        od_found_add(s, (struct od_found){at, end, OD_REDACT_SECRET, true});
        return true;
    }
    if (saying->kind == OD_REDACT_DEVICE)
        return add_device(s, at);
    char closer = closer_of(od_byte(text, at));
    at += closer != '\0';
    if (!is_ended(saying, closer, od_byte(text, at + name_at(text, at).n)))
        return false;
    if (!add(s, at, saying->kind, saying->looks))
        return false;
    at += name_at(text, at).n;
    if (saying->kind == OD_REDACT_HOST) {
        if (od_view_starts(od_view_from(text, at), OD_VIEW(" by ")))
            (void)add_user(s, at + 4);
        return true;
    }
    return add_said_after(s, at);
}

/* "rank 3 on HOST died", "executed on: HOST": after these words, a name that can only be a
 * machine's. */
static bool find_placed(struct od_search *s, struct od_word word)
{
    static const char *const places[] = {"on", "to", "from", "via", "lookup", NULL};
    char low[8];
    struct od_view place = od_view_lowered(od_part(s->text, word.start, word.end), low, sizeof low);
    size_t at = word.end + (od_byte(s->text, word.end) == ':');
    if (od_byte(s->text, at) != ' ' || !od_view_eq_any(place, places))
        return false;
    at += closer_of(od_byte(s->text, at + 1)) ? 2 : 1;
    struct od_view name = name_at(s->text, at);
    char next = od_byte(s->text, at + name.n);
    bool counted = od_is_counted(s->words, name, place.p[0] == 'o' || place.p[0] == 'l');
    return od_is_letter(od_byte(name, 0)) && (next == '\0' || !strchr("._=(%", next)) &&
           (counted || od_is_machine(s->words, name, false)) && add_host(s, at);
}

/* Returns where the name after the words begins; 0 = they are not there. Their small letters are
 * capitals, too, and a colon may follow those before a person's name. */
static size_t after_saying(struct od_view text, size_t at, const struct saying *saying)
{
    for (size_t i = 0; i < saying->n; i++, at++) {
        char c = od_byte(text, at), wanted = saying->before[i];
        if (saying->kind == OD_REDACT_USER && wanted == ' ' && c == ':' && i > 0)
            c = od_byte(text, ++at);
        if (c != wanted && od_lower(c) != wanted)
            return 0;
    }
    return at;
}

/* word is the first of what is said before the name. */
bool od_find_said(struct od_search *s, struct od_word word)
{
    struct od_view text = s->text;
    char first = text.p[word.start];
    if ((od_byte(text, word.end) == '=' && find_uid(s, word)) ||
        (first == 's' && find_slurm(s, word)) || (first == 'l' && find_netrc(s, word)) ||
        ((first == 'C' || first == 's') && find_named_before(s, word)) ||
        ((first == 's' || first == 'e') && find_key_comment(s, word)) ||
        (word.end - word.start <= 4 && find_pin(s, word)) || find_company(s, word))
        return true;
    for (size_t i = 0; i < OD_COUNT_OF(sayings); i++) {
        if (sayings[i].word != word.end - word.start)
            continue;
        size_t at = after_saying(text, word.start, &sayings[i]);
        if (at == 0)
            continue;
        while (od_byte(text, at) == ' ') /* sudo pads names */
            at++;
        if (add_said(s, &sayings[i], at))
            return true;
    }
    return find_placed(s, word);
}

/* ---- heads of lines ---- */

static bool is_month(struct od_view text)
{
    char low[4];
    struct od_view word = od_view_lowered(od_view_head(text, 3), low, sizeof low);
    size_t at = od_view_find(OD_VIEW("janfebmaraprmayjunjulaugsepoctnovdec"), word, 0);
    return at != OD_VIEW_NONE && at % 3 == 0;
}

/* Bytes of "Nov 21 05:21:39 " or "2026-11-21T05:21:39.123+00:00 "; 0 when there is none. */
static size_t stamp_length(struct od_view text)
{
    size_t at = 0;
    if (text.n > 16 && text.p[3] == ' ' && text.p[9] == ':' && text.p[12] == ':' &&
        text.p[15] == ' ' && is_month(text))
        return 16;
    if (text.n < 21 || text.p[4] != '-' || text.p[7] != '-' || text.p[10] != 'T' ||
        text.p[13] != ':')
        return 0;
    while (at < text.n && at < 36 && text.p[at] != ' ')
        at++;
    return at < text.n && text.p[at] == ' ' ? at + 1 : 0;
}

/* The place after "<14>" or "<14>1 ". */
static size_t after_priority(struct od_view text, size_t at)
{
    size_t close = od_byte(text, at) == '<' ? at + 1 : text.n;
    while (od_is_digit(od_byte(text, close)) && close < at + 4)
        close++;
    if (od_byte(text, close) != '>' || close == at + 1)
        return at;
    bool version = od_is_digit(od_byte(text, close + 1)) && od_byte(text, close + 2) == ' ';
    return close + (version ? 3 : 1);
}

/* "HOST program[1]: ", "HOST kernel: ", "HOST program 12 - " after a stamp. */
static bool find_syslog(struct od_search *s, size_t at)
{
    struct od_view text = s->text;
    at = after_priority(text, at);
    size_t stamp = stamp_length(od_view_from(text, at));
    if (stamp == 0)
        return false;
    at += stamp;
    size_t n = od_run(text, at, "_-.");
    size_t program = at + n + 1;
    if (n < 2 || od_byte(text, at + n) != ' ' || !od_is_text(text.p[at]))
        return false;
    size_t m = od_run(text, program, "_-./()");
    char next = od_byte(text, program + m);
    bool numbered =
        next == ' ' && (od_is_digit(od_byte(text, program + m + 1)) ||
                        od_view_starts(od_view_from(text, program + m), OD_VIEW(" - ")));
    if (m == 0 || (next != ':' && next != '[' && !numbered))
        return false;
    return add_host(s, at);
}

/* "HOST:123:456 [0] NCCL INFO" */
static bool find_nccl(struct od_search *s, size_t at)
{
    struct od_view text = s->text;
    size_t n = od_run(text, at, "_-.") + at;
    size_t digits = n + 1;
    while (od_is_digit(od_byte(text, digits)))
        digits++;
    if (n < at + 2 || od_byte(text, n) != ':' || digits == n + 1 || od_byte(text, digits) != ':' ||
        od_view_find(od_view_head(text, n + 60), OD_VIEW(" NCCL "), n) == OD_VIEW_NONE)
        return false;
    return add_host(s, at);
}

/* "NAME:x:1012:1012:Full Name:/home/NAME:": a row of /etc/passwd. */
static bool find_passwd(struct od_search *s, size_t at)
{
    struct od_view text = s->text;
    size_t colon = at + name_at(text, at).n, end = colon + 3;
    if (!od_view_starts(od_view_from(text, colon), OD_VIEW(":x:")) ||
        !od_is_digit(od_byte(text, end)))
        return false;
    while (od_is_digit(od_byte(text, end)) || od_byte(text, end) == ':')
        end++;
    size_t n = 0;
    while (n < OD_RUN_MOST && (od_is_text(od_byte(text, end + n)) || od_byte(text, end + n) == ' '))
        n++;
    if (n > 2 && od_byte(text, end + n) == ':' &&
        od_view_find_char(od_part(text, end, end + n), ' ', 0) != OD_VIEW_NONE)
        od_found_add(s, (struct od_found){end, end + n, OD_REDACT_USER, true});
    return add_user(s, at);
}

/* "HOST: [2026-11-21 ...", "HOST: [W socket.cpp:601]", "HOST: NCCL WARN": what starts programs on
 * many machines names each line's. */
static bool is_labelled(struct od_view rest)
{
    static const char *const heads[] = {": [W ", ": [E ", ": [I ", ": NCCL ", NULL};
    return (od_view_starts(rest, OD_VIEW(": [20")) && od_is_digit(od_byte(rest, 5)) &&
            od_byte(rest, 7) == '-') ||
           od_view_starts_any(rest, heads);
}

/* "HOST      Mon Mar  2 10:15:01 2026": the head of gpustat. One blank may follow a long name. */
static bool is_dated(struct od_view rest)
{
    static const char *const days[] = {"Mon ", "Tue ", "Wed ", "Thu ",
                                       "Fri ", "Sat ", "Sun ", NULL};
    if (!od_view_starts(rest, OD_VIEW(" ")))
        return false;
    od_view_skip_blanks(&rest);
    return od_view_starts_any(rest, days) && is_month(od_view_from(rest, 4));
}

/* "[HOST:01234] ***", "HOST: slots=8", "HOST login: ", "Linux HOST 5.15.0" */
static bool find_head(struct od_search *s, size_t at)
{
    struct od_view text = s->text;
    if (od_view_starts(od_view_from(text, at), OD_VIEW("Linux "))) {
        struct od_view name = name_at(text, at + 6);
        return od_byte(text, at + 6 + name.n) == ' ' && !od_view_eq_str(name, "version") &&
               od_is_digit(od_byte(text, at + 7 + name.n)) && add_host(s, at + 6);
    }
    struct od_view date = od_view_from(text, at + od_run(text, at, "_-."));
    if (is_dated(date))
        return add(s, at, OD_REDACT_HOST, !od_view_starts(date, OD_VIEW("  ")));
    bool bracket = od_byte(text, at) == '[';
    at += bracket;
    struct od_view name = name_at(text, at);
    struct od_view rest = od_view_from(text, at + name.n);
    if (name.n < 2)
        return false;
    if (bracket) {
        size_t digits = 1;
        while (od_is_digit(od_byte(rest, digits)) || (digits > 4 && od_byte(rest, digits) == ':'))
            digits++;
        if (od_view_starts(rest, OD_VIEW("][rank")))
            return add(s, at, OD_REDACT_HOST, true);
        if (od_byte(rest, 0) != ':' || od_byte(rest, digits) != ']' || digits < 2)
            return false;
        return digits >= 5 ? od_is_letter(name.p[0]) && add_host(s, at)
                           : add(s, at, OD_REDACT_HOST, true);
    }
    if (od_view_starts(rest, OD_VIEW(": slots=")) || od_view_starts(rest, OD_VIEW(" slots=")) ||
        (od_view_starts(rest, OD_VIEW(" login: ")) && !od_view_eq_str(name, "Last")))
        return add_host(s, at);
    if (is_labelled(rest))
        return add(s, at, OD_REDACT_HOST, true);
    return od_byte(rest, 0) == ':' && find_passwd(s, at);
}

void od_find_log_head(struct od_search *s, size_t at)
{
    if (!find_syslog(s, at) && !find_nccl(s, at))
        (void)find_head(s, at);
    s->covered = 0; /* the text after the name is searched, and before it */
}
