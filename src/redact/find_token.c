/* Keys and tokens by their beginnings, and values by the names they are assigned to. */
#include "base/ascii.h"
#include "redact/found.h"

#include "base/num.h"

/* Beginnings that their makers gave their tokens so that they can be told. */
static const struct token {
    const char *prefix;
    const char *extra; /* besides letters and digits */
    size_t least;      /* bytes behind the prefix */
    bool digit;        /* at least one of them is a digit */
} tokens[] = {
    {"AKIA", "", 16, false},     {"ASIA", "", 16, false},
    {"AROA", "", 16, false},     {"AIDA", "", 16, false},
    {"ghp_", "", 20, false},     {"gho_", "", 20, false},
    {"ghu_", "", 20, false},     {"ghs_", "", 20, false},
    {"ghr_", "", 20, false},     {"github_pat_", "_", 20, false},
    {"glpat-", "_-", 16, false}, {"hf_", "", 20, false},
    {"api_org_", "", 20, false}, {"sk-", "_-", 20, true},
    {"sk_live_", "", 10, false}, {"sk_test_", "", 10, false},
    {"rk_live_", "", 10, false}, {"xoxb-", "-", 10, false},
    {"xoxp-", "-", 10, false},   {"xoxa-", "-", 10, false},
    {"xoxr-", "-", 10, false},   {"xoxs-", "-", 10, false},
    {"xoxe-", "-", 10, false},   {"xapp-", "-", 10, false},
    {"AIza", "_-", 30, false},   {"ya29.", "_-.", 20, false},
    {"npm_", "", 30, false},     {"pypi-", "_-", 20, true},
    {"dop_v1_", "", 30, false},  {"nvapi-", "_-", 20, true},
    {"r8_", "", 30, false},      {"gsk_", "", 20, false},
    {"xai-", "", 20, true},      {"pplx-", "", 20, true},
    {"local-", "", 40, true},    {"AGE-SECRET-KEY-", "", 20, false},
};

static bool has_digit(struct od_view text)
{
    for (size_t i = 0; i < text.n; i++) {
        if (od_is_digit(text.p[i]))
            return true;
    }
    return false;
}

/* Three parts of base64url; the first is JSON's opening brace and quote. */
static bool find_jwt(struct od_view text, size_t at, struct od_found *ret_found)
{
    size_t end = at;
    if (!od_view_starts(od_view_from(text, at), OD_VIEW("eyJ")))
        return false;
    for (int part = 0; part < 3; part++) {
        size_t n = od_run(text, end, "_-");
        if (part < 2 && (n < 8 || end + n >= text.n || text.p[end + n] != '.'))
            return false;
        end += part < 2 ? n + 1 : n;
    }
    *ret_found = (struct od_found){.start = at, .end = end, .kind = OD_REDACT_SECRET};
    return true;
}

/* Scheme and token of an Authorization header. */
static bool find_bearer(struct od_view text, size_t at, struct od_found *ret_found)
{
    size_t word = od_run(text, at, "");
    struct od_view name = od_view_head(od_view_from(text, at), word);
    if (!od_equals_folded(name, "bearer") && !od_equals_folded(name, "basic"))
        return false;
    if (at + word >= text.n || text.p[at + word] != ' ')
        return false;
    size_t start = at + word + 1;
    size_t n = od_run(text, start, "_-.~+/=");
    struct od_view value = od_view_head(od_view_from(text, start), n);
    if (n < 8 || (!has_digit(value) && n < 20))
        return false;
    *ret_found = (struct od_found){.start = start, .end = start + n, .kind = OD_REDACT_SECRET};
    return true;
}

bool od_find_token(struct od_view text, size_t at, struct od_found *ret_found)
{
    struct od_view here = od_view_from(text, at);
    for (size_t i = 0; i < OD_COUNT_OF(tokens); i++) {
        struct od_view prefix = od_view_of(tokens[i].prefix);
        if (here.p[0] != prefix.p[0] || !od_view_starts(here, prefix))
            continue;
        size_t n = od_run(here, prefix.n, tokens[i].extra);
        if (n < tokens[i].least ||
            (tokens[i].digit && !has_digit(od_view_head(od_view_from(here, prefix.n), n))))
            continue;
        *ret_found =
            (struct od_found){.start = at, .end = at + prefix.n + n, .kind = OD_REDACT_SECRET};
        return true;
    }
    return find_jwt(text, at, ret_found) || find_bearer(text, at, ret_found);
}

enum strength { NOT_SECRET, MAYBE_SECRET, SURELY_SECRET };

/* "max_tokens" and "tokenizer" hold none; "eos_token" holds a mark, which its value tells. */
static enum strength strength_of(struct od_view name)
{
    static const char *const sure[] = {
        "password",    "passwd",      "passphrase",  "secret",         "api_key",
        "apikey",      "api-key",     "access_key",  "secret_key",     "private_key",
        "account_key", "accountkey",  "signing_key", "encryption_key", "ssh_key",
        "credential",  "credentials", "access-key",  "secret-key",     "private-key",
        "accesskey",   "secretkey",   "license_key", "pgpassword",     "mysql_pwd"};
    static const char *const maybe[] = {"token",  "auth", "authorization", "key_id",    "pwd",
                                        "cookie", "sig",  "signature",     "session_id"};
    for (size_t i = 0; i < OD_COUNT_OF(sure); i++) {
        if (od_ends_folded(name, sure[i]))
            return SURELY_SECRET;
    }
    for (size_t i = 0; i < OD_COUNT_OF(maybe); i++) {
        if (od_ends_folded(name, maybe[i]))
            return MAYBE_SECRET;
    }
    return NOT_SECRET;
}

