/* Addresses: of mail, of machines. */
#include "base/ascii.h"
#include "redact/found.h"

#include "base/num.h"

static bool at_word_end(struct od_view text, size_t at, const char *extra)
{
    return od_run(text, at, extra) == 0;
}

/* Letters in the last of at least two labels. */
static bool is_domain(struct od_view name)
{
    size_t dot = OD_VIEW_NONE;
    for (size_t i = 0; i < name.n; i++) {
        if (name.p[i] == '.')
            dot = i;
    }
    if (dot == OD_VIEW_NONE || dot == 0 || name.n - dot - 1 < 2)
        return false;
    for (size_t i = dot + 1; i < name.n; i++) {
        if (!od_is_letter(name.p[i]))
            return false;
    }
    return true;
}

static size_t trim_dots(struct od_view text, size_t at, size_t n)
{
    while (n > 0 && (text.p[at + n - 1] == '.' || text.p[at + n - 1] == '-'))
        n--;
    return n;
}

/* "mAP@0.5", "recall@k" and "image@sha256:" are none. user@host is one without a domain. */
bool od_find_email(struct od_view text, size_t at, struct od_found *ret_found)
{
    size_t local = od_run(text, at, "._%+-");
    size_t sign = at + local;
    if (local < 2 || !od_is_alnum(text.p[at]) || sign + 1 >= text.n || text.p[sign] != '@')
        return false;
    size_t n = trim_dots(text, sign + 1, od_run(text, sign + 1, ".-"));
    struct od_view host = od_view_head(od_view_from(text, sign + 1), n);
    if (n == 0)
        return false;
    *ret_found = (struct od_found){.start = at, .end = sign + 1 + n, .kind = OD_REDACT_EMAIL};
    if (is_domain(host))
        return true;
    struct od_found ip;
    bool machine = od_find_ipv4(text, sign + 1, &ip);
    return od_is_letter(text.p[at]) &&
           (machine || (n >= 3 && od_is_letter(host.p[0]) && !od_view_eq_str(host, "sha256")));
}

/* Four numbers up to 255 with dots between. */
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
    return at_word_end(text, at, "_") && !goes_on ? at - start : 0;
}

static bool is_private(const unsigned part[static 4])
{
    return part[0] == 10 || (part[0] == 192 && part[1] == 168) ||
           (part[0] == 172 && part[1] >= 16 && part[1] <= 31) ||
           (part[0] == 100 && part[1] >= 64 && part[1] <= 127) ||
           (part[0] == 169 && part[1] == 254);
}

/* What stands before it says that it is a version: "v", "-", "==", "version ", "cuDNN: ". */
static bool looks_like_version(struct od_view text, size_t at)
{
    static const char *const words[] = {"version", "ver",   "release",  "driver", "cudnn",  "cuda",
                                        "nccl",    "build", "compiled", "loaded", "library"};
    if (at == 0)
        return false;
    char before = text.p[at - 1];
    if (before == '-' || before == '_' || before == '.')
        return true;
    if (before == '=' && at > 1 && (text.p[at - 2] == '=' || text.p[at - 2] == '>'))
        return true;
    size_t end = at;
    while (end > 0 && !od_is_alnum(text.p[end - 1]) && at - end < 4)
        end--;
    size_t start = end;
    while (start > 0 && od_is_alnum(text.p[start - 1]))
        start--;
    struct od_view word = {text.p + start, end - start};
    for (size_t i = 0; i < OD_COUNT_OF(words); i++) {
        if (od_ends_folded(word, words[i]))
            return true;
    }
    return false;
}

static bool is_addressed(struct od_view text, size_t at, size_t end)
{
    static const char *const words[] = {"ip", "addr", "address", "host", "from", "at", "peer"};
    bool port = end + 1 < text.n && (text.p[end] == ':' || text.p[end] == '/') &&
                od_is_digit(text.p[end + 1]);
    if (port || (at > 0 && (text.p[at - 1] == '@' || text.p[at - 1] == '/')))
        return true;
    size_t stop = at;
    while (stop > 0 && !od_is_alnum(text.p[stop - 1]) && at - stop < 4)
        stop--;
    size_t start = stop;
    while (start > 0 && od_is_letter(text.p[start - 1]))
        start--;
    for (size_t i = 0; i < OD_COUNT_OF(words); i++) {
        if (od_ends_folded((struct od_view){text.p + start, stop - start}, words[i]))
            return true;
    }
    return false;
}

