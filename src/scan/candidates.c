#include "scan/candidates.h"

#include "base/mask_digits.h"

struct od_finder {
    struct od_filter *filter;
    const struct od_literal *literals;
    struct od_buf folded;
    struct od_view text;  /* the block or line to filter */
    size_t from;          /* offset in the text at which filtering begins */
    struct od_hits *hits; /* where to add hits */
};

struct od_candidates {
    struct od_literals literals;
    const struct od_sign *known_signs; /* the list ends with a NULL text; NULL = no signs */
    struct od_finder *finder;
    struct od_arena *arena;     /* owns the literals; NULL = the caller owns them */
    uint64_t *current;          /* bit set of the rules of the current set */
    size_t nwords;              /* number of words in current */
    size_t stride;              /* number of words in current for each bit of busy */
    uint64_t busy, always_busy; /* words that are not 0, in the current set and in any set */
    struct od_line_set set;     /* all other members of the current set */
    struct od_hits of_line;     /* hits of an unwrapped line */
    const struct od_hits *hits; /* hits of the block */
    size_t taken;               /* number of hits that were taken */
    struct od_view line;        /* the line whose hits were taken last; empty = none */
    size_t first, start;        /* index of the line's first hit; offset of the line in the block */
};

static struct od_finder *finder_new(const struct od_candidates *c)
{
    struct od_finder *finder = od_mem_alloc(1, sizeof *finder);
    finder->filter = od_filter_of(&c->literals.index);
    finder->literals = c->literals.list;
    return finder;
}

static void finder_free(struct od_finder *finder)
{
    od_filter_free(finder->filter);
    od_buf_done(&finder->folded);
    od_mem_free(finder);
}

struct od_candidates *od_candidates_new(const struct od_ruleset *rules, const struct od_sign *signs,
                                        const struct od_literals *ready)
{
    struct od_candidates *c = od_mem_alloc(1, sizeof *c);
    c->arena = ready ? NULL : od_arena_new();
    c->literals = ready ? *ready : od_literals_new(rules, signs, c->arena);
    c->known_signs = signs;
    c->nwords = od_literals_words(&c->literals);
    c->stride = c->nwords / 64 + 1;
    c->current = od_mem_alloc(c->nwords, sizeof *c->current);
    memcpy(c->current, c->literals.always, c->nwords * sizeof *c->current);
    for (size_t i = 0; i < c->nwords; i++)
        if (c->current[i])
            c->always_busy |= UINT64_C(1) << i / c->stride;
    c->finder = finder_new(c);
    c->hits = &c->of_line;
    return c;
}

void od_candidates_free(struct od_candidates *c)
{
    if (!c)
        return;
    finder_free(c->finder);
    od_arena_free(c->arena);
    od_vec_done(&c->of_line.list);
    od_mem_free(c->current);
    od_mem_free(c);
}

struct od_finder *od_candidates_finder(const struct od_candidates *c)
{
    return c->finder;
}

/* Sorts hits with the same end by literal, so that the order is always the same. */
static void put_hit(struct od_hits *hits, struct od_filter_hit hit)
{
    od_vec_push(&hits->list, hit);
    struct od_filter_hit *at = &hits->list.items[hits->list.n - 1];
    for (; at > hits->list.items && at[-1].end == hit.end && at[-1].literal > hit.literal; at--)
        *at = at[-1];
    *at = hit;
}

/* Adds a hit, unless the literal needs a number after it and none follows. */
static void add_hit(void *self, struct od_filter_hit hit)
{
    struct od_finder *finder = self;
    hit.end += finder->from;
    if (!finder->literals[hit.literal].numbered || od_num_follows(finder->text, hit.end))
        put_hit(finder->hits, hit);
}

void od_finder_more(struct od_finder *finder, struct od_view block, size_t from, size_t to,
                    struct od_hits *hits)
{
    finder->hits = hits;
    finder->text = block;
    finder->from = from;
    od_buf_reserve(&finder->folded, to - from);
    od_mask_digits(finder->folded.p, block.p + from, to - from);
    struct od_view folded = {.p = finder->folded.p, .n = to - from};
    od_filter_scan(finder->filter, folded, add_hit, finder);
}

void od_candidates_found(struct od_candidates *c, const struct od_hits *hits)
{
    od_candidates_forget(c);
    c->hits = hits;
    c->taken = 0;
}

void od_candidates_forget(struct od_candidates *c)
{
    c->line.n = 0;
}

size_t od_candidates_next_hit(const struct od_candidates *c)
{
    const struct od_hits *hits = c->hits;
    return c->taken < hits->list.n ? hits->list.items[c->taken].end - 1 : OD_VIEW_NONE;
}

static void clear(struct od_candidates *c)
{
    for (; c->busy; c->busy &= c->busy - 1) {
        size_t from = (size_t)__builtin_ctzll(c->busy) * c->stride;
        size_t n = c->nwords - from < c->stride ? c->nwords - from : c->stride;
        memcpy(c->current + from, c->literals.always + from, n * sizeof *c->current);
    }
    c->busy = c->always_busy;
    c->set.readers = 0;
    c->set.mentions = c->set.has_failure_word = false;
    c->set.signs.n = 0;
    c->set.guards.n = 0;
    c->set.guards.crowded = false;
}

/* Adds a sign once, if there is space. A line with more programs is a list of programs. */
static void add_sign(struct od_candidates *c, size_t sign)
{
    struct od_line_signs *signs = &c->set.signs;
    size_t i = 0;
    while (i < signs->n && signs->list[i] != &c->known_signs[sign])
        i++;
    if (i == signs->n && i < OD_COUNT_OF(signs->list))
        signs->list[signs->n++] = &c->known_signs[sign];
}

