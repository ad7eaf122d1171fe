/* Finds secrets by their form and the marks around them, and machines after "-h". */
#include "redact/found.h"

/* Finds a value that looks random or like a password after a one-letter option that often takes a
 * key: "-t 2cfc00de-...", "-p hunter2!x". */
bool od_find_option(struct od_search *s, size_t dash)
{
    enum { LEAST = 20 };
    struct od_view text = s->text;
    size_t at = dash + 3, n = od_run(text, at, "_-.!#%^*+@?&$~");
    struct od_view value = od_view_part(text, at, at + n);
    char c = od_view_at(text, dash + 1), end = od_view_at(text, at + n);
    bool option = dash > 0 && text.p[dash - 1] == ' ' && c != '\0' && strchr("tkpPwas", c);
    if (!option || (end != '\0' && end != ' ' && end != '"' && end != '\'') ||
        !((n >= LEAST && od_is_random(value)) || od_is_given(value)))
        return false;
    od_found_add(s, (struct od_found){at, at + n, OD_REDACT_SECRET, false});
    return true;
}

/* Finds a password hash of crypt(3): "$6$SALT$HASH", "$2b$12$...", "$argon2id$v=19$...". */
bool od_find_crypt(struct od_search *s, size_t dollar)
{
    enum { SORT_MOST = 14, LEAST = 24 };
    struct od_view text = s->text;
    size_t sort = dollar + 1, n = od_run(text, sort, "-");
    if ((dollar > 0 && (od_is_text(text.p[dollar - 1]) || text.p[dollar - 1] == '$')) || n == 0 ||
        n > SORT_MOST || od_view_at(text, sort + n) != '$')
        return false;
    size_t start = sort + n + 1, length = od_run(text, start, "./$=,+-");
    if (length < LEAST || !od_is_random(od_view_part(text, start, start + length)))
        return false;
    if (dollar > 0 && text.p[dollar - 1] == ':') /* a line of htpasswd or shadow: "NAME:$6$..." */
        od_found_add_user(s, dollar - 1 - od_run_back(text, dollar - 1, "_-.", OD_RUN_MOST),
                          dollar - 1);
    od_found_add(s, (struct od_found){start, start + length, OD_REDACT_SECRET, false});
    return true;
}

bool od_find_logins(struct od_search *s, size_t open)
{
    struct od_view text = s->text;
    char quote = od_view_at(text, open + 1);
    if (od_view_at(text, open) != '(' || (quote != '"' && quote != '\''))
        return false;
    size_t name = open + 2, end = name + od_run(text, name, "_-.@+");
    size_t second = end + 2 + (od_view_at(text, end + 2) == ' ');
    if (od_view_at(text, end) != quote || od_view_at(text, end + 1) != ',' ||
        od_view_at(text, second) != quote)
        return false;
    struct od_view head = od_view_head(text, second + OD_RUN_MOST);
    size_t close = od_view_find_char(head, quote, second + 1);
    if (close == OD_VIEW_NONE || !od_is_mixed(od_view_part(text, second + 1, close), 6))
        return false;
    if (od_is_user(s->words, od_view_part(text, name, end)))
        od_found_add(s, (struct od_found){name, end, OD_REDACT_USER, true});
    od_found_add(s, (struct od_found){second + 1, close, OD_REDACT_SECRET, true});
    return true;
}

bool od_find_opened(struct od_search *s, size_t open)
{
    enum { LEAST = 24 };
    struct od_view text = s->text;
    if (od_find_logins(s, open))
        return true;
    bool named = od_view_starts(od_view_from(text, open), OD_VIEW("(value="));
    size_t at = open + (named ? strlen("(value=") : 1);
    char quote = od_view_at(text, at);
    if (od_view_at(text, open) != '(' || (quote != '"' && quote != '\''))
        return false;
    size_t start = at + 1, n = od_run(text, start, "_-.+/=");
    if (n < LEAST || od_view_at(text, start + n) != quote ||
        !od_is_random(od_view_part(text, start, start + n)))
        return false;
    od_found_add(s, (struct od_found){start, start + n, OD_REDACT_SECRET, false});
    return true;
}
