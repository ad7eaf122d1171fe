/* Finds mail addresses, addresses of machines, and logins in URLs. */
#include "redact/found.h"

#include "base/mask_digits.h"

enum { LOCAL_MOST = 64, HOST_MOST = 253, LABELS_LEAST = 3 };

static size_t trimmed(struct od_view text, size_t at, size_t end)
{
    while (end > at && (text.p[end - 1] == '.' || text.p[end - 1] == '-'))
        end--;
    return end;
}

static struct od_view last_label(struct od_view name)
{
    return od_view_from(name, name.n - od_run_back(name, name.n, "-_", name.n));
}

static bool is_domain(const struct od_words *words, struct od_view name)
{
    struct od_view last = last_label(name);
    return last.n < name.n && last.n >= 2 && od_words_is(words, last, OD_ROLE_DOMAIN_);
}

/* Length of four numbers up to 255 with dots between; 0 = none. */
static size_t quad(struct od_view text, size_t at, unsigned ret_parts[static 4])
{
    size_t start = at;
    for (int i = 0; i < 4; i++) {
        unsigned value = 0;
        size_t digits = 0;
        for (; at < text.n && od_is_digit(text.p[at]) && digits < 4; at++, digits++)
            value = value * 10 + (unsigned)(text.p[at] - '0');
        if (digits == 0 || digits > 3 || value > 255)
            return 0;
        ret_parts[i] = value;
        if (i < 3 && (at >= text.n || text.p[at++] != '.'))
            return 0;
    }
    bool goes_on = at + 1 < text.n && text.p[at] == '.' && od_is_alnum(text.p[at + 1]);
    return od_run(text, at, "_") == 0 && !goes_on ? at - start : 0;
}

/* Is the text after an @ the version of a package: "3", "v4.30.2", "^1.3"? */
static bool is_version(struct od_view host)
{
    size_t at = host.n > 1 && (host.p[0] == 'v' || host.p[0] == 'V') ? 1 : 0;
    return at < host.n && od_is_digit(host.p[at]) &&
           (od_view_find_char(host, '.', 0) != OD_VIEW_NONE || host.n - at < 4);
}

/* Is "user@host" followed by the text that a prompt has after the host? */
static bool is_login(struct od_view text, size_t start, size_t end)
{
    struct od_view rest = od_view_from(text, end);
    char sign = od_view_at(rest, 0), after = od_view_at(rest, 1);
    if (((sign == ':' || sign == ' ') && (after == '~' || after == '/')) ||
        (after == ' ' && sign != '\0' && strchr("$#>%", sign)))
        return true;
    char before_it = start > 0 ? text.p[start - 1] : '\0', behind = od_view_at(rest, 0);
    if ((before_it == '[' && behind == ' ') || (before_it == '<' && behind == '>'))
        return true;
    return false;
}

/* Adds the name before an address: "Ana Lund <ana@...>", "cdubois <cd@...>". */
static void add_addressee(struct od_search *s, size_t open)
{
    enum { WORDS_MOST = 4 };
    struct od_view text = s->text;
    size_t start = open, at = open;
    unsigned words = 0;
    for (int i = 0; i < WORDS_MOST && start > 1 && text.p[start - 1] == ' '; i++) {
        at = start - 1 - od_run_back(text, start - 1, "-_'.", OD_RUN_MOST);
        if (od_is_upper(od_view_at(text, at + 1)) ||
            (!od_is_upper(text.p[at]) && !od_is_particle(od_view_part(text, at, start - 1))))
            break;
        start = at;
    }
    struct od_view login = od_view_part(text, at, open > at ? open - 1 : at);
    if (od_names_end(s->words, text, start, &words) + 1 == open && words > 1)
        od_found_add(s, (struct od_found){start, open - 1, OD_REDACT_USER, true});
    else if (start == open && login.n > 3 && od_is_strange(s->words, login))
        (void)od_found_add_user(s, at, open - 1);
}

