/*
 * Growth: series of memory before a failure. Computes properties of the series; the causes decide
 * what they mean.
 */
#pragma once

#include "case/case.h"

struct od_growth {
    const struct od_series *series; /* a series that rises steadily or in steps */
    double grown;                   /* bytes or percent since its first point */
    double share;                   /* part of the final value */
    bool reached;                   /* it reached two thirds of its limit, or has none */
    bool few;                       /* too few points for a trend: possibly a warm-up */
    /* it covers the start of the program and less than two steps; loading and first buffers look
     * the same */
    bool loading;
    /* Set by od_growth_until only: first value, number of measurements, and whether most growth was
     * during validation. */
    double before;
    uint64_t measured;
    bool in_validation;
};

/* The largest growth of host (or device) memory before the failure, at least a third of the final
 * value. False = none. */
bool od_growth_of(const struct od_case *c, const struct od_incident *incident, bool host,
                  struct od_growth *ret_growth);

/* A steady growth up to the failure, however small. */
bool od_growth_small(const struct od_case *c, const struct od_incident *incident, bool host,
                     struct od_growth *ret_growth);

/* A series that stayed on one level and then on a higher one until the failure. */
struct od_rise {
    double before, after;             /* bytes */
    uint64_t line;                    /* the first point on the higher level */
    const struct od_evidence *change; /* a change that the run printed at that point; NULL = none */
};
bool od_growth_rise(const struct od_case *c, const struct od_incident *incident, bool host,
                    struct od_rise *ret_rise);

/* The change that the run printed between the last point on the lower level and the first one on
 * the higher level; NULL = none, or there is no step. */
const struct od_evidence *od_growth_change(const struct od_case *c, const struct od_series *s,
                                           double *ret_before);

/* Like od_growth_of, for a series too short for a trend with points that rise by about the same
 * amount. */
bool od_growth_of_few(const struct od_case *c, const struct od_incident *incident, bool host,
                      struct od_growth *ret_growth);

/* Does the memory grow during validation, by its phase or name? */
bool od_growth_is_of_validation(const struct od_growth *growth);

/* Does the log show two steps? Before the second one, loaded data and buffers grow like a leak. */
bool od_growth_has_steps(const struct od_case *c);

/* Host memory, over all phases that its lines name, that grew to at least four times its first
 * value and did not slow down before the kill. */
bool od_growth_until(const struct od_case *c, const struct od_incident *kill,
                     struct od_growth *ret_growth);

/* Was memory measured up to the failure and did not grow? Then nothing leaked. */
bool od_growth_refuted(const struct od_case *c, const struct od_incident *incident, bool host);

/* The largest growth of memory (or decrease of free memory) in a run that did not fail, at least
 * that share of the final value; NULL = none. */
const struct od_series *od_growth_unfailed(const struct od_case *c, double least);

/* Growth of a series whose points are too few or uneven for a trend, but printed repeatedly in
 * the same words, with a large total and its highest values at the end. ret_each: bytes for each
 * print. */
bool od_growth_of_readings(const struct od_series *s, double *ret_each);

/* A constant series printed near the growing series `s`: the heap if `s` is its process, or the
 * process if `s` is its container. The growth is outside of it. NULL = none. */
const struct od_series *od_growth_constant_part(const struct od_case *c, const struct od_series *s);

/* Resident memory and heap as last printed, if most resident memory is outside of the heap. */
struct od_outside {
    const struct od_series *rss, *heap;
};
bool od_growth_outside_heap(const struct od_case *c, const struct od_incident *incident,
                            double most, struct od_outside *ret_outside);

/* A rising series with too few points for a trend, in a text that also reports growing memory; NULL
 * = none. */
const struct od_series *od_growth_reported(const struct od_case *c);

/* The factor by which steps became slower from first to last, in the run or one series; 0 = they
 * did not. */
double od_growth_of_steps(const struct od_case *c);
double od_growth_of_steps_in(const struct od_series *s);
