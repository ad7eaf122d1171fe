/*
 * Memory of the device after the model and the optimizer were created and before the first step,
 * from lines that name this moment ("after creating optimizer: 41 GB"). None of it shrinks with the
 * batch size.
 */
#pragma once

#include "failure/failure.h"

struct od_prepared {
    struct od_bytes in_use;
    struct od_evidence said;
};

/* Finds the last measurement of this kind of the failed attempt (of the same rank if both ranks are
 * known). Returns its share of the limit or capacity, 0..1; negative = not known. */
double od_prepared_share(const struct od_case *c, const struct od_failure *failure,
                         struct od_prepared *ret_prepared);
