/*
 * Sizes and their roles, determined by the words around them.
 */
#include "readers/logs/sentence_parts.h"

#include "facts/accelerator.h"

#include "readers/logs/sentence_sizes_lists.inc"

enum { BEFORE = 7, BEHIND = 7, LEAST_BARE = 4096, LEAST_OF_KEY = 1 << 20 };

static const struct {
    enum od_word_class class;
    enum od_field field;
} roles[] = {
    {OD_WORD_LARGEST, OD_F_LARGEST},   {OD_WORD_FREE, OD_F_FREE},
    {OD_WORD_RESERVED, OD_F_RESERVED}, {OD_WORD_PEAK, OD_F_PEAK},
    {OD_WORD_LIMIT, OD_F_LIMIT},       {OD_WORD_CAPACITY, OD_F_CAPACITY},
    {OD_WORD_USED, OD_F_IN_USE},       {OD_WORD_REQUESTED, OD_F_REQUESTED},
    {OD_WORD_GET, OD_F_REQUESTED},     {OD_WORD_TAKE, OD_F_REQUESTED},
};

/* A role, and the distance of its word from the number; OD_F_NONE: none. */
struct role {
    enum od_field field;
    size_t distance;
    bool neither; /* the number is about something else */
};

static enum od_field role_of(const struct od_token *token)
{
    for (size_t i = 0; i < OD_COUNT_OF(roles); i++)
        if (od_token_is(token, roles[i].class))
            return roles[i].field;
    return OD_F_NONE;
}

static bool parts_words(char mark)
{
    return mark != 0 && strchr(".?;|),", mark) != NULL;
}

/* Is it the number of a device or an error code, not a size? */
static bool is_name(const struct od_token *token)
{
    return token->number && !token->unit && token->size.n < LEAST_BARE;
}

/* "grow the arena by 3 GiB" */
static bool grows_by(const struct od_tokens *t, size_t i)
{
    if (!od_view_starts(od_token_on(t, i), OD_VIEW("by ")))
        return false;
    for (size_t k = i; k > 0 && i - k < BEFORE && !parts_words(t->list[k].mark); k--)
        if (od_token_is(&t->list[k - 1], OD_WORD_TAKE) || od_token_is(&t->list[k - 1], OD_WORD_GET))
            return true;
    return false;
}

/* "expand the heap from 3 GiB": the current size. */
static bool grows_from(const struct od_tokens *t, size_t i)
{
    return i > 0 && t->list[i].unit && od_view_starts(od_token_on(t, i - 1), OD_VIEW("from "));
}

/* "but only 2 GiB of memory": the available size. */
static bool is_only(const struct od_tokens *t, size_t i)
{
    return i > 0 && t->list[i].unit && od_view_starts_any(od_token_on(t, i - 1), only);
}

/* "available memory for concurrent requests: 3 GiB": is the word part of the purpose of the
 * available memory? */
static bool is_purpose(const struct od_tokens *t, size_t i)
{
    enum { NEAR = 2 };
    for (size_t k = i; k > 0 && i - k < NEAR && t->list[k].mark == 0; k--) {
        if (od_view_starts(od_token_on(t, k - 1), OD_VIEW("for ")))
            return k > 1;
    }
    return false;
}

static struct role role_before(const struct od_tokens *t, size_t i)
{
    struct role weak = {0};
    for (size_t k = i; k > 0 && i - k < BEFORE; k--) {
        const struct od_token *token = &t->list[k - 1];
        bool filler = weak.field != OD_F_NONE && od_token_is(token, OD_WORD_FILLER);
        /* "limit exceeded: 3 GiB requested" */
        filler = filler || (t->list[i].mark == ':' && od_token_is(token, OD_WORD_EXCEED));
        if (parts_words(t->list[k].mark) || (token->number && !is_name(token)) || filler ||
            (t->list[k].mark == ':' && k < i && od_token_is(&t->list[k], OD_WORD_MEMORY)))
            break; /* "over its budget: memory 3 GiB" */
        if (od_token_is(token, OD_WORD_NEITHER))
            return grows_by(t, k - 1) ? (struct role){.field = OD_F_REQUESTED, .distance = i - k}
                                      : (struct role){.neither = true, .distance = i - k};
        enum od_field field = role_of(token);
        bool lacked = field == OD_F_FREE && k > 1 && od_token_is(&t->list[k - 2], OD_WORD_LACK);
        if (lacked || /* "could not find enough free memory: 3 GiB" */
            (field != OD_F_NONE && t->list[i].mark == ':' && is_purpose(t, k - 1)))
            continue;
        if (field == OD_F_REQUESTED && grows_from(t, i))
            return (struct role){.field = OD_F_IN_USE};
        if (field != OD_F_NONE)
            return (struct role){.field = field, .distance = i - k};
        if (od_token_is(token, OD_WORD_SIZE) && weak.field == OD_F_NONE)
            weak = (struct role){.field = OD_F_REQUESTED, .distance = i - k};
    }
    return weak;
}

