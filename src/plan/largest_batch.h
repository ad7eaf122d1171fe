/*
 * The largest batch that fits: the peak grows with the batch, so the probability of fitting falls,
 * and each answer is the last batch before it falls below a mark. A search asks a function, not the
 * estimate itself, so that it can be tried on anything.
 */
#pragma once

#include "estimate/estimate.h"

enum { OD_BATCH_MOST = 1 << 24 };

struct od_largest_batch {
    bool known;              /* false: no device, or the batch does not change the memory */
    bool open;               /* even OD_BATCH_MOST fits */
    uint64_t expected, safe; /* fits with p >= 0.5, p >= 0.98; 0 = not even one sample */
    uint64_t lo, hi;         /* 90 %: fits with p >= 0.95, p >= 0.05 */
    uint64_t power_of_two, multiple_of_8; /* the largest of each that is safe; 0 = none */
};

/* Probability that batch fits; must not grow with it. Negative: there is no answer. */
struct od_batch_question {
    double (*fits)(void *self, uint64_t batch);
    void *self;
    uint64_t guess; /* where the answer may lie; 0 = no idea */
};

/* The largest batch of at least that probability, up to OD_BATCH_MOST; 0 when one sample has less.
 */
uint64_t od_batch_search(const struct od_batch_question *question, double probability);

/* The largest power of two, and multiple of 8 (below 8: power of two), up to n; 0 for 0. */
uint64_t od_batch_power_of_two(uint64_t n);
uint64_t od_batch_multiple_of_8(uint64_t n);

/* Tokens of a sample at the workload's own batch. */
struct od_largest_sequence {
    bool known;              /* false: the length does not matter, or is given in another way */
    bool limited;            /* by the model's positions, not by the memory */
    uint64_t expected, safe; /* fits with p >= 0.5, p >= 0.98; 0 = not even one token */
};

struct od_largest_sequence od_largest_sequence(const struct od_workload *workload,
                                               uint64_t usable_bytes);

/* All of them for a workload, whatever its own batch, in so many bytes. */
struct od_largest_batch od_largest_batch(const struct od_workload *workload, uint64_t usable_bytes);
