#include "facts/claim.h"

#include "facts/claim_lists.inc"
#include "facts/number.h"

enum { NEAR_BEFORE = 28, NEAR_AFTER = 16 };

static uint64_t means_of(struct od_view text)
{
    return od_words_mean(&od_shipped_meanings[OD_SUBJECT_CLAIM], text, false);
}

struct amount {
    struct od_number number;
    struct od_bytes of; /* the total in "60 of the 64 GB" */
};

static struct od_view near_before(struct od_view text, size_t at)
{
    size_t from = at > NEAR_BEFORE ? at - NEAR_BEFORE : 0;
    while (from > 0 && od_is_letter(text.p[from - 1]))
        from--;
    for (size_t i = at; i > from; i--)
        if (od_is_digit(text.p[i - 1]) || strchr(".;,(", text.p[i - 1]))
            return (struct od_view){text.p + i, at - i};
    return (struct od_view){text.p + from, at - from};
}

static struct od_view near_after(struct od_view text, size_t at)
{
    size_t end = at;
    while (end < text.n && end - at < NEAR_AFTER && !od_is_digit(text.p[end]) &&
           !strchr(".;,)", text.p[end]))
        end++;
    while (end < text.n && od_is_letter(text.p[end]))
        end++;
    return (struct od_view){text.p + at, end - at};
}

static void fill(struct od_bytes *to, struct od_bytes bytes)
{
    if (!to->known)
        *to = bytes;
}

/* Assigns the number to an amount of the claim by the words around it. Amounts of a device count
 * only for a claim about a device. */
static void place_amount(struct od_claim *host, struct od_claim *device, struct od_view text,
                         const struct amount *amount)
{
    uint64_t before = means_of(near_before(text, amount->number.start));
    uint64_t after = means_of(near_after(text, amount->number.end));
    struct od_claim *to = od_means(before | after, OD_CLAIM_DEVICE) ? device : host;
    bool bound = (od_means(before, OD_CLAIM_BOUND) && !od_means(before, OD_CLAIM_USED)) ||
                 od_means(after, OD_CLAIM_WANTED);
    /* "70b" and "24g" may be a model's size or a count; only a limit is written so */
    bool letter = amount->number.end - amount->number.digits_end <= 1;
    if ((letter && !od_means(before | after, OD_CLAIM_LIMIT)) || od_means(before, OD_CLAIM_DATA) ||
        bound)
        return;
    if (amount->of.known) {
        to->in_use = amount->number.bytes;
        bool limit = od_means(before | after, OD_CLAIM_LIMIT);
        *(limit ? &to->limit : &to->capacity) = amount->of;
    } else if (od_means(before | after, OD_CLAIM_LIMIT)) {
        fill(&to->limit, amount->number.bytes);
    } else if (od_means(before | after, OD_CLAIM_USED)) {
        fill(&to->in_use, amount->number.bytes);
    } else if (od_means(before | after, OD_CLAIM_WHOLE)) {
        fill(&to->capacity, amount->number.bytes);
    }
}

static void read_amounts(struct od_view text, struct od_claim *host, struct od_claim *device)
{
    struct amount amount = {0};
    for (size_t i = 0; od_number_next(text, &i, &amount.number); amount.of.known = false) {
        if (od_number_take_whole(text, &amount.number, &amount.of) || amount.number.bytes.known)
            place_amount(host, device, text, &amount);
        i = amount.number.end;
    }
}

static size_t clause_end(struct od_view text, size_t *ret_next)
{
    size_t end = text.n;
    *ret_next = text.n;
    for (size_t i = 0; joints[i]; i++) {
        size_t at = od_view_find(text, od_view_of(joints[i]), 0);
        if (at != OD_VIEW_NONE && at < end) {
            end = at;
            *ret_next = at + strlen(joints[i]);
        }
    }
    return end;
}

static bool asks(struct od_view line, struct od_view clause)
{
    size_t end = (size_t)(clause.p + clause.n - line.p);
    return (end < line.n && line.p[end] == '?') || od_view_ends(clause, OD_VIEW("?"));
}

/* Removes the memory's place from a sentence that states no failure: in "It runs out of memory. I
 * have a GPU." the second sentence does not show which memory ran out. */
static uint64_t without_place(uint64_t sentence)
{
    static const uint64_t places = UINT64_C(1) << OD_CLAIM_DEVICE | UINT64_C(1) << OD_CLAIM_HOST |
                                   UINT64_C(1) << OD_CLAIM_GROUP;
    bool end = od_means(sentence, OD_CLAIM_ENDED) || od_means(sentence, OD_CLAIM_RAN_OUT);
    return end ? sentence : sentence & ~places;
}

static bool has_amount(const struct od_claim *claim)
{
    return claim->in_use.known || claim->limit.known || claim->capacity.known;
}

/* "rustc reaches the container's limit and is killed" */
static bool is_over(const struct od_claim *claim)
{
    bool memory = od_means(claim->means, OD_CLAIM_MEMORY) ||
                  od_means(claim->means, OD_CLAIM_GROUP) || has_amount(claim);
    return od_means(claim->means, OD_CLAIM_OVER) && od_means(claim->means, OD_CLAIM_LIMIT) &&
           od_means(claim->means, OD_CLAIM_KILLED) && memory;
}

