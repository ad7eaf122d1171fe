#include "scan/candidates.h"

#include "base/arena.h"
#include "base/fold.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/vec.h"
#include "readers/reader.h"
#include "scan/smell.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Marks of text that unwrapping changes: ANSI, HTML entities, spaces of pages, JSON and repr()
 * escapes. */
static const char *const wakers[] = {"\x1b[",  "&gt;",     "&lt;",         "&amp;", "&quot;",
                                     "&nbsp;", "\xc2\xa0", "\xe2\x80\x8b", "\\u00", "\\\"",
                                     "\\t",    "\\/",      "\\x"};

struct owner {
    uint32_t literal;
    uint32_t who; /* a rule, nrules + a reader, or behind those: what smells of memory, what is in
                     sentences of failures, and signs */
};

/* A literal is looked for as it is folded, in folded text. */
struct literal {
    struct od_view text;
    struct od_view folded;
    bool numbered; /* it counts only with a number close behind */
    bool exact;    /* it has digits: it counts only where they stand */
};

struct od_finder {
    struct od_filter *filter;
    const struct literal *literals;
    struct od_buf folded;
    struct od_view text;  /* being filtered: a block or a line */
    size_t from;          /* of the text: where what is filtered begins */
    struct od_hits *hits; /* to be filled */
};

struct od_candidates {
    const struct od_ruleset *rules;
    const struct od_sign *known_signs; /* ends with a text that is NULL; NULL = none */
    struct od_finder *finder;
    size_t nrules, nreaders;
    struct od_arena *arena; /* folded texts */
    OD_VEC(struct literal) literals;
    OD_VEC(struct owner) owners; /* sorted by literal */
    size_t *first;               /* of each literal in owners; one more at the end */
    uint64_t *always;            /* rules without literals */
    uint64_t *fallbacks;         /* rules that are one */
    uint64_t *current;           /* rules */
    size_t nwords;               /* of each of the three */
    size_t stride;               /* words that a bit of busy stands for */
    uint64_t busy, always_busy;  /* where current may have a bit, and where always has one */
    uint64_t readers;            /* of the current set */
    bool smells, speaks;         /* the same */
    struct od_line_signs signs;  /* the same */
    struct od_guards guards;     /* the same */
    struct od_hits own;          /* of a piece of a block */
    struct od_hits of_line;      /* unwrapped */
    const struct od_hits *hits;  /* of the block: those found here, or by somebody else */
    size_t taken;                /* of them */
};

static void set_bit(uint64_t *words, size_t bit)
{
    words[bit / 64] |= UINT64_C(1) << bit % 64;
}

/* A log of lines that hold nothing but a few literals has few rules to go through. */
static uint64_t busy_bit(const struct od_candidates *c, size_t rule)
{
    return UINT64_C(1) << rule / 64 / c->stride;
}

/* Literals known already, by hash: an index + 1. The same text may be one numbered and one not. */
struct known {
    uint32_t *slots;
    size_t mask;
};

/* Where the literal is, or would go. */
static uint32_t *slot_of(const struct od_candidates *c, const struct known *known,
                         struct od_view text, bool numbered)
{
    size_t at = (size_t)XXH3_64bits_withSeed(text.p, text.n, numbered) & known->mask;
    for (; known->slots[at]; at = (at + 1) & known->mask) {
        const struct literal *literal = &c->literals.items[known->slots[at] - 1];
        if (literal->numbered == numbered && od_view_eq(literal->text, text))
            break;
    }
    return &known->slots[at];
}

/* Twice as many places as literals. */
static void make_room(const struct od_candidates *c, struct known *known)
{
    if (c->literals.n * 2 < known->mask)
        return;
    known->mask = known->mask ? 2 * known->mask + 1 : (1 << 14) - 1;
    od_mem_free(known->slots);
    known->slots = od_mem_alloc(known->mask + 1, sizeof *known->slots);
    for (size_t i = 0; i < c->literals.n; i++)
        *slot_of(c, known, c->literals.items[i].text, c->literals.items[i].numbered) =
            (uint32_t)i + 1;
}

static struct od_view folded_copy(struct od_candidates *c, struct od_view text)
{
    char *copy = od_arena_alloc(c->arena, text.n, 1);
    od_fold(copy, text.p, text.n);
    return (struct od_view){.p = copy, .n = text.n};
}

