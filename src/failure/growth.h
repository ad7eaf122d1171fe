/*
 * Growth: memory series that lead up to a failure. Only properties of the series count here; the
 * causes decide what they mean.
 */
#pragma once

#include "case/case.h"

struct od_growth {
    const struct od_series *series; /* the series, a leak or a staircase */
    double grown;                   /* growth since its first point, in bytes or percent */
    double share;                   /* growth as a share of the final value */
    bool reached;                   /* it reached two thirds of its limit, or has no limit */
    bool few;                       /* too few points for a trend: it may be a warm-up */
    bool loading;                   /* it covers the start of the program without two steps; data
                                       that is loaded and buffers of the first step look the same */
    /* Set only by od_growth_until: first measured value, number of measurements, and whether most
     * of the growth happened during validation. */
    double before;
    uint64_t measured;
    bool in_validation;
};

/* The largest growth of host memory (or device memory) before the failure, at least a third of the
 * final value. Returns false if there is none. */
bool od_growth_of(const struct od_case *c, const struct od_incident *incident, bool host,
                  struct od_growth *ret_growth);

/* A steady growth up to the failure, even if it is small compared with the first value. */
bool od_growth_small(const struct od_case *c, const struct od_incident *incident, bool host,
                     struct od_growth *ret_growth);

/* Memory that stayed on one level and then on a higher one until the failure. */
struct od_rise {
    double before, after;             /* bytes */
    uint64_t line;                    /* the first point on the higher level */
    const struct od_evidence *change; /* what the run printed that it began there; NULL = nothing */
};
bool od_growth_rise(const struct od_case *c, const struct od_incident *incident, bool host,
                    struct od_rise *ret_rise);

/* What the run printed that it changed between the last point on the lower level and the first one
 * on the higher level; NULL = it printed nothing, or there is no step. */
const struct od_evidence *od_growth_change(const struct od_case *c, const struct od_series *s,
                                           double *ret_before);

/* Like od_growth_of, for a series too short for a trend whose points all rise by about the same
 * amount. */
bool od_growth_of_few(const struct od_case *c, const struct od_incident *incident, bool host,
                      struct od_growth *ret_growth);

/* Does the memory grow during validation, according to its phase or name? */
bool od_growth_is_of_validation(const struct od_growth *growth);

/* Does the log show two steps of the run? Before the second step, loaded data and buffers of a step
 * grow like a leak. */
bool od_growth_has_steps(const struct od_case *c);

/* Host memory, over all phases that its lines name, that grew to at least four times its first
 * value and did not slow down before the kill. */
bool od_growth_until(const struct od_case *c, const struct od_incident *kill,
                     struct od_growth *ret_growth);

/* Was the memory measured up to the failure without growth? Nothing leaked then. */
bool od_growth_refuted(const struct od_case *c, const struct od_incident *incident, bool host);

/* The largest growth of memory (or decrease of free memory) of a run that did not fail, at least
 * that share of the final value; NULL = none. */
const struct od_series *od_growth_unfailed(const struct od_case *c, double least);

/* Growth of a series with too few or too uneven points for a trend, but printed repeatedly in the
 * same words with a large total growth and its end not below the rest. ret_each gets the bytes per
 * print. */
bool od_growth_of_readings(const struct od_series *s, double *ret_each);

/* A series printed beside the growing series `s` that does not grow: the heap if `s` is its
 * process, or the process if `s` is its container. The growth is outside of it. NULL = none. */
const struct od_series *od_growth_unchanged_beside(const struct od_case *c,
                                                   const struct od_series *s);

/* Resident memory and heap in use as last printed, with most of the resident memory outside of the
 * heap. */
struct od_outside {
    const struct od_series *rss, *heap;
};
bool od_growth_outside_heap(const struct od_case *c, const struct od_incident *incident,
                            double most, struct od_outside *ret_outside);

/* A series with too few points for a trend, each above the one before, in a text that also reports
 * growing memory; NULL = none. */
const struct od_series *od_growth_reported(const struct od_case *c);

/* The factor by which steps became slower from first to last, in the run or in one series; 0 = they
 * did not. */
double od_growth_of_steps(const struct od_case *c);
double od_growth_of_steps_in(const struct od_series *s);
