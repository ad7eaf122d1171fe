/*
 * Growth: the series of memory that leads up to a failure. Only what a series shows counts here;
 * which cause it speaks for, the causes decide.
 */
#pragma once

#include "case/case.h"

struct od_growth {
    const struct od_series *series; /* a leak or a staircase */
    double grown;                   /* bytes, or percent, since its first point */
    double share;                   /* of what it came to */
    bool reached;                   /* it came to two thirds of its limit, or has none */
    bool few;                       /* too few points for a trend: it may be a warm-up */
    bool loading;                   /* since the program began, and no two steps were seen: what is
                                       read in, or made by the first of them, looks the same */
    /* Of od_growth_until alone: what was measured first, how often, and whether most of it grew
     * while the run validated. */
    double before;
    uint64_t measured;
    bool in_validation;
};

/* The largest growth of the host's (or the devices') memory in front of the failure, a third of
 * what it came to at least. False when there is none. */
bool od_growth_of(const struct od_case *c, const struct od_incident *incident, bool host,
                  struct od_growth *ret_growth);

/* A steady growth up to the failure, however small against what was there. */
bool od_growth_small(const struct od_case *c, const struct od_incident *incident, bool host,
                     struct od_growth *ret_growth);

/* Memory that lay on one level and then on a higher one, up to the failure. */
struct od_rise {
    double before, after;             /* bytes */
    uint64_t line;                    /* the first point on the higher level */
    const struct od_evidence *change; /* what began there, in the run's words; NULL = not said */
};
bool od_growth_rise(const struct od_case *c, const struct od_incident *incident, bool host,
                    struct od_rise *ret_rise);

/* What a run says that it changed between the last point on the lower level and the first on the
 * higher one; NULL where it says nothing, or where there is no such step. */
const struct od_evidence *od_growth_change(const struct od_case *c, const struct od_series *s,
                                           double *ret_before);

/* The same of a series too short for a trend, that rose by about as much from each point to the
 * next. */
bool od_growth_of_few(const struct od_case *c, const struct od_incident *incident, bool host,
                      struct od_growth *ret_growth);

/* Does it grow while the run validates, by its phase or its name? */
bool od_growth_is_of_validation(const struct od_growth *growth);

/* Were two steps of the run seen? Before that, what is read in and what a step makes grows as a
 * leak does. */
bool od_growth_has_steps(const struct od_case *c);

/* Memory of the host, over all phases that its lines name, that came to four times what it was and
 * did not slow down until the kill. */
bool od_growth_until(const struct od_case *c, const struct od_incident *kill,
                     struct od_growth *ret_growth);

/* Was that memory measured up to the failure, and did not grow? Then nothing leaked. */
bool od_growth_refuted(const struct od_case *c, const struct od_incident *incident, bool host);

/* The largest growth of memory, or fall of free memory, of a run that did not fail: at least that
 * share of what it came to; NULL when there is none. */
const struct od_series *od_growth_unfailed(const struct od_case *c, double least);

/* Too few points for a trend, or too uneven ones, but the same words again and again with more in
 * each, by much in all and no less at the end: by how much each, in bytes. */
bool od_growth_of_readings(const struct od_series *s, double *ret_each);

/* What is printed beside that growing course and stays: the heap, where its process grows, or the
 * process, where its container does. What grows is outside of it. NULL when there is none. */
const struct od_series *od_growth_beside(const struct od_case *c, const struct od_series *s);

/* Resident memory and the heap in use as a run printed them last, most of it outside of that heap.
 */
struct od_outside {
    const struct od_series *rss, *heap;
};
bool od_growth_outside_heap(const struct od_case *c, const struct od_incident *incident,
                            struct od_outside *ret_outside);

/* Too few points for a trend, all above the one before, in a text that says in words that memory
 * grows; NULL when there is none. */
const struct od_series *od_growth_told(const struct od_case *c);

/* Steps that take longer and longer: by what factor from first to last; 0 = they do not. */
double od_growth_of_steps(const struct od_case *c);
double od_growth_of_steps_in(const struct od_series *s); /* the same of one series */
