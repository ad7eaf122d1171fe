/* Tests on the form of words, and the functions that add finds. */
#include "redact/found.h"

#include "base/mask_digits.h"

void od_found_add(struct od_search *s, struct od_found found)
{
    if (s->covered < found.end)
        s->covered = found.end;
    found.start += s->base;
    found.end += s->base;
    od_vec_push(s->finds, found);
}

bool od_found_add_user(struct od_search *s, size_t start, size_t end)
{
    bool is_user = od_is_user(s->words, od_view_part(s->text, start, end));
    if (is_user)
        od_found_add(s, (struct od_found){start, end, OD_REDACT_USER, true});
    return is_user;
}

bool od_found_add_login(struct od_search *s, size_t start, size_t end)
{
    struct od_view text = s->text;
    size_t mark = start;
    while (mark < end && text.p[mark] != ':' && text.p[mark] != '%')
        mark++;
    if (mark < end || !od_is_mixed(od_view_part(text, start, end), 16))
        (void)od_found_add_user(s, start, mark);
    if (mark + 1 < end)
        od_found_add(s, (struct od_found){mark + 1, end, OD_REDACT_SECRET, true});
    od_found_add(s, (struct od_found){start, end, OD_REDACT_SECRET, false});
    return true;
}

/* clang-format off */
#define ALL 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
const uint8_t od_letters[256] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 2, 0, 2, 0, 0, 0, 0, 0, 0, 2, 0, 2, /* $ & - / */
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 0, 0, 0, 0, 2, /* : ? */
    2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, /* @ */
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 2, 0, 0, 0, /* backslash */
    0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 2, 0, /* ~ */
    ALL, ALL, ALL, ALL, ALL, ALL, ALL, ALL,
};
#undef ALL
/* clang-format on */

size_t od_run(struct od_view text, size_t at, const char *extra)
{
    size_t n = 0;
    for (; n < OD_RUN_MOST && at + n < text.n; n++) {
        char c = text.p[at + n];
        if (!od_is_text(c) && (c == '\0' || c == ' ' || !strchr(extra, c)))
            break;
    }
    return n;
}

size_t od_run_back(struct od_view text, size_t at, const char *extra, size_t most)
{
    size_t n = 0;
    for (; n < most && n < at; n++) {
        char c = text.p[at - n - 1];
        if (!od_is_text(c) && (c == '\0' || !strchr(extra, c)))
            break;
    }
    return n;
}

/* Number of characters of each class, and of changes between classes. */
struct mix {
    size_t digits, lower, upper, hex, changes;
};

static int class_of(char c)
{
    return od_is_digit(c) ? 1 : od_is_upper(c) ? 2 : od_is_letter(c) ? 3 : 0;
}

static struct mix mix_of(struct od_view text)
{
    struct mix mix = {0};
    int last = 0;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        int class = class_of(c);
        mix.digits += class == 1;
        mix.upper += class == 2;
        mix.lower += class == 3;
        mix.hex += od_is_hex(c);
        mix.changes += last && class && class != last;
        last = class;
    }
    return mix;
}

/* Names change the class between words; random text changes it all the time. */
bool od_is_random(struct od_view text)
{
    enum { LEAST = 16, LOOK = 128 };
    struct od_view look = od_view_head(text, LOOK);
    struct mix mix = mix_of(look);
    if (look.n < LEAST || mix.digits == 0 || mix.lower + mix.upper == 0)
        return false;
    if (mix.hex == look.n)
        return look.n >= 20 && mix.digits >= 3 && mix.changes >= 6;
    return mix.digits >= 2 && mix.changes * 5 >= look.n;
}

/* Is the text base64 of readable text, such as JSON? */
static bool holds_text(struct od_view word)
{
    enum { LOOK = 20 };
    unsigned bits = 0, have = 0;
    for (size_t i = 0; i < word.n && i < LOOK; i++) {
        char c = word.p[i];
        bits = bits << 6 | (unsigned)(od_is_digit(c)   ? c - '0' + 52
                                      : od_is_upper(c) ? c - 'A'
                                                       : c - 'a' + 26);
        have += 6;
        if (have < 8)
            continue;
        have -= 8;
        unsigned byte = bits >> have & 255;
        if (byte < ' ' || byte > '~')
            return false;
    }
    return true;
}

