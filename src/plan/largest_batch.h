/*
 * Finds the largest batch that fits. The peak grows with the batch, so the probability to fit
 * falls. The answer for a probability is the last batch that has at least this probability. The
 * search calls a function instead of the estimator, so that tests can replace it.
 */
#pragma once

#include "estimate/estimate.h"

enum { OD_BATCH_MOST = 1 << 24 };

struct od_largest_batch {
    bool known;              /* false: no device is given, or memory does not depend on the batch */
    bool open;               /* even OD_BATCH_MOST fits */
    uint64_t expected, safe; /* fit with p >= 0.5 and p >= 0.98; 0 = not even one sample fits */
    uint64_t lo, hi;         /* 90 % range: fit with p >= 0.95 and p >= 0.05 */
    uint64_t power_of_two, multiple_of_8; /* `safe` rounded down to these forms; 0 = none */
};

/* How to compute the probability that a batch fits, which must not increase with the batch. A
 * negative probability means unknown. */
struct od_batch_question {
    double (*fits)(void *self, uint64_t batch);
    void *self;
    uint64_t guess; /* start of the search; 0 = none */
};

/* The largest batch, up to OD_BATCH_MOST, with at least this probability; 0 = not even one
 * sample. */
uint64_t od_batch_search(const struct od_batch_question *question, double probability);

/* The largest power of two, or multiple of 8 (below 8: power of two), up to n; 0 for n = 0. */
uint64_t od_batch_power_of_two(uint64_t n);
uint64_t od_batch_multiple_of_8(uint64_t n);

/* The longest sequence at the workload's own batch, in tokens per sample. */
struct od_largest_sequence {
    bool known;   /* false: memory does not depend on the length, or it is given otherwise */
    bool limited; /* limited by the model's positions, not by memory */
    uint64_t expected, safe; /* fit with p >= 0.5 and p >= 0.98; 0 = not even one token fits */
};

struct od_largest_sequence od_largest_sequence(const struct od_workload *workload,
                                               uint64_t usable_bytes);

/* Finds all largest batches of a workload (ignoring its batch) for that much memory. */
struct od_largest_batch od_largest_batch(const struct od_workload *workload, uint64_t usable_bytes);
