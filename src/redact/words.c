#include "redact/words.h"

static const struct word {
    const char *text;
    uint32_t role;
} table[] = {
#include "redact/place_words.inc"
#include "redact/words.inc"
};

enum {
    SLOTS = 8192,
    CACHED = 1024,
    SHORT = 16,
    WORD_MOST = 24,
    PARTS = 8,
    GLUED_LEAST = 5,
    GLUED_MOST = 10,
    USER_PARTS = 5
};

#define MIX UINT64_C(0x9E3779B97F4A7C15)
#define SMALL UINT64_C(0x2020202020202020) /* converts ASCII letters to lower case */

struct slot {
    const char *text;
    size_t n;
    uint32_t roles;
};

/* A cache of the roles of short words, which recur often. */
struct cached {
    uint64_t head, tail; /* first and last bytes of the word */
    uint32_t n, roles;
};

struct od_words {
    uint8_t tags[SLOTS]; /* hash tags in each slot; 0 = empty */
    struct slot slots[SLOTS];
    struct cached cache[CACHED];
};

/* Up to eight bytes of a text as a number. */
static uint64_t few_bytes(const char *p, size_t n)
{
    uint32_t head, tail;
    if (n < sizeof head) /* the first, a middle and the last byte */
        return n == 0 ? 0
                      : (unsigned char)p[0] | (uint64_t)(unsigned char)p[n / 2] << 8 |
                            (uint64_t)(unsigned char)p[n - 1] << 16;
    memcpy(&head, p, sizeof head);
    memcpy(&tail, p + n - sizeof tail, sizeof tail);
    return head | (uint64_t)tail << 32;
}

static uint64_t hash_of(struct od_view word)
{
    uint64_t h = word.n;
    for (; word.n > sizeof h; word = od_view_from(word, sizeof h)) {
        h = (h ^ (few_bytes(word.p, sizeof h) | SMALL)) * MIX;
        h ^= h >> 32;
    }
    return (h ^ (few_bytes(word.p, word.n) | SMALL)) * MIX;
}

static size_t slot_of(uint64_t hash)
{
    return (size_t)(hash >> 51);
}

static uint8_t tag_of(uint64_t hash)
{
    return (uint8_t)(hash >> 40) | 1;
}

static bool is_same(const struct slot *slot, struct od_view word)
{
    if (slot->n != word.n)
        return false;
    for (size_t i = 0; i < word.n; i++) {
        if (od_lower(word.p[i]) != slot->text[i])
            return false;
    }
    return true;
}

struct od_words *od_words_new(void)
{
    struct od_words *words = od_mem_alloc(1, sizeof *words);
    for (size_t i = 0; i < OD_COUNT_OF(table); i++) {
        struct od_view text = od_view_of(table[i].text);
        uint64_t hash = hash_of(text);
        size_t at = slot_of(hash);
        while (words->tags[at] && !is_same(&words->slots[at], text))
            at = (at + 1) % SLOTS;
        words->tags[at] = tag_of(hash);
        words->slots[at].text = text.p;
        words->slots[at].n = text.n;
        words->slots[at].roles |= table[i].role;
    }
    return words;
}

void od_words_free(struct od_words *words)
{
    od_mem_free(words);
}

uint32_t od_words_roles(const struct od_words *words, struct od_view word)
{
    if (word.n == 0 || word.n > WORD_MOST)
        return 0;
    uint64_t hash = hash_of(word);
    uint8_t tag = tag_of(hash);
    for (size_t at = slot_of(hash); words->tags[at]; at = (at + 1) % SLOTS) {
        if (words->tags[at] == tag && is_same(&words->slots[at], word))
            return words->slots[at].roles;
    }
    return 0;
}

bool od_is_common_name(const struct od_words *words, struct od_view name)
{
    return od_words_is(words, name, OD_ROLE_COMMON);
}

/* ---- names of values ---- */

/* The words of a name, last one first. */
struct parts {
    struct od_view part[PARTS];
    size_t n;
};

/* Does a new word begin here, at T of "authToken" or K of "APIKey"? */
static bool begins_hump(struct od_view name, size_t at)
{
    if (at == 0 || !od_is_upper(name.p[at]))
        return false;
    char before = name.p[at - 1];
    bool lower_behind =
        at + 1 < name.n && od_is_letter(name.p[at + 1]) && !od_is_upper(name.p[at + 1]);
    return od_is_digit(before) || !od_is_upper(before) || lower_behind;
}

static void push_part(struct parts *parts, struct od_view part)
{
    while (part.n > 1 && od_is_digit(part.p[part.n - 1])) /* skips digits: "password2" */
        part.n--;
    if (part.n > 0 && parts->n < PARTS)
        parts->part[parts->n++] = part;
}

