#include "diagnose/diagnose.h"

#define OD_REGISTER(name) extern const struct od_diagnoser od_diagnoser_##name;
#include "diagnose/registry.inc"
#undef OD_REGISTER

const struct od_diagnoser *const od_diagnosers[] = {
#define OD_REGISTER(name) &od_diagnoser_##name,
#include "diagnose/registry.inc"
#undef OD_REGISTER
    NULL};
