/*
 * What the device held when the run was prepared and had not begun: the model and what its
 * optimizer keeps, as prints that name their moment tell ("after creating optimizer: 41 GB"). None
 * of it shrinks with the batch.
 */
#pragma once

#include "failure/failure.h"

struct od_prepared {
    struct od_bytes in_use;
    struct od_evidence said;
};

/* The last such print of the failed attempt, of its rank where both are told, and its share of what
 * the device has or the limit allows, 0..1; negative where none is known. */
double od_prepared_share(const struct od_case *c, const struct od_failure *failure,
                         struct od_prepared *ret_prepared);
