#include "report/report.h"

static const char schema_report[] = {
#include "report/schema_report.inc"
    0};
static const char schema_plan[] = {
#include "report/schema_plan.inc"
    0};
static const char schema_diff[] = {
#include "report/schema_diff.inc"
    0};
static const char schema_fleet[] = {
#include "report/schema_fleet.inc"
    0};
static const char schema_tensor[] = {
#include "report/schema_tensor.inc"
    0};
static const char schema_model[] = {
#include "report/schema_model.inc"
    0};

static const char schema_graph[] = {
#include "report/schema_graph.inc"
    0};

static const struct {
    const char *name;
    const char *schema;
} schemas[] = {
    {"report", schema_report}, {"plan", schema_plan},     {"diff", schema_diff},
    {"fleet", schema_fleet},   {"tensor", schema_tensor}, {"model", schema_model},
    {"graph", schema_graph},
};

const char *od_schema_find(struct od_view name)
{
    for (size_t i = 0; i < OD_COUNT_OF(schemas); i++) {
        if (od_view_eq_str(name, schemas[i].name))
            return schemas[i].schema;
    }
    return NULL;
}
