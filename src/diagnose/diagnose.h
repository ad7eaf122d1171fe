/*
 * Diagnosis: how the run of a case ended, and the causes found, the most probable first, each with
 * evidence and weight. Causes are rows of rules/causes (rows.h), and C computes their facts.
 *
 * certain: follows from the printed numbers by arithmetic. likely, possible: a judgement with a
 * probability. The diagnosis owns its texts and borrows from the case.
 */
#pragma once

#include "attribute/attribute.h"
#include "case/case.h"
#include "facts/certainty.h"
#include "fit/fit.h"
#include "rules/cause_rows.h"
#include "rules/slots.h"

struct od_number {
    const char *name; /* ends in the unit: _bytes, _count */
    double value;     /* bytes; exact below 2^53 */
};

/* A cause with at least this probability is named. */
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
    bool proven;   /* the cause follows from numbers of the run by arithmetic */
    bool reported; /* people report the cause; no numbers show it */
    size_t nsigns;
    struct od_seen_sign signs[OD_FINDING_CLUES]; /* signs for and against the cause */
    uint32_t incident;                           /* id of the incident; 0 = none */
    const char *summary;                         /* one or two sentences for people */
    /* what the summary states; the headline need not repeat it */
    struct od_claimed_parts said;
    /* the measurements that grew according to the summary; NULL = none */
    const struct od_series *grown;
    enum od_series_phase
        /* the phase in which memory grows or weights were refused; NONE = unknown */
        grows_in;
    const char *first;          /* id of the remedy to list first; NULL = none */
    const char *clause;         /* clause for the headline; NULL = the default of the cause */
    const char *const *asserts; /* relations (rules/relations.def), NULL-terminated */
    const char *useless;        /* id of a remedy that cannot help here; NULL = none */
    size_t nevidence;
    struct od_evidence evidence[OD_FINDING_EVIDENCE];
    size_t nnumbers;
    struct od_number numbers[OD_FINDING_NUMBERS];
};

struct od_diagnosis {
    struct od_arena *arena;
    const struct od_failure *failure;   /* the failure that it explains; never NULL */
    const struct od_profile *profile;   /* all facts of the failure; never NULL */
    OD_VEC(struct od_finding) findings; /* the most probable first */
    /* factors of the requested size (fit/product.h); NULL = not known */
    const struct od_product *product;
    double unexplained; /* probability that the log does not show the cause */
};

/* Is the best finding at least as probable as all others together? If not, a report names no cause
 * and asserts no mechanism. */
bool od_diagnosis_names_cause(const struct od_diagnosis *diagnosis);

/* The failure, the facts about it, and the diagnosis that gets the findings. */
struct od_diagnosis_context {
    const struct od_case *c;
    const struct od_attribution *attribution; /* NULL = no dump lists the chunks */
    const struct od_failure *failure;         /* NULL = there is no failure to explain */
    const struct od_fit *fit;
    struct od_diagnosis *diagnosis; /* its failure is set; the rules add findings */
    struct od_arena *arena;
};

/* A diagnosis for an input that could not be read. Free with od_diagnosis_free. */
const struct od_diagnosis *od_diagnose_unread(void);

/* Diagnoses the failure of the fit. The result borrows from the fit. */
const struct od_diagnosis *od_diagnose(const struct od_fit *fit);
/* The cause of the best finding; OD_CAUSE_END = there is none. */
enum od_cause od_first_cause(const struct od_diagnosis *diagnosis);

void od_diagnosis_free(const struct od_diagnosis *diagnosis);
