/*
 * Causes as data: one file rules/causes/<cause>.yaml a cause. Its guard says for which failures the
 * cause is looked for; the first of its variants whose condition holds gives the sentence; signs
 * speak for the cause or against it. Conditions are those of rules/when.h, slots of sentences are
 * facts. Loaded and checked here, and written as constant C tables when the project is built;
 * diagnose/rows.h applies them.
 */
#pragma once

#include "base/diag.h"
#include "base/err.h"
#include "facts/cause.h"
#include "rules/invariants.h"

/* How much a sign says. diagnose/odds.c has the number of each. */
enum od_strength {
    OD_STRENGTH_PROOF,  /* little room is left for another cause: alone 98 % */
    OD_STRENGTH_STRONG, /* alone 90 % */
    OD_STRENGTH_SOME,   /* alone 69 % */
    OD_STRENGTH_WEAK,   /* alone 40 %: the cause is possible, and not named */
    OD_STRENGTH_AGAINST /* another cause is more probable */
};
/* Their names, NULL-terminated. */
extern const char *const od_strength_words[];

struct od_cause_sign {
    const char *sign; /* its name in reports */
    enum od_strength strength;
    struct od_when when;
};

/* The remedy to begin with where the variant names none. */
struct od_cause_first {
    const char *remedy;
    const char *unhelpful; /* id of one that cannot help then; NULL = none */
    struct od_when when;
};

struct od_cause_variant {
    const char *sign; /* NULL = it is no sign by itself */
    enum od_strength strength;
    struct od_when when;    /* empty = always */
    struct od_when certain; /* the printed numbers prove the cause; empty = never */
    struct od_when evidence;
    const char *lead;   /* a sentence before it, which a headline with these numbers makes needless;
                           NULL = none */
    const char *say;    /* sentences with slots {fact}, one a line: the first whose facts are known.
                           Without lead and say: those of the next variant */
    const char *clause; /* clause of the headline, in place of the cause's; NULL = the cause's */
    const char *first;  /* id of the remedy to begin with, or a slot; NULL = none */
    const char *unhelpful; /* id of a remedy that cannot help here; NULL = none */
    const char *series;    /* the SERIES fact that the finding is about; NULL = none */
};

struct od_cause_row {
    const char *cause;
    const char *file;
    const char *const *asserts; /* relations (invariants.h), NULL-terminated; NULL = none */
    struct od_when when;
    const char *const
        *numbers;            /* of the finding: a fact and its unit, as free_bytes; NULL = none */
    struct od_when evidence; /* the lines of those of its tests that hold are shown */
    const struct od_cause_variant *variants;
    size_t nvariants;
    const struct od_cause_sign *signs; /* all that hold count */
    size_t nsigns;
    const struct od_cause_first *first; /* the first that holds */
    size_t nfirst;
    struct od_when loading; /* memory is short while weights are loaded */
};

/*
 * A cause from text; name is for diagnostics. *ret_row lives in arena. OD_ERULE with diagnostics
 * (file:line:column) when it is invalid. Codes besides those of loader.h:
 *   R0601 not a fact that a sentence can show    R0603 a condition that needs the causes themselves
 *   R0602 not a number of a fact                 R0604 not a cause
 *   R0303 a brace without its end              R0605 not a series of facts.def
 *   R0606 a mark that is not known
 */
enum od_err od_cause_row_load(struct od_view yaml, const char *name, struct od_arena *arena,
                              struct od_diags *diags,
                              const struct od_cause_row **ret_row) OD_MUST_USE;

/* The causes we ship, in order of the files' names; NULL-terminated. */
extern const struct od_cause_row *const od_shipped_causes[];

/* The fact of a number's name ("free_bytes": free); OD_FACT_END = none has its unit. */
enum od_fact od_cause_number_fact(const char *name);
