/*
 * Samples the memory (lib/samples.h) of a program that we run, in a thread. Takes a sample at most
 * once a second, and less often if that would use more than 1/500 of a processor (devices: 1/50 of
 * the time, because their driver answers). The stored samples of a long run grow with the logarithm
 * of its length: one for each thousandth of the time so far, those at which memory moved, and all
 * of the last minute.
 */
#pragma once

#include "base/base.h"

struct od_sampler;

/* Measures the processes that this process starts from now on, at most once in every_s seconds.
 * NULL if every_s is 0 or no thread can be created. The caller stops the sampler. */
struct od_sampler *od_sampler_start(const char *root, unsigned every_s);

/* Moves the lines that are ready to the end of `to`. sampler may be NULL. */
void od_sampler_take(struct od_sampler *sampler, struct od_buf *to);

/* Ends the thread and moves all remaining lines. failed: the run failed. refused: because a file
 * system had no space. sampler may be NULL. */
void od_sampler_stop(struct od_sampler *sampler, bool failed, bool refused, struct od_buf *to);