/* Does a vendor's mark that does not mean an id precede the run ("md-", "sk_prod_")? Or is the run
 * in "https://host/path/", where knowing the address gives access? */
static bool is_marked(const struct od_search *s, size_t start, size_t word)
{
    enum { MARK_MOST = 12, ADDRESS_MOST = 160 };
    struct od_view text = s->text;
    if (start < word && word - start <= MARK_MOST && od_is_letter(text.p[start])) {
        size_t n = 0;
        while (start + n < word && od_is_letter(text.p[start + n]))
            n++;
        return n >= 2;
    }
    size_t from = start > ADDRESS_MOST ? start - ADDRESS_MOST : 0;
    return start > 0 && text.p[start - 1] == '/' &&
           od_view_find(od_view_part(text, from, start), OD_VIEW("://"), 0) != OD_VIEW_NONE;
}

/* Does a word that means an id begin the run or precede it? */
static bool is_id(const struct od_search *s, size_t start)
{
    enum { WORD_MOST = 16 };
    struct od_view text = s->text;
    size_t end = start > 0 && text.p[start - 1] == ':' ? start - 1 : start;
    size_t word = end - (end < start ? od_run_back(text, end, "", WORD_MOST) : 0);
    end = end < start ? end : start + od_run(text, start, "");
    return od_words_is(s->words, od_view_part(text, word, end), OD_ROLE_ID);
}

/* Finds keys of unknown form: a random mix of upper case, lower case and digits, longer than the
 * ids of requests. A run with longer neighbours is base64 data. */
bool od_find_chance(struct od_search *s, struct od_word word)
{
    enum { ALONE = 32, RUN = 40, WHOLE = 100 };
    struct od_view text = s->text;
    struct mix mix = mix_of(od_view_part(text, word.start, word.end));
    size_t n = word.end - word.start, start = word.start;
    /* hcaik_, napi_: a vendor's prefix before a run without capitals */
    bool marked = start > 0 && text.p[start - 1] == '_' && n >= RUN && mix.upper == 0 &&
                  mix.hex < n && mix.digits >= 4 && mix.changes * 10 >= n * 3;
    if (marked) {
        od_found_add(s, (struct od_found){start, word.end, OD_REDACT_SECRET, false});
        return true;
    }
    if (mix.upper < 3 || mix.lower < 3 || mix.digits < 2 || mix.changes * 12 < n * 5)
        return false;
    start -= od_run_back(text, start, "_-", OD_RUN_MOST);
    size_t end = word.start + od_run(text, word.start, "_-");
    if (is_id(s, start)) /* a digest: sha512-..., SHA256:... */
        return false;
    bool mine = is_marked(s, start, word.start);
    bool data = !mine && ((start > 0 && strchr("+/", text.p[start - 1])) ||
                          (end < text.n && strchr("+/", text.p[end])));
    if (data) { /* base64, because it has a '+' */
        end = word.start + od_run(text, word.start, "_-+=");
        data = (start > 0 && text.p[start - 1] == '+') || od_view_at(text, end) == '/' ||
               end - start > WHOLE;
    }
    bool mangled =
        od_view_starts(od_view_from(text, start), OD_VIEW("_Z")); /* a mangled C++ name */
    if ((n < ALONE && end - start < RUN && !mine) || data || mangled ||
        holds_text(od_view_part(text, word.start, word.end)))
        return false;
    od_found_add(s, (struct od_found){start, end, OD_REDACT_SECRET, false});
    return true;
}

bool od_is_user(const struct od_words *words, struct od_view name)
{
    size_t letters = 0;
    for (size_t i = 0; i < name.n; i++)
        letters += od_is_letter(name.p[i]) || (unsigned char)name.p[i] >= 0x80;
    return name.n >= 2 && name.n <= 64 && letters > 0 && !od_is_common_name(words, name) &&
           !od_words_is(words, name, OD_ROLE_EMPTY | OD_ROLE_PASS);
}

