#include "scan/readers.h"

#define OD_REGISTER(name) extern const struct od_reader od_reader_##name;
#include "scan/readers.inc"
#undef OD_REGISTER

const struct od_reader *const od_readers[] = {
#define OD_REGISTER(name) &od_reader_##name,
#include "scan/readers.inc"
#undef OD_REGISTER
    NULL};
