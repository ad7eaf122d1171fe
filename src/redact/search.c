#include "redact/search.h"

#include "redact/forms.h"

enum { LEARNT_LEAST = 3, LEARNT_WORDS = 12, LEARNT_MARKS = 6 };
enum { LABELS_MOST = 4, CHANCE_LEAST = 20 };

/* Can a learnt name begin with the word? */
static inline bool may_be_learnt(const struct od_learnt *learnt, struct od_view text, size_t at)
{
    if (at + LEARNT_LEAST > text.n)
        return false;
    unsigned head = od_learnt_head(text.p + at);
    return learnt->heads[head / 64] >> head % 64 & 1;
}

/* Offset of the next word of a name or secret, after a blank or a few marks; 0 = none. */
static size_t next_word(struct od_view text, size_t end)
{
    size_t at = end;
    while (at < text.n && at - end < LEARNT_MARKS && (unsigned char)text.p[at] > ' ' &&
           !od_is_text(text.p[at]))
        at++;
    at += at == end && od_view_at(text, at) == ' ';
    return at > end && at < text.n && od_is_text(text.p[at]) ? at : 0;
}

static struct od_found with_marks(struct od_view text, struct od_learnt_name name, size_t start,
                                  size_t end)
{
    for (; name.trail > 0 && end < text.n && (unsigned char)text.p[end] > ' ' &&
           !od_is_text(text.p[end]);
         name.trail--)
        end++;
    for (; name.lead > 0 && start > 0 && (unsigned char)text.p[start - 1] > ' ' &&
           !od_is_text(text.p[start - 1]);
         name.lead--)
        start--;
    return (struct od_found){start, end, name.kind, false};
}

/* Finds the longest learnt name that begins with this word and ends at the end of a word. */
static void find_learnt(struct od_search *s, const struct od_learnt *learnt, size_t start,
                        size_t word_end)
{
    struct od_view text = s->text;
    struct od_found found = {0};
    size_t end = word_end;
    for (int words = 0; words < LEARNT_WORDS && end - start <= learnt->longest; words++) {
        struct od_learnt_name name;
        if (end - start >= LEARNT_LEAST &&
            learnt->look_up(learnt->self, od_view_part(text, start, end), &name))
            found = with_marks(text, name, start, end);
        size_t next = next_word(text, end);
        if (next == 0)
            break;
        for (end = next; end < text.n && od_is_text(text.p[end]) && end - start <= learnt->longest;)
            end++;
    }
    if (found.end > 0)
        od_found_add(s, found);
}

/* Is the word part of an address that began before it? */
static bool is_joined(struct od_view text, size_t at, char next)
{
    return at > 0 && (text.p[at - 1] == '_' || text.p[at - 1] == '.' || text.p[at - 1] == next);
}

/* Is it a time, "05:21:39", as most texts with colons are? */
static bool is_time(struct od_view text, size_t at)
{
    char behind = od_view_at(text, at + 8);
    return od_view_at(text, at + 2) == ':' && od_view_at(text, at + 5) == ':' && behind != ':' &&
           !od_is_hex(behind);
}

/* Finds the server of a job: "99102.pbs-srv1". */
static bool find_job_server(struct od_search *s, size_t start, size_t end)
{
    enum { DIGITS_LEAST = 3 };
    size_t label = od_run(s->text, end + 1, "-"), n = od_run(s->text, end + 1, "-.");
    struct od_view name = od_view_part(s->text, end + 1, end + 1 + label);
    if (end - start < DIGITS_LEAST || !od_is_machine_or_own(s->words, name))
        return false;
    od_found_add(s, (struct od_found){end + 1, end + 1 + n, OD_REDACT_HOST, true});
    return true;
}

static bool find_number(struct od_search *s, size_t start, size_t end)
{
    struct od_view text = s->text;
    char c = text.p[start];
    char next = od_view_at(text, end);
    if (od_is_hex(c) && (next == ':' || (next == '-' && end - start == 2)) &&
        !is_joined(text, start, next) && !is_time(text, start) && od_find_colons(s, start))
        return true;
    if (od_is_digit(c) && next == '.' && !is_joined(text, start, next) &&
        (od_find_ipv4(s, start) || find_job_server(s, start, end)))
        return true;
    return od_is_digit(c) && od_find_phone(s, start, end);
}

static bool is_number(struct od_view word)
{
    size_t n = 0;
    while (n < word.n && od_is_digit(word.p[n]))
        n++;
    return n == word.n;
}

/* Finds the secret key after an AWS key id: "AKIA...:SECRET", ('ASIA...', 'SECRET'). */
static void find_pair(struct od_search *s, struct od_found id)
{
    enum { KEY = 40, MARKS = 4 };
    struct od_view text = s->text;
    size_t at = id.end;
    static const char *const ids[] = {"AKIA", "ASIA", "GOOG1E", NULL};
    if (!od_view_starts_any(od_view_from(text, id.start), ids))
        return;
    while (at < text.n && at < id.end + MARKS && strchr(":,;|/'\" ", text.p[at]))
        at++;
    if (od_run(text, at, "+/=") == KEY && od_is_random(od_view_part(text, at, at + KEY)))
        od_found_add(s, (struct od_found){at, at + KEY, OD_REDACT_SECRET, false});
}

