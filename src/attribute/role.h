/* The purposes of memory in use. */
#pragma once

/* The order is that of the JSON format; od_role_name() gives the words. */
enum od_role {
    OD_ROLE_UNKNOWN,
    OD_ROLE_WEIGHTS,
    OD_ROLE_GRADIENTS, /* of parameters; the gradient of an activation counts as activation */
    OD_ROLE_OPTIMIZER,
    OD_ROLE_BUFFERS,
    OD_ROLE_CONSTANT,
    OD_ROLE_ACTIVATION,
    OD_ROLE_INPUT,
    OD_ROLE_WORKSPACE,
    OD_ROLE_FIXED, /* does not scale with the batch; more is not known */
    OD_ROLE_BATCH, /* scales with the batch; more is not known */
    OD_ROLES
};

/* The role's word in JSON; NULL for OD_ROLE_UNKNOWN. */
const char *od_role_name(enum od_role role);
