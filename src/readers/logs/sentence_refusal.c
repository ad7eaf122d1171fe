/*
 * Finds refusals of memory in their possible forms.
 */
#include "readers/logs/sentence_parts.h"

enum { GAP = 4, OBJECT = 12, SUBJECT = 10 };

static bool is(const struct od_tokens *t, size_t i, enum od_word_class class)
{
    return i < t->n && od_token_is(&t->list[i], class);
}

/* Does a sentence end before that token? */
static bool parts(const struct od_tokens *t, size_t i)
{
    return t->list[i].mark == '.' || t->list[i].mark == '?';
}

size_t od_sentence_from(const struct od_tokens *t, size_t i)
{
    while (i > 0 && !parts(t, i))
        i--;
    return i;
}

size_t od_sentence_upto(const struct od_tokens *t, size_t i)
{
    i++;
    while (i < t->n && !parts(t, i))
        i++;
    return i;
}

/* The last word of a name decides: task_buffer is a buffer. */
static bool names_more(const struct od_tokens *t, size_t i)
{
    return i + 1 < t->n && t->list[i + 1].joined;
}

/* The first token of that class within `most` tokens from i on, in the same sentence; t->n =
 * none. */
static size_t find(const struct od_tokens *t, size_t i, size_t most, enum od_word_class class)
{
    for (size_t k = i; k < t->n && k < i + most; k++) {
        if (k > i && parts(t, k))
            break;
        bool path = class == OD_WORD_MEMORY && t->list[k].mark == '/' && t->list[k].joined;
        if (is(t, k, class) && !path)
            return k;
    }
    return t->n;
}

/* The last token of that class within `most` tokens before i, in the same sentence; t->n = none. */
static size_t find_before(const struct od_tokens *t, size_t i, size_t most,
                          enum od_word_class class)
{
    for (size_t k = i; k > 0 && i - k < most && !parts(t, k); k--) {
        if (is(t, k - 1, class))
            return k - 1;
    }
    return t->n;
}

static struct od_view text_of(const struct od_tokens *t, size_t i)
{
    return od_token_text(t, &t->list[i]);
}

/* Is it something other than memory, such as a thread? A thread structure or stack is in memory. */
static bool is_else(const struct od_tokens *t, size_t i)
{
    static const char *const rooms[] = {"space", "stor", NULL}; /* of a disk */
    bool place = i + 1 < t->n && t->list[i + 1].mark == 0 && !t->list[i + 1].bracket &&
                 is(t, i + 1, OD_WORD_THING) && !is(t, i + 1, OD_WORD_ELSE) &&
                 !od_view_starts_any(text_of(t, i + 1), rooms);
    return is(t, i, OD_WORD_ELSE) && !is(t, i, OD_WORD_THING) && !place && !names_more(t, i);
}

/* Does a place or time follow ("in the box solver", "while the socket is read"), rather than a
 * thing? */
static bool is_adverb(const struct od_tokens *t, size_t i)
{
    static const char *const words[] = {"for", "in", "at", "while", "during", NULL};
    return od_view_eq_any(text_of(t, i), words);
}

static size_t find_else(const struct od_tokens *t, size_t i, size_t upto)
{
    while (i < upto && (i = find(t, i, upto - i, OD_WORD_ELSE)) < t->n && !is_else(t, i))
        i++;
    return i < upto ? i : t->n;
}

static bool has_size(const struct od_tokens *t, size_t from, size_t upto)
{
    for (size_t i = from; i < upto && i < t->n; i++) {
        if (od_token_is_size(&t->list[i]) || (t->list[i].number && t->list[i].size.n >= 65536))
            return true;
    }
    return false;
}

/* "allocate 1015832 bytes of shared memory": more than a block on a device can share, so it is
 * System V shared memory. */
static bool is_system_v(const struct od_tokens *t, size_t from, size_t other)
{
    enum { LEAST = 512 << 10 };
    bool large = false;
    for (size_t i = from; i < other; i++)
        large = large || (od_token_is_size(&t->list[i]) && t->list[i].size.n >= LEAST);
    return large && od_view_starts(text_of(t, other), OD_VIEW("shared"));
}

