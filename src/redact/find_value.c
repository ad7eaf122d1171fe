/* Finds values by the names to which they are assigned. */
#include "redact/found.h"

#include "base/mask_digits.h"

enum {
    NAME_MOST = 64,
    BLANKS_MOST = 40,
    AHEAD_MOST = 24,
    TAG_MOST = 80,
    PHRASE_MOST = 80,
    MARKS_MOST = 8
};

/* The sign between a name and its value. */
enum sign { SIGN_NONE, SIGN_EQUALS, SIGN_COLON, SIGN_COMMA, SIGN_TAG, SIGN_BLANK };

struct value {
    size_t start, end;
    enum sign sign;
    bool quoted;
    bool option; /* the name is an option, "--name" */
    bool sure;   /* the name is sufficient: "username" */
    bool part;   /* the name is a part of a longer one: "master_addr" */
};

static bool is_quote(char c)
{
    return c == '"' || c == '\'' || c == '`';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static size_t skip_blanks(struct od_view text, size_t at)
{
    for (size_t n = 0; n < BLANKS_MOST && is_blank(od_view_at(text, at)); n++)
        at++;
    return at;
}

/* Skips quotes and brackets that close after the name. */
static size_t skip_closers(struct od_view text, size_t at, bool *ret_quoted)
{
    *ret_quoted = false;
    for (size_t n = 0; n < 8 && at < text.n; n++, at++) {
        char c = text.p[at];
        if (!is_quote(c) && c != ']' && c != '\\' && c != ')')
            break;
        *ret_quoted = *ret_quoted || is_quote(c);
    }
    return at;
}

/* Takes "=", ":", "=>", ":=", "->" or ",", and returns which. */
static enum sign take_sign(struct od_view text, size_t *at, bool quoted)
{
    char c = od_view_at(text, *at);
    char next = od_view_at(text, *at + 1);
    if ((c == '=' && next == '>') || (c == ':' && next == '=') || (c == '-' && next == '>')) {
        *at += 2;
        return SIGN_EQUALS;
    }
    if ((c == '=' && next != '=') || (c == ':' && next != ':' && next != '/')) {
        *at += 1;
        return c == '=' ? SIGN_EQUALS : SIGN_COLON;
    }
    if (c == '|' && next != '|' && next != ' ' && *at > 0 && od_is_alnum(text.p[*at - 1])) {
        *at += 1; /* a row printed by a program: "DB_PASS|hunter2" */
        return SIGN_COLON;
    }
    if (c == ',' && quoted) {
        *at += 1;
        return SIGN_COMMA;
    }
    return SIGN_NONE;
}

/* Offset of an element's content, after "<password>"; 0 = no element. */
static size_t after_tag(struct od_view text, size_t name, size_t end)
{
    if (name == 0 || text.p[name - 1] != '<')
        return 0;
    for (size_t at = end; at < text.n && at < end + TAG_MOST && text.p[at] != '<'; at++) {
        if (text.p[at] == '>')
            return text.p[at - 1] == '/' ? 0 : at + 1;
    }
    return 0;
}

/* Is the name an attribute's value, as in <entry key="password">? */
static bool opens_tag(struct od_view text, size_t name)
{
    for (size_t n = 0; n < TAG_MOST && name > 0; n++) {
        char c = text.p[--name];
        if (c == '<' || c == '>')
            return c == '<';
    }
    return false;
}

/* Skips a type and the sign after it: "api_key: str = ...". */
static bool after_type(struct od_view text, size_t *at)
{
    size_t sign = skip_blanks(text, *at + od_run(text, *at, "_.[]|"));
    if (sign == *at || od_view_at(text, sign) != '=' || od_view_at(text, sign + 1) != ' ')
        return false;
    *at = skip_blanks(text, sign + 1);
    return true;
}

/* Returns the sign after a name; *ret_value: offset of the value. Some verbs count as a colon. */
static enum sign sign_after(struct od_view text, size_t name, size_t end, size_t *ret_value)
{
    static const char *const verbs[] = {"is now ",          "is ", "was ", "env is ",
                                        "has been set to ", NULL};
    bool quoted;
    size_t tag = after_tag(text, name, end);
    size_t at = skip_closers(text, end, &quoted);
    size_t blank = skip_blanks(text, at);
    bool option = name >= 2 && text.p[name - 1] == '-' && text.p[name - 2] == '-';
    if (!tag && quoted && od_view_at(text, at) == '>' && opens_tag(text, name))
        tag = at + 1;
    if (tag) {
        *ret_value = skip_blanks(text, tag);
        return SIGN_TAG;
    }
    *ret_value = blank;
    enum sign sign = take_sign(text, ret_value, quoted || option);
    if (sign == SIGN_NONE && (blank == at || blank >= text.n))
        return SIGN_NONE;
    for (size_t i = 0; sign == SIGN_NONE && !quoted && verbs[i]; i++)
        if (od_view_starts(od_view_from(text, blank), od_view_of(verbs[i]))) {
            *ret_value = blank + strlen(verbs[i]);
            sign = SIGN_COLON;
        }
    if (sign == SIGN_NONE) { /* a verb is weaker evidence: "Setting KEY to VALUE" */
        sign = SIGN_BLANK;
        *ret_value += od_view_starts(od_view_from(text, blank), OD_VIEW("to ")) ? 3 : 0;
    }
    *ret_value = skip_blanks(text, *ret_value);
    return sign == SIGN_COLON && after_type(text, ret_value) ? SIGN_EQUALS : sign;
}

/* Offset after the bracket of a class: SecretStr('...'). A call that asks for a value, like
 * getpass('...'), has no capital letter. */
static size_t after_class(struct od_view text, size_t at)
{
    size_t n = od_is_upper(od_view_at(text, at)) ? od_run(text, at, "_") : 0;
    return n > 0 && od_view_at(text, at + n) == '(' ? at + n + 1 : at;
}

/* Finds an opening quote, perhaps after backslashes, a letter (b'...') or a class. Returns the
 * offset after it; *ret_quote is the quote. */
static size_t opening(struct od_view text, size_t at, struct od_view *ret_quote)
{
    size_t start = at;
    at = after_class(text, at);
    if (od_view_at(text, at) == '[' && is_quote(od_view_at(text, at + 1)))
        at++;
    if (strchr("bruf", od_view_at(text, at)) && is_quote(od_view_at(text, at + 1)))
        at++;
    size_t mark = at;
    while (od_view_at(text, at) == '\\' && at - mark < 8)
        at++;
    if (!is_quote(od_view_at(text, at)))
        return start;
    *ret_quote = od_view_part(text, mark, at + 1);
    return at + 1;
}

/* Offset of the closing quote, which has no more backslashes than the opening one; OD_VIEW_NONE =
 * none. */
static size_t closing(struct od_view text, size_t at, struct od_view quote)
{
    size_t most = at + OD_VALUE_MOST < text.n ? at + OD_VALUE_MOST : text.n;
    size_t depth = quote.n - 1;
    for (size_t slashes = 0; at < most; at++) {
        if (text.p[at] == '\\') {
            slashes++;
            continue;
        }
        if (text.p[at] == quote.p[depth] && slashes <= depth)
            return at - slashes;
        slashes = 0;
    }
    return OD_VIEW_NONE;
}

static bool closes_more(struct od_view value)
{
    static const char pairs[] = "()[]{}";
    char last = value.p[value.n - 1];
    for (size_t i = 1; i < sizeof pairs; i += 2) {
        if (last == pairs[i] && od_view_find_char(value, pairs[i - 1], 0) == OD_VIEW_NONE)
            return true;
    }
    return last == ',';
}

/* Does an escaped line end or quote close the string here, as in "\\n\""? */
static bool ends_string(struct od_view text, size_t at)
{
    while (at < text.n && text.p[at] == '\\')
        at++;
    if (at < text.n && strchr("nrt", text.p[at]))
        at++;
    while (at < text.n && text.p[at] == '\\')
        at++;
    return at >= text.n || is_quote(text.p[at]);
}

/* Does a bracket or comma end the value, because another name or no text follows? */
static bool ends_bare(struct od_view text, size_t at, bool tag)
{
    char c = text.p[at];
    if (is_blank(c) || c == '"' || c == '\'' || c == '`' || c == '\r' || c == '\n' || c == '<')
        return true;
    if (tag)
        return false;
    if (c == '\\' && ends_string(text, at))
        return true;
    if (c == ';' || c == '&' || c == '|')
        return true;
    if (c != ',')
        return false;
    size_t n = od_run(text, at + 1, "_-.");
    return n > 0 && (od_view_at(text, at + 1 + n) == '=' || od_view_at(text, at + 1 + n) == ':');
}

static void find_end(struct od_view text, struct value *value)
{
    struct od_view quote = {0};
    size_t start = opening(text, value->start, &quote);
    size_t end = quote.n > 0 ? closing(text, start, quote) : OD_VIEW_NONE;
    if (end != OD_VIEW_NONE) {
        value->quoted = true;
        value->start = start;
        value->end = end;
        return;
    }
    value->start = start;
    end = start;
    while (end < text.n && end - start < OD_VALUE_MOST &&
           !ends_bare(text, end, value->sign == SIGN_TAG))
        end++;
    while (end > start && text.p[end - 1] == '\\')
        end--;
    while (end > start && value->sign != SIGN_TAG && closes_more(od_view_part(text, start, end)))
        end--;
    value->end = end;
}

/* ---- looks of a value ---- */

/* Does the following text show that the value is a word of a sentence? */
static bool is_prose(struct od_view text, const struct value *value, struct od_view v)
{
    size_t next = value->end + 1;
    bool glued = value->sign == SIGN_EQUALS && value->start > 0 && text.p[value->start - 1] == '=';
    return !value->quoted && !glued && od_is_letters(v, "-'") &&
           od_view_at(text, value->end) == ' ' && od_is_letter(od_view_at(text, next)) &&
           od_view_at(text, next + od_run(text, next, "_")) != ':';
}

/* Does the value only repeat the name: "api_key=api_key", "token=hf_token"? */
static bool says_name(struct od_search *s, struct od_view v)
{
    if (!od_is_letters(v, "_-"))
        return false;
    enum od_named named = od_named_by(s->words, v);
    return named == OD_NAMED_SECRET || named == OD_NAMED_MAYBE || named == OD_NAMED_RANDOM;
}

static bool is_nothing(struct od_search *s, const struct value *value, struct od_view v)
{
    struct od_view bare = v;
    while (bare.n > 0 && strchr(":.,;!?)", bare.p[bare.n - 1]))
        bare.n--;
    return bare.n == 0 || od_is_placeholder(v) || od_is_replaced(v) ||
           od_words_is(s->words, bare, OD_ROLE_EMPTY) ||
           (!value->quoted &&
            (od_is_expression(v) || is_prose(s->text, value, v) || says_name(s, v)));
}

static bool has_space(struct od_view v)
{
    return od_view_find_char(v, ' ', 0) != OD_VIEW_NONE;
}

static bool is_secret(struct od_search *s, const struct value *value, enum od_named named)
{
    struct od_view v = od_view_part(s->text, value->start, value->end);
    if (is_nothing(s, value, v))
        return false;
    if (value->sign == SIGN_BLANK || value->sign == SIGN_COMMA) {
        bool said = value->quoted || value->option;
        if (value->sign == SIGN_BLANK && named == OD_NAMED_SECRET)
            return said ? v.p[0] != '-' && (value->option || !od_is_letters(v, "_-"))
                        : od_is_mixed(v, 6);
        if (named == OD_NAMED_SECRET)
            return said && !od_is_letters(v, "_-");
        bool spoken = value->sign == SIGN_BLANK && named == OD_NAMED_MAYBE && od_is_password(v) &&
                      v.n >= 10 && !od_is_numbered(v) && od_is_letters(v, "0123456789");
        return (value->option && od_is_mixed(v, 6)) || od_is_random(v) || spoken;
    }
    if (named == OD_NAMED_SECRET)
        return true;
    if (named == OD_NAMED_RANDOM)
        return od_is_random(v);
    if (named == OD_NAMED_PASS)
        return od_is_password(v);
    bool spaced = has_space(v) && !(value->quoted && value->sign == SIGN_EQUALS);
    return od_is_mixed(v, 6) && !od_is_numbered(v) && !spaced;
}

/* ---- people and machines ---- */

static void trim_dots(struct od_view text, size_t start, size_t *end)
{
    while (*end > start && (text.p[*end - 1] == '.' || text.p[*end - 1] == '-'))
        --*end;
}

/* Is it a person's name with a dot, and no member of an object: "s.ibrahim", "kiran.r",
 * "paula.ferri"? */
static bool is_dotted_name(const struct od_words *words, struct od_view name)
{
    size_t dot = od_view_find_char(name, '.', 0);
    struct od_view a = od_view_head(name, dot), b = od_view_from(name, a.n + 1);
    bool initial = (a.n == 1) != (b.n == 1);
    return od_is_letters(a, "") && od_is_letters(b, "") &&
           (a.n == 1 || !od_words_roles(words, a)) && (b.n == 1 || !od_words_roles(words, b)) &&
           (initial || (a.n > 2 && b.n > 2 && od_is_strange(words, name)));
}

/* Is it the id of an account: "6f1e2d3c-..."? */
static bool is_uuid(struct od_view text, size_t start, size_t end)
{
    enum { UUID = 36, MARKS = 4 };
    return end - start == UUID && od_view_count(od_view_part(text, start, end), '-') == MARKS;
}

/* Is the value a host, judging by its look and the words around it? */
static bool is_host(struct od_search *s, const struct value *value, struct od_view name, bool sure)
{
    struct od_view before = od_view_head(s->text, value->start);
    char next = od_view_at(s->text, value->start + name.n);
    bool dotted = od_view_has(name, OD_VIEW(".")), version = name.p[0] == 'v' && dotted;
    bool told = value->sign == SIGN_EQUALS || value->quoted || value->part || next == ',' ||
                next == '/' || od_view_ends(before, OD_VIEW(",")) ||
                (next == '\0' && od_view_ends(before, OD_VIEW("ost: "))); /* "Exec host: lab12" */
    return !(version && od_is_digit(name.p[1])) &&
           (od_is_machine(s->words, name, sure || told) ||
            (sure && (od_is_letter(name.p[0]) || !od_has_digit(name) || !dotted)));
}

/* Adds a user, host, account or organization. named: kind of the value's name, which is `of`. */
static bool add_name(struct od_search *s, const struct value *value, enum od_named named,
                     struct od_view of)
{
    struct od_view text = s->text;
    bool host = named == OD_NAMED_HOST || named == OD_NAMED_MAYHOST, org = named == OD_NAMED_ORG;
    bool blank = value->sign == SIGN_BLANK || value->sign == SIGN_COMMA;
    bool equals = value->sign == SIGN_EQUALS || value->quoted;
    size_t start = value->start, end = start + od_run(text, start, host || org ? "_-." : "_-.+");
    if (named == OD_NAMED_HOST && od_view_at(text, end) == '[') { /* a list: gpu[01-04] */
        size_t close = od_view_find_char(od_view_head(text, end + 60), ']', end);
        end = close == OD_VIEW_NONE ? end : close + 1;
    }
    trim_dots(text, start, &end);
    struct od_view name = od_view_part(text, start, end);
    char next = od_view_at(text, end);
    size_t id = end + 1, close = id + od_run(text, id, ""); /* "UserId=NAME(31042)" */
    bool numbered = !host && !org && equals && next == '(' && od_is_digit(od_view_at(text, id)) &&
                    od_view_at(text, close) == ')';
    if (next == '@') /* a mail address or a login: "six@gpu" */
        next = od_view_has(od_view_part(text, end, end + od_run(text, end, "@.-")), OD_VIEW("."))
                   ? next
                   : ' ';
    const uint32_t known = OD_ROLE_COMMON | OD_ROLE_EMPTY | (host ? 0 : OD_ROLE_SITE);
    bool told = !blank || (value->option && (org || (host ? named == OD_NAMED_HOST : value->sure)));
    bool dotted = is_dotted_name(s->words, name), uuid = org && is_uuid(text, start, end);
    bool prose = !equals && named != OD_NAMED_MAYHOST && is_prose(text, value, name);
    bool code = od_is_expression(name) && !value->quoted && !dotted;
    if (!told || name.n < 2 || od_is_replaced(name) || prose ||
        od_words_is(s->words, name, known) ||
        (host ? !is_host(s, value, name, named == OD_NAMED_HOST)
              : code || (next != '\0' && !numbered && strchr("(:/%[=@", next))))
        return false;
    /* in code, a variable set to another one: "bucket = name" */
    bool variable = value->sign == SIGN_EQUALS && !value->quoted && od_is_letters(name, "_") &&
                    !od_is_upper(of.p[0]);
    bool letter = od_is_letter(name.p[0]) || (!org && name.p[0] & '\x80');
    if (org && !dotted && !uuid &&
        (variable || name.n < 3 || (start > 0 && text.p[start - 1] == '|') ||
         od_is_placeholder(name) || od_named_by(s->words, name) == OD_NAMED_ORG))
        return false;
    if (!host && !uuid && (!letter || (!org && !od_is_user(s->words, name))))
        return false;
    od_found_add(s, (struct od_found){start, end,
                                      host             ? OD_REDACT_HOST
                                      : org && !dotted ? OD_REDACT_ORG
                                                       : OD_REDACT_USER,
                                      true});
    if (numbered)
        od_found_add(s, (struct od_found){id, close, OD_REDACT_USER, false});
    return true;
}

/* Adds each host of a list: "gpu1,gpu[4-7]". */
static bool add_hosts(struct od_search *s, const struct value *value, enum od_named named,
                      struct od_view of)
{
    struct value next = *value;
    if (od_view_starts(od_view_from(s->text, next.start), OD_VIEW("\\\\")))
        next.start += 2; /* a Windows path: LOGONSERVER=\\DC02 */
    while (add_name(s, &next, named, of) && od_view_at(s->text, s->covered) == ',')
        next.start = s->covered + 1;
    return next.start > value->start || s->covered > value->start;
}

/* Is it a greeting, "Hi" or "Dear", after which a single word is a name? */
static bool is_greeting(struct od_view name)
{
    static const char *const words[] = {"hi", "hello", "hey", "dear", NULL};
    char low[8];
    return od_view_eq_any(od_view_lowered(name, low, sizeof low), words);
}

/* Adds two to four capitalized words, or a single one that is not common. */
static bool add_person(struct od_search *s, const struct value *value, bool greets)
{
    unsigned words;
    size_t end = od_names_end(s->words, s->text, value->start, &words);
    struct od_view name = od_view_part(s->text, value->start, end);
    /* an address follows: "Submitted by Ana Lund <ana@...>" */
    bool mailed = od_view_starts(od_view_from(s->text, end), OD_VIEW(" <"));
    char next = od_view_at(s->text, end);
    bool ends = next == '\0' || next == ',' || next == '!';
    if (words == 1 && name.n > 2 && ends &&
        (greets ? next && od_is_person(s->words, name) : od_is_strange(s->words, name)))
        words = 2;
    mailed = mailed || (words > 1 && od_is_person(s->words, name));
    if (words < 2 || (value->sign == SIGN_BLANK && !mailed && !value->quoted && end < s->text.n) ||
        value->sign == SIGN_COMMA)
        return false;
    od_found_add(s, (struct od_found){value->start, end, OD_REDACT_USER, true});
    struct value more = *value; /* further names: "cc Ana Lund, Jonas" */
    more.start = end + 2;
    if (od_view_starts(od_view_from(s->text, end), OD_VIEW(", ")))
        (void)add_person(s, &more, false);
    return true;
}

/* Extends a phrase to the end of the line. */
static void take_phrase(struct od_view text, struct value *value)
{
    while (value->end < text.n && value->end - value->start < PHRASE_MOST &&
           !is_quote(text.p[value->end]) && text.p[value->end] != ',')
        value->end++;
}

/* Is it a configuration's value of words and a number: "password = tiger lily 44"? */
static bool is_setting(struct od_view text, size_t name, const struct value *value)
{
    struct od_view rest = od_view_trim(od_view_from(text, value->start));
    return value->sign == SIGN_EQUALS && text.p[value->start - 1] == ' ' && od_has_digit(rest) &&
           od_view_trim(od_view_head(text, name)).n == 0 &&
           od_is_letters(rest, " 0123456789-_!?") && has_space(rest);
}

/* Is the value a single word at the end of its line or clause? */
static bool is_alone(struct od_view text, const struct value *value)
{
    return value->sign == SIGN_EQUALS || value->quoted ||
           (value->sign == SIGN_COLON && value->end >= text.n &&
            !od_is_upper(text.p[value->start]));
}

bool od_find_value(struct od_search *s, size_t name, size_t name_end, enum od_named named)
{
    struct value value = {0};
    if (named == OD_NAMED_PERSON) /* a title: "Dr. Lund" */
        name_end += od_view_at(s->text, name_end) == '.';
    value.sign = sign_after(s->text, name, name_end, &value.start);
    value.option = name >= 2 && s->text.p[name - 1] == '-' && s->text.p[name - 2] == '-';
    if (value.sign == SIGN_NONE || value.start >= s->text.n)
        return false;
    find_end(s->text, &value);
    if (s->text.p[value.start - 1] == '|' && od_view_at(s->text, value.end) == '|')
        return false; /* a heading: "User|NodeList|State" */
    struct od_view text = od_view_part(s->text, name, name_end);
    bool signed_ = value.sign == SIGN_COLON || value.sign == SIGN_EQUALS;
    if (!value.quoted && ((signed_ && od_view_ends(text, OD_VIEW("phrase"))) ||
                          (named == OD_NAMED_SECRET && is_setting(s->text, name, &value))))
        take_phrase(s->text, &value);
    value.sure = od_words_is(s->words, text, OD_ROLE_SUREUSER);
    value.part = od_run(text, 0, "") < text.n;
    if (named == OD_NAMED_USER)
        return add_person(s, &value, false) || add_name(s, &value, named, text);
    if (named == OD_NAMED_HOST || named == OD_NAMED_MAYHOST)
        return add_hosts(s, &value, named, text);
    if (named == OD_NAMED_ORG)
        return add_name(s, &value, named, text);
    if (named == OD_NAMED_PERSON)
        return add_person(s, &value, is_greeting(text)) ||
               (is_alone(s->text, &value) &&
                od_is_strange(s->words, od_view_part(s->text, value.start, value.end)) &&
                add_name(s, &value, OD_NAMED_USER, text));
    if (od_find_logins(s, value.start))
        return true;
    if (!is_secret(s, &value, named))
        return false;
    od_found_add(s, (struct od_found){value.start, value.end, OD_REDACT_SECRET, true});
    return true;
}

bool od_find_folded(struct od_search *s, size_t at, enum od_named named)
{
    struct value value = {.start = at, .sign = SIGN_COLON};
    struct od_view rest = od_view_from(s->text, at);
    if (od_view_has(rest, OD_VIEW(": ")) || at >= s->text.n)
        return false;
    /* a closing formula, after which the next line is a name: "Thanks," */
    if (named == OD_NAMED_PERSON)
        return od_is_person(s->words, rest) && add_person(s, &value, false);
    find_end(s->text, &value);
    if (!is_secret(s, &value, named))
        return false;
    od_found_add(s, (struct od_found){value.start, value.end, OD_REDACT_SECRET, true});
    return true;
}

/* Is the value on the next line: "password: >-", '"password":', "Thanks,"? */
static bool is_folded(struct od_view text, size_t end)
{
    static const char *const marks[] = {"\":",  ": |",  ": >", ": |-", ": >-",
                                        ": |+", ": >+", ",",   "!",    NULL};
    return od_view_eq_any(od_view_trim(od_view_from(text, end)), marks);
}

static size_t name_start(struct od_view text, size_t word)
{
    size_t at = word - od_run_back(text, word, "_-.", NAME_MOST);
    while (at < word && (text.p[at] == '-' || text.p[at] == '.'))
        at++;
    return at;
}

/* The word one blank before a name; empty = none. */
static struct od_view word_before(struct od_view text, size_t name)
{
    size_t end = name >= 2 && text.p[name - 1] == ' ' ? name - 1 : 0;
    return od_view_part(text, end - od_run_back(text, end, "", 16), end);
}

/* Does the word before belong to the name: "API key", "node list"? Returns its start. */
static size_t two_words(struct od_search *s, size_t name, uint32_t wanted)
{
    struct od_view before = word_before(s->text, name);
    return od_words_is(s->words, before, wanted) ? (size_t)(before.p - s->text.p) : name;
}

/* Offset after the next word "value", as in "name": "API_TOKEN", "value": ... */
static size_t after_value_word(struct od_view text, size_t end)
{
    size_t at = end;
    while (at < text.n && at - end < AHEAD_MOST) {
        size_t n = 0;
        while (at + n < text.n && n < 8 && od_is_alnum(text.p[at + n]))
            n++;
        if (n == 0) {
            if (text.p[at] == '=' || text.p[at] == '{' || text.p[at] == '(')
                return 0;
            at++;
            continue;
        }
        char low[8];
        struct od_view word = od_view_lowered(od_view_part(text, at, at + n), low, sizeof low);
        if (od_view_eq_str(word, "value"))
            return at + n;
        /* "</Name>" is a closing tag */
        if (text.p[at - 1] != '/')
            return 0;
        at += n;
    }
    return 0;
}

/* End of a name that includes its owner: "fs.azure.account.key.HOST.net=". */
static size_t after_host(struct od_search *s, size_t at)
{
    size_t end = at + od_run(s->text, at, "-."), label = end;
    while (label > at && od_is_alnum(s->text.p[label - 1]))
        label--;
    bool host = od_view_at(s->text, end) == '=' &&
                od_words_is(s->words, od_view_part(s->text, label, end), OD_ROLE_DOMAIN_);
    return host ? end : at;
}

/* Is there neither a sign nor "is" nor an option: "the host ran"? A person's or machine's name
 * needs one of these. */
static bool is_told_nothing(struct od_view text, struct od_word word)
{
    const uint32_t other = OD_ROLE_PASS | OD_ROLE_MAYBE | OD_ROLE_KEY | OD_ROLE_BEHIND |
                           OD_ROLE_NAMEPART | OD_ROLE_PERSON | OD_ROLE_SUREUSER;
    char next = od_view_at(text, word.end + 1);
    const uint32_t names = OD_ROLE_USER | OD_ROLE_ORG | OD_ROLE_HOST | OD_ROLE_MAYHOST;
    return !(word.roles & other) && word.roles & names && od_is_text(next) && next != 'i' &&
           next != 'w' && (word.start == 0 || text.p[word.start - 1] != '-');
}

/* Finds a name without a sign, but no sentence: "user tumoru", "acknowledged by ibaumann". */
static bool find_spoken(struct od_search *s, struct od_word word, bool by)
{
    static const char *const on[] = {" at ", " on ", " from ", " in ", " via ", NULL};
    struct od_view text = s->text;
    size_t start = word.end + 1, end = start + od_run(text, start, "_-.");
    trim_dots(text, start, &end);
    struct od_view name = od_view_part(text, start, end), rest = od_view_from(text, end);
    enum od_redact_kind kind = by || word.roles & OD_ROLE_USER ? OD_REDACT_USER
                               : word.roles & OD_ROLE_ORG      ? OD_REDACT_ORG
                                                               : OD_REDACT_HOST;
    bool goes_on = od_view_at(rest, 0) == ' ' && od_is_text(od_view_at(rest, 1));
    if (name.n < 4 || !od_is_letter(name.p[0]) || od_is_upper(name.p[0]) ||
        (kind == OD_REDACT_HOST && od_view_has(name, OD_VIEW("_"))) ||
        (by && goes_on && !od_view_starts_any(rest, on)) ||
        (rest.n > 0 && !strchr(" ,;)'\"]>", rest.p[0])) || od_view_starts(rest, OD_VIEW(" = ")) ||
        !od_is_strange(s->words, name))
        return false;
    od_found_add(s, (struct od_found){start, end, kind, true});
    return true;
}

bool od_find_assigned(struct od_search *s, struct od_word word)
{
    struct od_view text = s->text;
    size_t end = word.roles & OD_ROLE_KEY ? after_host(s, word.end) : word.end;
    char next = od_view_at(text, end), after = od_view_at(text, end + 1);
    if ((next == '_' || next == '-' || (next == '.' && od_is_alnum(after))) &&
        (next != '-' || after != '>'))
        return word.roles & OD_ROLE_PASS && od_find_given(s, word);
    if (next == ' ' && is_told_nothing(text, word))
        return find_spoken(s, word, false);
    size_t name = name_start(text, word.start);
    bool part = word.roles & OD_ROLE_NAMEPART;
    size_t first = two_words(
        s, name, OD_ROLE_KEYOF | OD_ROLE_PERSONOF | (part ? OD_ROLE_MAYHOST | OD_ROLE_ORG : 0));
    enum od_named named = od_named_by(s->words, od_view_part(text, name, word.end));
    if (first < name && part)
        named = od_named_by(s->words, od_view_part(text, first, word.end));
    else if (first < name && (word.roles & (OD_ROLE_KEY | OD_ROLE_PERSON)))
        named = word.roles & OD_ROLE_KEY ? OD_NAMED_SECRET : OD_NAMED_PERSON;
    if (named == OD_NAMED_RANDOM && /* no secret: "cache key" */
        od_words_is(s->words, word_before(text, name), OD_ROLE_NOTKEY))
        named = OD_NAMED_NOTHING;
    bool by = next == ' ' && od_view_eq_str(od_view_part(text, word.start, word.end), "by");
    if (named == OD_NAMED_NOTHING)
        return by && find_spoken(s, word, true);
    if (named <= OD_NAMED_SECRET || named == OD_NAMED_PERSON) {
        size_t value = named == OD_NAMED_PERSON ? 0 : after_value_word(text, end);
        if (value)
            return od_find_value(s, value - 5, value, named);
        bool folded = end + MARKS_MOST >= text.n && is_folded(text, end);
        if (end + 3 >= text.n || folded)
            s->before->value_of = named;
        s->before->is_folded = folded;
    }
    if (od_find_value(s, name, end, named) || (by && find_spoken(s, word, true)))
        return true;
    return named <= OD_NAMED_SECRET && od_find_given(s, word);
}