/* Does that word name the next number: "free: 3 GiB", "limit 2 GiB"? */
static bool names_next(const struct od_tokens *t, size_t k)
{
    return k + 1 < t->n && t->list[k + 1].number && !parts_words(t->list[k + 1].mark);
}

/* "max memory required": the participle decides the role. */
static enum od_field with_participle(const struct od_tokens *t, size_t k, enum od_field field)
{
    enum { NEAR = 2 };
    if (field != OD_F_LIMIT && field != OD_F_CAPACITY)
        return field;
    for (size_t i = k + 1; i < t->n && i <= k + NEAR; i++) {
        if (t->list[i].number || t->list[i].mark != 0 || t->list[i].bracket)
            break;
        if (od_token_is(&t->list[i], OD_WORD_REQUESTED))
            return OD_F_REQUESTED;
    }
    return field;
}

static struct role role_after(const struct od_tokens *t, size_t i)
{
    for (size_t k = i + 1; k < t->n && k <= i + BEHIND; k++) {
        const struct od_token *token = &t->list[k];
        if (is_name(token) && !token->bracket)
            continue;
        if (parts_words(token->mark) || token->bracket || token->number || token->mark == ':')
            break;
        enum od_field field = role_of(token);
        if (od_token_is(token, OD_WORD_EXCEED) || od_token_is(token, OD_WORD_CANNOT))
            break;
        if (field != OD_F_NONE && !names_next(t, k))
            return (struct role){.field = with_participle(t, k, field), .distance = k - i - 1};
    }
    return (struct role){0};
}

/* Is it large enough to be bytes without a unit? "max_length=8000" is a setting. */
static bool is_large(const struct od_token *token)
{
    return token->unit || token->size.n >= (token->mark == '=' ? LEAST_OF_KEY : LEAST_BARE);
}

/* "size=268435456": a number this large directly after the word is bytes. */
static bool is_key_size(const struct od_tokens *t, size_t i)
{
    const struct od_token *key = i > 0 ? &t->list[i - 1] : NULL;
    return key && t->list[i].size.n >= LEAST_OF_KEY && (od_token_is(key, OD_WORD_SIZE)) &&
           !od_token_is(key, OD_WORD_NEITHER) && t->list[i].at - key->end <= 2;
}

/* "cudaMalloc(&p, 402653184)": an argument of an allocating call. */
static bool is_argument(const struct od_tokens *t, size_t i)
{
    enum { ARGUMENTS = 6 };
    for (size_t k = i; k > 0 && i - k < ARGUMENTS; k--) {
        const struct od_token *call = &t->list[k - 1];
        struct od_view name = od_token_text(t, call);
        if (t->list[k].bracket)
            return call->end < t->text.n && t->text.p[call->end] == '(' &&
                   od_view_has_any(name, calls);
    }
    return false;
}

/* "asked <= available failed, 900 MB > 512 MB" */
static bool names_free(const struct od_tokens *t, size_t i)
{
    bool free = false;
    for (size_t k = i > BEFORE ? i - BEFORE : 0; k < i; k++) {
        if (od_token_is(&t->list[k], OD_WORD_LIMIT))
            return false;
        free = free || od_token_is(&t->list[k], OD_WORD_FREE);
    }
    return free;
}

