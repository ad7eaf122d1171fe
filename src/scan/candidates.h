/*
 * Candidates: which rules and readers may have something to say about a line, by the literals it
 * holds. First a whole block is filtered at once; then its hits are taken line by line.
 */
#pragma once

#include "rules/ruleset.h"
#include "rules/software.h"
#include "scan/filter.h"
#include "scan/literals.h"

/* Places of literals in a text, in order of their ends. The owner calls od_vec_done on the list. */
struct od_hits {
    OD_VEC(struct od_filter_hit) list;
};

struct od_candidates;

/* rules and signs, which end with a text that is NULL and may be NULL, outlive it; so do their
 * literals, where they are ready (NULL: they are made). */
struct od_candidates *od_candidates_new(const struct od_ruleset *rules, const struct od_sign *signs,
                                        const struct od_literals *ready);
void od_candidates_free(struct od_candidates *candidates);

/* The hits of a block that a finder has filtered wait to be taken; they stay the caller's. */
void od_candidates_found(struct od_candidates *candidates, const struct od_hits *hits);

/* The line whose hits were taken last is about to go: none stands in a part of it any more. */
void od_candidates_forget(struct od_candidates *candidates);

/* The byte in the block at which the next hit ends (its last byte); OD_VIEW_NONE = no more. */
size_t od_candidates_next_hit(const struct od_candidates *candidates);

/*
 * Takes the hits in a line of the block, and drops those before it: they become the current set.
 * False when there were none.
 */
bool od_candidates_take(struct od_candidates *candidates, struct od_view block,
                        struct od_view line);

/* Drops the hits that end at or before that offset of the block. */
void od_candidates_pass(struct od_candidates *candidates, size_t end);

/* The current set from this text alone: by the filter, or by plain search (for tests). The filter
 * says whether it hit. */
bool od_candidates_filter(struct od_candidates *candidates, struct od_view text);
void od_candidates_search(struct od_candidates *candidates, struct od_view text);

/*
 * The first rule of the current set at or after *rule, of those that are a fallback or of those
 * that are not; false when there is none.
 */
bool od_candidates_next_rule(const struct od_candidates *candidates, bool fallback, size_t *rule);

/* The readers in the current set: a bit for each of od_readers, which are 64 at most. */
uint64_t od_candidates_readers(const struct od_candidates *candidates);

/*
 * Lines that differ in digits alone have one current set, but for literals that have digits
 * themselves: these stand in some of them. Lines for which the guards hold have that set.
 */
struct od_guard {
    struct od_view text;
    uint32_t at;
    bool stands; /* there, or does not */
};

struct od_guards {
    struct od_guard list[8];
    size_t n;
    bool crowded; /* there would be more */
};
const struct od_guards *od_candidates_guards(const struct od_candidates *candidates);

/* Of a line as long as the one that it was made of. */
bool od_guard_holds(const struct od_guard *guard, struct od_view line);

/* Does the current text hold a word of memory running out (scan/mentions.h)? */
bool od_candidates_mentions(const struct od_candidates *candidates);

/* Does it hold a literal of the lexicon (facts/words.h)? */
bool od_candidates_speaks(const struct od_candidates *candidates);

/* The signs of programs in the current set, each once. */
struct od_line_signs {
    const struct od_sign *list[24];
    size_t n;
};
const struct od_line_signs *od_candidates_signs(const struct od_candidates *candidates);

/*
 * A finder filters blocks for candidates that outlive it, with a filter of its own: another thread
 * may do that while the candidates are in use.
 */
struct od_finder;

/* Their own, of whoever uses them. */
struct od_finder *od_candidates_finder(const struct od_candidates *candidates);

struct od_finder *od_finder_new(const struct od_candidates *candidates);
void od_finder_free(struct od_finder *finder);

/* Adds the hits from one offset of a block up to another, which come behind those that are there.
 */
void od_finder_more(struct od_finder *finder, struct od_view block, size_t from, size_t to,
                    struct od_hits *hits);

/* A rule without literals exists: every line must be tried. */
bool od_candidates_wants_every_line(const struct od_candidates *candidates);
