#include "failure/data_set.h"

/* PyTorch rounds large requests up to multiples of 2 MiB. */
static bool is_as_large(const struct od_shape *shape, const struct od_failure *failure)
{
    static const unsigned widths[] = {4, 8, 2, 1};
    bool torch = od_view_eq_str(failure->incident->producer, "pytorch");
    double below = torch ? 2097152 : 256, above = 256;
    uint64_t elements;
    if (!shape->known || shape->n < 2 || !od_shape_elements(shape, &elements) || elements == 0)
        return false;
    for (size_t i = 0; i < OD_COUNT_OF(widths); i++) {
        double bytes = (double)elements * widths[i];
        if (bytes >= (double)failure->need.lo - below && bytes <= (double)failure->need.hi + above)
            return true;
    }
    return false;
}

const struct od_shape *od_data_set_asked_for(const struct od_case *c,
                                             const struct od_failure *failure)
{
    for (size_t i = 0; failure->need.known && i < c->states.n; i++) {
        const struct od_memory_state *state = &c->states.items[i];
        const struct od_shape *shape = &state->shape;
        bool batch = failure->batch.known && shape->known && shape->n > 0 &&
                     shape->dims[0] <= failure->batch.n;
        bool few = od_view_eq_str(state->name, "sample") || od_view_eq_str(state->name, "batch");
        if (is_as_large(shape, failure) && !batch && !few)
            return shape;
    }
    return NULL;
}

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
