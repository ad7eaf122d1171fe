/*
 * Diagnosis: the case -> how the run ended, and findings, best first, each with its evidence and
 * its weight. One file a cause: `const struct od_diagnoser od_diagnoser_<cause>`, one word in this
 * folder's local.mk.
 *
 * certain: follows from the printed numbers by arithmetic. likely, possible: judgement, with a
 * probability. Texts live in the diagnosis; the case must outlive it.
 */
#ifndef OD_DIAGNOSE_DIAGNOSE_H
#define OD_DIAGNOSE_DIAGNOSE_H

#include "attribute/attribute.h"
#include "base/arena.h"
#include "case/case.h"
#include "facts/cause.h"
#include "facts/certainty.h"

#include <stddef.h>
#include <stdint.h>

enum od_outcome {
    OD_OUTCOME_MEMORY_FAILURE,
    OD_OUTCOME_SURVIVED,
    OD_OUTCOME_OTHER_FAILURE,
    OD_OUTCOME_NO_FAILURE,
    OD_OUTCOME_UNKNOWN
};

/* The contract's word. */
const char *od_outcome_name(enum od_outcome outcome);

struct od_number {
    const char *name; /* ends in its unit: _bytes, _count */
    double value;     /* bytes below 2^53 are exact */
};

enum { OD_FINDING_EVIDENCE = 8, OD_FINDING_NUMBERS = 12 };

struct od_finding {
    enum od_cause cause;
    enum od_certainty certainty;
    double probability;
    uint32_t incident;   /* id; 0 = none */
    const char *summary; /* one or two sentences for people */
    enum od_series_phase
        grows_in;      /* while what it grows, or weights were refused; NONE = not known */
    const char *first; /* id of the remedy that goes in front of the others; NULL = none does */
    const char *vain;  /* id of one that cannot help here; NULL = none */
    size_t nevidence;
    struct od_evidence evidence[OD_FINDING_EVIDENCE];
    size_t nnumbers;
    struct od_number numbers[OD_FINDING_NUMBERS];
};

struct od_diagnosis {
    struct od_arena *arena;
    enum od_outcome outcome;
    const char *outcome_why;            /* the sentence behind it */
    struct od_prov outcome_at;          /* the line that decides; line 0 = none */
    const struct od_incident *failure;  /* the incident that ended the run; NULL = none */
    OD_VEC(struct od_finding) findings; /* best first */
};

/* What a diagnoser sees and where it puts its findings. */
struct od_diagnosis_context {
    const struct od_case *c;
    const struct od_attribution *attribution; /* NULL = nothing is known of the chunks */
    struct od_diagnosis *diagnosis;           /* outcome and failure are decided; findings grow */
    struct od_arena *arena;
};

struct od_diagnoser {
    const char *name;
    void (*look)(struct od_diagnosis_context *context);
};

extern const struct od_diagnoser *const od_diagnosers[];

/* Of an input of which nothing was read: nothing is known. Free with od_diagnosis_free. */
const struct od_diagnosis *od_diagnose_unread(void);

/* attribution may be NULL. */
const struct od_diagnosis *od_diagnose(const struct od_case *c,
                                       const struct od_attribution *attribution);
void od_diagnosis_free(const struct od_diagnosis *diagnosis);

#endif
