#include "report/report.h"

#define OD_REGISTER(name) extern const struct od_format od_format_##name;
#include "report/registry.inc"
#undef OD_REGISTER

const struct od_format *const od_formats[] = {
#define OD_REGISTER(name) &od_format_##name,
#include "report/registry.inc"
#undef OD_REGISTER
    NULL};

const struct od_format *od_format_find(struct od_view name)
{
    for (const struct od_format *const *format = od_formats; *format; format++) {
        if (od_view_eq_str(name, (*format)->name))
            return *format;
    }
    return NULL;
}

static const struct {
    const char *name, *schema;
} schemas[] = {
#include "report/schemas.inc"
};

const char *od_schema_find(struct od_view name)
{
    for (size_t i = 0; i < OD_COUNT_OF(schemas); i++)
        if (od_view_eq_str(name, schemas[i].name))
            return schemas[i].schema;
    return NULL;
}
