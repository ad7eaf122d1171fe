#include "failure/data_set.h"

const struct od_shape *od_data_set_far_smaller(const struct od_case *c,
                                               const struct od_failure *failure)
{
    /* bytes of an element; factor between the data and the request */
    static const double widest = 8, far = 4;
    const struct od_shape *largest = NULL;
    uint64_t elements, most = 0;
    for (size_t i = 0; failure->need.known && i < c->states.n; i++) {
        const struct od_memory_state *state = &c->states.items[i];
        if (!od_view_eq_str(state->name, "dataset") ||
            !od_shape_elements(&state->shape, &elements) || elements < most)
            continue;
        most = elements;
        largest = &state->shape;
    }
    return largest && (double)most * widest * far < (double)failure->need.lo ? largest : NULL;
}
