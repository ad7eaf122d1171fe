/*
 * Finds the rules and readers that can match a line, according to the literals in it. A whole block
 * is filtered at once; its hits are then taken line by line.
 */
#pragma once

#include "rules/ruleset.h"
#include "rules/software.h"
#include "scan/filter.h"
#include "scan/literals.h"

/* The literals found in a text, in order of their ends. The owner calls od_vec_done on the list. */
struct od_hits {
    OD_VEC(struct od_filter_hit) list;
};

struct od_candidates;

/* rules, signs and ready must outlive the candidates. signs ends with a NULL text and may be NULL.
 * ready: the literals of both; NULL = compute them. */
struct od_candidates *od_candidates_new(const struct od_ruleset *rules, const struct od_sign *signs,
                                        const struct od_literals *ready);
void od_candidates_free(struct od_candidates *candidates);

/* Sets the hits of a filtered block. The caller keeps ownership. */
void od_candidates_found(struct od_candidates *candidates, const struct od_hits *hits);

/* Forgets the last line, whose memory becomes invalid. */
void od_candidates_forget(struct od_candidates *candidates);

/* Offset in the block of the last byte of the next hit; OD_VIEW_NONE = no more hits. */
size_t od_candidates_next_hit(const struct od_candidates *candidates);

/*
 * Makes the hits in a line of the block the current set. Drops hits before the line. False if the
 * line has no hits.
 */
bool od_candidates_take(struct od_candidates *candidates, struct od_view block,
                        struct od_view line);

/* Computes the current set from this text alone. od_candidates_filter uses the filter and returns
 * whether it hit; the other function searches without it, for tests. */
bool od_candidates_filter(struct od_candidates *candidates, struct od_view text);
void od_candidates_search(struct od_candidates *candidates, struct od_view text);

/*
 * Finds the first rule of the current set from *rule on, either among the fallback rules or among
 * the others. False if there is none.
 */
bool od_candidates_next_rule(const struct od_candidates *candidates, bool fallback, size_t *rule);

/*
 * Lines that differ only in digits have the same current set, except for literals with digits. A
 * guard is the condition that one of these is, or is not, at a position of the line. A line has the
 * current set if all guards hold.
 */
struct od_guard {
    struct od_view text;
    uint32_t at;
    bool stands; /* the text must be at the position; false: must not be there */
};

struct od_guards {
    struct od_guard list[8];
    size_t n;
    bool crowded; /* the list is too short for all guards */
};
/* Does the guard hold? line must be as long as the line of which the guard was made. */
bool od_guard_holds(const struct od_guard *guard, struct od_view line);

/* The signs of programs in a set, without duplicates. A long command contains some 40: its options
 * are signs, too, and options that another one begins with. */
struct od_line_signs {
    const struct od_sign *list[128];
    size_t n;
};

/* The candidates of a text, without its rules. */
struct od_line_set {
    uint64_t readers;      /* bit set of od_readers (at most 64) */
    bool mentions;         /* the text mentions memory running out (scan/mentions.h) */
    bool has_failure_word; /* the text has a literal of the lexicon (facts/words.h) */
    struct od_line_signs signs;
    struct od_guards guards;
};
const struct od_line_set *od_candidates_set(const struct od_candidates *candidates);

/* Filters blocks; valid as long as the candidates. */
struct od_finder;
struct od_finder *od_candidates_finder(const struct od_candidates *candidates);

/* Appends the hits between two offsets of a block. */
void od_finder_more(struct od_finder *finder, struct od_view block, size_t from, size_t to,
                    struct od_hits *hits);

/* True if a rule without literals must be tried on every line. */
bool od_candidates_wants_every_line(const struct od_candidates *candidates);