/* The role of a number in a comparison: "900 MB > 512 MB", "used + asked > limit". */
static enum od_field role_in_comparison(const struct od_tokens *t, size_t i)
{
    enum { LEAST = 1 << 20 };
    const struct od_token *list = t->list;
    if (!list[i].unit && list[i].size.n < LEAST)
        return OD_F_NONE;
    if (i > 0 && list[i].mark == '>' && list[i - 1].number)
        return names_free(t, i) ? OD_F_FREE : OD_F_LIMIT;
    if (i + 1 < t->n && list[i + 1].mark == '>' && list[i + 1].number)
        return OD_F_REQUESTED;
    struct od_view rest = od_view_from(t->text, list[i].end);
    bool added = i + 2 < t->n && list[i + 1].number && od_view_starts(rest, OD_VIEW(" + "));
    return added && list[i + 2].mark == '>' && list[i + 2].number ? OD_F_IN_USE : OD_F_NONE;
}

/* "allocated so far: 3 GiB" and "3 GiB already allocated" are both clear; otherwise the closer word
 * decides. */
static struct role role_at(const struct od_tokens *t, size_t i)
{
    struct role before = role_before(t, i), after = role_after(t, i);
    if (is_only(t, i) && before.field == OD_F_NONE &&
        (after.field == OD_F_NONE || after.field == OD_F_FREE))
        return (struct role){.field = OD_F_FREE};
    enum od_field compared = role_in_comparison(t, i);
    if (compared != OD_F_NONE)
        return (struct role){.field = compared};
    if (before.neither && after.field == OD_F_NONE)
        return before;
    if (before.field == OD_F_NONE || before.neither)
        return after;
    char mark = t->list[i].mark;
    bool key = (mark == ':' || mark == '=') && before.distance <= 1;
    /* In "131072 bytes available, 2147483664 requested" each number has the word after it; in
     * "Need: 15.2GB free" the word before decides. */
    if (before.field == OD_F_REQUESTED && after.field != OD_F_NONE && after.distance == 0 &&
        after.field != OD_F_REQUESTED && !(key && parts_words(t->list[i - 1].mark)))
        return after;
    if (after.field == OD_F_NONE || key || before.distance < after.distance)
        return before;
    if (before.distance == after.distance && before.field == OD_F_REQUESTED)
        return after;
    return before.distance <= after.distance ? before : after;
}

/* "used 3 GiB of 2 GiB", "3 GiB free of 24 GiB", "3 GiB/24 GiB" */
static bool is_whole(const struct od_tokens *t, size_t i)
{
    bool free = i > 2 && od_token_is(&t->list[i - 2], OD_WORD_FREE) && t->list[i - 2].mark == 0;
    if (i > 0 && t->list[i].mark == '/' && od_token_is_size(&t->list[i]) &&
        od_token_is_size(&t->list[i - 1]))
        return true;
    if (i < 2 || !od_token_is_size(&t->list[i - 2 - free]) || t->list[i].mark != 0)
        return false;
    const struct od_token *of = &t->list[i - 1];
    return of->end - of->at == 2 && t->text.p[of->at] == 'o' && t->text.p[of->at + 1] == 'f';
}

/* The total that the size is a part of; t->n = none. */
static size_t whole_of(const struct od_tokens *t, size_t i)
{
    for (size_t k = i + 1; k < t->n && k <= i + 2; k++) {
        if (t->list[k].number)
            return is_whole(t, k) ? k : t->n;
    }
    return t->n;
}

/* The first number of a role counts, unless it may not be a size. */
static void set(struct od_sentence *s, enum od_field field, const struct od_token *token,
                uint32_t *bare)
{
    const unsigned i = field - OD_F_REQUESTED;
    if (s->sizes[i].known && (!token->unit || (*bare >> i & 1) == 0))
        return;
    s->sizes[i] = token->size;
    *bare = token->unit ? *bare & ~(1U << i) : *bare | 1U << i;
}

/* End of the range with facts: where advice starts, or the text ends. */
static size_t end_of_facts(const struct od_tokens *t, size_t i)
{
    for (i++; i < t->n; i++) {
        const struct od_token *token = &t->list[i];
        bool begins = token->mark == '.' || token->mark == '?' || token->mark == ':';
        if (begins && (od_token_is(token, OD_WORD_IF) || od_token_is(token, OD_WORD_PEOPLE) ||
                       od_token_is(token, OD_WORD_ADVICE) || od_token_is(token, OD_WORD_WITHOUT)))
            break;
    }
    return i;
}

