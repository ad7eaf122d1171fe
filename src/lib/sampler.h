/*
 * Samples (lib/samples.h) of a program that we run, taken by a thread of its own: once a second at
 * most, and as much less often as keeps it below 1/500 of a processor (devices: below 1/50 of the
 * time, for it is their driver that answers). Of a long run what is kept grows with the logarithm
 * of its length: a sample each thousandth of the time so far, those at which memory moved, and all
 * of the last minute.
 */
#pragma once

#include "base/base.h"

struct od_sampler;

/* Measures the processes that this process starts from now on, every every_s seconds. Returns NULL
 * if every_s is 0 or no thread can be created. The caller stops it. */
struct od_sampler *od_sampler_start(const char *root, unsigned every_s);

/* Moves the lines that are ready to the end of `to`. NULL is legal. */
void od_sampler_take(struct od_sampler *sampler, struct od_buf *to);

/* Ends it and moves all lines that are left. refused: space of a file system was, of a run that
 * failed. NULL is legal. */
void od_sampler_stop(struct od_sampler *sampler, bool failed, bool refused, struct od_buf *to);
