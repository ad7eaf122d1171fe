#include "redact/redact.h"

#include "base/ascii.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/num.h"
#include "redact/found.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LEARNT_LEAST = 3, KEY_LINES_MOST = 200 };

struct od_redactor {
    bool columns;
    bool learning;
    struct od_map numbers[OD_REDACT_END]; /* what was replaced -> its number */
    struct od_map learnt;                 /* a name -> its kind + 1 */
    uint64_t counts[OD_REDACT_END];
    unsigned key_lines; /* left of a private key */
};

static const struct {
    const char *word, *one, *many;
} kinds[OD_REDACT_END] = {
#define OD_REDACT_KIND(constant, word, one, many) {word, one, many},
    OD_REDACT_KINDS(OD_REDACT_KIND)
#undef OD_REDACT_KIND
};

struct od_redactor *od_redactor_new(bool columns)
{
    struct od_redactor *r = od_mem_alloc(1, sizeof *r);
    r->columns = columns;
    return r;
}

void od_redactor_free(struct od_redactor *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < OD_REDACT_END; i++)
        od_map_done(&r->numbers[i]);
    od_map_done(&r->learnt);
    od_mem_free(r);
}

static uint64_t number_of(struct od_redactor *r, enum od_redact_kind kind, struct od_view what)
{
    struct od_map *map = &r->numbers[kind];
    const uint64_t *known = od_map_get(map, what);
    if (known)
        return *known;
    if (map->n >= OD_REDACT_NAMES)
        return OD_REDACT_NAMES + 1;
    uint64_t *number = od_map_at(map, what);
    *number = map->n;
    return *number;
}

/* The word is cut before its number, or filled up behind it, to the length of what it replaces. */
static void put_word(const struct od_redactor *r, const char *word, uint64_t number, size_t length,
                     struct od_buf *to)
{
    char digits[21];
    const char *tail = od_num_print_u64(number, digits);
    size_t letters = strlen(word);
    size_t need = strlen(tail);
    if (r->columns && length > need && length < letters + need)
        letters = length - need;
    od_buf_add(to, (struct od_view){word, letters});
    od_buf_add_str(to, tail);
    for (size_t n = letters + need; r->columns && n < length; n++)
        od_buf_add_char(to, '_');
}

static void replace(struct od_redactor *r, enum od_redact_kind kind, struct od_view what,
                    struct od_buf *to)
{
    uint64_t number = number_of(r, kind, what);
    r->counts[kind]++;
    put_word(r, kinds[kind].word, number, what.n, to);
}

static void learn_name(struct od_redactor *r, struct od_view name, enum od_redact_kind kind)
{
    if (name.n < LEARNT_LEAST || od_is_common_name(name) || r->learnt.n >= OD_REDACT_NAMES)
        return;
    *od_map_at(&r->learnt, name) = (uint64_t)kind + 1;
}

/* A host's first label is its name, too, and has its number. */
static void learn(struct od_redactor *r, struct od_view text, const struct od_found *found)
{
    struct od_view name = {text.p + found->start, found->end - found->start};
    if (found->kind == OD_REDACT_EMAIL) {
        size_t sign = od_view_find_char(name, '@', 0);
        if (sign != OD_VIEW_NONE && sign > LEARNT_LEAST)
            learn_name(r, od_view_head(name, sign), OD_REDACT_USER);
        return;
    }
    if (!found->learn)
        return;
    learn_name(r, name, found->kind);
    size_t dot = od_view_find_char(name, '.', 0);
    if (found->kind != OD_REDACT_HOST || dot == OD_VIEW_NONE || dot < 4)
        return;
    struct od_view label = od_view_head(name, dot);
    uint64_t number = number_of(r, OD_REDACT_HOST, label);
    if (!od_map_get(&r->numbers[OD_REDACT_HOST], name))
        *od_map_at(&r->numbers[OD_REDACT_HOST], name) = number;
    learn_name(r, label, OD_REDACT_HOST);
}

/* The longest learnt name that begins here and ends a word. */
static bool find_learnt(const struct od_redactor *r, struct od_view text, size_t at,
                        struct od_found *ret_found)
{
    if (r->learnt.n == 0)
        return false;
    for (size_t n = od_run(text, at, "_-."); n >= LEARNT_LEAST; n--) {
        if (at + n < text.n && od_is_alnum(text.p[at + n]) && od_is_alnum(text.p[at + n - 1]))
            continue;
        const uint64_t *kind = od_map_get(&r->learnt, od_view_head(od_view_from(text, at), n));
        if (!kind)
            continue;
        *ret_found =
            (struct od_found){.start = at, .end = at + n, .kind = (enum od_redact_kind)(*kind - 1)};
        return true;
    }
    return false;
}