/* Adds the words within a word: "NodeList" is one known word, "dbPassword" is two. */
static void push_humps(const struct od_words *words, struct parts *parts, struct od_view word)
{
    if (od_words_roles(words, word)) {
        push_part(parts, word);
        return;
    }
    size_t end = word.n;
    for (size_t at = word.n; at > 0; at--) {
        if (at > 1 && !begins_hump(word, at - 1))
            continue;
        push_part(parts, od_view_from(od_view_head(word, end), at - 1));
        end = at - 1;
    }
}

static struct parts cut(const struct od_words *words, struct od_view name)
{
    struct parts parts = {0};
    size_t end = name.n;
    for (size_t at = name.n + 1; at-- > 0 && parts.n < PARTS;) {
        if (at > 0 && (od_is_alnum(name.p[at - 1]) || (unsigned char)name.p[at - 1] >= 0x80))
            continue;
        if (end > at)
            push_humps(words, &parts, od_view_from(od_view_head(name, end), at));
        end = at > 0 ? at - 1 : 0;
    }
    return parts;
}

/* The roles of a known ending: "PGPASSWORD", "mytoken". */
static uint32_t glued_roles(const struct od_words *words, struct od_view word)
{
    uint32_t roles = 0;
    for (size_t n = GLUED_LEAST; n <= GLUED_MOST && n < word.n && !(roles & OD_ROLE_GLUED); n++)
        roles = od_words_roles(words, od_view_from(word, word.n - n));
    return roles & OD_ROLE_GLUED ? roles : 0;
}

static uint32_t roles_of(const struct od_words *words, struct od_view part)
{
    uint32_t roles = od_words_roles(words, part);
    return roles ? roles : glued_roles(words, part);
}

enum {
    NAMING = OD_ROLE_PASS | OD_ROLE_MAYBE | OD_ROLE_KEY | OD_ROLE_BEHIND | OD_ROLE_USER |
             OD_ROLE_SUREUSER | OD_ROLE_ORG | OD_ROLE_HOST | OD_ROLE_MAYHOST | OD_ROLE_PERSON |
             OD_ROLE_NAMEPART
};

/* Offset of the last part of a word: "dbPassword". */
static size_t last_hump(struct od_view word)
{
    size_t at = word.n;
    while (at > 1 && !(od_is_upper(word.p[at - 1]) && begins_hump(word, at - 1)))
        at--;
    return at > 1 ? at - 1 : 0;
}

/* The roles that a word gives to the name it ends. */
static uint32_t naming(const struct od_words *words, struct od_view word, uint32_t roles)
{
    const uint32_t where = OD_ROLE_USER | OD_ROLE_ORG | OD_ROLE_HOST | OD_ROLE_MAYHOST;
    if (roles & NAMING)
        return roles | OD_ROLE_NAMES;
    size_t whole = word.n;
    while (word.n > 1 && od_is_digit(word.p[word.n - 1]))
        word.n--;
    if (word.n < 4)
        return roles;
    unsigned last = (unsigned char)od_lower(word.p[word.n - 1]) - 'a'; /* d, e, h, n, s, t, y */
    if (last > 25 || !(0x10C2098U >> last & 1))
        return roles;
    size_t hump = last_hump(word);
    bool other = hump > 0 || word.n < whole; /* only a part of the word has the roles */
    uint32_t more = other ? roles_of(words, od_view_from(word, hump)) & NAMING : 0;
    more = more ? more : glued_roles(words, word);
    return more ? roles | OD_ROLE_NAMES | (more & where) : roles;
}

static uint32_t all_told(const struct od_words *words, struct od_view word)
{
    return naming(words, word, od_words_roles(words, word));
}

uint32_t od_words_told(struct od_words *words, struct od_view word)
{
    struct cached key = {.n = (uint32_t)word.n};
    size_t half = word.n < 8 ? word.n : 8;
    if (word.n > SHORT)
        return all_told(words, word);
    key.head = few_bytes(word.p, half);
    key.tail = word.n > half ? few_bytes(word.p + word.n - half, half) : 0;
    struct cached *cached = &words->cache[(key.head ^ key.tail * 3) * MIX >> 54];
    if (cached->n != key.n || cached->head != key.head || cached->tail != key.tail) {
        key.roles = all_told(words, word);
        *cached = key;
    }
    return cached->roles;
}

static bool eq(struct od_view a, const char *b)
{
    size_t n = strlen(b);
    if (a.n != n)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (od_lower(a.p[i]) != b[i])
            return false;
    }
    return true;
}