bool od_is_particle(struct od_view word)
{
    static const char *const words[] = {"de",  "den", "der", "van", "von", "da", "di",
                                        "del", "la",  "bin", "al",  "ten", NULL};
    return od_view_eq_any(word, words);
}

size_t od_names_end(const struct od_words *words, struct od_view text, size_t start,
                    unsigned *ret_words)
{
    enum { WORDS_MOST = 4, WORD_MOST = 24 };
    size_t at = start, end = start;
    unsigned n = 0, named = 0;
    for (; n < WORDS_MOST; n++, at++) {
        struct od_view word = od_view_part(text, at, at + od_run(text, at, "-'."));
        bool capital = word.n > 0 && (od_is_upper(word.p[0]) || (unsigned char)word.p[0] >= 0xC3);
        bool particle = n > 0 && od_is_particle(word);
        if (!particle && (!capital || word.n > WORD_MOST || od_has_digit(word) ||
                          (word.n > 1 && od_is_upper(word.p[1])) ||
                          od_words_is(words, word, OD_ROLE_SITE | OD_ROLE_COMMON)))
            break;
        at += word.n;
        end = particle ? end : at;
        named = particle ? named : n + 1;
        if (od_view_at(text, at) != ' ')
            break;
    }
    while (end > start && text.p[end - 1] == '.')
        end--;
    *ret_words = named;
    return end;
}

/* Letters, also those beyond ASCII. */
static bool is_spelled(struct od_view word)
{
    for (size_t i = 0; i < word.n; i++)
        if (!od_is_letter(word.p[i]) && !(word.p[i] & '\x80') && !strchr("-'.", word.p[i]))
            return false;
    return true;
}

bool od_is_person(const struct od_words *words, struct od_view name)
{
    while (name.n > 0) {
        struct od_view word = od_view_head(name, od_view_find_char(name, ' ', 0));
        if (word.n < 2 || od_is_upper(word.p[1]) || !is_spelled(word) ||
            od_words_roles(words, word) != 0)
            return false;
        name = od_view_from(name, word.n + 1);
    }
    return true;
}

static bool is_hex_id(struct od_view name)
{
    struct mix mix = mix_of(name);
    return name.n == 12 && mix.hex == 12 && mix.upper == 0 && mix.digits > 0 && mix.lower > 0;
}

/* Does a word before the first digit name a kind of machine? "gpu-node-03" has two. */
static bool has_role(const struct od_words *words, struct od_view name, uint32_t role)
{
    for (size_t at = 0; at < name.n;) {
        size_t n = 0;
        while (at + n < name.n && od_is_letter(name.p[at + n]))
            n++;
        if (n > 0 && od_words_is(words, od_view_part(name, at, at + n), role))
            return true;
        at += n + 1;
    }
    return false;
}

static size_t last_number(struct od_view name)
{
    size_t n = 0;
    while (n < name.n && od_is_digit(name.p[name.n - 1 - n]))
        n++;
    return n;
}

/* Is the number padded with zeros ("gpu-03")? Numbers of devices are not. */
static bool is_padded(struct od_view name)
{
    size_t n = last_number(name);
    return n >= 2 && n < name.n && name.p[name.n - n] == '0';
}

/* Is it a name of a cluster's node: meaningless letters and a number of two digits or more:
 * "nid005471", "bw-c0231", "WS-RM-0131"? */
