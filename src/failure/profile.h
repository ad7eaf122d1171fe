/*
 * The profile of a failure: the values of the facts used in conditions (rules/facts.def), computed
 * once from the case. Unknown facts stay unknown. Facts about one cause, one remedy or the program
 * of a remedy are in advise/proposal.h.
 */
#pragma once

#include "case/case.h"
#include "rules/when.h"

struct od_failure;

struct od_profile {
    struct od_fact_value values[OD_FACT_END];
    const struct od_case *c;
    const struct od_failure *failure;
};

/* All other members of `failure` must be set before. Allocated in arena. */
const struct od_profile *od_profile_of(const struct od_case *c, const struct od_failure *failure,
                                       struct od_arena *arena);

/* Evaluates a test of a condition; the callback type is od_when_ask. */
enum od_tri od_profile_ask(const void *profile, const struct od_when_step *test);

/* Prints the value of the slot {fact} in a sentence (an od_slot_print). False if it is unknown;
 * {fact?} then prints nothing. {?fact} only tests the fact. */
bool od_profile_print(const void *profile, struct od_view name, struct od_buf *to);

/* Is the incident about host memory? */
bool od_incident_is_of_machine(const struct od_incident *incident);

/* Make values of facts: a truth value, a word (NULL = unknown), a number, a size. */
struct od_fact_value od_fact_truth(bool yes);
struct od_fact_value od_fact_word(enum od_fact fact, const char *word);
struct od_fact_value od_fact_count(struct od_count count);
struct od_fact_value od_fact_bytes(struct od_bytes number, enum od_scope scope);
