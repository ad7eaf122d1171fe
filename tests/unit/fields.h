/* Fields of events as text, for tests to compare. */
#ifndef OD_TESTS_UNIT_FIELDS_H
#define OD_TESTS_UNIT_FIELDS_H

#include "base/buf.h"
#include "facts/event.h"

/* "requested=1024", "shape=8x3x224x224", "name=temp". Of a size the nearest integer. */
void field_write(struct od_buf *to, const struct od_field_value *value);

#endif