/* 127.0.0.1 and 0.0.0.0 are everybody's. Small first numbers without a port are versions. */
bool od_find_ipv4(struct od_view text, size_t at, struct od_found *ret_found)
{
    unsigned part[4];
    size_t n = quad(text, at, part);
    if (n == 0 || part[0] == 127 || part[0] == 0 || part[0] == 255 || looks_like_version(text, at))
        return false;
    if (!is_private(part) && part[0] < 30 && !is_addressed(text, at, at + n))
        return false;
    *ret_found = (struct od_found){.start = at, .end = at + n, .kind = OD_REDACT_IP};
    return true;
}

/* Groups of hex digits with colons: what od_find_colons tells apart. */
struct groups {
    size_t n, end;
    size_t empty;   /* "::" */
    bool pairs;     /* all have two digits */
    bool short_;    /* all have four at most */
    bool digits;    /* a digit is in one of them */
    char separator; /* ':' or '-' */
};

static struct groups read_groups(struct od_view text, size_t at, char separator)
{
    struct groups g = {.pairs = true, .short_ = true, .end = at, .separator = separator};
    bool was_empty = false;
    for (;;) {
        size_t n = 0;
        for (; at + n < text.n && od_is_hex(text.p[at + n]); n++)
            g.digits = g.digits || od_is_digit(text.p[at + n]);
        g.empty += n == 0;
        /* One colon behind a group is the sentence's. */
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
    for (size_t i = 0; i < OD_COUNT_OF(heads); i++) {
        struct od_view head = od_view_of(heads[i]);
        if (od_equals_folded(od_view_head(text, head.n), heads[i]))
            return true;
    }
    return false;
}

/* MAC and IPv6 addresses; not times, PCI addresses or names of C++. */
bool od_find_colons(struct od_view text, size_t at, struct od_found *ret_found)
{
    if (!od_is_hex(text.p[at]) && !od_view_starts(od_view_from(text, at), OD_VIEW("::")))
        return false;
    struct groups g = read_groups(text, at, ':');
    if (g.n == 1)
        g = read_groups(text, at, '-');
    if (!at_word_end(text, g.end, "_") || (at > 0 && text.p[at - 1] == g.separator))
        return false;
    *ret_found = (struct od_found){.start = at, .end = g.end, .kind = OD_REDACT_MAC};
    if (g.n == 6 && g.pairs)
        return true;
    ret_found->kind = OD_REDACT_IP;
    if (g.separator != ':' || !g.short_)
        return false;
    if (g.n == 8 && g.empty == 0)
        return true;
    return g.empty >= 1 && g.n >= 3 && g.n <= 8 && g.digits && is_global(od_view_from(text, at));
}

/* Full names within a house, and those that clouds make of addresses. */
bool od_find_host(struct od_view text, size_t at, struct od_found *ret_found)
{
    static const char *const inside[] = {".internal", ".local", ".lan",     ".corp",   ".intranet",
                                         ".edu",      ".home",  ".private", ".cluster"};
    size_t n = trim_dots(text, at, od_run(text, at, ".-"));
    struct od_view name = od_view_head(od_view_from(text, at), n);
    *ret_found =
        (struct od_found){.start = at, .end = at + n, .kind = OD_REDACT_HOST, .learn = true};
    if (n < 6 || !od_is_letter(name.p[0]))
        return false;
    bool marked = false;
    for (size_t i = 0; i < n; i++)
        marked = marked || od_is_digit(name.p[i]) || name.p[i] == '-';
    if (od_view_starts(name, OD_VIEW("ip-")) && od_is_digit(name.p[3]) &&
        od_view_find_char(name, '-', 3) != OD_VIEW_NONE)
        return true;
    for (size_t i = 0; marked && i < OD_COUNT_OF(inside); i++) {
        if (od_ends_folded(name, inside[i]))
            return true;
    }
    return false;
}

/* "://" at this byte: what stands between it and an @ is a login. */
bool od_find_url_login(struct od_view text, size_t at, struct od_found *ret_found)
{
    if (!od_view_starts(od_view_from(text, at), OD_VIEW("://")))
        return false;
    size_t end = at + 3;
    while (end < text.n && text.p[end] > ' ' && text.p[end] != '/' && text.p[end] != '@' &&
           text.p[end] != '"' && text.p[end] != '\'')
        end++;
    if (end >= text.n || text.p[end] != '@' || end == at + 3)
        return false;
    *ret_found = (struct od_found){.start = at + 3, .end = end, .kind = OD_REDACT_SECRET};
    return true;
}