static uint32_t literal_index(struct od_candidates *c, struct known *known, struct od_view text,
                              bool numbered)
{
    make_room(c, known);
    uint32_t *slot = slot_of(c, known, text, numbered);
    if (*slot == 0) {
        struct literal literal = {
            .text = text, .folded = text, .numbered = numbered, .exact = od_has_digit(text)};
        if (literal.exact)
            literal.folded = folded_copy(c, text);
        od_vec_push(&c->literals, literal);
        *slot = (uint32_t)c->literals.n;
    }
    return *slot - 1;
}

static void own(struct od_candidates *c, struct known *known, struct od_view text, bool numbered,
                size_t who)
{
    struct owner owner = {.literal = literal_index(c, known, text, numbered), .who = (uint32_t)who};
    od_vec_push(&c->owners, owner);
}

/* By literal; those of one stay in their order. */
static void index_owners(struct od_candidates *c)
{
    size_t *ends = od_mem_alloc(c->literals.n + 2, sizeof *ends);
    struct owner *sorted = od_mem_alloc(c->owners.n, sizeof *sorted);
    for (size_t i = 0; i < c->owners.n; i++)
        ends[c->owners.items[i].literal + 2]++;
    for (size_t i = 2; i <= c->literals.n; i++)
        ends[i] += ends[i - 1];
    for (size_t i = 0; i < c->owners.n; i++)
        sorted[ends[c->owners.items[i].literal + 1]++] = c->owners.items[i];
    od_mem_free(c->owners.items);
    c->owners.items = sorted;
    c->owners.room = c->owners.n;
    c->first = ends; /* each moved up to where the next one begins */
}

static void collect_rule(struct od_candidates *c, struct known *known, size_t i)
{
    const struct od_rule *rule = od_ruleset_rule(c->rules, i);
    for (size_t k = 0; k < rule->nliterals; k++)
        own(c, known, od_view_of(rule->literals[k]), rule->numbered, i);
    if (rule->fallback)
        set_bit(c->fallbacks, i);
    if (rule->nliterals == 0) {
        set_bit(c->always, i);
        c->always_busy |= busy_bit(c, i);
    }
}

static void collect_reader(struct od_candidates *c, struct known *known, size_t i)
{
    const struct od_reader *reader = od_readers[i];
    for (const char *const *text = reader->literals; *text; text++)
        own(c, known, od_view_of(*text), false, c->nrules + i);
    for (const char *const *text = reader->numbered; text && *text; text++)
        own(c, known, od_view_of(*text), true, c->nrules + i);
}

static void collect_literals(struct od_candidates *c)
{
    struct known known = {0};
    for (size_t i = 0; i < c->nrules; i++)
        collect_rule(c, &known, i);
    for (size_t i = 0; i < c->nreaders; i++)
        collect_reader(c, &known, i);
    for (const char *const *text = od_smell_literals; *text; text++)
        own(c, &known, od_view_of(*text), false, c->nrules + c->nreaders);
    const struct od_lexicon *lexicon = od_ruleset_lexicon(c->rules);
    for (size_t i = 0; lexicon && i < lexicon->nliterals; i++)
        own(c, &known, od_view_of(lexicon->literals[i]), false, c->nrules + c->nreaders + 1);
    for (size_t i = 0; c->known_signs && c->known_signs[i].text; i++)
        own(c, &known, od_view_of(c->known_signs[i].text), false, c->nrules + c->nreaders + 2 + i);
    for (size_t i = 0; i < OD_COUNT_OF(wakers); i++)
        (void)literal_index(c, &known, od_view_of(wakers[i]), false);
    od_mem_free(known.slots);
}

struct od_candidates *od_candidates_new(const struct od_ruleset *rules, const struct od_sign *signs)
{
    struct od_candidates *c = od_mem_alloc(1, sizeof *c);
    c->arena = od_arena_new();
    c->rules = rules;
    c->known_signs = signs;
    c->nrules = od_ruleset_count(rules);
    while (od_readers[c->nreaders])
        c->nreaders++;
    assert(c->nreaders <= 64);
    c->nwords = c->nrules / 64 + 1;
    c->stride = c->nwords / 64 + 1;
    c->always = od_mem_alloc(c->nwords, sizeof *c->always);
    c->fallbacks = od_mem_alloc(c->nwords, sizeof *c->fallbacks);
    c->current = od_mem_alloc(c->nwords, sizeof *c->current);
    collect_literals(c);
    index_owners(c);
    memcpy(c->current, c->always, c->nwords * sizeof *c->current);
    c->finder = od_finder_new(c);
    c->hits = &c->own;
    return c;
}

