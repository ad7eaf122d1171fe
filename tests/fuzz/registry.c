#include "tests/fuzz/fuzz.h"

#define OD_REGISTER(name) extern const struct od_fuzz od_fuzz_##name;
#include "tests/fuzz/registry.inc"
#undef OD_REGISTER

const struct od_fuzz *const od_fuzzes[] = {
#define OD_REGISTER(name) &od_fuzz_##name,
#include "tests/fuzz/registry.inc"
#undef OD_REGISTER
    NULL};
