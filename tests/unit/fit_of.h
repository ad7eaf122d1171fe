/* The fit of a case made by hand; it lives as long as the case. */
#ifndef OD_TESTS_UNIT_FIT_OF_H
#define OD_TESTS_UNIT_FIT_OF_H

#include "fit/fit.h"

static inline const struct od_fit *fit_of(const struct od_case *c,
                                          const struct od_attribution *attribution)
{
    struct od_fit_question asked = {
        .c = c, .failure = od_failure_of(c, c->arena), .attribution = attribution};
    return od_fit_of(&asked, c->arena);
}

#endif