/* The word before a position, skipping punctuation. */
static struct od_view word_before(struct od_view text, size_t at)
{
    size_t end = at;
    while (end > 0 && !od_is_alnum(text.p[end - 1]) && at - end < 4)
        end--;
    return od_view_part(text, end - od_run_back(text, end, "", 24), end);
}

static bool ends_with_any(struct od_view word, const char *const *ends, size_t n)
{
    char low[24];
    struct od_view lower = od_view_lowered(word, low, sizeof low);
    for (size_t i = 0; i < n; i++) {
        if (od_view_ends(lower, od_view_of(ends[i])))
            return true;
    }
    return false;
}

/* Is the name a domain with an unknown last label ("hedgehog.zone"), and no call or version? */
static bool is_full_name(const struct od_words *words, struct od_view name, char next)
{
    struct od_view last = last_label(name);
    return last.n < name.n && last.n > 1 && od_is_letters(last, "") && !od_is_upper(last.p[0]) &&
           od_is_letter(name.p[0]) && !od_is_site(words, name) &&
           (next == '\0' || !strchr("(=_[", next));
}

/* Finds a mention within a sentence: "the box died again, @benedikt can you look?" */
static bool find_mention(struct od_search *s, size_t sign)
{
    struct od_view text = s->text;
    size_t n = od_run(text, sign + 1, "_-"), end = sign + 1 + n;
    struct od_view name = od_view_part(text, sign + 1, end), before = word_before(text, sign);
    char next = od_view_at(text, end);
    bool within = sign > 1 && text.p[sign - 1] == ' ' && od_is_letters(before, "") &&
                  before.n > 1 && !od_is_upper(before.p[1]);
    if (!within || n < 3 || od_is_upper(name.p[0]) || !od_is_letters(name, "_-") ||
        (next != '\0' && !strchr(" ,?!:", next)) || od_words_roles(s->words, name) != 0)
        return false;
    return od_found_add_user(s, sign + 1, end);
}

/* Finds mail addresses and logins. "mAP@0.5", "recall@k", "pkg@v1.2" and "image@sha256:" are
 * neither. user@host without a domain is a login. */
bool od_find_email(struct od_search *s, size_t sign)
{
    struct od_view text = s->text;
    size_t start = sign - od_run_back(text, sign, "._%+-", LOCAL_MOST);
    while (start < sign && !od_is_text(text.p[start]))
        start++;
    start = od_skip_drawn(od_view_head(text, sign), start);
    size_t end = trimmed(text, sign + 1, sign + 1 + od_run(text, sign + 1, ".-"));
    struct od_view local = od_view_part(text, start, sign);
    struct od_view host = od_view_part(text, sign + 1, end);
    if (sign == s->login_end) /* the @ belongs to a login in a URL */
        return false;
    unsigned parts[4];
    bool address = quad(text, sign + 1, parts) > 0;
    if (local.n == 0 && find_mention(s, sign))
        return true;
    if (local.n < 2 || host.n < 2 || (is_version(host) && !is_domain(s->words, host) && !address) ||
        (start > 0 && text.p[start - 1] == '/' && !is_domain(s->words, host)))
        return false;
    bool git = od_view_eq_str(local, "git");
    bool machine = od_is_machine(s->words, host, true) || address;
    bool login = machine || is_login(text, start, end) ||
                 (od_is_strange(s->words, host) && !od_view_has(host, OD_VIEW(".")));
    bool mail = is_domain(s->words, host) ||
                (!login && is_full_name(s->words, host, od_view_at(text, end)));
    if (mail && !git) {
        if (start > 1 && (text.p[start - 1] == '<' || text.p[start - 1] == '('))
            add_addressee(s, start - 1);
        od_found_add(s, (struct od_found){start, end, OD_REDACT_EMAIL, false});
        return true;
    }
    if (git || !od_is_letter(local.p[0]))
        return false;
    if (!login)
        return false;
    if (od_view_starts(host, OD_VIEW("sha256")))
        return false;
    if (od_is_common_name(s->words, host))
        return false;
    if (!od_is_common_name(s->words,
                           local)) /* only the machine's name in "root@3f2a" is worth hiding */
        od_found_add(s, (struct od_found){start, sign, OD_REDACT_USER, true});
    od_found_add(
        s, (struct od_found){sign + 1, end, address ? OD_REDACT_IP : OD_REDACT_HOST, !address});
    return true;
}