/* "could not allocate 3 GiB of disk space" */
static bool of_something_else(const struct od_tokens *t, size_t from, size_t upto)
{
    enum { BEYOND = 4 };
    size_t until = upto;
    while (until < upto + BEYOND && until < t->n && !is_adverb(t, until))
        until++;
    size_t other = find_else(t, from, until);
    /* "8192 bytes for a descriptor" */
    bool sized = has_size(t, from, other);
    for (size_t i = from; sized && i < other && other < t->n; i++) {
        if (od_view_starts(od_token_on(t, i), OD_VIEW("for ")))
            return false;
    }
    return other < t->n && find(t, from, other - from, OD_WORD_MEMORY) == t->n &&
           !is_system_v(t, from, other);
}

/* "out of GPU memory" */
static bool out_of(const struct od_tokens *t, size_t i, struct od_refusal *ret)
{
    if (!is(t, i, OD_WORD_OUT_OF))
        return false;
    size_t memory = find(t, i + 1, GAP, OD_WORD_MEMORY);
    *ret = (struct od_refusal){.from = i, .upto = memory + 1};
    return memory < t->n && find(t, i, memory + 1 - i, OD_WORD_ELSE) == t->n;
}

/* Is something other than memory allocated: "a seat", but not "a seat structure" or "a queue
 * node"? */
static bool gives_out(const struct od_tokens *t, size_t from, size_t upto)
{
    enum { NEAR = 6, AHEAD = 3 };
    size_t k = from > AHEAD ? from - AHEAD : 0;
    if (find(t, upto, NEAR, OD_WORD_CACHE) < t->n)
        return false; /* slots of a KV cache */
    for (size_t i = k + 1; i <= from; i++)
        k = t->list[i].colon ? i : k; /* "make_task: allocation failed" */
    for (; k < upto + NEAR && k < t->n; k++) {
        bool thing = (k + 1 < t->n && t->list[k + 1].mark == 0 && is(t, k + 1, OD_WORD_THING)) ||
                     (k > upto && t->list[k].mark == 0 && is(t, k - 1, OD_WORD_THING));
        if ((k >= upto && parts(t, k)) || (k > upto && is_adverb(t, k)))
            break;
        if (is_else(t, k) || (is(t, k, OD_WORD_GIVEN_OUT) && !thing && !names_more(t, k)))
            return true;
    }
    return false;
}

/* "unable to read the last allocated page" */
static bool is_adjective(const struct od_tokens *t, size_t i, size_t verb)
{
    static const char *const articles[] = {"the", "a", "an", "its", "this", "any", "all", NULL};
    bool article = false;
    for (size_t k = i + 1; k < verb; k++)
        article = article || od_view_eq_any(text_of(t, k), articles);
    return article && od_view_ends(text_of(t, verb), OD_VIEW("ed"));
}

/* Are a requested and an available size given: "Failed to resize the buffer. Requested 38656,
 * available 29996"? */
static bool tells_room(const struct od_tokens *t, size_t i)
{
    enum { AHEAD = 16 };
    bool asked = false, free = false;
    for (size_t k = i; k < t->n && k < i + AHEAD; k++) {
        bool value = k + 1 < t->n && t->list[k + 1].number;
        asked = asked || (value && is(t, k, OD_WORD_REQUESTED));
        free = free || (value && is(t, k, OD_WORD_FREE));
    }
    return asked && free;
}

/* "unable to map 12 GiB", "cannot extend the buffer to 768 MiB", "the stack could not be mapped (8
 * MiB)": verbs that mean memory where a thing in memory and a size follow or precede. */