static void add_owner(struct od_candidates *c, size_t who)
{
    size_t nrules = c->literals.nrules, nreaders = c->literals.nreaders;
    if (who < nrules) {
        c->current[who / 64] |= UINT64_C(1) << who % 64;
        /* keeps the loop over words short for lines with few literals */
        c->busy |= UINT64_C(1) << who / 64 / c->stride;
    } else if (who < nrules + nreaders) {
        c->set.readers |= UINT64_C(1) << (who - nrules);
    } else if (who == nrules + nreaders) {
        c->set.mentions = true;
    } else if (who == nrules + nreaders + 1) {
        c->set.has_failure_word = true;
    } else {
        add_sign(c, who - nrules - nreaders - 2);
    }
}

static void add_literal(struct od_candidates *c, size_t literal)
{
    for (size_t i = c->literals.first[literal]; i < c->literals.first[literal + 1]; i++)
        add_owner(c, c->literals.owners[i]);
}

bool od_guard_holds(const struct od_guard *guard, struct od_view line)
{
    return (memcmp(line.p + guard->at, guard->text.p, guard->text.n) == 0) == guard->stands;
}

/* Does the line have the literal with its own digits, not only with masked ones? */
static bool stands(struct od_candidates *c, size_t literal, struct od_view line, size_t end)
{
    if (!c->literals.list[literal].exact)
        return true;
    struct od_guard guard = {.text = od_literal_text(&c->literals, literal), .stands = true};
    guard.at = (uint32_t)(end - guard.text.n);
    guard.stands = od_guard_holds(&guard, line);
    struct od_guards *guards = &c->set.guards;
    guards->crowded |= guards->n == OD_COUNT_OF(guards->list);
    if (!guards->crowded)
        guards->list[guards->n++] = guard;
    return guard.stands;
}

/* Adds the literal of a hit that ends at offset `end` of the line. */
static bool add_hit_literal(struct od_candidates *c, struct od_view line, struct od_filter_hit hit)
{
    bool counts = stands(c, hit.literal, line, hit.end);
    if (counts)
        add_literal(c, hit.literal);
    return counts;
}

bool od_candidates_take(struct od_candidates *c, struct od_view block, struct od_view line)
{
    const struct od_hits *hits = c->hits;
    size_t start = (size_t)(line.p - block.p);
    bool any = false;
    clear(c);
    while (c->taken < hits->list.n && hits->list.items[c->taken].end <= start)
        c->taken++;
    c->line = line;
    c->start = start;
    c->first = c->taken;
    for (; c->taken < hits->list.n && hits->list.items[c->taken].end <= start + line.n;
         c->taken++) {
        struct od_filter_hit hit = hits->list.items[c->taken];
        hit.end -= start;
        any = add_hit_literal(c, line, hit) || any;
    }
    return any;
}

/* Takes those hits of the current line that lie in this part of it. */
static bool take_within(struct od_candidates *c, struct od_view part)
{
    bool any = false;
    size_t from = c->start + (size_t)(part.p - c->line.p);
    for (size_t i = c->first; i < c->taken; i++) {
        struct od_filter_hit hit = c->hits->list.items[i];
        const struct od_literal *literal = &c->literals.list[hit.literal];
        if (hit.end < from + literal->n || hit.end > from + part.n)
            continue;
        hit.end -= from;
        if (!literal->numbered || od_num_follows(part, hit.end))
            any = add_hit_literal(c, part, hit) || any;
    }
    return any;
}

bool od_candidates_filter(struct od_candidates *c, struct od_view text)
{
    clear(c);
    if (c->line.n > 0 && text.p >= c->line.p && text.p + text.n <= c->line.p + c->line.n)
        return take_within(c, text);
    c->of_line.list.n = 0;
    od_finder_more(c->finder, text, 0, text.n, &c->of_line);
    bool any = false;
    for (size_t i = 0; i < c->of_line.list.n; i++)
        any = add_hit_literal(c, text, c->of_line.list.items[i]) || any;
    return any;
}

static void search_for(struct od_candidates *c, struct od_view text, uint32_t literal)
{
    struct od_view wanted = od_literal_text(&c->literals, literal);
    size_t at = od_view_find(text, wanted, 0);
    for (; at != OD_VIEW_NONE; at = od_view_find(text, wanted, at + 1)) {
        if (!c->literals.list[literal].numbered || od_num_follows(text, at + wanted.n))
            add_literal(c, literal);
    }
}

void od_candidates_search(struct od_candidates *c, struct od_view text)
{
    clear(c);
    for (uint32_t i = 0; i < c->literals.n; i++)
        search_for(c, text, i);
}

/* Index of the next word of `current`, from `word` on, that is not 0. */
static size_t busy_word(const struct od_candidates *c, size_t word)
{
    size_t at = word / c->stride;
    uint64_t busy = at < 64 ? c->busy >> at : 0;
    size_t skipped = busy ? (size_t)__builtin_ctzll(busy) : 64;
    return skipped == 0 ? word : (at + skipped) * c->stride;
}

bool od_candidates_next_rule(const struct od_candidates *c, bool fallback, size_t *rule)
{
    unsigned from = *rule % 64;
    for (size_t i = *rule / 64; (i = busy_word(c, i)) < c->nwords; i++) {
        uint64_t word =
            c->current[i] & (fallback ? c->literals.fallbacks[i] : ~c->literals.fallbacks[i]);
        if (i == *rule / 64)
            word = word >> from << from;
        if (word == 0)
            continue;
        *rule = i * 64 + (size_t)__builtin_ctzll(word);
        return true;
    }
    return false;
}

const struct od_line_set *od_candidates_set(const struct od_candidates *c)
{
    return &c->set;
}

bool od_candidates_wants_every_line(const struct od_candidates *c)
{
    return c->always_busy != 0;
}
