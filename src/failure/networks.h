/*
 * What sort of program failed on a device, as far as the usual suspects differ with it: networks
 * have batches; libraries of arrays have the program's data; what else computes on a device has
 * neither.
 */
#pragma once

#include "failure/failure.h"

/* Does anything show that a network is trained or used: its framework, a batch, steps, calls of a
 * training, layers, a setting of one? */
bool od_failure_is_of_network(const struct od_case *c, const struct od_failure *failure);

/* What its samples are, one of od_sample_words: as the program works on nothing else, by the
 * settings of the run, by its layers or by what people say; NULL = not known. */
const char *od_failure_works_on(const struct od_case *c, const struct od_failure *failure);

/* Does who failed work on arrays, where a batch is nothing in particular? */
bool od_failure_is_arrays(const struct od_case *c, const struct od_failure *failure);
