#include "scan/literals.h"

#include "base/map.h"
#include "base/mask_digits.h"
#include "scan/mentions.h"
#include "scan/readers.h"

#include <assert.h>

/* Signs of text that unwrapping changes: ANSI codes, HTML entities, no-break spaces, escapes of
 * JSON and repr(). */
static const char *const wakers[] = {"\x1b[",  "&gt;",     "&lt;",         "&amp;", "&quot;",
                                     "&nbsp;", "\xc2\xa0", "\xe2\x80\x8b", "\\u00", "\\\"",
                                     "\\t",    "\\/",      "\\x"};

struct owner {
    uint32_t literal;
    uint16_t who;
};

/* A literal before sorting. */
struct literal {
    struct od_view text;
    bool numbered;
};

struct maker {
    const struct od_ruleset *rules;
    const struct od_sign *signs;
    struct od_arena *arena;
    struct od_literals made;
    uint64_t *always, *fallbacks;
    OD_VEC(struct literal) literals;
    OD_VEC(struct owner) owners;
    struct od_map known[2]; /* maps texts (plain, numbered) to the index of their literal + 1 */
};

static void set_bit(uint64_t *words, size_t bit)
{
    words[bit / 64] |= UINT64_C(1) << bit % 64;
}

static uint32_t literal_index(struct maker *maker, struct od_view text, bool numbered)
{
    uint64_t *known = od_map_at(&maker->known[numbered], text);
    if (*known == 0) {
        struct literal literal = {.text = text, .numbered = numbered};
        od_vec_push(&maker->literals, literal);
        *known = maker->literals.n;
    }
    return (uint32_t)*known - 1;
}

static void own(struct maker *maker, const char *text, bool numbered, size_t who)
{
    assert(who <= UINT16_MAX);
    struct owner owner = {.literal = literal_index(maker, od_view_of(text), numbered),
                          .who = (uint16_t)who};
    od_vec_push(&maker->owners, owner);
}

static void collect_rule(struct maker *maker, size_t i)
{
    const struct od_rule *rule = od_ruleset_rule(maker->rules, i);
    for (size_t k = 0; k < rule->nliterals; k++)
        own(maker, rule->literals[k], rule->numbered, i);
    if (rule->fallback)
        set_bit(maker->fallbacks, i);
    if (rule->nliterals == 0)
        set_bit(maker->always, i);
}

static void collect_reader(struct maker *maker, size_t i)
{
    const struct od_reader *reader = od_readers[i];
    for (const char *const *text = reader->literals; *text; text++)
        own(maker, *text, false, maker->made.nrules + i);
    for (const char *const *text = reader->numbered; text && *text; text++)
        own(maker, *text, true, maker->made.nrules + i);
}

static void collect(struct maker *maker)
{
    size_t behind = maker->made.nrules + maker->made.nreaders;
    for (size_t i = 0; i < maker->made.nrules; i++)
        collect_rule(maker, i);
    for (size_t i = 0; i < maker->made.nreaders; i++)
        collect_reader(maker, i);
    for (const char *const *text = od_mention_literals; *text; text++)
        own(maker, *text, false, behind);
    const struct od_lexicon *lexicon = od_ruleset_lexicon(maker->rules);
    for (size_t i = 0; lexicon && i < lexicon->nliterals; i++)
        own(maker, lexicon->literals[i], false, behind + 1);
    for (size_t i = 0; maker->signs && maker->signs[i].text; i++)
        own(maker, maker->signs[i].text, false, behind + 2 + i);
    for (size_t i = 0; i < OD_COUNT_OF(wakers); i++)
        (void)literal_index(maker, od_view_of(wakers[i]), false);
}

/* Sorts the owners by literal; equal ones keep their order. */
static void index_owners(struct maker *maker)
{
    size_t n = maker->literals.n;
    uint32_t *ends = OD_NEW_N(maker->arena, n + 2, uint32_t);
    uint16_t *sorted = OD_NEW_N(maker->arena, maker->owners.n + 1, uint16_t);
    for (size_t i = 0; i < maker->owners.n; i++)
        ends[maker->owners.items[i].literal + 2]++;
    for (size_t i = 2; i <= n; i++)
        ends[i] += ends[i - 1];
    for (size_t i = 0; i < maker->owners.n; i++)
        sorted[ends[maker->owners.items[i].literal + 1]++] = maker->owners.items[i].who;
    maker->made.owners = sorted;
    maker->made.first = ends; /* counting moved each element to the start of the next literal */
}

/* Stores the texts unmasked for comparisons, and masked for the filter. */
static void index_texts(struct maker *maker)
{
    size_t n = maker->literals.n, bytes = 0;
    for (size_t i = 0; i < n; i++)
        bytes += maker->literals.items[i].text.n;
    char *texts = OD_NEW_N(maker->arena, bytes + 1, char), *folded = od_mem_alloc(bytes + 1, 1);
    struct od_view *views = od_mem_alloc(n + 1, sizeof *views);
    struct od_literal *list = OD_NEW_N(maker->arena, n + 1, struct od_literal);
    for (size_t i = 0, at = 0; i < n; at += list[i++].n) {
        struct od_view text = maker->literals.items[i].text;
        list[i] = (struct od_literal){.at = (uint32_t)at,
                                      .n = (uint32_t)text.n,
                                      .numbered = maker->literals.items[i].numbered,
                                      .exact = od_has_digit(text)};
        memcpy(texts + at, text.p, text.n);
        views[i] = (struct od_view){.p = folded + at, .n = text.n};
    }
    od_mask_digits(folded, texts, bytes);
    maker->made.texts = texts;
    maker->made.list = list;
    maker->made.n = n;
    maker->made.index = od_filter_index_new(views, n, maker->arena);
    od_mem_free(views);
    od_mem_free(folded);
}

struct od_literals od_literals_new(const struct od_ruleset *rules, const struct od_sign *signs,
                                   struct od_arena *arena)
{
    struct maker maker = {.rules = rules, .signs = signs, .arena = arena};
    maker.made.nrules = od_ruleset_count(rules);
    while (od_readers[maker.made.nreaders])
        maker.made.nreaders++;
    assert(maker.made.nreaders <= 64);
    maker.always = OD_NEW_N(arena, od_literals_words(&maker.made), uint64_t);
    maker.fallbacks = OD_NEW_N(arena, od_literals_words(&maker.made), uint64_t);
    collect(&maker);
    index_owners(&maker);
    index_texts(&maker);
    maker.made.always = maker.always;
    maker.made.fallbacks = maker.fallbacks;
    od_vec_done(&maker.literals);
    od_vec_done(&maker.owners);
    od_map_done(&maker.known[0]);
    od_map_done(&maker.known[1]);
    return maker.made;
}