static bool is_private(const unsigned part[static 4])
{
    return part[0] == 10 || (part[0] == 192 && part[1] == 168) ||
           (part[0] == 172 && part[1] >= 16 && part[1] <= 31) ||
           (part[0] == 100 && part[1] >= 64 && part[1] <= 127) ||
           (part[0] == 169 && part[1] == 254);
}

/* Is the number a version, after "v", "-", "==", "version ", "cuDNN: "? */
static bool looks_like_version(struct od_view text, size_t at)
{
    static const char *const words[] = {"version",  "ver",    "release", "driver",
                                        "cudnn",    "cuda",   "nccl",    "build",
                                        "compiled", "loaded", "library", "kernel"};
    if (at == 0)
        return false;
    char before = text.p[at - 1];
    if (before == '-' || before == '_' || before == '.')
        return true;
    if (before == '=' && at > 1 && (text.p[at - 2] == '=' || text.p[at - 2] == '>'))
        return true;
    return ends_with_any(word_before(text, at), words, OD_COUNT_OF(words));
}

static bool is_addressed(struct od_view text, size_t at, size_t end)
{
    static const char *const words[] = {"ip", "addr", "address", "host", "from", "at", "peer"};
    bool port = end + 1 < text.n && (text.p[end] == ':' || text.p[end] == '/') &&
                od_is_digit(text.p[end + 1]);
    if (port || (at > 0 && (text.p[at - 1] == '@' || text.p[at - 1] == '/')))
        return true;
    return ends_with_any(word_before(text, at), words, OD_COUNT_OF(words));
}

/* Finds IPv4 addresses except 127.0.0.1 and 0.0.0.0, which identify no machine. Small first numbers
 * without a port are versions. */
bool od_find_ipv4(struct od_search *s, size_t at)
{
    unsigned part[4];
    size_t n = quad(s->text, at, part);
    if (n == 0 || part[0] == 127 || part[0] == 0 || part[0] == 255 ||
        looks_like_version(s->text, at))
        return false;
    if (!is_private(part) && part[0] < 30 && !is_addressed(s->text, at, at + n))
        return false;
    od_found_add(s, (struct od_found){at, at + n, OD_REDACT_IP, false});
    return true;
}

/* Groups of hexadecimal digits between separators. */
struct groups {
    size_t n, end;
    size_t empty;   /* number of empty groups, "::" */
    bool pairs;     /* all groups have two digits */
    bool short_;    /* all groups have at most four digits */
    bool digits;    /* a group contains a digit */
    char separator; /* separator, ':' or '-' */
};

static struct groups read_groups(struct od_view text, size_t at, char separator)
{
    struct groups g = {.pairs = true, .short_ = true, .end = at, .separator = separator};
    bool was_empty = false;
    for (;;) {
        size_t n = 0;
        for (; n < 8 && at + n < text.n && od_is_hex(text.p[at + n]); n++)
            g.digits = g.digits || od_is_digit(text.p[at + n]);
        g.empty += n == 0;
        if (g.n > 0 && separator == ':' && quad(text, at, (unsigned[4]){0}) > 0) {
            /* an IPv4 address at the end: "::ffff:172.19.4.4" */
            g.end = at + quad(text, at, (unsigned[4]){0});
            g.n++;
            break;
        }
        /* a single colon after a group is punctuation */
        if (n == 0 && g.n > 0 && !was_empty && (at >= text.n || text.p[at] != separator)) {
            g.empty--;
            break;
        }
        was_empty = n == 0;
        g.pairs = g.pairs && n == 2;
        g.short_ = g.short_ && n <= 4;
        g.n++;
        at += n;
        g.end = at;
        if (g.n > 9 || at >= text.n || text.p[at] != separator)
            break;
        at++;
    }
    return g;
}

