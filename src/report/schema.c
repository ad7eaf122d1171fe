#include "report/report.h"

static const char schema_report[] = {
#include "report/schema_report.inc"
    0};

const char *od_schema_find(struct od_view name)
{
    return od_view_eq_str(name, "report") ? schema_report : NULL;
}
