/*
 * A set of rules ready to be applied: read-only, shared by all scans. Patterns are compiled at
 * their first use. Match and depth limits are set; a rule that hits them on a line counts as no
 * match and is counted.
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

/* The packs must outlive the set. Never fails: a pack was proved before it got here. */
struct od_ruleset *od_ruleset_new(const struct od_pack *const *packs, size_t npacks);
void od_ruleset_free(struct od_ruleset *set);

size_t od_ruleset_count(const struct od_ruleset *set);
const struct od_rule *od_ruleset_rule(const struct od_ruleset *set, size_t i);
const struct od_pack *od_ruleset_pack(const struct od_ruleset *set, size_t i);

/* The lexicon by which sentences are read on lines whose trouble no rule knows; NULL (as at the
 * start) = they are not. It must outlive the set. */
void od_ruleset_set_lexicon(struct od_ruleset *set, const struct od_lexicon *lexicon);
const struct od_lexicon *od_ruleset_lexicon(const struct od_ruleset *set);

/* Interprets patterns instead of compiling them to machine code (for memory checkers). Before the
 * first use of a rule. */
void od_ruleset_no_jit(struct od_ruleset *set);

/* Compiles now what patterns are left: for a process that is about to lose the right to have code
 * made. */
void od_ruleset_compile(struct od_ruleset *set);

/*
 * Applies rule i to a line: true and the event when the line holds one of the rule's literals and
 * the pattern matches. So a prefilter on the literals changes nothing but the time.
 *
 * Fields, later ones win: the pack's producer, `set:` constants, captures. A group `<field>_unit`
 * of a size, a duration or a share holds the unit of the number in group `<field>`. A group that
 * stands in several alternatives counts where it took part. An empty capture, and one that is not
 * of its field's type (a size that does not parse), is left out of the event.
 *
 * Texts of the event point into the line or the set. event.excerpt is the trimmed line, or 400
 * bytes of a longer one from the match on.
 */
bool od_ruleset_apply(struct od_ruleset *set, size_t i, const struct od_line *line,
                      struct od_event *ret_event);

/* The same for a line that is known to hold one of the rule's literals. */
bool od_ruleset_apply_candidate(struct od_ruleset *set, size_t i, const struct od_line *line,
                                struct od_event *ret_event);

/* Why the rule would make nothing of a text; OD_NOT_END: it matches. Nothing is counted. */
enum od_trace_reason od_ruleset_explain(struct od_ruleset *set, size_t i, struct od_view text);

/* What rule i makes of that line and of all that differ from it in digits alone, as far as they
 * have the digits it asks for; NULL when that is not known. It lives in arena. */
struct od_rule_made *od_ruleset_learn(struct od_ruleset *set, size_t i, const struct od_line *line,
                                      struct od_arena *arena);

/* The event of such a line, valid until the next one is made; NULL: the pattern has to be asked. */
struct od_event *od_ruleset_make(struct od_ruleset *set, struct od_rule_made *made,
                                 const struct od_line *line);

/* Does the pattern alone match, whatever the literals say? (For the proof of packs.) */
bool od_ruleset_matches(struct od_ruleset *set, size_t i, struct od_view text);

/* Does the text hold one of the rule's literals, with a number behind it where the rule wants that?
 * Always of a rule without any. */
bool od_ruleset_has_literal(const struct od_ruleset *set, size_t i, struct od_view text);

/* Captures so far that were not empty and not of their field's type. */
uint64_t od_ruleset_lost_captures(const struct od_ruleset *set);

/* Lines that rule i gave up on since that was last asked: too much backtracking, or too long on a
 * long line. */
uint64_t od_ruleset_limit_hits(struct od_ruleset *set, size_t i);

/* Can a match of rule i begin at few places of a line alone (rules/regex.h)? */
bool od_ruleset_has_start(struct od_ruleset *set, size_t i);

/* The packs we ship, proved when the project was built; NULL-terminated. */
extern const struct od_pack *const od_shipped_packs[];