static bool makes_room(const struct od_tokens *t, size_t i, size_t verb)
{
    bool thing = find(t, verb, GAP + 2, OD_WORD_THING) < t->n ||
                 find_before(t, i, SUBJECT, OD_WORD_THING) < t->n;
    size_t size = verb + 1;
    while (size < t->n && size < verb + GAP + 2 && !od_token_is_size(&t->list[size]))
        size++;
    return is(t, verb, OD_WORD_ROOM) && thing && size < t->n && od_token_is_size(&t->list[size]) &&
           !gives_out(t, verb, verb + 1);
}

/* "cannot allocate ...": the thing follows the verb, or precedes "could not be allocated". */
static bool cannot_get(const struct od_tokens *t, size_t i, struct od_refusal *ret)
{
    if (!is(t, i, OD_WORD_CANNOT))
        return false;
    size_t get = find(t, i + 1, GAP, OD_WORD_GET), take = find(t, i + 1, GAP, OD_WORD_TAKE);
    size_t verb = get < take ? get : take;
    if (verb == t->n || find_else(t, i + 1, verb + 1) < t->n || is_adjective(t, i, verb))
        return false;
    size_t memory = find(t, verb + 1, OBJECT, OD_WORD_MEMORY);
    bool sized = has_size(t, verb + 1, verb + 1 + OBJECT);
    bool named = memory < t->n || find_before(t, i, SUBJECT, OD_WORD_MEMORY) < t->n;
    *ret = (struct od_refusal){.from = i, .upto = (memory < t->n ? memory : verb) + 1};
    bool thing = find(t, verb + 1, GAP, OD_WORD_THING) < t->n;
    ret->vague = !named && !thing;
    return !of_something_else(t, i, ret->upto) &&
           (named || (verb == get && (sized || !gives_out(t, i, ret->upto))) ||
            (thing && tells_room(t, verb)) || makes_room(t, i, verb));
}

/* "memory allocation failed", "allocation of 3 GiB failed", "cudaMalloc failed", "failed allocation
 * of 3 GiB", "AllocateTempMemory: failed" */
static bool allocation_failed(const struct od_tokens *t, size_t i, struct od_refusal *ret)
{
    enum { LONGEST = 10, NEAR = 4 };
    bool named = is(t, i, OD_WORD_GET) && names_more(t, i) && !is(t, i, OD_WORD_ALLOCATION);
    if (!is(t, i, OD_WORD_ALLOCATION) && !named)
        return false;
    size_t failed = find(t, i + 1, LONGEST, OD_WORD_FAILED), said = i;
    while (said > 0 && !parts(t, said) && is(t, said - 1, OD_WORD_MEMORY))
        said--; /* "error in memory allocation" */
    if (said > 1 && is_adverb(t, said - 1) && !parts(t, said - 1))
        said--; /* "failure in vkAllocateMemory" */
    bool ahead = is(t, i, OD_WORD_FAILED) ||
                 (failed == t->n && said > 0 && is(t, said - 1, OD_WORD_FAILED) && !parts(t, said));
    if (failed == t->n ? !ahead : named && (t->list[failed].joined || names_more(t, failed)))
        return false;
    if (ahead && said > 1 && is(t, said - 2, OD_WORD_NONE))
        return false; /* "no failed allocations" */
    failed = ahead ? i : failed;
    size_t from = i > NEAR ? i - NEAR : 0;
    for (size_t k = from + 1; k <= i; k++)
        from = t->list[k].colon ? k : from; /* "RangeError: allocation failed" */
    size_t near = find(t, from, failed + NEAR - from, OD_WORD_MEMORY);
    bool call = is(t, i, OD_WORD_HOST) || is(t, i, OD_WORD_DEVICE); /* malloc, cudaMalloc */
    *ret = (struct od_refusal){.from = i,
                               .upto = ahead && i + 1 < t->n ? i + 2 : failed + 1,
                               .vague = near == t->n && !call};
    return !of_something_else(t, from, failed + 1) && !(named && ret->vague) &&
           (!ret->vague || has_size(t, i, failed + GAP) || !gives_out(t, i, failed + 1));
}

