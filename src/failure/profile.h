/*
 * The profile of a failure: the values of the facts that conditions ask for (rules/facts.def),
 * decided once from the case. What is not known stays unknown. Facts about one cause, one remedy
 * and the program of a remedy are not here (advise/proposal.h).
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

/* Of a failure whose other members are known; in arena. */
const struct od_profile *od_profile_of(const struct od_case *c, const struct od_failure *failure,
                                       struct od_arena *arena);

/* Answers the tests of conditions (od_when_ask). */
enum od_tri od_profile_ask(const void *profile, const struct od_when_step *test);

/* Does no program mean a request of that size: more than any machine holds in one piece, or many
 * times the limit that the program names? A count went wrong. */
bool od_failure_is_garbage(const struct od_failure *failure);

/* Is it about memory of the machine? */
bool od_incident_is_of_machine(const struct od_incident *incident);

/* Values of facts: of a truth, of one word, of a word that may be missing (NULL), of a number. */
struct od_fact_value od_fact_truth(bool yes);
struct od_fact_value od_fact_word(enum od_fact fact, const char *word);
struct od_fact_value od_fact_count(struct od_count count);

/* The values that are known, as "device", "own, library", "180", "4.1 GiB"; NULL = not known. */
const char *od_profile_text(const struct od_profile *profile, enum od_fact fact,
                            struct od_arena *arena);