static bool is_empty_word(struct od_view value)
{
    static const char *const words[] = {"none", "null",  "true",  "false",     "nil", "yes",
                                        "no",   "unset", "empty", "undefined", "not", "required"};
    for (size_t i = 0; i < OD_COUNT_OF(words); i++) {
        if (od_equals_folded(value, words[i]))
            return true;
    }
    return value.p[0] == '*' || value.p[0] == '<' || value.p[0] == '$' || value.p[0] == '[' ||
           value.p[0] == '{' || value.p[0] == '(';
}

static bool has_letter(struct od_view text)
{
    for (size_t i = 0; i < text.n; i++) {
        if (od_is_letter(text.p[i]))
            return true;
    }
    return false;
}

static bool is_secret_value(enum strength strength, struct od_view value)
{
    if (value.n == 0 || is_empty_word(value))
        return false;
    if (strength == SURELY_SECRET)
        return true;
    return value.n >= 8 && has_digit(value) && has_letter(value) && value.p[0] != '/';
}

/* Behind "name", "name'", and = or : with blanks, and an opening quote: where the value begins. */
static size_t value_after(struct od_view text, size_t at, bool is_option, char *ret_quote)
{
    *ret_quote = '\0';
    if (at < text.n && (text.p[at] == '"' || text.p[at] == '\''))
        at++;
    size_t sign = at;
    while (sign < text.n && text.p[sign] == ' ')
        sign++;
    if (sign < text.n && (text.p[sign] == '=' || text.p[sign] == ':')) {
        at = sign + 1;
        if (at < text.n && text.p[at] == '=')
            return OD_VIEW_NONE;
    } else if (!is_option || sign == at) {
        return OD_VIEW_NONE;
    } else {
        at = sign;
    }
    while (at < text.n && text.p[at] == ' ')
        at++;
    if (at < text.n && (text.p[at] == '"' || text.p[at] == '\''))
        *ret_quote = text.p[at++];
    return at < text.n ? at : OD_VIEW_NONE;
}

static size_t value_end(struct od_view text, size_t at, char quote)
{
    static const char ends[] = " \t\r\n\"',;&)}]>|";
    for (; at < text.n; at++) {
        char c = text.p[at];
        if (quote != '\0' ? c == quote : od_view_find_char(OD_VIEW(ends), c, 0) != OD_VIEW_NONE)
            break;
    }
    return at;
}

/* Who or where, named so. */
static bool names_user(struct od_view name, bool equals)
{
    static const char *const users[] = {"username",       "logname",       "sudo_user", "job_user",
                                        "slurm_job_user", "pbs_o_logname", "login"};
    for (size_t i = 0; i < OD_COUNT_OF(users); i++) {
        if (od_equals_folded(name, users[i]))
            return true;
    }
    return equals && od_equals_folded(name, "user");
}

static bool names_host(struct od_view name)
{
    static const char *const hosts[] = {
        "hostname",          "host",        "nodename",        "node",
        "nodelist",          "master_addr", "server",          "fqdn",
        "node_name",         "host_name",   "slurmd_nodename", "slurm_nodelist",
        "slurm_job_nodelist"};
    for (size_t i = 0; i < OD_COUNT_OF(hosts); i++) {
        if (od_equals_folded(name, hosts[i]))
            return true;
    }
    return false;
}

/* Of a host a plain word is not enough: "host: memory". */
static bool is_host_value(struct od_view name, struct od_view value)
{
    bool marked = has_digit(value) || od_view_find_char(value, '-', 0) != OD_VIEW_NONE;
    bool sure = od_ends_folded(name, "name") || od_ends_folded(name, "nodelist") ||
                od_ends_folded(name, "master_addr");
    return value.n > 1 && od_is_letter(value.p[0]) && (marked || sure) && !od_is_common_name(value);
}

static bool find_named(struct od_view text, struct od_view name, size_t value, bool equals,
                       struct od_found *ret_found)
{
    size_t n = od_run(text, value, "_-.");
    struct od_view words = od_view_head(od_view_from(text, value), n);
    while (words.n > 0 && words.p[words.n - 1] == '.')
        words.n--;
    *ret_found = (struct od_found){.start = value, .end = value + words.n, .learn = true};
    if (words.n < 2 || !od_is_letter(words.p[0]) || od_is_common_name(words))
        return false;
    if (names_user(name, equals)) {
        ret_found->kind = OD_REDACT_USER;
        return true;
    }
    ret_found->kind = OD_REDACT_HOST;
    return names_host(name) && is_host_value(name, words);
}

bool od_find_assigned(struct od_view text, size_t at, struct od_found *ret_found)
{
    char quote;
    size_t n = od_run(text, at, "_-");
    if (n < 3 || n > 64)
        return false;
    struct od_view name = od_view_head(od_view_from(text, at), n);
    bool is_option = at >= 2 && text.p[at - 1] == '-' && text.p[at - 2] == '-';
    size_t value = value_after(text, at + n, is_option, &quote);
    if (value == OD_VIEW_NONE)
        return false;
    enum strength strength = strength_of(name);
    if (strength == NOT_SECRET && !names_host(name) && !names_user(name, true))
        return false;
    if (strength == NOT_SECRET) {
        bool equals = od_view_find_char(od_view_head(text, value), '=', at + n) != OD_VIEW_NONE;
        return find_named(text, name, value, equals, ret_found);
    }
    size_t end = value_end(text, value, quote);
    if (!is_secret_value(strength, od_view_head(od_view_from(text, value), end - value)))
        return false;
    *ret_found = (struct od_found){.start = value, .end = end, .kind = OD_REDACT_SECRET};
    return true;
}
