#include "scan/candidates.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/vec.h"
#include "readers/reader.h"
#include "scan/smell.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

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

struct od_finder {
    struct od_filter *filter;
    const bool *numbered; /* of each literal: it counts only with a number close behind */
    struct od_view text;  /* being filtered: a block or a line */
    size_t from;          /* of the text: where what is filtered begins */
    struct od_hits *hits; /* to be filled */
};

struct od_candidates {
    const struct od_ruleset *rules;
    const struct od_sign *known_signs; /* ends with a text that is NULL; NULL = none */
    struct od_finder *finder;
    size_t nrules, nreaders;
    OD_VEC(struct od_view) literals;
    OD_VEC(bool) numbered;       /* of each literal */
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

/* Texts known already -> index of the literal + 1. The same text may be one numbered and one not.
 */
struct known {
    struct od_map plain, numbered;
};

static uint32_t literal_index(struct od_candidates *c, struct od_map *known, struct od_view text,
                              bool numbered)
{
    uint64_t *index = od_map_at(known, text);
    if (*index == 0) {
        od_vec_push(&c->literals, text);
        od_vec_push(&c->numbered, numbered);
        *index = c->literals.n;
    }
    return (uint32_t)(*index - 1);
}

static void own(struct od_candidates *c, struct known *known, struct od_view text, bool numbered,
                size_t who)
{
    struct od_map *map = numbered ? &known->numbered : &known->plain;
    struct owner owner = {.literal = literal_index(c, map, text, numbered), .who = (uint32_t)who};
    od_vec_push(&c->owners, owner);
}

static int by_literal(const void *a, const void *b)
{
    const struct owner *x = a, *y = b;
    if (x->literal != y->literal)
        return x->literal < y->literal ? -1 : 1;
    return (x->who > y->who) - (x->who < y->who);
}

static void index_owners(struct od_candidates *c)
{
    if (c->owners.n > 1)
        qsort(c->owners.items, c->owners.n, sizeof *c->owners.items, by_literal);
    c->first = od_mem_alloc(c->literals.n + 1, sizeof *c->first);
    size_t at = 0;
    for (size_t literal = 0; literal <= c->literals.n; literal++) {
        while (at < c->owners.n && c->owners.items[at].literal < literal)
            at++;
        c->first[literal] = at;
    }
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
        (void)literal_index(c, &known.plain, od_view_of(wakers[i]), false);
    od_map_done(&known.plain);
    od_map_done(&known.numbered);
}

struct od_candidates *od_candidates_new(const struct od_ruleset *rules, const struct od_sign *signs)
{
    struct od_candidates *c = od_mem_alloc(1, sizeof *c);
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
    od_vec_done(&c->numbered);
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
    finder->filter = od_filter_new(c->literals.items, c->literals.n, OD_FILTER_BEST);
    finder->numbered = c->numbered.items;
    return finder;
}

void od_finder_free(struct od_finder *finder)
{
    if (!finder)
        return;
    od_filter_free(finder->filter);
    od_mem_free(finder);
}

/* A numbered literal without its number is no hit. */
static void add_hit(void *self, struct od_filter_hit hit)
{
    struct od_finder *finder = self;
    hit.end += finder->from;
    if (!finder->numbered[hit.literal] || od_num_stands_behind(finder->text, hit.end))
        od_vec_push(&finder->hits->list, hit);
}

static void find(struct od_finder *finder, struct od_view text, size_t from, size_t to)
{
    finder->text = text;
    finder->from = from;
    finder->hits->list.n = 0;
    od_filter_scan(finder->filter, od_view_from(od_view_head(text, to), from), add_hit, finder);
}

void od_finder_find(struct od_finder *finder, struct od_view block, struct od_hits *hits)
{
    finder->hits = hits;
    find(finder, block, 0, block.n);
}

void od_candidates_piece(struct od_candidates *c, struct od_view block, size_t from, size_t to)
{
    c->finder->hits = &c->own;
    c->hits = &c->own;
    c->taken = 0;
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

bool od_candidates_take(struct od_candidates *c, size_t end)
{
    const struct od_hits *hits = c->hits;
    size_t before = c->taken;
    clear(c);
    for (; c->taken < hits->list.n && hits->list.items[c->taken].end <= end; c->taken++)
        add_literal(c, hits->list.items[c->taken].literal);
    return c->taken > before;
}

void od_candidates_pass(struct od_candidates *c, size_t end)
{
    while (c->taken < c->hits->list.n && c->hits->list.items[c->taken].end <= end)
        c->taken++;
}

void od_candidates_filter(struct od_candidates *c, struct od_view text)
{
    clear(c);
    od_finder_find(c->finder, text, &c->of_line);
    for (size_t i = 0; i < c->of_line.list.n; i++)
        add_literal(c, c->of_line.list.items[i].literal);
}

static void search_for(struct od_candidates *c, struct od_view text, uint32_t literal)
{
    struct od_view wanted = c->literals.items[literal];
    size_t at = od_view_find(text, wanted, 0);
    for (; at != OD_VIEW_NONE; at = od_view_find(text, wanted, at + 1)) {
        if (!c->numbered.items[literal] || od_num_stands_behind(text, at + wanted.n))
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

const struct od_line_signs *od_candidates_signs(const struct od_candidates *c)
{
    return &c->signs;
}

bool od_candidates_wants_every_line(const struct od_candidates *c)
{
    return c->always_busy != 0;
}

const char *od_candidates_engine(const struct od_candidates *c)
{
    return od_filter_engine_name(c->finder->filter);
}