/* "growing the buffer to 1.2 GiB was refused", "workspace of 9 GB was not granted", "memory of 3
 * GiB unavailable" */
static bool was_refused(const struct od_tokens *t, size_t i, struct od_refusal *ret)
{
    if (!is(t, i, OD_WORD_ROOM) && !is(t, i, OD_WORD_MEMORY))
        return false;
    size_t size = i + 1;
    while (size < t->n && size < i + GAP + 2 && !parts(t, size) &&
           !od_token_is_size(&t->list[size]))
        size++;
    size_t failed = size + 1;
    while (failed < t->n && (is(t, failed, OD_WORD_VERB) || is(t, failed, OD_WORD_THING)))
        failed++;
    *ret = (struct od_refusal){.from = i, .upto = failed + 1};
    return size < t->n && failed < t->n && od_token_is_size(&t->list[size]) &&
           is(t, failed, OD_WORD_FAILED) &&
           (t->list[failed].mark == 0 || t->list[failed].mark == ')') &&
           find(t, i + 1, size - i, OD_WORD_ALLOCATION) == t->n &&
           !of_something_else(t, i, failed + 1);
}

/* Is it a clause of its own: "parser: no memory for the table"? */
static bool is_clause(const struct od_tokens *t, size_t from, size_t upto)
{
    bool begins = from == 0 || t->list[from].mark != 0;
    return begins && !(upto < t->n && t->list[upto].joined) &&
           (upto >= t->n ||
            (t->list[upto].mark != 0 && strchr(".;?,)]:", t->list[upto].mark) != NULL) ||
            od_view_eq_str(text_of(t, upto), "for") || od_view_eq_str(text_of(t, upto), "to"));
}

/* "not enough memory", "insufficient VRAM"; "memory is not enough" */
static bool lack(const struct od_tokens *t, size_t i, struct od_refusal *ret)
{
    bool none = is(t, i, OD_WORD_NONE);
    if (!is(t, i, OD_WORD_LACK) && !none)
        return false;
    size_t memory = find(t, i + 1, GAP, OD_WORD_MEMORY);
    size_t before = none ? t->n : find_before(t, i, GAP, OD_WORD_MEMORY);
    if (memory == t->n && (before == t->n || find_else(t, before, i) < t->n))
        return false; /* "memory is fine, the disk is too small" */
    size_t from = memory < t->n ? i : before;
    *ret = (struct od_refusal){.from = from, .upto = memory < t->n ? memory + 1 : i + 1};
    bool left = t->list[i].end - t->list[i].at > 2 || is_clause(t, i, memory + 1) ||
                find(t, memory + 1, GAP + 1, OD_WORD_FREE) < t->n;
    return (!none || left) && !of_something_else(t, from, ret->upto);
}

/* "VRAM exhausted", "exhausted the memory", "memory limit exceeded" */
static bool exhausted(const struct od_tokens *t, size_t i, struct od_refusal *ret)
{
    if (!is(t, i, OD_WORD_EXHAUSTED))
        return false;
    if (od_view_ends(od_view_head(t->text, t->list[i].at), OD_VIEW("% ")))
        return false; /* "the pool is 41% full" */
    size_t before = find_before(t, i, GAP, OD_WORD_MEMORY);
    if (before == t->n && is(t, i, OD_WORD_EXCEED))
        before =
            find_before(t, i, SUBJECT, OD_WORD_MEMORY); /* "memory allowed for it is exceeded" */
    size_t memory = find(t, i + 1, GAP, OD_WORD_MEMORY);
    *ret = (struct od_refusal){.from = before < t->n ? before : i,
                               .upto = before < t->n ? i + 1 : memory + 1};
    if (before < t->n && od_view_eq_str(text_of(t, before), "pool") && gives_out(t, 0, before))
        return false; /* "no address from the pool: pool exhausted" */
    if (is(t, i, OD_WORD_EXCEED)) {
        size_t from = ret->from - (ret->from > 0 && !parts(t, ret->from)); /* "max memory" */
        size_t limit = find(t, from, ret->upto + 2 - from, OD_WORD_LIMIT);
        bool alone = before + 1 == i && is_clause(t, before, i + 1); /* "memory exceeded" */
        if ((limit == t->n && !alone) || of_something_else(t, ret->from, ret->upto))
            return false;
    }
    return before < t->n || memory < t->n;
}