static bool find_word(struct od_search *s, size_t start, size_t end)
{
    struct od_view text = s->text;
    struct od_found found;
    if (find_number(s, start, end))
        return true;
    if (od_find_form(s->forms, text, start, end, &found)) {
        od_found_add(s, found);
        find_pair(s, found);
        return true;
    }
    bool initial = od_is_upper(text.p[start]) && od_view_at(text, end) == '.'; /* "S.r.l." */
    if ((end - start < 2 && !initial) || is_number(od_view_part(text, start, end)))
        return false;
    uint32_t roles = od_words_told(s->words, od_view_part(text, start, end));
    bool list = od_view_at(text, end) == '[' || od_view_at(text, end) == ']';
    if (roles == 0 && end - start < CHANCE_LEAST && !list)
        return false;
    const struct od_word word = {start, end, roles};
    char next = od_view_at(text, end);
    if ((next == '[' || next == ']') && od_find_nodes(s, word))
        return true;
    if (roles & OD_ROLE_SAID && od_find_place(s, word, true))
        return true;
    if (roles & OD_ROLE_NAMES && od_find_assigned(s, word))
        return true;
    if (roles & OD_ROLE_DOMAIN_ && word.start > 0 && text.p[word.start - 1] == '.' &&
        od_find_domain(s, word))
        return true;
    if (word.end - word.start >= CHANCE_LEAST && od_find_chance(s, word))
        return true;
    return (roles & OD_ROLE_SAID) && od_find_place(s, word, false);
}

static void find_mark(struct od_search *s, size_t at)
{
    switch (s->text.p[at]) {
    case '@':
        (void)od_find_email(s, at);
        return;
    case ':':
        if (od_view_at(s->text, at + 1) == '/' ||
            (at > 0 && od_is_letter(s->text.p[at - 1]) && od_is_digit(od_view_at(s->text, at + 1))))
            (void)od_find_url_login(s, at);
        else if (od_view_at(s->text, at + 1) == ':' && (at == 0 || !od_is_text(s->text.p[at - 1])))
            (void)od_find_colons(s, at);
        return;
    case '/':
    case '\\':
        (void)od_find_home(s, at);
        return;
    case '-':
        if (od_view_at(s->text, at + 1) == '-')
            (void)od_find_key_block(s, at);
        else if (od_view_at(s->text, at + 2) == ' ')
            (void)od_find_option(s, at);
        return;
    case '$':
        (void)od_find_crypt(s, at);
        return;
    case '?':
    case '&':
        (void)od_find_query(s, at);
        return;
    case '~':
        (void)od_find_tilde(s, at);
        return;
    default:
        return;
    }
}

/* Searches for log heads, rows and blocks after each wrapper of the line. */
static void search_heads(struct od_search *s)
{
    size_t at = 0, next = 0;
    for (int layer = 0; layer < LABELS_MOST && (next = od_find_log_head(s, at)) > 0; layer++)
        at = next;
    struct od_view line = s->text;
    size_t base = s->base;
    /* the end of a wrapper, '", "stream": ...', does not affect the next line */
    if (od_view_starts(line, OD_VIEW("\",")) || od_view_starts(line, OD_VIEW("\"}")))
        return;
    s->text = od_view_from(line, at);
    s->base += at;
    od_find_block_line(s);
    od_find_rows(s);
    s->text = line;
    s->base = base;
    s->covered = 0;
}

/* Searches for learnt names from the last covered offset to a find. */
static void search_gap(struct od_search *s, const struct od_learnt *learnt, size_t at,
                       size_t nfinds)
{
    size_t start = s->covered;
    for (size_t i = nfinds; i < s->finds->n; i++) {
        size_t found = s->finds->items[i].start - s->base;
        start = found < start ? found : start;
    }
    while (at < start) {
        size_t end = od_is_text(s->text.p[at]) ? od_word_end(s->text, at) : at + 1;
        if (may_be_learnt(learnt, s->text, at))
            find_learnt(s, learnt, at, end);
        at = end;
    }
}

static void search_line(struct od_search *s, const struct od_learnt *learnt)
{
    struct od_view text = s->text;
    s->login_end = s->covered = 0;
    if (!s->names_only)
        search_heads(s);
    for (size_t at = 0; at < text.n;) {
        unsigned letter = od_letters[(unsigned char)text.p[at]];
        size_t end = at + 1, nfinds = s->finds->n;
        if (letter == OD_LETTER_TEXT) {
            end = od_word_end(text, at);
            if ((s->names_only || !find_word(s, at, end)) && may_be_learnt(learnt, text, at))
                find_learnt(s, learnt, at, end);
        } else if (letter == OD_LETTER_MARK && !s->names_only) {
            find_mark(s, at);
        }
        at = end;
        if (at < s->covered) {
            search_gap(s, learnt, at, nfinds);
            at = s->covered;
        }
    }
}

void od_search_text(struct od_search *s, struct od_view text, const struct od_learnt *learnt)
{
    size_t at = 0;
    do { /* an empty line must be read, because it ends a table */
        size_t lf = od_view_find_char(text, '\n', at), end = lf == OD_VIEW_NONE ? text.n : lf;
        size_t cr = od_view_find_char(od_view_head(text, end), '\r', at);
        end = cr == OD_VIEW_NONE ? end : cr;
        s->text = od_view_part(text, at, end);
        s->base = at;
        search_line(s, learnt);
        at = end + 1;
    } while (at < text.n);
}
