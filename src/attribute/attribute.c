#include "attribute/attribute.h"

const char *od_role_name(enum od_role role)
{
    static const char *const names[OD_ROLES] = {
        [OD_ROLE_WEIGHTS] = "weights",     [OD_ROLE_GRADIENTS] = "gradients",
        [OD_ROLE_OPTIMIZER] = "optimizer", [OD_ROLE_BUFFERS] = "buffers",
        [OD_ROLE_CONSTANT] = "constant",   [OD_ROLE_ACTIVATION] = "activation",
        [OD_ROLE_INPUT] = "input",         [OD_ROLE_WORKSPACE] = "workspace",
        [OD_ROLE_DATASET] = "dataset",     [OD_ROLE_FIXED] = "fixed",
        [OD_ROLE_BATCH] = "batch",
    };
    return names[role];
}

const struct od_attribution *od_attribute(const struct od_case *c,
                                          const struct od_attribute_options *options,
                                          struct od_arena *arena)
{
    struct od_attribution *attribution = OD_NEW(arena, struct od_attribution);
    if (options) {
        attribution->batch = options->batch;
        attribution->model = options->model;
    }
    (void)c;
    return attribution;
}