static bool is_global(struct od_view text)
{
    static const char *const heads[] = {"fe80", "fc", "fd", "2", "3", "::ffff"};
    char low[8];
    struct od_view lower = od_view_lowered(text, low, sizeof low);
    for (size_t i = 0; i < OD_COUNT_OF(heads); i++) {
        if (od_view_starts(lower, od_view_of(heads[i])))
            return true;
    }
    return false;
}

/* Finds MAC and IPv6 addresses, but no times, PCI addresses or C++ names. */
bool od_find_colons(struct od_search *s, size_t at)
{
    struct od_view text = s->text;
    struct groups g = read_groups(text, at, ':');
    if (g.n == 1)
        g = read_groups(text, at, '-');
    if (od_run(text, g.end, "_") > 0 || (at > 0 && text.p[at - 1] == g.separator))
        return false;
    struct od_found found = {at, g.end, OD_REDACT_MAC, false};
    bool mac = g.n == 6 && g.pairs;
    bool ip =
        g.separator == ':' && g.short_ &&
        ((g.n == 8 && g.empty == 0 && !g.pairs) ||
         (g.empty >= 1 && g.n >= 3 && g.n <= 8 && g.digits && is_global(od_view_from(text, at))));
    if (!mac && !ip)
        return false;
    found.kind = mac ? OD_REDACT_MAC : OD_REDACT_IP;
    od_found_add(s, found);
    return true;
}

/* ---- full names of machines ---- */

struct od_view od_registered(struct od_view name)
{
    static const char *const second[] = {"co", "com", "ac", "org", "net", "edu", "gov", NULL};
    struct od_view last = last_label(name);
    struct od_view rest = od_view_head(name, name.n - last.n - (last.n < name.n));
    struct od_view label = last_label(rest);
    if (last.n == 2 && label.n < rest.n && od_view_eq_any(label, second))
        label = last_label(od_view_head(rest, rest.n - label.n - 1));
    return label;
}

bool od_is_site(const struct od_words *words, struct od_view name)
{
    return !od_words_is(words, last_label(name), OD_ROLE_INSIDE) &&
           od_words_is(words, od_registered(name), OD_ROLE_SITE);
}

static bool has_mark(struct od_view name)
{
    for (size_t i = 0; i < name.n; i++) {
        if (od_is_digit(name.p[i]) || name.p[i] == '-')
            return true;
    }
    return false;
}

/* Is the site used in documentation and examples? */
static bool is_example(struct od_view name)
{
    static const char *const names[] = {
        "example.com",     "example.org",      "example.net", "www.example.com",
        "api.example.com", "s3.amazonaws.com", NULL};
    return od_view_eq_any(name, names);
}

static size_t name_back(struct od_view text, size_t at)
{
    size_t start = at - od_run_back(text, at, ".-", HOST_MOST);
    while (start < at && !od_is_alnum(text.p[start]))
        start++;
    return start;
}

/* Does the word before a full name mark a machine, as in "on HOST" or "lookup HOST: no such host"?
 * In "from a.b.io import" it does not. */
static bool is_placed(struct od_view text, size_t start, size_t end)
{
    static const char *const places[] = {"on",     "at",      "to",   "from",     "via",
                                         "lookup", "resolve", "host", "hostname", NULL};
    char low[12];
    struct od_view before = word_before(text, start);
    return od_view_eq_any(od_view_lowered(before, low, sizeof low), places) &&
           !od_view_starts(od_view_from(text, end), OD_VIEW(" import"));
}

/*
 * Called for the last label of "gpu1.lab.example.org". Dots also join modules, files and versions,
 * so the first label must be marked, or the text before or after it must mark a machine.
 */
