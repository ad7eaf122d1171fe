/*
 * Diagnosis: how the run of a case ended, and the causes found, best first, each with its evidence
 * and weight. Causes are rows of rules/causes (rows.h); C computes their facts.
 *
 * certain: follows from the printed numbers by arithmetic. likely, possible: judgement, with a
 * probability. The diagnosis owns its texts; the case must outlive it.
 */
#pragma once

#include "attribute/attribute.h"
#include "case/case.h"
#include "facts/certainty.h"
#include "fit/fit.h"
#include "rules/cause_rows.h"
#include "rules/slots.h"

struct od_number {
    const char *name; /* ends in its unit: _bytes, _count */
    double value;     /* bytes below 2^53 are exact */
};

/* The probability from which a cause is named. */
#define OD_CAUSE_NAMED 0.5

enum { OD_FINDING_EVIDENCE = 8, OD_FINDING_NUMBERS = 12, OD_FINDING_CLUES = 16 };

/* A sign for or against a cause. */
struct od_seen_sign {
    const char *name;
    enum od_strength strength;
};

struct od_finding {
    enum od_cause cause;
    enum od_certainty certainty;
    double probability;
    bool proven; /* arithmetic with numbers of the run proves the cause */
    bool told;   /* the suspicion comes from reports of people */
    size_t nsigns;
    struct od_seen_sign signs[OD_FINDING_CLUES]; /* signs for and against it */
    uint32_t incident;                           /* id; 0 = none */
    const char *summary;                         /* one or two sentences for people */
    struct od_claimed_parts said;                /* its parts that a headline may already state */
    const struct od_series *grown; /* the measurements that it says grew; NULL = none */
    enum od_series_phase
        grows_in;       /* the phase in which it grows, or weights were refused; NONE = unknown */
    const char *first;  /* id of the remedy that comes first; NULL = none */
    const char *clause; /* clause for the headline; NULL = the usual one of the cause */
    const char *const *asserts; /* relations (rules/relations.def), NULL-terminated */
    const char *vain;           /* id of a remedy that cannot help here; NULL = none */
    size_t nevidence;
    struct od_evidence evidence[OD_FINDING_EVIDENCE];
    size_t nnumbers;
    struct od_number numbers[OD_FINDING_NUMBERS];
};

struct od_diagnosis {
    struct od_arena *arena;
    const struct od_failure *failure;   /* what it explains; never NULL */
    const struct od_profile *profile;   /* all facts of the failure; never NULL */
    OD_VEC(struct od_finding) findings; /* best first */
    const struct od_product *product;   /* what was requested (fit/product.h); NULL = not known */
    double unexplained;                 /* probability that the log does not show the cause */
};

/* Is the best finding at least as probable as all others together? Below that a report names no
 * cause and asserts no mechanism. */
bool od_diagnosis_names_cause(const struct od_diagnosis *diagnosis);

/* The failure, what is known about it, and where the findings go. */
struct od_diagnosis_context {
    const struct od_case *c;
    const struct od_attribution *attribution; /* NULL = the chunks are unknown */
    const struct od_failure *failure;         /* NULL = there is no failure to explain */
    const struct od_fit *fit;
    struct od_diagnosis *diagnosis; /* its failure is set; findings are added */
    struct od_arena *arena;
};

/* The diagnosis of an input that could not be read. Free with od_diagnosis_free. */
const struct od_diagnosis *od_diagnose_unread(void);

/* The diagnosis of the fit's failure. The fit must outlive it. */
const struct od_diagnosis *od_diagnose(const struct od_fit *fit);
/* The cause of the best finding; OD_CAUSE_END = there is none. */
enum od_cause od_first_cause(const struct od_diagnosis *diagnosis);

void od_diagnosis_free(const struct od_diagnosis *diagnosis);