/* After "exceeds" comes the bound, before it the request. */
static void take_compared(const struct od_tokens *t, size_t i, size_t exceed, struct role *role)
{
    if (role->field == OD_F_NONE && !role->neither && exceed < t->n)
        role->field = i < exceed ? OD_F_REQUESTED : OD_F_LIMIT;
}

/* "on the 24 GB card", "with 64 GB of RAM", "RAM: 64 GB", "RTX 3090 24GB", "files of 26 GB", "llama
 * 70B": the size of something that a person has, not the request. */
static bool is_owned(const struct od_tokens *t, size_t i)
{
    enum { MODEL_DIGITS = 3, LEAST_BYTES = 1024 };
    const struct od_token *token = &t->list[i];
    bool billions = token->unit && token->size.n < LEAST_BYTES && token->end > 1 &&
                    od_is_digit(t->text.p[token->end - 2]);
    if (billions || od_view_starts_any(od_view_from(t->text, token->end), things))
        return true;
    if (i == 0)
        return false;
    const struct od_token *before = &t->list[i - 1];
    struct od_view name = od_token_text(t, before);
    if (od_view_ends(od_view_head(t->text, t->list[i].at), OD_VIEW("files of ")))
        return true;
    size_t digits = name.n - od_back(name, name.n, od_is_digit);
    bool model = digits >= MODEL_DIGITS && !before->unit && !before->hex &&
                 (digits < name.n || (i > 1 && t->list[i - 2].classes == 0));
    return model || (name.n <= 4 && od_view_starts_any(name, parts));
}

/* 'cannot allocate memory for "cache of 300 MB"': a quote without the refusal states no request,
 * unless it begins with the number. The value of a key (msg="...") is the message itself. */
static bool is_quoted_apart(const struct od_tokens *t, const struct od_refusal *r, size_t i)
{
    size_t start = OD_VIEW_NONE, at = t->list[i].at, said = t->list[r->from].at;
    for (size_t k = 0; k < at; k++)
        if (t->text.p[k] == '"')
            start = start == OD_VIEW_NONE ? k + 1 : OD_VIEW_NONE;
    size_t end = od_view_find_char(t->text, '"', at);
    bool is_value = start != OD_VIEW_NONE && start >= 2 && t->text.p[start - 2] == '=';
    bool quoted = start != OD_VIEW_NONE && end != OD_VIEW_NONE && start < at && !is_value;
    return quoted && (said < start || said > end);
}

static bool names_card(const struct od_tokens *t, size_t from, size_t to)
{
    struct od_accelerator card;
    struct od_view name = od_view_head(t->text, t->list[to].end);
    return od_accelerator_find(od_view_from(name, t->list[from].at), &card);
}

/* Can these words be of a card's name? They have a digit or a capital then. The search is long. */
static bool may_name_card(const struct od_tokens *t, size_t from, size_t to)
{
    bool may = false;
    for (size_t i = t->list[from].at; i < t->list[to].end && !may; i++)
        may = od_is_digit(t->text.p[i]) || t->text.p[i] != od_lower(t->text.p[i]);
    return may;
}

/* "GeForce GTX 1080 (8192 MB)", "24 GB NVIDIA L4", "the device has 8 GiB": the memory of a card. */
static bool is_of_card(const struct od_tokens *t, size_t i, bool has_role)
{
    enum { WORDS = 5 };
    if (i > 1 && t->list[i].unit && od_token_is(&t->list[i - 2], OD_WORD_DEVICE) &&
        t->list[i - 1].end - t->list[i - 1].at == 3 &&
        od_view_starts(od_token_on(t, i - 1), OD_VIEW("has ")) &&
        role_after(t, i).field == OD_F_NONE)
        return true;
    bool of = false, open = t->list[i].unit && !has_role;
    bool before = t->list[i].bracket || (open && i > 0 && may_name_card(t, i - 1, i - 1));
    for (size_t k = i; before && !of && k > 0 && i - k < WORDS; k--)
        of = names_card(t, k - 1, i - 1);
    bool after = open && i + 1 < t->n && may_name_card(t, i + 1, i + 2 < t->n ? i + 2 : i + 1);
    for (size_t k = i + 1; after && !of && k < t->n && k - i < WORDS; k++)
        of = names_card(t, i + 1, k);
    return of;
}

