/*
 * The kind of program that failed on a device. The usual causes depend on it: networks have
 * batches, programs with array libraries have their own data, and others have neither.
 */
#pragma once

#include "failure/failure.h"

/* Does anything show that a network is trained or used: its framework, a batch, steps, calls of a
 * training, layers, or their settings? */
bool od_failure_is_of_network(const struct od_case *c, const struct od_failure *failure);

/* The kind of samples, one of od_sample_words, by the program, the settings, the layers or remarks
 * of people; NULL = not known. */
const char *od_failure_works_on(const struct od_case *c, const struct od_failure *failure);

/* Does the failed program work on arrays and have no batches? */
bool od_failure_is_arrays(const struct od_case *c, const struct od_failure *failure);
