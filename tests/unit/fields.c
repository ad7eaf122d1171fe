#include "tests/unit/fields.h"

#include <inttypes.h>

static void write_shape(struct od_buf *to, const struct od_shape *shape)
{
    for (uint32_t i = 0; i < shape->n; i++)
        od_buf_printf(to, "%s%" PRIu64, i > 0 ? "x" : "", shape->dims[i]);
}

void field_write(struct od_buf *to, const struct od_field_value *value)
{
    od_buf_printf(to, "%s=", od_field_name(value->field));
    switch (od_field_type(value->field)) {
    case OD_T_BYTES:
        od_buf_printf(to, "%" PRIu64, value->as.bytes.n);
        break;
    case OD_T_SHAPE:
        write_shape(to, value->as.shape);
        break;
    case OD_T_DTYPE:
        od_buf_add_str(to, od_dtype_name(value->as.dtype));
        break;
    case OD_T_COUNT:
        od_buf_printf(to, "%" PRIu64, value->as.count);
        break;
    case OD_T_NUMBER:
        od_buf_printf(to, "%g", value->as.number);
        break;
    case OD_T_TEXT:
        od_buf_add(to, value->as.text);
        break;
    }
}