static enum od_named named_key(const struct od_words *words, const struct parts *parts, size_t at)
{
    if (at + 1 >= parts->n)
        return OD_NAMED_RANDOM;
    uint32_t before = od_words_roles(words, parts->part[at + 1]);
    if (!(before & OD_ROLE_KEYOF) == !(before & OD_ROLE_NOTKEY)) /* no secret: "primary_key=id" */
        return OD_NAMED_RANDOM;
    return before & OD_ROLE_KEYOF ? OD_NAMED_SECRET : OD_NAMED_NOTHING;
}

static enum od_named named_maybe(const struct od_words *words, const struct parts *parts, size_t at)
{
    struct od_view last = parts->part[at];
    bool pass = eq(last, "pass") || eq(last, "pwd") || eq(last, "pw");
    for (size_t i = at + 1; i < parts->n; i++) {
        uint32_t before = od_words_roles(words, parts->part[i]);
        if (before & (pass ? OD_ROLE_NOTPASS : OD_ROLE_NOTTOKEN)) /* SOURCE_TOKEN can be a secret */
            return pass ? OD_NAMED_NOTHING : OD_NAMED_RANDOM;
    }
    if (pass && at + 1 < parts->n)
        return od_words_is(words, parts->part[at + 1], OD_ROLE_KEYOF) ? OD_NAMED_SECRET
                                                                      : OD_NAMED_MAYBE;
    if (eq(last, "pass"))
        return OD_NAMED_PASS;
    return eq(last, "tokens") || eq(last, "certificate") || eq(last, "license") ? OD_NAMED_RANDOM
                                                                                : OD_NAMED_MAYBE;
}

static enum od_named named_who(uint32_t roles, const struct parts *parts, size_t at,
                               const struct od_words *words)
{
    bool alone = at + 1 >= parts->n;
    for (size_t i = at + 1; roles & OD_ROLE_PERSON && i < parts->n; i++) {
        if (od_words_is(words, parts->part[i], OD_ROLE_PERSONOF))
            return OD_NAMED_PERSON;
    }
    if (roles & OD_ROLE_HOST)
        return OD_NAMED_HOST;
    if (roles & OD_ROLE_ORG && parts->n <= at + USER_PARTS)
        return OD_NAMED_ORG;
    if (roles & OD_ROLE_USER && (alone || roles & OD_ROLE_SUREUSER || parts->n <= at + USER_PARTS))
        return OD_NAMED_USER;
    if (roles & OD_ROLE_PERSON && !eq(parts->part[at], "name") && !eq(parts->part[at], "by") &&
        !eq(parts->part[at], "to") && alone)
        return OD_NAMED_PERSON;
    return roles & OD_ROLE_MAYHOST ? OD_NAMED_MAYHOST : OD_NAMED_NOTHING;
}

/* The roles of two words when joined: "auth_code" like "authcode". */
static uint32_t joined_roles(const struct od_words *words, struct od_view a, struct od_view b)
{
    char both[WORD_MOST];
    if (a.n + b.n > sizeof both)
        return 0;
    memcpy(both, a.p, a.n);
    memcpy(both + a.n, b.p, b.n);
    return od_words_roles(words, (struct od_view){both, a.n + b.n});
}

enum od_named od_named_by(const struct od_words *words, struct od_view name)
{
    struct parts parts = cut(words, name);
    if (parts.n == 0)
        return OD_NAMED_NOTHING;
    size_t at = 0;
    while (at + 1 < parts.n && od_words_is(words, parts.part[at], OD_ROLE_BEHIND))
        at++;
    uint32_t roles = roles_of(words, parts.part[at]);
    if (roles & OD_ROLE_NAMEPART && at + 1 < parts.n)
        roles |= joined_roles(words, parts.part[at + 1], parts.part[at]);
    /* "master_addr", "user_id", "node_name" */
    if (at + 1 < parts.n && eq(parts.part[at], "name") && !eq(parts.part[at + 1], "host") &&
        od_words_is(words, parts.part[at + 1], OD_ROLE_HOST | OD_ROLE_MAYHOST))
        return OD_NAMED_MAYHOST;
    if (at + 1 < parts.n && eq(parts.part[at], "name"))
        roles |= od_words_roles(words, parts.part[at + 1]) & OD_ROLE_ORG;
    if (at + 1 < parts.n && (eq(parts.part[at], "name") || eq(parts.part[at], "id")) &&
        eq(parts.part[at + 1], "user"))
        return OD_NAMED_USER;
    if (roles & OD_ROLE_PASS)
        return OD_NAMED_SECRET;
    if (eq(parts.part[at], "id") && at + 1 < parts.n &&
        (eq(parts.part[at + 1], "key") || eq(parts.part[at + 1], "secret")))
        return OD_NAMED_MAYBE;
    if (roles & OD_ROLE_KEY)
        return named_key(words, &parts, at);
    if (roles & OD_ROLE_MAYBE)
        return named_maybe(words, &parts, at);
    return named_who(roles, &parts, at, words);
}
