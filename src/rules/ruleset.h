/*
 * A set of rules ready to be applied: read-only, shared by all scans. Patterns are compiled at
 * their first use. Matching has limits on steps and depth; a rule that reaches them does not match,
 * and the line is counted.
 */
#pragma once

#include "base/diag.h"
#include "base/err.h"
#include "facts/event.h"
#include "facts/line.h"
#include "facts/trace.h"
#include "facts/words.h"
#include "rules/match.h"
#include "rules/pack.h"

struct od_ruleset;

/* Makes a set. The packs must outlive it. Cannot fail, because packs were verified. */
struct od_ruleset *od_ruleset_new(const struct od_pack *const *packs, size_t npacks);
void od_ruleset_free(struct od_ruleset *set);

size_t od_ruleset_count(const struct od_ruleset *set);
const struct od_rule *od_ruleset_rule(const struct od_ruleset *set, size_t i);
const struct od_pack *od_ruleset_pack(const struct od_ruleset *set, size_t i);

/* Sets the lexicon for reading sentences on lines with an error that no rule matches. NULL (the
 * default) = do not read sentences. It must outlive the set. */
void od_ruleset_set_lexicon(struct od_ruleset *set, const struct od_lexicon *lexicon);
const struct od_lexicon *od_ruleset_lexicon(const struct od_ruleset *set);

/* Interprets patterns instead of compiling them to machine code (for memory checkers). Call this
 * before the first use of a rule. */
void od_ruleset_no_jit(struct od_ruleset *set);

/* Compiles all patterns now, for a process that will lose the permission to create code. */
void od_ruleset_compile(struct od_ruleset *set);

/* Applies rule i to a line. True with an event if the line has one of the rule's literals and the
 * pattern matches. So a prefilter by literals only saves time. Fields, later ones win: the pack's
 * producer, `set:` constants, captures. A group `<field>_unit` for a size, duration or share is the
 * unit of the number in group `<field>`. Of groups with one name in several alternatives, the one
 * that took part counts. An empty capture, or one that does not have its field's type (a size that
 * does not parse), is omitted. Texts of the event point into the line or the set. event.excerpt is
 * the trimmed line; if that is too long to show the match, it is the text from the match on. */
bool od_ruleset_apply(struct od_ruleset *set, size_t i, const struct od_line *line,
                      struct od_event *ret_event);

/* Applies rule i to a line that is known to have one of the rule's literals. */
bool od_ruleset_apply_candidate(struct od_ruleset *set, size_t i, const struct od_line *line,
                                struct od_event *ret_event);

/* Gets the next event of a rule with `each`, or of a block (line: its lines joined by LF). Searches
 * from *at on, which is 0 at first and moves past the match. */
bool od_ruleset_apply_next(struct od_ruleset *set, size_t i, const struct od_line *line, size_t *at,
                           struct od_event *ret_event);

/* Does a block of rule i begin with the line? And does the line belong to the block after row
 * `above`? *ret_at is the position of the words that begin it; may be NULL. */
bool od_ruleset_begins(struct od_ruleset *set, size_t i, struct od_view text, size_t *ret_at);
bool od_ruleset_goes_on(struct od_ruleset *set, size_t i, struct od_view above,
                        struct od_view text);

/* The text of a block to match: its lines, or their letters without blanks, which are valid until
 * the next call with this set. */
struct od_view od_ruleset_block_text(struct od_ruleset *set, size_t i, struct od_view text);

/* The reason why rule i does not match a text; OD_NOT_END if it does. Changes no counters. */
enum od_trace_reason od_ruleset_explain(struct od_ruleset *set, size_t i, struct od_view text);

/* The result of rule i for all lines with the same shape as this line; NULL if it depends on
 * digits. Allocated in arena. */
struct od_rule_made *od_ruleset_learn(struct od_ruleset *set, size_t i, const struct od_line *line,
                                      struct od_arena *arena);

/* Makes the event for a line of that shape, valid until the next one is made. NULL = the pattern
 * must be matched. */
struct od_event *od_ruleset_make(struct od_ruleset *set, struct od_rule_made *made,
                                 const struct od_line *line);

/* Does the pattern match, whatever the literals? Used to verify packs. */
bool od_ruleset_matches(struct od_ruleset *set, size_t i, struct od_view text);

/* Does the text have one of the rule's literals, with a number after it if the rule requires one?
 * True for a rule without literals. */
bool od_ruleset_has_literal(const struct od_ruleset *set, size_t i, struct od_view text);

/* Number of captures that were not empty and did not have their field's type. */
uint64_t od_ruleset_lost_captures(const struct od_ruleset *set);

/* Number of lines on which rule i gave up since the last call: too much backtracking, or too much
 * time on a long line. */
uint64_t od_ruleset_limit_hits(struct od_ruleset *set, size_t i);

/* Can a match of rule i only start at few positions of a line (rules/regex.h)? */
bool od_ruleset_has_start(struct od_ruleset *set, size_t i);

/* The shipped packs, verified by the build; the list ends with NULL. */
extern const struct od_pack *const od_shipped_packs[];