bool od_find_domain(struct od_search *s, struct od_word word)
{
    static const char *const public[] = {"com", "org", "net", "edu", "gov", NULL};
    static const char *const networks[] = {"lan",      "corp",        "intra", "intern",
                                           "intranet", "localdomain", NULL};
    struct od_view text = s->text;
    char next = od_view_at(text, word.end), second = od_view_at(text, word.end + 1);
    size_t start = name_back(text, word.start);
    struct od_view name = od_view_part(text, start, word.end);
    struct od_view last = od_view_part(text, word.start, word.end);
    struct od_view first = od_view_head(name, od_view_find_char(name, '.', 0));
    char before = start > 0 ? text.p[start - 1] : '\0';
    if ((next != '\0' && strchr("_-(=@", next)) || (next == '.' && od_is_alnum(second)) ||
        !od_is_alnum(name.p[0]) || before == '_' || last.n == name.n ||
        od_is_site(s->words, name) || is_example(name))
        return false;
    bool is_long = od_view_count(name, '.') + 1 >= LABELS_LEAST && !od_view_eq_str(first, "www");
    bool mark = has_mark(first), placed = is_placed(text, start, word.end);
    bool inside = od_words_is(s->words, last, OD_ROLE_INSIDE) &&
                  (has_mark(name) || next == '/' || placed || od_view_eq_any(last, networks));
    bool addressed = before == '@' || (before == '/' && start > 1 && text.p[start - 2] == '/') ||
                     (next == ':' && od_is_digit(second) && (mark || is_long));
    bool dashed = od_view_has(name, OD_VIEW("-")) && !od_has_digit(name); /* modules have none */
    bool told = (mark && od_is_letter(name.p[0])) || placed || dashed || next == '/' ||
                od_view_eq_any(last, public);
    bool device = mark && od_words_is(s->words, first, OD_ROLE_DEVICE);
    bool path = before == '/' && !addressed;
    if (path || (!inside && !addressed &&
                 (device || !((is_long && told) || od_is_machine(s->words, first, false)))))
        return false;
    od_found_add(s, (struct od_found){start, word.end, OD_REDACT_HOST, true});
    return true;
}

/* Is there more than a port after the colon? The URL then has a password that is not escaped. */
static bool is_in_password(struct od_view text, size_t login, size_t at)
{
    size_t colon = od_view_find_char(od_view_head(text, at), ':', login);
    for (size_t i = colon + 1; colon != OD_VIEW_NONE && i < at; i++)
        if (!od_is_digit(text.p[i]))
            return true;
    return false;
}

/* Adds a machine's name in a URL without a domain, or with one that is no public site:
 * "http://trainer-0/", "http://hilbert:8888". */
static bool add_authority(struct od_search *s, size_t at)
{
    size_t n = od_run(s->text, at, "-._");
    struct od_view name = od_view_part(s->text, at, at + n);
    char next = od_view_at(s->text, at + n);
    bool full = od_view_find_char(name, '.', 0) != OD_VIEW_NONE;
    bool port = next == ':' && od_is_digit(od_view_at(s->text, at + n + 1));
    bool machine = od_is_machine(s->words, name, true) && (port || od_has_digit(name));
    if ((next != ':' && next != '/' && next != '\0') || n < 3 || !od_is_letter(name.p[0]) ||
        od_words_is(s->words, name, OD_ROLE_COMMON | OD_ROLE_SITE) ||
        (full ? is_domain(s->words, name) || !is_full_name(s->words, name, next)
              : n > LOCAL_MOST / 2 || !(port || machine)))
        return false; /* a known domain is found at its last label */
    od_found_add(s, (struct od_found){at, at + n, OD_REDACT_HOST, true});
    return true;
}

/* Finds a machine before one of its folders or a port: "nfs01:/export on /home",
 * "srv-ml-kiruna:9100". */
static bool find_mount(struct od_search *s, size_t colon)
{
    enum { PORT = 4 };
    struct od_view text = s->text;
    size_t start = name_back(text, colon), digits = od_num_digits(od_view_from(text, colon + 1));
    struct od_view name = od_view_part(text, start, colon);
    bool folder = od_view_at(text, colon + 1) == '/';
    bool port = (digits == PORT || digits == PORT + 1) &&
                !od_is_text(od_view_at(text, colon + 1 + digits)) &&
                !(start > 0 && strchr("/.-_@", text.p[start - 1]));
    bool marked = od_has_digit(name) && od_view_has(name, OD_VIEW("-"));
    if (folder ? !od_is_machine(s->words, name, marked)
               : !port || !od_is_machine_or_own(s->words, name))
        return false;
    od_found_add(s, (struct od_found){start, colon, OD_REDACT_HOST, true});
    if (folder)
        od_found_add_share(s, colon + 1);
    return true;
}

