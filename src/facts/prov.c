#include "facts/prov.h"

int od_prov_cmp(const struct od_prov *a, const struct od_prov *b)
{
    if (a->source != b->source)
        return a->source < b->source ? -1 : 1;
    return (a->line > b->line) - (a->line < b->line);
}

uint64_t od_prov_distance(const struct od_prov *a, const struct od_prov *b)
{
    if (a->source != b->source)
        return UINT64_MAX;
    return a->line > b->line ? a->line - b->line : b->line - a->line;
}