static bool is_counted(const struct od_words *words, struct od_view name)
{
    enum { MOST = 24, DIGITS_MOST = 6, LETTERS_LEAST = 3, RACK_DIGITS = 6 };
    size_t n = name.n, longest = 0;
    if (n < 4 || n > MOST || !od_is_letter(name.p[0]) || mix_of(name).hex == n)
        return false;
    n -= od_is_letter(name.p[n - 1]) && od_is_digit(name.p[n - 2]);
    size_t digits = last_number(od_view_head(name, n));
    bool padded = is_padded(od_view_head(name, n));
    for (size_t at = 0, run = 0; at < n; at += run + 1) {
        for (run = 0; at + run < n && od_is_letter(name.p[at + run]);)
            run++;
        char next = od_view_at(name, at + run);
        uint32_t roles = run > 1 ? od_words_roles(words, od_view_part(name, at, at + run)) : 0;
        if ((roles &
             ~(uint32_t)(OD_ROLE_MACHINE | OD_ROLE_MAYHOST | OD_ROLE_SAID | OD_ROLE_DOMAIN_)) ||
            (!od_is_alnum(next) && next != '-' && next != '\0'))
            return false;
        longest = run > longest ? run : longest;
    }
    /* "c401-112", "x3007c0s13b0n0", "r7i4n12": a rack and a position in it */
    struct mix mix = mix_of(name);
    bool rack = name.p[0] >= 'a' && longest == 1 &&
                (mix.digits >= RACK_DIGITS || (mix.lower == 3 && mix.changes == 5 && digits > 1));
    return (rack || digits >= 2) && digits <= DIGITS_MOST &&
           (rack     ? true
            : padded ? longest >= 2
                     : longest >= LETTERS_LEAST);
}

bool od_is_machine(const struct od_words *words, struct od_view name, bool sure)
{
    enum { PARTS_LEAST = 3 };
    struct mix mix = mix_of(name);
    bool marked = mix.digits > 0 || od_view_find_char(name, '-', 0) != OD_VIEW_NONE;
    if (name.n < 2 || name.n > 253 || od_is_common_name(words, name))
        return false;
    if (is_hex_id(name) || is_counted(words, name))
        return true;
    if (!od_is_letter(name.p[0]) || od_view_find_char(name, '_', 0) != OD_VIEW_NONE || !marked)
        return false;
    if (has_role(words, name, OD_ROLE_MACHINE) && mix.digits > 0)
        return true;
    /* "gke-train-pool-a100-4c1f-zx9k", "ray-head-01", "gpu-598" */
    bool gpu = od_view_starts(name, OD_VIEW("gpu")); /* also "gpu-a-12", but not "gpu-1" */
    bool own = mix.digits > 0 && (od_view_count(name, '-') + gpu >= PARTS_LEAST ||
                                  is_padded(name) || (last_number(name) >= 3 && gpu));
    size_t n = 0; /* a name before the device: "mars-gpu-4", but not "layer-2" */
    while (n < name.n && od_is_letter(name.p[n]))
        n++;
    const uint32_t other = OD_ROLE_DEVICE | OD_ROLE_COMMON;
    return sure && (own || !has_role(words, name, OD_ROLE_DEVICE) ||
                    (n > 1 && n < name.n && name.p[n] == '-' &&
                     !od_words_is(words, od_view_head(name, n), other)));
}

bool od_is_machine_or_own(const struct od_words *words, struct od_view name)
{
    return od_is_machine(words, name, false) ||
           (od_view_has(name, OD_VIEW("-")) && od_is_strange(words, name));
}

/* ---- looks of a value ---- */

bool od_is_letters(struct od_view text, const char *extra)
{
    for (size_t i = 0; i < text.n; i++) {
        if (!od_is_letter(text.p[i]) && (text.p[i] == '\0' || !strchr(extra, text.p[i])))
            return false;
    }
    return true;
}

static bool one_byte(struct od_view text)
{
    for (size_t i = 1; i < text.n; i++) {
        if (text.p[i] != text.p[0])
            return false;
    }
    return true;
}

/* Does the text ask the reader to replace it: "your_key_here", "YOUR-TOKEN"? */
static bool is_invitation(struct od_view v)
{
    char low[8];
    struct od_view head = od_view_lowered(od_view_head(v, 5), low, sizeof low);
    return (od_view_eq_str(head, "your_") || od_view_eq_str(head, "your-") ||
            od_view_eq_str(head, "your ")) &&
           !od_has_digit(v);
}