void od_candidates_free(struct od_candidates *c)
{
    if (!c)
        return;
    od_finder_free(c->finder);
    od_vec_done(&c->literals);
    od_arena_free(c->arena);
    od_vec_done(&c->owners);
    od_vec_done(&c->own.list);
    od_vec_done(&c->of_line.list);
    od_mem_free(c->first);
    od_mem_free(c->always);
    od_mem_free(c->fallbacks);
    od_mem_free(c->current);
    od_mem_free(c);
}

/* ---- hits ---- */

struct od_finder *od_finder_new(const struct od_candidates *c)
{
    struct od_finder *finder = od_mem_alloc(1, sizeof *finder);
    struct od_view *texts = od_mem_alloc(c->literals.n, sizeof *texts);
    for (size_t i = 0; i < c->literals.n; i++)
        texts[i] = c->literals.items[i].folded;
    finder->filter = od_filter_new(texts, c->literals.n);
    od_mem_free(texts);
    finder->literals = c->literals.items;
    return finder;
}

void od_finder_free(struct od_finder *finder)
{
    if (!finder)
        return;
    od_filter_free(finder->filter);
    od_buf_done(&finder->folded);
    od_mem_free(finder);
}

/* Those that end at one place in the order of the literals, whatever engine found them. */
static void put_hit(struct od_hits *hits, struct od_filter_hit hit)
{
    od_vec_push(&hits->list, hit);
    struct od_filter_hit *at = &hits->list.items[hits->list.n - 1];
    for (; at > hits->list.items && at[-1].end == hit.end && at[-1].literal > hit.literal; at--)
        *at = at[-1];
    *at = hit;
}

/* A numbered literal without its number is no hit. */
static void add_hit(void *self, struct od_filter_hit hit)
{
    struct od_finder *finder = self;
    hit.end += finder->from;
    if (!finder->literals[hit.literal].numbered || od_num_stands_behind(finder->text, hit.end))
        put_hit(finder->hits, hit);
}

static void find(struct od_finder *finder, struct od_view text, size_t from, size_t to)
{
    finder->text = text;
    finder->from = from;
    od_buf_reserve(&finder->folded, to - from);
    od_fold(finder->folded.p, text.p + from, to - from);
    struct od_view folded = {.p = finder->folded.p, .n = to - from};
    od_filter_scan(finder->filter, folded, add_hit, finder);
}

void od_finder_find(struct od_finder *finder, struct od_view block, struct od_hits *hits)
{
    finder->hits = hits;
    hits->list.n = 0;
    find(finder, block, 0, block.n);
}

void od_candidates_start(struct od_candidates *c)
{
    c->own.list.n = 0;
    c->hits = &c->own;
    c->taken = 0;
}

void od_candidates_more(struct od_candidates *c, struct od_view block, size_t from, size_t to)
{
    c->finder->hits = &c->own;
    find(c->finder, block, from, to);
}

void od_candidates_found(struct od_candidates *c, const struct od_hits *hits)
{
    c->hits = hits;
    c->taken = 0;
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
        memcpy(c->current + from, c->always + from, n * sizeof *c->current);
    }
    c->busy = c->always_busy;
    c->readers = 0;
    c->smells = c->speaks = false;
    c->signs.n = 0;
    c->guards.n = 0;
    c->guards.crowded = false;
}

/* Each once, as far as there is room: a line that shows so many programs is a list of them. */
static void add_sign(struct od_candidates *c, size_t sign)
{
    size_t i = 0;
    while (i < c->signs.n && c->signs.list[i] != &c->known_signs[sign])
        i++;
    if (i == c->signs.n && i < OD_COUNT_OF(c->signs.list))
        c->signs.list[c->signs.n++] = &c->known_signs[sign];
}

