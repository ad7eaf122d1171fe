/*
 * The kind of program that failed on a device, because the usual causes depend on it: networks have
 * batches, array libraries have the program's data, and other programs have neither.
 */
#pragma once

#include "failure/failure.h"

/* Does anything show that a network is trained or used: its framework, a batch, steps, calls of a
 * training, layers, or a setting of one? */
bool od_failure_is_of_network(const struct od_case *c, const struct od_failure *failure);

/* The kind of samples, one of od_sample_words, according to the program, the settings, the layers
 * or people's remarks; NULL = not known. */
const char *od_failure_works_on(const struct od_case *c, const struct od_failure *failure);

/* Does the failed program work on arrays, where a batch has no meaning? */
bool od_failure_is_arrays(const struct od_case *c, const struct od_failure *failure);