/* "${SECRET}", "$SECRET", "$(cmd)", "%s", "<password>", "{{ x }}", "[MASKED]", "***". */
bool od_is_placeholder(struct od_view v)
{
    static const char pairs[] = "<>{}[]";
    char first = v.p[0];
    char last = v.p[v.n - 1];
    if (first == '!' && od_is_letters(od_view_from(v, 1), "_-")) /* a YAML tag */
        return true;
    if (one_byte(v) || first == '*' || (first == '%' && v.n == 2) || is_invitation(v))
        return true;
    for (size_t i = 0; i + 1 < sizeof pairs - 1; i += 2) {
        if (first == pairs[i] && last == pairs[i + 1])
            return !od_has_digit(v);
    }
    if (first != '$' || v.n < 2)
        return false;
    struct od_view name = od_view_from(v, 1);
    if (name.p[0] == '{' || name.p[0] == '(') /* the default is a value: "${DB_PASS:-hunter2}" */
        return !(od_view_has(name, OD_VIEW(":-")) && od_has_digit(name));
    for (size_t i = 0; i < name.n; i++) {
        if (!od_is_upper(name.p[i]) && !od_is_digit(name.p[i]) && name.p[i] != '_')
            return false;
    }
    return true;
}

/* Is it an expression and not a value: "os.environ[", "get_token()", "config.secret", "getpass("
 * and a string, "Field(default=None"? */
bool od_is_expression(struct od_view v)
{
    static const char *const arguments[] = {"type=", "default=", "required=", "help=", "action="};
    size_t n = 0;
    for (size_t i = 0; i < OD_COUNT_OF(arguments); i++)
        if (od_view_starts(v, od_view_of(arguments[i])))
            return true;
    while (n < v.n && (od_is_letter(v.p[n]) || v.p[n] == '_' || v.p[n] == '.'))
        n++;
    bool dotted = od_view_find_char(od_view_head(v, n), '.', 0) != OD_VIEW_NONE;
    if (n == v.n)
        return dotted;
    bool called = dotted || v.p[v.n - 1] == ')' || n + 1 == v.n ||
                  od_view_find_char(v, '=', n) != OD_VIEW_NONE;
    return n > 0 && (v.p[n] == '[' || (v.p[n] == '(' && called));
}

/* Is it one of our replacement words? Redacting twice must not change the text. */
bool od_is_replaced(struct od_view v)
{
    static const char *const heads[] = {"secret", "user", "host", "email", "ip", "mac", "device"};
    while (v.n > 0 && v.p[v.n - 1] == '_')
        v.n--;
    for (size_t i = 0; i < OD_COUNT_OF(heads); i++) {
        struct od_view rest = v;
        if (!od_view_take(&rest, od_view_of(heads[i])) || rest.n == 0 || rest.n > 6)
            continue;
        size_t n = 0;
        while (n < rest.n && od_is_digit(rest.p[n]))
            n++;
        if (n == rest.n)
            return true;
    }
    return false;
}

/* Is it a path or the like: "/root/.cache", "./x", "<x>", "[x]", "-x"? Base64 may also begin like
 * this. */
static bool is_path(struct od_view v)
{
    enum { LONG = 40 };
    bool plain = v.n < LONG || !od_is_random(v) || od_view_find_char(v, '.', 0) != OD_VIEW_NONE ||
                 od_view_find_char(v, '_', 0) != OD_VIEW_NONE;
    return v.p[0] == '.' || v.p[0] == '<' || v.p[0] == '[' || v.p[0] == '-' ||
           (v.p[0] == '/' && plain);
}

/* Is it neither a number, nor a path, nor a plain word? */
bool od_is_mixed(struct od_view v, size_t least)
{
    bool letter = false;
    size_t digits = 0;
    for (size_t i = 0; i < v.n; i++) {
        letter = letter || od_is_letter(v.p[i]);
        digits += od_is_digit(v.p[i]);
    }
    return v.n >= least && letter && digits > 0 && !is_path(v);
}

