/*
 * Causes as data: one file rules/causes/<cause>.yaml for each cause. Its guard selects the failures
 * for which the cause is considered. The first variant whose condition holds gives the sentence.
 * Signs are evidence for the cause or against it. Conditions are those of rules/when.h, slots of
 * sentences are facts. Loaded and checked here, written as constant C tables by the build, and
 * applied by diagnose/rows.h.
 */
#pragma once

#include "base/diag.h"
#include "base/err.h"
#include "facts/cause.h"
#include "rules/invariants.h"

/* Strength of a sign as evidence. diagnose/odds.c has the numbers. */
enum od_strength {
    OD_STRENGTH_PROOF,  /* makes the cause 98 % probable if it is the only sign */
    OD_STRENGTH_STRONG, /* 90 % if it is the only sign */
    OD_STRENGTH_SOME,   /* 69 % if it is the only sign */
    OD_STRENGTH_WEAK,   /* 40 % if it is the only sign: the cause is possible but not reported */
    OD_STRENGTH_AGAINST /* makes other causes more probable */
};
/* Names of the strengths; the list ends with NULL. */
extern const char *const od_strength_words[];

struct od_cause_sign {
    const char *sign; /* name of the sign in reports */
    enum od_strength strength;
    struct od_when when;
};

/* The first remedy for variants that name none. */
struct od_cause_first {
    const char *remedy;
    const char *unhelpful; /* id of a remedy that cannot help in this case; NULL = none */
    struct od_when when;
};

struct od_cause_variant {
    const char *sign; /* NULL = the variant is not itself a sign */
    enum od_strength strength;
    struct od_when when;    /* empty = always */
    struct od_when certain; /* condition that printed numbers prove the cause; empty = never */
    struct od_when evidence;
    const char *lead; /* printed first, unless the headline has the same numbers; NULL = none */
    /* sentences with slots {fact}, one in each line; the first one with known facts is printed.
     * Without lead and say, those of the next variant are used */
    const char *say;
    const char *clause;    /* clause for the headline; NULL = clause of the cause */
    const char *first;     /* id of the first remedy, or a slot; NULL = none */
    const char *unhelpful; /* id of a remedy that cannot help in this case; NULL = none */
    const char *series;    /* the SERIES fact that the finding describes; NULL = none */
};

struct od_cause_row {
    const char *cause;
    const char *file;
    /* relations that the sentences assert (invariants.h), ends with NULL; NULL = none */
    const char *const *asserts;
    struct od_when when;
    const char *const *numbers; /* numbers of the finding, each a fact with its unit, such as
                                 * free_bytes; NULL = none */
    struct od_when evidence;    /* tests whose lines are shown if they hold */
    const struct od_cause_variant *variants;
    size_t nvariants;
    const struct od_cause_sign *signs; /* all signs that hold are used */
    size_t nsigns;
    const struct od_cause_first *first; /* the first element that holds is used */
    size_t nfirst;
    struct od_when loading; /* condition that memory was short while weights were loaded */
};

/*
 * Loads a cause from text; name is for diagnostics. *ret_row is in arena. OD_ERULE with diagnostics
 * (file:line:column) if it is invalid. Codes in addition to those of loader.h:
 *   R0601 not a fact that a sentence can show    R0603 a condition that needs the causes themselves
 *   R0602 not a number of a fact                 R0604 not a cause
 *   R0303 a brace without its end              R0605 not a series of facts.def
 *   R0606 a mark that is not known
 */
enum od_err od_cause_row_load(struct od_view yaml, const char *name, struct od_arena *arena,
                              struct od_diags *diags,
                              const struct od_cause_row **ret_row) OD_MUST_USE;

/* The shipped causes in order of file names; ends with NULL. */
extern const struct od_cause_row *const od_shipped_causes[];

/* The fact of a number's name: `free` for "free_bytes". OD_FACT_END if no fact has that unit. */
enum od_fact od_cause_number_fact(const char *name);
