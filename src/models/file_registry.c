#include "models/file_reader.h"

#define OD_REGISTER(name) extern const struct od_file_reader od_file_reader_##name;
#include "models/file_registry.inc"
#undef OD_REGISTER

const struct od_file_reader *const od_file_readers[] = {
#define OD_REGISTER(name) &od_file_reader_##name,
#include "models/file_registry.inc"
#undef OD_REGISTER
    NULL};