static bool begins_word(struct od_view text, size_t at)
{
    return (od_is_alnum(text.p[at]) || text.p[at] == ':') &&
           (at == 0 || !od_is_alnum(text.p[at - 1]));
}

static bool find_at(const struct od_redactor *r, struct od_view text, size_t at,
                    struct od_found *ret_found)
{
    char c = text.p[at];
    if (at == 0 && od_find_log_head(text, ret_found))
        return true;
    if (c == '/' || c == '\\')
        return od_find_home(text, at, ret_found);
    if (c == ':' && od_find_url_login(text, at, ret_found))
        return true;
    if (!begins_word(text, at))
        return false;
    if (od_find_colons(text, at, ret_found))
        return true;
    bool inside = at > 0 && text.p[at - 1] == '_';
    if (c == ':' || (inside && !find_learnt(r, text, at, ret_found)))
        return false;
    if (inside)
        return true;
    if (od_is_digit(c) && od_find_ipv4(text, at, ret_found))
        return true;
    return od_find_token(text, at, ret_found) || od_find_email(text, at, ret_found) ||
           od_find_assigned(text, at, ret_found) || od_find_relative_home(text, at, ret_found) ||
           od_find_host(text, at, ret_found) || find_learnt(r, text, at, ret_found);
}

/* A private key: from its first line to its last, everything between. */
static struct od_view take_key(struct od_redactor *r, struct od_view text, struct od_buf *to)
{
    struct od_view end = OD_VIEW("-----END");
    size_t stop = od_view_find(text, end, 0);
    struct od_view body = od_view_head(text, stop == OD_VIEW_NONE ? text.n : stop);
    struct od_view key = od_view_trim(body);
    r->key_lines = stop == OD_VIEW_NONE ? r->key_lines - 1 : 0;
    if (key.n > 0 && to) {
        size_t before = (size_t)(key.p - body.p);
        od_buf_add(to, od_view_head(body, before));
        replace(r, OD_REDACT_SECRET, key, to);
        od_buf_add(to, od_view_from(body, before + key.n));
    } else if (to) {
        od_buf_add(to, body);
    }
    return od_view_from(text, body.n);
}

/* Where a private key begins: behind the line that announces it; OD_VIEW_NONE = nowhere. */
static size_t key_start(struct od_view text)
{
    size_t at = od_view_find(text, OD_VIEW("-----BEGIN "), 0);
    if (at == OD_VIEW_NONE)
        return at;
    size_t words = od_view_find(od_view_head(text, at + 60), OD_VIEW("PRIVATE KEY"), at);
    size_t end = words == OD_VIEW_NONE ? words : od_view_find(text, OD_VIEW("-----"), words);
    return end == OD_VIEW_NONE ? end : end + 5;
}

static void walk(struct od_redactor *r, struct od_view text, struct od_buf *to)
{
    size_t done = 0;
    for (size_t at = 0; at < text.n;) {
        struct od_found found;
        if (!find_at(r, text, at, &found)) {
            at++;
            continue;
        }
        struct od_view what = {text.p + found.start, found.end - found.start};
        learn(r, text, &found);
        if (to) {
            od_buf_add(to, (struct od_view){text.p + done, found.start - done});
            replace(r, found.kind, what, to);
        }
        done = at = found.end;
    }
    if (to)
        od_buf_add(to, od_view_from(text, done));
}

static void pass(struct od_redactor *r, struct od_view text, struct od_buf *to)
{
    while (text.n > 0) {
        if (r->key_lines > 0) {
            text = take_key(r, text, to);
            continue;
        }
        size_t key = key_start(text);
        struct od_view here = od_view_head(text, key == OD_VIEW_NONE ? text.n : key);
        walk(r, here, to);
        text = od_view_from(text, here.n);
        if (key != OD_VIEW_NONE)
            r->key_lines = KEY_LINES_MOST;
    }
}

void od_redact_learning(struct od_redactor *r, bool learning)
{
    r->learning = learning;
    r->key_lines = 0;
    memset(r->counts, 0, sizeof r->counts);
}

void od_redact(struct od_redactor *r, struct od_view text, struct od_buf *to)
{
    pass(r, text, r->learning ? NULL : to);
    if (r->learning)
        od_buf_add(to, text);
}

uint64_t od_redacted(const struct od_redactor *r, enum od_redact_kind kind)
{
    return r->counts[kind];
}

void od_redacted_words(const struct od_redactor *r, struct od_buf *to)
{
    bool any = false;
    for (size_t i = 0; i < OD_REDACT_END; i++) {
        if (r->counts[i] == 0)
            continue;
        od_buf_printf(to, "%s%" PRIu64 " %s", any ? ", " : "", r->counts[i],
                      r->counts[i] == 1 ? kinds[i].one : kinds[i].many);
        any = true;
    }
    if (!any)
        od_buf_add_str(to, "nothing");
}