/* Finds a login in a URL, between "://" and an @; called at "://". */
bool od_find_url_login(struct od_search *s, size_t colon)
{
    struct od_view text = s->text;
    if (!od_view_starts(od_view_from(text, colon), OD_VIEW("://")))
        return find_mount(s, colon);
    size_t at = colon + 3;
    size_t sign = 0;
    for (size_t end = at; end < text.n && end - at < OD_VALUE_MOST; end++) {
        char c = text.p[end];
        if (c == '@')
            sign = end;
        if ((unsigned char)c <= ' ' || strchr("/\"'`", c) ||
            ((c == '?' || c == '#') && !is_in_password(text, at, end)))
            break;
    }
    struct od_view login = od_view_part(text, at, sign > at ? sign : at);
    if (login.n == 0)
        return add_authority(s, at);
    if (od_view_eq_str(login, "git"))
        return false;
    (void)od_found_add_login(s, at, sign);
    (void)add_authority(s, sign + 1);
    s->login_end = sign;
    return true;
}

/* Length of "(415) 555-0134" from its second byte on; 0 = no phone number. */
static size_t american(struct od_view text, size_t at)
{
    static const char form[] = "ddd) ddd-dddd";
    size_t i = 0;
    for (; form[i]; i++) {
        char c = od_view_at(text, at + i);
        if (form[i] == 'd' ? !od_is_digit(c) : c != form[i])
            return 0;
    }
    return od_is_text(od_view_at(text, at + i)) ? 0 : at + i;
}

bool od_find_phone(struct od_search *s, size_t start, size_t end)
{
    enum { COUNTRY = 3, LEAST = 9, MOST = 15 };
    struct od_view text = s->text;
    char sign = start > 0 ? text.p[start - 1] : ' ';
    char before = start > 1 ? text.p[start - 2] : ' ';
    if ((sign != '+' && sign != '(') || od_is_text(before) || end - start > COUNTRY)
        return false;
    size_t digits = end - start, groups = 0, at = sign == '(' ? american(text, start) : end;
    while (sign == '+' && (od_view_at(text, at) == ' ' || od_view_at(text, at) == '-')) {
        size_t n = od_num_digits(od_view_from(text, at + 1));
        if (n == 0 || od_is_text(od_view_at(text, at + 1 + n)))
            break;
        at += 1 + n;
        digits += n;
        groups++;
    }
    if (sign == '(' ? at == 0 : groups < 2 || digits < LEAST || digits > MOST)
        return false;
    od_found_add(s, (struct od_found){start - 1, at, OD_REDACT_PHONE, false});
    return true;
}

/* ---- lists of nodes ---- */

bool od_find_nodes(struct od_search *s, struct od_word word)
{
    struct od_view text = s->text;
    size_t at = word.end + 1, start = name_back(text, word.start);
    if (text.p[word.end] == ']') {
        bool port = od_view_at(text, at) == ':' && od_is_digit(od_view_at(text, at + 1));
        struct od_view name = od_view_part(text, start, word.end);
        if (!port || start == 0 || text.p[start - 1] != '[' || !od_is_machine(s->words, name, true))
            return false;
        od_found_add(s, (struct od_found){start, word.end, OD_REDACT_HOST, true});
        return true;
    }
    size_t n = od_run(text, at, ",-");
    bool range = od_view_at(text, at) == '0' && n >= 5 && od_view_at(text, at + n) == ']';
    for (size_t i = 0; i < n; i++)
        range = range && !od_is_letter(text.p[at + i]);
    if (!range || word.roles & (OD_ROLE_DEVICE | OD_ROLE_COMMON) || !od_is_letter(text.p[start]))
        return false;
    od_found_add(s, (struct od_found){start, at + n + 1, OD_REDACT_HOST, true});
    return true;
}
