/*
 * The largest batch that fits. The peak grows with the batch, so the probability to fit decreases,
 * and each answer is the last batch above some probability. The search calls a function instead of
 * the estimate, so that it can be tested.
 */
#pragma once

#include "estimate/estimate.h"

enum { OD_BATCH_MOST = 1 << 24 };

struct od_largest_batch {
    bool known;              /* false: no device is given, or the batch does not change the
                                memory */
    bool open;               /* even OD_BATCH_MOST fits */
    uint64_t expected, safe; /* fits with p >= 0.5 and p >= 0.98; 0 = not even one sample */
    uint64_t lo, hi;         /* 90 % range: fits with p >= 0.95 and p >= 0.05 */
    uint64_t power_of_two, multiple_of_8; /* the largest safe batches of these forms; 0 = none */
};

/* The probability that a batch fits, which must not increase with the batch. Negative: not
 * known. */
struct od_batch_question {
    double (*fits)(void *self, uint64_t batch);
    void *self;
    uint64_t guess; /* an estimate of the answer; 0 = none */
};

/* The largest batch with at least that probability, up to OD_BATCH_MOST; 0 if one sample has a
 * lower one. */
uint64_t od_batch_search(const struct od_batch_question *question, double probability);

/* The largest power of two, or multiple of 8 (below 8: power of two), up to n; 0 for 0. */
uint64_t od_batch_power_of_two(uint64_t n);
uint64_t od_batch_multiple_of_8(uint64_t n);

/* Longest sequences at the workload's own batch, in tokens per sample. */
struct od_largest_sequence {
    bool known;              /* false: the length does not matter, or is given in another way */
    bool limited;            /* limited by the model's positions, not by memory */
    uint64_t expected, safe; /* fits with p >= 0.5 and p >= 0.98; 0 = not even one token */
};

struct od_largest_sequence od_largest_sequence(const struct od_workload *workload,
                                               uint64_t usable_bytes);

/* All largest batches of a workload (its own batch is ignored) for that much memory. */
struct od_largest_batch od_largest_batch(const struct od_workload *workload, uint64_t usable_bytes);