struct od_claim od_claim_read(struct od_view line)
{
    struct od_claim host = {0}, device = {0};
    struct od_view rest = line;
    uint64_t means = 0, sentence = 0;
    bool denied = false, past = false, guessed = false;
    while (rest.n > 0) {
        size_t next, n = clause_end(rest, &next);
        struct od_view clause = od_view_head(rest, n);
        uint64_t said = means_of(clause);
        if (od_means(said, OD_CLAIM_WEAK))
            said |= UINT64_C(1) << OD_CLAIM_AGAINST;
        guessed = guessed || od_means(said, OD_CLAIM_GUESSED);
        if (!od_means(said, OD_CLAIM_AGAINST) && !guessed && !asks(line, clause)) {
            sentence |= said;
            if (!od_means(said, OD_CLAIM_ADVISED))
                read_amounts(clause, &host, &device);
        }
        past = past || od_means(said, OD_CLAIM_PAST);
        denied = denied || (od_means(said, OD_CLAIM_AGAINST) && od_means(said, OD_CLAIM_RAN_OUT));
        if (n == rest.n || strchr(".!?", rest.p[n])) {
            means |= without_place(sentence);
            sentence = 0;
            guessed = false;
        }
        rest = od_view_from(rest, next);
    }
    bool of_device = od_means(means, OD_CLAIM_DEVICE) && !od_means(means, OD_CLAIM_HOST);
    struct od_claim claim = of_device ? device : host;
    if (of_device) { /* amounts without an owner belong to the memory that the sentence is about */
        fill(&claim.in_use, host.in_use);
        fill(&claim.limit, host.limit);
        fill(&claim.capacity, host.capacity);
    }
    claim.means = past ? 0 : means;
    if (is_over(&claim) &&
        !claim.limit.known) { /* "a container with 2 GiB ... reaches its limit" */
        claim.limit = claim.capacity;
        claim.capacity = (struct od_bytes){0};
    }
    claim.denied = past || (denied && !od_means(means, OD_CLAIM_RAN_OUT));
    return claim;
}

/* Was nearly all of the memory in use? */
static bool is_full(const struct od_claim *claim)
{
    static const double nearly = 0.85;
    struct od_bytes all = claim->limit.known ? claim->limit : claim->capacity;
    return claim->in_use.known && all.known && claim->in_use.n <= all.n &&
           (double)claim->in_use.n >= nearly * (double)all.n;
}

/* Do the words state that memory ran out, so that no growth is needed as evidence? */
static bool is_stated(const struct od_claim *claim)
{
    return od_means(claim->means, OD_CLAIM_RAN_OUT) || is_full(claim) || is_over(claim);
}

/* Does it claim that memory ran out: by its words, or because nearly all of it was in use? */
static bool claim_is_of_memory(const struct od_claim *claim)
{
    return is_stated(claim) ||
           (od_means(claim->means, OD_CLAIM_GROWS) && od_means(claim->means, OD_CLAIM_MEMORY) &&
            od_means(claim->means, OD_CLAIM_KILLED));
}

bool od_claim_is_failure(const struct od_claim *claim, bool title)
{
    bool stated = title || od_means(claim->means, OD_CLAIM_PERSONAL) || has_amount(claim);
    if (claim_is_of_memory(claim))
        return stated && (title || od_means(claim->means, OD_CLAIM_ENDED));
    /* a person who names memory with the kill suspects it */
    return od_means(claim->means, OD_CLAIM_KILLED) &&
           (claim->capacity.known ||
            (claim->in_use.known && od_means(claim->means, OD_CLAIM_MEMORY)));
}

void od_claim_event(const struct od_claim *claim, const struct od_line *line, const char *name,
                    struct od_event *ret_event)
{
    uint64_t means = claim->means;
    const char *space = od_means(means, OD_CLAIM_POOL)     ? "pool"
                        : od_means(means, OD_CLAIM_GROUP)  ? "group"
                        : od_means(means, OD_CLAIM_HOST)   ? "host"
                        : od_means(means, OD_CLAIM_DEVICE) ? "device"
                                                           : "";
    od_event_begin(ret_event, OD_EV_REMARK, line, "claims");
    ret_event->excerpt = od_view_trim(line->text);
    od_event_set_text(ret_event, OD_F_NAME, od_view_of(name));
    od_event_set_text(ret_event, OD_F_SPACE, od_view_of(space));
    if (od_means(means, OD_CLAIM_KILLED))
        od_event_set_text(ret_event, OD_F_VALUE,
                          od_view_of(is_stated(claim)            ? "killed"
                                     : claim_is_of_memory(claim) ? "killed grown"
                                                                 : "killed alone"));
    od_event_set_known(ret_event, OD_F_IN_USE, claim->in_use);
    od_event_set_known(ret_event, OD_F_LIMIT, claim->limit);
    od_event_set_known(ret_event, OD_F_CAPACITY, claim->capacity);
}
