/*
 * Proves rule packs. Every rule has a sample. Every sample is matched by its own rule, with the
 * stated values, and by no other rule of the same kind (except settings, and measurements of
 * different things). No rule matches its near misses. No pattern matches a line of the packs that
 * has none of its rule's literals. The prefilter agrees. Ids are unique over all packs. All lines
 * of all packs are tried against all rules.
 *
 * Codes of errors:
 *   R0201 no sample                            R0206 a near miss is matched
 *   R0202 id twice                             R0207 another value than stated
 *   R0203 a sample is not matched              R0208 a capture is not of its type
 *   R0204 two rules of a kind match a sample   R0209 the prefilter is wrong
 *   R0205 a match without a literal            R0210 too much backtracking
 *   R0211 a failure in a line of a program      R0212 a match may begin anywhere in any line
 */
#pragma once

#include "base/diag.h"
#include "base/err.h"
#include "facts/words.h"
#include "rules/pack.h"

struct od_proof {
    size_t rules, samples, near_misses;
    uint64_t *rule_ns; /* time of each rule over all samples; od_mem_free it */
};

/* Proves all packs. Returns OD_ERULE with diagnostics if a proof fails. ret_proof may be NULL. */
enum od_err od_prove(const struct od_pack *const *packs, size_t npacks, struct od_diags *diags,
                     struct od_proof *ret_proof) OD_MUST_USE;

/*
 * A shorter proof for every start: the first nproved packs were proved before. Proves new rules and
 * new lines against all others, but only where a line has a literal of the rule. Only od_prove,
 * which takes rules times lines, proves that no pattern matches without its literals and that the
 * prefilter agrees.
 */
enum od_err od_prove_added(const struct od_pack *const *packs, size_t npacks, size_t nproved,
                           struct od_diags *diags) OD_MUST_USE;

/* Proves that the sample sentences of a lexicon are read as stated. */
enum od_err od_prove_words(const struct od_lexicon *lexicon, struct od_diags *diags) OD_MUST_USE;
