#include "report/report.h"

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
