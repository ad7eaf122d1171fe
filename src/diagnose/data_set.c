#include "diagnose/data_set.h"

/* PyTorch asks for large blocks in steps of 2 MiB. */
static bool is_as_large(const struct od_shape *shape, const struct od_scene *scene)
{
    static const unsigned widths[] = {4, 8, 2, 1};
    bool torch = od_view_eq_str(scene->incident->producer, "pytorch");
    double below = torch ? 2097152 : 256, above = 256;
    uint64_t elements;
    if (!shape->known || shape->n < 2 || !od_shape_elements(shape, &elements) || elements == 0)
        return false;
    for (size_t i = 0; i < OD_COUNT_OF(widths); i++) {
        double bytes = (double)elements * widths[i];
        if (bytes >= (double)scene->need.lo - below && bytes <= (double)scene->need.hi + above)
            return true;
    }
    return false;
}

const struct od_shape *od_data_set_asked_for(const struct od_case *c, const struct od_scene *scene)
{
    for (size_t i = 0; scene->need.known && i < c->states.n; i++) {
        const struct od_shape *shape = &c->states.items[i].shape;
        bool batch =
            scene->batch.known && shape->known && shape->n > 0 && shape->dims[0] <= scene->batch.n;
        if (is_as_large(shape, scene) && !batch)
            return shape;
    }
    return NULL;
}
