/* What memory in use is for. */
#pragma once

/* In the order of the JSON format; words are od_role_name()'s. */
enum od_role {
    OD_ROLE_UNKNOWN,
    OD_ROLE_WEIGHTS,
    OD_ROLE_GRADIENTS, /* of parameters only; the gradient of an activation is an activation */
    OD_ROLE_OPTIMIZER,
    OD_ROLE_BUFFERS,
    OD_ROLE_CONSTANT,
    OD_ROLE_ACTIVATION,
    OD_ROLE_INPUT,
    OD_ROLE_WORKSPACE,
    OD_ROLE_FIXED, /* only known not to scale with the batch */
    OD_ROLE_BATCH, /* only known to scale with the batch */
    OD_ROLES
};

/* NULL for OD_ROLE_UNKNOWN. */
const char *od_role_name(enum od_role role);