/* "Remaining: -8306 MB" is missing; "90000 doubles" and "300x400x4 bytes" are counts of things. */
static bool is_no_size(const struct od_tokens *t, const struct od_token *token)
{
    struct od_view front = od_view_head(t->text, token->at);
    bool times = token > t->list && token[-1].number && od_view_ends(front, OD_VIEW("x"));
    bool counts = od_view_starts_any(od_view_from(t->text, token->end), counted) && !token->unit;
    return times || counts || od_view_ends(front, OD_VIEW(": -")) ||
           od_view_ends(front, OD_VIEW("=-")) || od_view_ends(front, OD_VIEW(":-"));
}

void od_sentence_sizes(const struct od_tokens *t, const struct od_refusal *r, struct od_sentence *s)
{
    size_t from = od_sentence_from(t, r->from), upto = end_of_facts(t, r->from);
    for (size_t i = r->from; i > from; i--) /* columns of a status line before its message */
        from = t->list[i].mark == '|' ? i : from;
    size_t exceed = from;
    struct od_token first = {0};
    uint32_t bare = 0;
    while (exceed < upto && !od_token_is(&t->list[exceed], OD_WORD_EXCEED))
        exceed++;
    for (size_t i = from; i < upto; i++) {
        const struct od_token *token = &t->list[i];
        if (!token->number || !token->size.known || is_no_size(t, token))
            continue;
        struct role role = role_at(t, i);
        if (i > from && i == r->upto && od_token_is(&t->list[i - 1], OD_WORD_REFUSAL))
            role.field = OD_F_REQUESTED; /* "invalid request size 1073741824" */
        bool for_it = i == r->upto + 1 && od_view_starts(od_token_on(t, i - 1), OD_VIEW("for "));
        if (for_it && role.field == OD_F_NONE && !role.neither && token->unit)
            role.field = OD_F_REQUESTED; /* "OUT_OF_DEVICE_MEMORY for 3 GiB" */
        if (token->hex && !token->unit && role_before(t, i).field == OD_F_NONE)
            continue; /* an address */
        bool argument = role.field == OD_F_NONE && is_argument(t, i);
        if (argument)
            role.field = OD_F_REQUESTED;
        if (s->strict && !token->unit && !argument && !is_key_size(t, i))
            continue;
        size_t whole = whole_of(t, i);
        if (whole < t->n && role_before(t, i).field == OD_F_NONE) {
            role = role_after(t, whole);
            if (role.field == OD_F_NONE && token->unit)
                role.field = OD_F_IN_USE; /* "31.2 of 32 GiB" */
        }
        if (is_whole(t, i) || is_of_card(t, i, role.field != OD_F_NONE))
            role = (struct role){.field = OD_F_CAPACITY};
        if (r->form == 'x' && role.field == OD_F_NONE && r->from < i && i < r->upto)
            role.field = OD_F_LIMIT; /* "the pool (2 GiB) is exhausted" */
        if (token->unit)
            take_compared(t, i, exceed < upto ? exceed : t->n, &role);
        bool asked = role.field == OD_F_NONE || role.field == OD_F_REQUESTED;
        if (asked && is_quoted_apart(t, r, i))
            continue;
        if (role.field != OD_F_NONE && is_large(token))
            set(s, role.field, token, &bare);
        else if (token->unit && !role.neither && !first.number && !is_owned(t, i))
            first = *token;
    }
    /* a program that did not start has no memory in use, so this was its request */
    struct od_bytes *used = &s->sizes[OD_F_IN_USE - OD_F_REQUESTED];
    if (s->kind == OD_EV_COMPILE_FAILED && used->known) {
        if (!s->sizes[0].known)
            s->sizes[0] = *used;
        *used = (struct od_bytes){0};
    }
    /* a cache that is smaller than the memory in use is separate from it */
    struct od_bytes *reserved = &s->sizes[OD_F_RESERVED - OD_F_REQUESTED];
    struct od_bytes both = od_bytes_add(*used, *reserved);
    if (od_bytes_less(*reserved, *used) == OD_YES &&
        od_bytes_less(s->sizes[OD_F_CAPACITY - OD_F_REQUESTED], both) != OD_YES)
        *reserved = both;
    /* the only size without a role is the request */
    if (first.number && first.size.n > 0)
        set(s, OD_F_REQUESTED, &first, &bare);
}
