#include "cli/command.h"

#define OD_REGISTER(name) extern const struct od_command od_command_##name;
#include "cli/registry.inc"
#undef OD_REGISTER

const struct od_command *const od_commands[] = {
#define OD_REGISTER(name) &od_command_##name,
#include "cli/registry.inc"
#undef OD_REGISTER
    NULL};