/* "Buffer length 21474836480 exceeds": something this large is in memory. */
static bool is_huge_thing(const struct od_tokens *t, size_t from, size_t upto)
{
    const uint64_t huge = UINT64_C(1) << 28;
    size_t thing = find(t, from, upto - from, OD_WORD_THING);
    for (size_t i = thing; i < upto && i < t->n; i++)
        if (t->list[i].number && t->list[i].size.n >= huge)
            return find_else(t, from, t->n) == t->n;
    return false;
}

/* "3 GiB exceeds the memory limit", "larger than the free memory 2 GiB" */
static bool exceeds(const struct od_tokens *t, size_t i, struct od_refusal *ret)
{
    if (!is(t, i, OD_WORD_EXCEED))
        return false;
    size_t from = od_sentence_from(t, i), upto = od_sentence_upto(t, i);
    bool memory = find(t, from, upto - from, OD_WORD_MEMORY) < t->n || is_huge_thing(t, from, i) ||
                  find(t, from, i - from, OD_WORD_ALLOCATION) < t->n;
    bool side = find(t, i, upto - i, OD_WORD_LIMIT) < t->n ||
                find(t, i, upto - i, OD_WORD_FREE) < t->n ||
                find(t, i, upto - i, OD_WORD_CAPACITY) < t->n ||
                find_before(t, i, GAP, OD_WORD_LIMIT) < t->n;
    *ret = (struct od_refusal){.from = i, .upto = i + 1, .vague = !has_size(t, from, upto)};
    return memory && side;
}

/* "requires 3.8T, has 90G available", "3 GiB of memory set, 8 GiB required": the numbers decide,
 * see od_sentence_sizes. */
static bool needs(const struct od_tokens *t, size_t i, struct od_refusal *ret)
{
    if (!is(t, i, OD_WORD_REQUESTED))
        return false;
    size_t from = od_sentence_from(t, i), upto = od_sentence_upto(t, i);
    *ret = (struct od_refusal){.from = i, .upto = i + 1, .vague = true};
    static const char *const only[] = {"only", "Only", NULL};
    bool memory =
        find(t, from, upto - from, OD_WORD_MEMORY) < t->n ||
        (find(t, from, upto - from, OD_WORD_DEVICE) < t->n && find_else(t, from, upto) == t->n);
    if (!memory || !has_size(t, from, upto) || find(t, from, upto - from, OD_WORD_EXCEED) < t->n)
        return false;
    for (size_t k = from; k < upto; k++) {
        if (is(t, k, OD_WORD_FREE) || is(t, k, OD_WORD_LIMIT) || is(t, k, OD_WORD_CAPACITY) ||
            od_view_eq_any(text_of(t, k), only))
            return true;
    }
    return false;
}

bool od_is_code(const struct od_tokens *t, size_t i)
{
    return is(t, i, OD_WORD_REFUSAL) && od_is_digit(t->text.p[t->list[i].at]);
}

/* "MemoryError: no such note": a program's own error class, about something else that it
 * calls memory. */
static bool is_of_others(const struct od_tokens *t, size_t i)
{
    const uint64_t of_memory =
        OD_WORD_BIT(OD_WORD_MEMORY) | OD_WORD_BIT(OD_WORD_GET) | OD_WORD_BIT(OD_WORD_TAKE) |
        OD_WORD_BIT(OD_WORD_ALLOCATION) | OD_WORD_BIT(OD_WORD_THING) | OD_WORD_BIT(OD_WORD_SIZE) |
        OD_WORD_BIT(OD_WORD_REFUSAL) | OD_WORD_BIT(OD_WORD_LIMIT) | OD_WORD_BIT(OD_WORD_EXHAUSTED);
    if (!od_view_starts(text_of(t, i), OD_VIEW("Memory")) || i + 1 >= t->n || !t->list[i + 1].colon)
        return false;
    for (size_t k = i + 1; k < t->n; k++) {
        bool name = t->list[k].joined || names_more(t, k);
        if (t->list[k].number || (!name && (t->list[k].classes & of_memory) != 0))
            return false;
    }
    return true;
}