/* Does it consist of words and a number: "tok_1234", "image_pad_151655"? */
bool od_is_numbered(struct od_view v)
{
    while (v.n > 0 && od_is_digit(v.p[v.n - 1]))
        v.n--;
    return v.n > 0 && (v.p[v.n - 1] == '_' || v.p[v.n - 1] == '-') && od_is_letters(v, "_-");
}

/* Does it have letters and digits and also both cases, or marks that names do not have? */
bool od_is_password(struct od_view v)
{
    bool upper = false, lower = false, mark = false;
    for (size_t i = 0; i < v.n; i++) {
        upper = upper || od_is_upper(v.p[i]);
        lower = lower || (od_is_letter(v.p[i]) && !od_is_upper(v.p[i]));
        mark = mark || (!od_is_text(v.p[i]) && !strchr("_-./:=()[]", v.p[i]));
    }
    return od_is_mixed(v, 6) && (mark || (upper && lower));
}

bool od_is_given(struct od_view v)
{
    enum { LEAST = 8, MOST = 64, MIXED_LEAST = 12 };
    struct mix mix = mix_of(od_view_head(v, MOST));
    bool marked = v.n >= MIXED_LEAST && mix.digits > 1 && mix.changes * 2 >= v.n;
    for (size_t i = 0; i < v.n; i++)
        marked = marked || (v.p[i] != '\0' && strchr("!#%^*+@?&$~", v.p[i]));
    return marked && v.n >= LEAST && v.n <= MOST && od_is_password(v) && !od_is_numbered(v) &&
           !od_is_placeholder(v) && od_view_find_char(v, '\\', 0) == OD_VIEW_NONE;
}

bool od_find_given(struct od_search *s, struct od_word word)
{
    enum { NEAR = 120 };
    struct od_view text = s->text;
    size_t at = word.start > NEAR ? word.start - NEAR : 0, covered = s->covered;
    bool any = false;
    struct od_view near = od_view_head(text, word.end + NEAR);
    while (at < near.n) {
        size_t end = at;
        while (end < near.n && !strchr(" \t\"'`()<>|,;:/=", near.p[end]))
            end++;
        struct od_view given = od_view_part(near, at, end);
        while (given.n > 0 && strchr(".!?", given.p[given.n - 1]))
            given.n--;
        bool marked = at + given.n < end && text.p[at + given.n] == '!'; /* "Grachten9!" */
        given.n += marked && !od_is_given(given);
        if (od_is_given(given)) {
            od_found_add(s, (struct od_found){at, at + given.n, OD_REDACT_SECRET, true});
            any = true;
        }
        at = end + 1;
    }
    s->covered = covered > word.end ? covered : word.end; /* a login may occur anywhere */
    return any;
}

bool od_is_full_name(struct od_view name)
{
    size_t blank = od_view_find_char(name, ' ', 0);
    return blank != OD_VIEW_NONE && blank >= 2 && blank + 2 < name.n && od_is_upper(name.p[0]) &&
           od_is_upper(name.p[blank + 1]) && !od_has_digit(name);
}

bool od_is_own(const struct od_words *words, struct od_view name)
{
    enum { DIGITS_LEAST = 2, CODE_MOST = 3, MARKS_MOST = 2 };
    size_t n = 0, dots = od_view_count(name, '.');
    while (n < name.n && od_is_letter(name.p[n]))
        n++;
    struct od_view head = od_view_head(name, n);
    bool numbered = n > 1 && name.n >= 4 && od_num_digits(od_view_from(name, n)) >= DIGITS_LEAST &&
                    od_words_roles(words, head) == 0 &&
                    (n <= CODE_MOST || !od_is_everyday(words, head));
    bool plain = od_view_count(name, '_') + od_view_count(name, '-') <= MARKS_MOST &&
                 (dots == 0 || (dots == 1 && od_is_letters(name, ".")));
    return numbered || od_is_full_name(name) || (plain && od_is_strange(words, name));
}