static void add_owner(struct od_candidates *c, size_t who)
{
    if (who < c->nrules) {
        set_bit(c->current, who);
        c->busy |= busy_bit(c, who);
    } else if (who < c->nrules + c->nreaders) {
        c->readers |= UINT64_C(1) << (who - c->nrules);
    } else if (who == c->nrules + c->nreaders) {
        c->smells = true;
    } else if (who == c->nrules + c->nreaders + 1) {
        c->speaks = true;
    } else {
        add_sign(c, who - c->nrules - c->nreaders - 2);
    }
}

static void add_literal(struct od_candidates *c, size_t literal)
{
    for (size_t i = c->first[literal]; i < c->first[literal + 1]; i++)
        add_owner(c, c->owners.items[i].who);
}

bool od_guard_holds(const struct od_guard *guard, struct od_view line)
{
    return (memcmp(line.p + guard->at, guard->text.p, guard->text.n) == 0) == guard->stands;
}

/* Does it stand there as it is, and not only as it is folded? */
static bool stands(struct od_candidates *c, const struct literal *literal, struct od_view line,
                   size_t end)
{
    if (!literal->exact)
        return true;
    struct od_guard guard = {
        .text = literal->text, .at = (uint32_t)(end - literal->text.n), .stands = true};
    guard.stands = od_guard_holds(&guard, line);
    c->guards.crowded |= c->guards.n == OD_COUNT_OF(c->guards.list);
    if (!c->guards.crowded)
        c->guards.list[c->guards.n++] = guard;
    return guard.stands;
}

/* The literal of a hit in the line, with its end there. */
static bool add_hit_literal(struct od_candidates *c, struct od_view line, struct od_filter_hit hit)
{
    bool counts = stands(c, &c->literals.items[hit.literal], line, hit.end);
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
    od_candidates_pass(c, start);
    for (; c->taken < hits->list.n && hits->list.items[c->taken].end <= start + line.n;
         c->taken++) {
        struct od_filter_hit hit = hits->list.items[c->taken];
        hit.end -= start;
        any = add_hit_literal(c, line, hit) || any;
    }
    return any;
}

void od_candidates_pass(struct od_candidates *c, size_t end)
{
    while (c->taken < c->hits->list.n && c->hits->list.items[c->taken].end <= end)
        c->taken++;
}

bool od_candidates_filter(struct od_candidates *c, struct od_view text)
{
    clear(c);
    od_finder_find(c->finder, text, &c->of_line);
    bool any = false;
    for (size_t i = 0; i < c->of_line.list.n; i++)
        any = add_hit_literal(c, text, c->of_line.list.items[i]) || any;
    return any;
}

static void search_for(struct od_candidates *c, struct od_view text, uint32_t literal)
{
    struct od_view wanted = c->literals.items[literal].text;
    size_t at = od_view_find(text, wanted, 0);
    for (; at != OD_VIEW_NONE; at = od_view_find(text, wanted, at + 1)) {
        if (!c->literals.items[literal].numbered || od_num_stands_behind(text, at + wanted.n))
            add_literal(c, literal);
    }
}

void od_candidates_search(struct od_candidates *c, struct od_view text)
{
    clear(c);
    for (uint32_t i = 0; i < c->literals.n; i++)
        search_for(c, text, i);
}

/* The first word of current from that one on that may have a bit. */
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
        uint64_t word = c->current[i] & (fallback ? c->fallbacks[i] : ~c->fallbacks[i]);
        if (i == *rule / 64)
            word = word >> from << from;
        if (word == 0)
            continue;
        *rule = i * 64 + (size_t)__builtin_ctzll(word);
        return true;
    }
    return false;
}

uint64_t od_candidates_readers(const struct od_candidates *c)
{
    return c->readers;
}

bool od_candidates_smells(const struct od_candidates *c)
{
    return c->smells;
}

bool od_candidates_speaks(const struct od_candidates *c)
{
    return c->speaks;
}

const struct od_guards *od_candidates_guards(const struct od_candidates *c)
{
    return &c->guards;
}

const struct od_line_signs *od_candidates_signs(const struct od_candidates *c)
{
    return &c->signs;
}

bool od_candidates_wants_every_line(const struct od_candidates *c)
{
    return c->always_busy != 0;
}