/* "MemoryError: ", "error: std::bad_alloc": is it a message rather than a mentioned name? */
static bool whole(const struct od_tokens *t, size_t i, struct od_refusal *ret)
{
    if (!is(t, i, OD_WORD_REFUSAL))
        return false;
    size_t first = i, end = t->list[i].end;
    while (first > 0 && t->list[first].joined)
        first--;
    *ret = (struct od_refusal){.from = i, .upto = i + 1};
    /* "Error: spawn ENOMEM" */
    bool after = first > 0 && i == first && t->list[first - 1].colon &&
                 od_is_upper(t->text.p[t->list[i].at + 1]);
    char mark = t->list[first].at > 0 ? t->text.p[t->list[first].at - 1] : ' ';
    bool answer = mark == '"' && od_view_ends(t->text, OD_VIEW("\")")); /* (error "bad_alloc") */
    bool quoted = mark == '\'' || answer;
    /* "caught std::bad_alloc, batch is now 30": the program states its fallback */
    enum { BEHIND = 8 };
    bool goes_on = find(t, i + 1, BEHIND, OD_WORD_GOES_ON) < t->n;
    bool caught = first == 1 && is(t, 0, OD_WORD_HAPPENED);
    bool occurs = i + 1 < t->n && is(t, i + 1, OD_WORD_HAPPENED) &&
                  find_before(t, first, SUBJECT, OD_WORD_NONE) == t->n;
    static const char *const causes[] = {"due to ", "because of ", "failed with ",   "fails with ",
                                         "threw ",  "ended with ", "terminated by ", NULL};
    caught = caught || od_view_ends_any(od_view_head(t->text, t->list[first].at), causes);
    if (is_of_others(t, i))
        return false;
    bool begins = first == 0 || after || quoted || caught || occurs || t->list[first].colon;
    bool ends = end >= t->text.n ||
                (quoted ? t->text.p[end] == mark
                        : strchr(goes_on ? ":,;\n" : ":\n", t->text.p[end]) != NULL) ||
                od_view_starts(od_view_from(t->text, end), OD_VIEW(" - ")) ||
                (i + 1 < t->n && t->list[i + 1].mark == 0 &&
                 (t->list[i + 1].number || is(t, i + 1, OD_WORD_HAPPENED) ||
                  is(t, i + 1, OD_WORD_FAILED) || (caught && is(t, i + 1, OD_WORD_ERROR))));
    if (od_is_code(t, i))
        return true;
    return begins && ends && t->text.p[t->list[first].at] != '_';
}

bool od_refusal_next(const struct od_tokens *t, size_t *n, struct od_refusal *ret)
{
    static const struct {
        bool (*find)(const struct od_tokens *t, size_t i, struct od_refusal *ret);
        char form;
        bool last;
    } forms[] = {{out_of, 'o', false}, {cannot_get, 'c', false},  {allocation_failed, 'a', false},
                 {lack, 'l', false},   {exhausted, 'x', false},   {exceeds, 'e', false},
                 {needs, 'n', false},  {was_refused, 'a', false}, {whole, 'w', true}};
    const size_t count = OD_COUNT_OF(forms);
    for (; *n < 2 * t->n * count; ++*n) {
        size_t k = *n % count, i = *n / count;
        if (forms[k].last == (i >= t->n) && forms[k].find(t, i % t->n, ret)) {
            ret->form = forms[k].form;
            ++*n;
            return true;
        }
    }
    return false;
}
