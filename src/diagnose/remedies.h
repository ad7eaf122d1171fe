/*
 * Which of the advice applies: (case, diagnosis, advice) -> remedies, best first. Never what the
 * log shows to be on already, nor what the version of the framework lacks; where framework or
 * version are not known, the advice stays and says what it needs.
 */
#ifndef OD_DIAGNOSE_REMEDIES_H
#define OD_DIAGNOSE_REMEDIES_H

#include "base/arena.h"
#include "diagnose/diagnose.h"
#include "rules/advice.h"

/* A way that applies. */
struct od_remedy_how {
    const struct od_advice_how *advice;
    const char *needs; /* "PyTorch 2.1 or newer", where the log does not say it; NULL = nothing */
};

struct od_remedy {
    const struct od_advice_remedy *advice;
    const struct od_finding *finding; /* the best one it is for */
    const char *figures;              /* the sentence with its numbers; NULL = none */
    const struct od_remedy_how *how;
    size_t nhow;
};

struct od_remedies {
    const struct od_remedy *list; /* best first, no id twice */
    size_t n;
    const struct od_advice_vain *const *vain; /* of the best finding */
    size_t nvain;
};

/*
 * The remedies of a diagnosis, in arena, which must not outlive case, diagnosis and advice
 * (NULL-terminated). Those of the best finding come first, then those of further findings of
 * probability 0.3 or more. A smaller batch is the first only where the batch is the cause.
 * NULL when nothing failed or complained for lack of memory.
 */
const struct od_remedies *od_remedies_select(const struct od_case *c,
                                             const struct od_diagnosis *diagnosis,
                                             const struct od_advice *const *advice,
                                             struct od_arena *arena);

/* Is version (a prefix of numbers and dots counts: "v2.11.0-rc1+cu118") at least that one? */
enum od_tri od_version_at_least(struct od_view version, const char *wanted);

/* "PyTorch 2.1 or newer"; in arena. NULL when any version does. */
const char *od_how_needs(const struct od_advice_how *how, struct od_arena *arena);

/* What slots of the lines to paste are filled with, as far as it is known. */
struct od_how_values {
    const struct od_finding *finding; /* NULL = none */
    struct od_count batch, accumulation;
    struct od_count part; /* the batch where so many steps are accumulated; unknown = batch */
};

/*
 * The lines to paste; in arena. {batch:16} in them is made the batch, or 16 where it is not known;
 * {accumulation:8} likewise; {gib:64} a fifth more than the finding says all had or might have, in
 * whole GiB; {tokens:8192} the finding's tokens_count, and so any other count of it. NULL when
 * there are no lines.
 */
const char *od_how_code(const struct od_advice_how *how, const struct od_how_values *values,
                        struct od_arena *arena);

#endif
